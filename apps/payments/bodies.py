"""Parts of the JSON bodies that a provider sends, whatever their shape: what is missing or of
another type is empty.
"""

from decimal import Decimal, InvalidOperation

from apps.common.types import Json


def part(body: Json, name: str) -> Json:
    """Return an object of a body."""
    found = body.get(name)
    return found if isinstance(found, dict) else {}


def parts(body: Json, name: str) -> list[Json]:
    """Return the objects of a list of a body."""
    found = body.get(name)
    return [item for item in found if isinstance(item, dict)] if isinstance(found, list) else []


def first(body: Json, name: str) -> Json:
    """Return the first object of a list of a body."""
    return next(iter(parts(body, name)), {})


def text(body: Json, name: str) -> str:
    """Return a text of a body."""
    return str(body.get(name) or "")


def link(body: Json, rel: str) -> str:
    """Return the address of a body's link."""
    return next((text(item, "href") for item in parts(body, "links") if item.get("rel") == rel), "")


def money(amount: Json, name: str) -> Decimal | None:
    """Return the money of an amount, without its sign: a refund's may be negative."""
    try:
        value = Decimal(str(amount.get(name)))
    except InvalidOperation:
        return None
    return abs(value) if value.is_finite() else None

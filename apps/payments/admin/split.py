"""One wire over several orders, as typed into a page: an amount for each order."""

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from django.http import HttpRequest

from apps.common.money import ZERO, read_usd
from apps.payments.bank.matching import Claim
from apps.payments.services.receive import WirePart


@dataclass(frozen=True)
class SplitRow:
    """An order of a split, and what was typed for it."""

    claim: Claim
    given: str = ""

    @property
    def field(self) -> str:
        """Return the name of its field: the order, its announced wire, and what it asks for now."""
        return f"part:{self.claim.order_id}:{self.claim.payment_id or 0}:{self.claim.amount}"


def split_rows(request: HttpRequest, claims: Iterable[Claim]) -> list[SplitRow]:
    """Return the rows of a split; input that was refused stays."""
    return [SplitRow(claim, request.POST.get(SplitRow(claim).field, "")) for claim in claims]


def is_split(request: HttpRequest) -> bool:
    """Return whether any order of a split was given something."""
    return any(
        name.startswith("part:") and str(value).strip() for name, value in request.POST.items()
    )


def split_parts(request: HttpRequest) -> tuple[list[WirePart], str]:
    """Return the parts typed into a split, or what is wrong with them; an order that gets nothing
    is left out.
    """
    parts = []
    for name, value in request.POST.items():
        text = str(value).strip()
        if not name.startswith("part:") or not text:
            continue
        try:
            order_id, payment_id, asked = name.removeprefix("part:").split(":")
            amount = read_usd(text)
            if amount <= ZERO:
                raise ValueError(text)
            parts.append(WirePart(int(order_id), int(payment_id) or None, Decimal(asked), amount))
        except (ValueError, InvalidOperation):
            return [], f"“{text[:20]}” is not an amount."
    return parts, "" if parts else "enter what each order gets."

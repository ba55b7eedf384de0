"""Where the goods go: the seven ship fields (api.md, Orders), by the same names on the wire and in
every table.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Self

from apps.common.printed import refuse_unprintable

REQUIRED_SHIP_FIELDS = ("ship_country", "ship_city", "ship_zipcode", "ship_address1", "ship_phone")
REQUIRED = "This field is required."


@dataclass(frozen=True)
class Shipping:
    """A shipping address: country and state by the id of their address entries, the
    rest as text.
    """

    ship_country: int | None = None
    ship_state: int | None = None
    ship_city: str = ""
    ship_zipcode: str = ""
    ship_address1: str = ""
    ship_address2: str = ""
    ship_phone: str = ""

    @classmethod
    def of(cls, row: object) -> Self:
        """Return the shipping address of a row: a user, a temporary order or an order."""
        return cls(**ship_fields(row))

    @classmethod
    def from_fields(cls, fields: Mapping[str, Any]) -> Self:
        """Return the shipping address among the fields of a form."""
        return cls(**{name: fields[name] for name in SHIP_COLUMNS})

    def columns(self) -> dict[str, Any]:
        """Return the values by column."""
        return {column: getattr(self, name) for name, column in SHIP_COLUMNS.items()}


# The column of each field.
SHIP_COLUMNS = {
    name: f"{name}_id" if name in ("ship_country", "ship_state") else name
    for name in Shipping.__dataclass_fields__
}


def ship_fields(row: object) -> dict[str, Any]:
    """Return the ship fields of a row by the wire's names."""
    return {name: getattr(row, column) for name, column in SHIP_COLUMNS.items()}


def missing_ship_fields(shipping: Shipping) -> dict[str, list[str]]:
    """Return a refusal for each ship field that an order needs and that is empty (api.md, Deposit
    checkout).
    """
    return {name: [REQUIRED] for name in REQUIRED_SHIP_FIELDS if not getattr(shipping, name)}


def refuse_unprintable_shipping(shipping: Shipping, *, former: Shipping) -> None:
    """Refuse an address that invoices cannot print, but for what stands there already.

    Raises:
        Invalid: its `errors` name each field and the characters.
    """
    refuse_unprintable(asdict(shipping), stored=asdict(former))

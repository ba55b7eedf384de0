"""The rules of people, row by row."""

import pytest

from apps.accounts.errors import ElementsMissing, SignUpPasswordsDiffer, SignUpPasswordTooShort
from apps.accounts.models import User
from apps.accounts.rules import check_sign_up
from apps.accounts.shipping import Shipping, missing_ship_fields, ship_fields
from apps.common.errors import PortalError
from apps.common.testing import vectors
from apps.common.types import Json

REFUSALS: dict[str, type[PortalError]] = {
    "elements_missing": ElementsMissing,
    "sign_up_password_too_short": SignUpPasswordTooShort,
    "sign_up_passwords_differ": SignUpPasswordsDiffer,
}
ROWS = vectors("accounts/sign_up")


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["source"])
def test_check_sign_up(row: Json) -> None:
    if row["refusal"] is None:
        check_sign_up(row["form"])
        return
    with pytest.raises(REFUSALS[row["refusal"]]) as refused:
        check_sign_up(row["form"])
    assert refused.value.errors == {
        name: [REFUSALS[kind].message] for name, kind in row["errors"].items()
    }


def test_an_order_needs_every_ship_field_but_state_and_second_line() -> None:
    needed = {"ship_country", "ship_city", "ship_zipcode", "ship_address1", "ship_phone"}
    assert set(missing_ship_fields(Shipping())) == needed


def test_a_shipping_address_goes_from_row_to_columns_and_back() -> None:
    shipping = Shipping(1, 2, "Warszawa", "00-682", "ul. Lipowa 51", "lok. 14", "+48 22 555 01 74")
    user = User(**shipping.columns())
    assert (user.ship_country_id, user.ship_state_id, user.ship_phone) == (1, 2, "+48 22 555 01 74")
    assert Shipping.of(user) == Shipping.from_fields(ship_fields(user)) == shipping

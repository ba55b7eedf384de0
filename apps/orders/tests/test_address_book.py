"""The company's address book: kept by its buyers, the default each one's own."""

from typing import Any

import pytest

from apps.accounts.models import CompanyAddress, User
from apps.accounts.selectors import Buyer, profile
from apps.accounts.services import addresses
from apps.accounts.tests.factories import buyer_of, make_user
from apps.common.testing import ContractClient
from apps.orders.tests.factories import ship_body


def add(api: ContractClient, name: str, **fields: Any) -> Any:
    return api.send("POST", "/api/account/addresses", {"name": name, **ship_body(**fields)})


def book(api: ContractClient) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = api.get("/api/account/addresses").json()["addresses"]
    return found


def test_addresses_are_kept_for_the_company_by_name(api: ContractClient, buyer: Buyer) -> None:
    add(api, "Store Berlin", ship_city="Berlin")
    first = add(api, "Hamburg", ship_city="Hamburg").json()["address_id"]
    assert [(row["name"], row["ship_city"], row["country"]) for row in book(api)] == [
        ("Hamburg", "Hamburg", "Poland"),
        ("Store Berlin", "Berlin", "Poland"),
    ]
    taken = add(api, "store berlin")
    assert (taken.status_code, list(taken.json()["errors"])) == (400, ["name"])
    path = f"/api/account/addresses/{first}"
    assert api.send("PUT", path, {"name": "Hamburg 2", **ship_body()}).status_code == 200
    assert api.send("DELETE", path).json() == {"success": 1}
    assert [row["name"] for row in book(api)] == ["Store Berlin"]


@pytest.mark.parametrize(
    "field", ["name", "ship_country", "ship_city", "ship_zipcode", "ship_address1", "ship_phone"]
)
def test_an_address_is_whole(api: ContractClient, field: str) -> None:
    answer = api.send("POST", "/api/account/addresses", {"name": "Store", **ship_body(), field: ""})
    assert (answer.status_code, list(answer.json()["errors"])) == (400, [field])


def test_the_default_is_the_buyers_own_and_follows_a_change(
    api: ContractClient, buyer: Buyer
) -> None:
    colleague = make_user(company_id=buyer.company_id, ship_city="Kielce")
    chosen = add(api, "Store Berlin", ship_city="Berlin").json()["address_id"]
    add(api, "Hamburg", ship_city="Hamburg")
    assert api.send("PUT", f"/api/account/addresses/{chosen}/default").json() == {"success": 1}
    assert [row["name"] for row in book(api) if row["is_default"]] == ["Store Berlin"]
    assert profile(buyer=buyer)["ship_city"] == "Berlin"
    assert profile(buyer=buyer_of(User.objects.get(pk=colleague.pk)))["ship_city"] == "Kielce"
    api.send(
        "PUT",
        f"/api/account/addresses/{chosen}",
        {"name": "Store Berlin", **ship_body(ship_city="Potsdam")},
    )
    assert profile(buyer=buyer)["ship_city"] == "Potsdam"


def test_the_book_is_full_at_some_point(
    api: ContractClient, buyer: Buyer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(addresses, "MAX_ADDRESSES", 1)
    assert [add(api, name).status_code for name in ("One", "Two")] == [200, 400]
    assert CompanyAddress.objects.filter(company_id=buyer.company_id).count() == 1

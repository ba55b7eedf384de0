"""The baskets that are put by: named, shared with colleagues, kept from before a Reset."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest

from apps.accounts.selectors import Buyer
from apps.accounts.tests.factories import buyer_of, make_buyer, make_user
from apps.catalog.tests.factories import make_product, make_products
from apps.common.testing import ContractClient
from apps.common.types import Json
from apps.orders.models import SavedBasket
from apps.orders.services import baskets as saved_baskets
from apps.orders.sweeps import forget_former_baskets

SignIn = Callable[[Buyer], ContractClient]


def save(
    api: ContractClient, lines: list[tuple[str, int]], *, uuid: str | None = None, **fields: Any
) -> tuple[str, Any]:
    """Put a basket by; return its uuid and the answer."""
    uuid = uuid or str(uuid4())
    body = {
        "kind": "named",
        "lines": [{"sku": sku, "count": count} for sku, count in lines],
        **fields,
    }
    return uuid, api.send("PUT", f"/api/baskets/{uuid}", body)


def names(api: ContractClient) -> list[Json]:
    """Return what of each basket tells whose it is."""
    rows = api.send("GET", "/api/baskets").json()["result"]
    return [{key: row[key] for key in ("name", "kind", "is_own", "is_shared")} for row in rows]


def test_a_basket_is_saved_opened_renamed_and_deleted(api: ContractClient) -> None:
    one, two = make_products(2)
    uuid, answer = save(api, [(one.sku, 20), ("GONE", 10), (two.sku, 10)], name="Christmas")
    assert answer.status_code == 200
    found = api.send("GET", f"/api/baskets/{uuid}").json()
    assert found["lines"] == [{"sku": one.sku, "count": 20}, {"sku": two.sku, "count": 10}]
    assert (found["count"], found["pieces"], found["total"]) == (2, 30, 135)
    save(api, [(one.sku, 20)], uuid=uuid, name="Christmas")  # a repeat of the same
    assert (
        api.send("PUT", f"/api/baskets/{uuid}/name", {"name": "Easter", "is_shared": 1}).status_code
        == 200
    )
    assert names(api) == [{"name": "Easter", "kind": "named", "is_own": 1, "is_shared": 1}]
    assert api.send("DELETE", f"/api/baskets/{uuid}").status_code == 200
    assert api.send("DELETE", f"/api/baskets/{uuid}").status_code == 404


def test_colleagues_open_what_is_shared_and_change_nothing(
    api: ContractClient, buyer: Buyer, sign_in: SignIn
) -> None:
    line = [(make_product().sku, 10)]
    shared, _ = save(api, line, name="Store Berlin", is_shared=1)
    private, _ = save(api, line, name="Sun care")
    colleague, stranger = (
        sign_in(buyer_of(make_user(company_id=buyer.company_id))),
        sign_in(make_buyer()),
    )
    assert names(colleague) == [
        {"name": "Store Berlin", "kind": "named", "is_own": 0, "is_shared": 1}
    ]
    assert names(stranger) == []
    assert colleague.send("GET", f"/api/baskets/{shared}").status_code == 200
    for client, uuid in ((colleague, private), (stranger, shared)):
        assert client.send("GET", f"/api/baskets/{uuid}").status_code == 404
    for client in (colleague, stranger):
        assert client.send("DELETE", f"/api/baskets/{shared}").status_code == 404
        assert save(client, line, uuid=shared, name="Mine")[1].status_code == 404
        body = {"name": "Mine", "is_shared": 0}
        assert client.send("PUT", f"/api/baskets/{shared}/name", body).status_code == 404


def test_a_former_basket_is_kept_for_thirty_days_unless_it_gets_a_name(
    api: ContractClient, now: datetime
) -> None:
    line = [(make_product().sku, 10)]
    kept, _ = save(api, line, kind="reset")
    save(api, line, kind="recent")
    assert (
        api.send("PUT", f"/api/baskets/{kept}/name", {"name": "Kept", "is_shared": 0}).status_code
        == 200
    )
    assert forget_former_baskets(now + timedelta(days=29)) == 0
    assert forget_former_baskets(now + timedelta(days=31)) == 1
    assert names(api) == [{"name": "Kept", "kind": "named", "is_own": 1, "is_shared": 0}]


def test_the_oldest_former_baskets_make_room(
    api: ContractClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(saved_baskets, "MAX_FORMER", 2)
    line = [(make_product().sku, 10)]
    kept = [save(api, line, kind="reset")[0] for _ in range(4)]
    assert {str(basket.uuid) for basket in SavedBasket.objects.all()} == set(kept[2:])


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"name": "CHRISTMAS"}, "You already have a basket with this name."),
        ({"name": "Second"}, "You have reached the limit of saved baskets. Delete one first."),
        ({"name": "Empty", "lines": []}, "There are no selected products. Select products."),
        ({"name": " "}, None),
        ({"kind": "other", "name": "x"}, None),
        ({"name": "x" * 61}, None),
    ],
)
def test_what_cannot_be_saved(
    api: ContractClient, monkeypatch: pytest.MonkeyPatch, fields: Json, message: str | None
) -> None:
    monkeypatch.setattr(saved_baskets, "MAX_NAMED", 1)
    line = [(make_product().sku, 10)]
    save(api, line, name="Christmas")
    _, answer = save(api, **{"lines": line, **fields})
    assert answer.status_code == 400
    if message:
        assert answer.json()["message"] == message
    assert SavedBasket.objects.count() == 1

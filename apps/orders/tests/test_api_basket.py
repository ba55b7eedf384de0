"""GET /basket and POST /basket/edits: one basket on all devices."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.accounts.selectors import Buyer
from apps.accounts.tests.factories import make_buyer, make_company
from apps.catalog.models import Product, Stock
from apps.catalog.tests.factories import make_brand, make_product, make_products, restrict
from apps.common.testing import ContractClient
from apps.common.tests.races import race
from apps.common.types import Json
from apps.orders.models import Basket, SavedBasket
from apps.orders.rules import BASKET_FULL
from apps.orders.services import baskets
from apps.orders.services.baskets import edit_basket
from apps.orders.services.request import cancel_temporary_order
from apps.orders.sweeps import forget_former_baskets
from apps.orders.tests.factories import make_draft, make_order, make_order_of

SignIn = Callable[[Buyer], ContractClient]
DEVICE, OTHER = str(uuid4()), str(uuid4())


def edit(
    api: ContractClient,
    *edits: tuple[str, int],
    device: str = DEVICE,
    sequence: int = 1,
    revision: int = 0,
) -> Json:
    """Send edits and return the answer."""
    lines = [{"sku": sku, "count": count} for sku, count in edits]
    body = {"device": device, "sequence": sequence, "revision": revision, "edits": lines}
    answer = api.send("POST", "/api/basket/edits", body)
    assert answer.status_code == 200, answer.content
    content: Json = answer.json()
    return content


def basket(api: ContractClient) -> dict[str, int]:
    """Return the pieces in the basket by SKU, in its order."""
    return {line["sku"]: line["count"] for line in api.send("GET", "/api/basket").json()["lines"]}


def test_edits_of_two_devices_are_one_basket(api: ContractClient) -> None:
    make_product(sku="A"), make_product(sku="B"), make_product(sku="C")
    assert edit(api, ("A", 10), ("B", 20))["lines"] is None
    assert edit(api, ("B", 30), ("C", 10), device=OTHER, revision=1)["lines"] is None
    answer = edit(api, ("A", 0), sequence=2, revision=1)  # it has not heard of the other's yet
    assert answer["revision"] == 3
    assert [(line["sku"], line["count"]) for line in answer["lines"]] == [("B", 30), ("C", 10)]
    assert basket(api) == {"B": 30, "C": 10}


def test_a_repeat_changes_nothing_even_after_another_devices_edit(api: ContractClient) -> None:
    make_product(sku="A")
    edit(api, ("A", 10))
    edit(api, ("A", 50), device=OTHER)
    again = edit(api, ("A", 10))
    assert (again["revision"], again["lines"][0]["count"]) == (2, 50)


def test_an_unknown_sku_is_refused_and_the_others_are_set(sign_in: SignIn) -> None:
    company, brand = make_company(), make_brand()
    restrict(company, [brand])
    make_product(sku="HIDDEN", brand=make_brand()), make_product(sku="SHOWN", brand=brand)
    api = sign_in(make_buyer(company=company))
    answer = edit(api, ("HIDDEN", 10), ("SHOWN", 10), ("GONE", 0))
    assert answer["refused"] == [{"sku": "HIDDEN", "message": "Unknown SKU."}]
    assert basket(api) == {"SHOWN": 10}


def test_a_line_keeps_its_price_and_whether_it_was_short(api: ContractClient) -> None:
    make_product(sku="A", on_hand=25), make_product(sku="B", on_hand=5)
    edit(api, ("A", 20), ("B", 10))
    Product.objects.update(usd_supply=Decimal("9.99"))
    Stock.objects.update(on_hand=1)
    lines = api.send("GET", "/api/basket").json()["lines"]
    shown = [(line["sku"], line["price"], line["short"]) for line in lines]
    assert shown == [("A", 4.5, 0), ("B", 4.5, 1)]


def test_what_is_known_costs_one_statement_and_no_body(api: ContractClient) -> None:
    empty = api.send("GET", "/api/basket")
    assert (empty.json()["revision"], empty["ETag"]) == (0, '"0"')
    edit(api, *[(product.sku, 10) for product in make_products(3)])
    with CaptureQueriesContext(connection) as queries:
        answer = api.send("GET", "/api/basket", headers={"If-None-Match": '"1"'})
    assert (answer.status_code, answer.content) == (304, b"")
    assert len(queries) == 2  # who is calling, and the basket
    assert api.send("GET", "/api/basket", headers={"If-None-Match": '"0"'}).status_code == 200


def test_it_costs_the_same_statements_however_many_lines(api: ContractClient) -> None:
    products = make_products(60)
    used = []
    for sequence, number in enumerate((1, 10, 60), start=1):
        with CaptureQueriesContext(connection) as queries:
            edit(api, *[(product.sku, 10) for product in products[:number]], sequence=sequence)
        used.append(len(queries))
    assert used[1] == used[2] < used[0] + 1


def test_a_basket_has_an_end(api: ContractClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(baskets, "MAX_BASKET_LINES", 2)
    for sku in "ABC":
        make_product(sku=sku)
    answer = edit(api, ("A", 10), ("B", 10), ("C", 10), ("A", 20))
    assert answer["refused"] == [{"sku": "C", "message": BASKET_FULL}]
    assert basket(api) == {"A": 20, "B": 10}


def test_the_device_that_was_used_longest_ago_is_forgotten(
    buyer: Buyer, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(baskets, "MAX_DEVICES", 2)
    devices = [uuid4() for _ in range(3)]
    for device, sequence in zip([*devices[:2], devices[0], devices[2]], (1, 1, 2, 1), strict=True):
        edit_basket(buyer=buyer, device=device, sequence=sequence, edits=[], now=now)
    assert Basket.objects.get().devices == [[str(devices[0]), 2], [str(devices[2]), 1]]


def test_an_order_takes_out_what_it_ordered_and_leaves_what_was_changed_since(
    api: ContractClient, buyer: Buyer, sign_in: SignIn
) -> None:
    one, two, three = make_products(3)
    edit(api, (three.sku, 10), (two.sku, 20), (one.sku, 10))
    colleague = make_buyer(company_id=buyer.company_id)
    edit(sign_in(colleague), (one.sku, 10))
    draft = make_draft(buyer, [(one, 10), (two, 20), (three, 10)])
    edit(api, (three.sku, 30), sequence=2, revision=1)
    make_order_of(draft, buyer)
    assert basket(api) == {three.sku: 30}
    assert basket(sign_in(colleague)) == {one.sku: 10}


def test_cancelling_the_checkout_takes_the_lines_out(api: ContractClient, buyer: Buyer) -> None:
    product = make_product()
    edit(api, (product.sku, 10))
    draft = make_draft(buyer, [(product, 10)])
    cancel_temporary_order(buyer=buyer, invoice_code=draft.invoice_code, now=datetime.now(UTC))
    assert basket(api) == {}


def test_a_basket_belongs_to_its_buyer(api: ContractClient, buyer: Buyer, sign_in: SignIn) -> None:
    make_product(sku="A")
    edit(api, ("A", 10))
    make_order(make_buyer())
    for other in (make_buyer(company_id=buyer.company_id), make_buyer()):
        assert basket(sign_in(other)) == {}


@pytest.mark.parametrize(
    "change",
    [
        {"device": "phone"},
        {"sequence": 0},
        {"sequence": True},
        {"revision": -1},
        {"edits": [{"sku": "A", "count": -1}]},
        {"edits": [{"sku": "A", "count": 1_000_001}]},
        {"edits": [{"sku": "", "count": 10}]},
        {"edits": [{"count": 10}]},
        {"edits": [{"sku": "A", "count": 10}] * 4001},
    ],
)
def test_malformed_edits_are_refused(api: ContractClient, change: dict[str, Any]) -> None:
    body = {"device": DEVICE, "sequence": 1, "revision": 0, "edits": []}
    answer = api.send("POST", "/api/basket/edits", {**body, **change})
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid")


@pytest.mark.django_db(transaction=True)
def test_no_edit_of_many_at_once_is_lost(buyer: Buyer, now: datetime) -> None:
    products = make_products(12)

    def work(number: int) -> None:
        edits = [(products[number].sku, 10)]
        edit_basket(buyer=buyer, device=uuid4(), sequence=1, edits=edits, now=now)

    race(work, 12)
    stored = Basket.objects.get()
    assert stored.revision == 12
    assert {line["sku"] for line in stored.lines} == {product.sku for product in products}


# Baskets that were put by


def save(
    api: ContractClient, lines: list[tuple[str, int]], *, uuid: str | None = None, **fields: Any
) -> tuple[str, Any]:
    """Put a basket by; return its uuid and the answer."""
    uuid, rows = uuid or str(uuid4()), [{"sku": sku, "count": count} for sku, count in lines]
    return uuid, api.send("PUT", f"/api/baskets/{uuid}", {"kind": "named", "lines": rows, **fields})


def rename(api: ContractClient, uuid: str, name: str, is_shared: int = 0) -> int:
    """Give a basket a name; return the status."""
    body = {"name": name, "is_shared": is_shared}
    return int(api.send("PUT", f"/api/baskets/{uuid}/name", body).status_code)


def names(api: ContractClient) -> list[Json]:
    """Return what of each basket tells whose it is."""
    rows = api.send("GET", "/api/baskets").json()["result"]
    return [{key: row[key] for key in ("name", "kind", "is_own", "is_shared")} for row in rows]


def test_a_basket_is_saved_opened_renamed_and_deleted(api: ContractClient) -> None:
    one, two = make_products(2)
    uuid, answer = save(api, [(one.sku, 20), ("GONE", 10), (two.sku, 10)], name="Christmas")
    assert answer.status_code == 200
    body = api.send("GET", f"/api/baskets/{uuid}").json()
    assert body["lines"] == [{"sku": one.sku, "count": 20}, {"sku": two.sku, "count": 10}]
    assert (body["count"], body["pieces"], body["total"]) == (2, 30, 135)
    save(api, [(one.sku, 20)], uuid=uuid, name="Christmas")  # a repeat of the same
    assert rename(api, uuid, "Easter", is_shared=1) == 200
    assert names(api) == [{"name": "Easter", "kind": "named", "is_own": 1, "is_shared": 1}]
    assert api.send("DELETE", f"/api/baskets/{uuid}").status_code == 200
    assert api.send("DELETE", f"/api/baskets/{uuid}").status_code == 404


def test_colleagues_open_what_is_shared_and_change_nothing(
    api: ContractClient, buyer: Buyer, sign_in: SignIn
) -> None:
    line = [(make_product().sku, 10)]
    shared, _ = save(api, line, name="Store Berlin", is_shared=1)
    private, _ = save(api, line, name="Sun care")
    colleague, stranger = sign_in(make_buyer(company_id=buyer.company_id)), sign_in(make_buyer())
    shown = {"name": "Store Berlin", "kind": "named", "is_own": 0, "is_shared": 1}
    assert (names(colleague), names(stranger)) == ([shown], [])
    assert colleague.send("GET", f"/api/baskets/{shared}").status_code == 200
    for client, uuid in ((colleague, private), (stranger, shared)):
        assert client.send("GET", f"/api/baskets/{uuid}").status_code == 404
    for client in (colleague, stranger):
        assert client.send("DELETE", f"/api/baskets/{shared}").status_code == 404
        assert save(client, line, uuid=shared, name="Mine")[1].status_code == 404
        assert rename(client, shared, "Mine") == 404


def test_a_former_basket_is_kept_for_thirty_days_unless_it_gets_a_name(
    api: ContractClient, now: datetime
) -> None:
    line = [(make_product().sku, 10)]
    stored, _ = save(api, line, kind="reset")
    save(api, line, kind="recent")
    assert rename(api, stored, "Kept") == 200
    assert forget_former_baskets(now + timedelta(days=29)) == 0
    assert forget_former_baskets(now + timedelta(days=31)) == 1
    assert names(api) == [{"name": "Kept", "kind": "named", "is_own": 1, "is_shared": 0}]


def test_the_oldest_former_baskets_make_room(
    api: ContractClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(baskets, "MAX_FORMER", 2)
    line = [(make_product().sku, 10)]
    stored = [save(api, line, kind="reset")[0] for _ in range(4)]
    assert {str(basket.uuid) for basket in SavedBasket.objects.all()} == set(stored[2:])


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
    monkeypatch.setattr(baskets, "MAX_NAMED", 1)
    line = [(make_product().sku, 10)]
    save(api, line, name="Christmas")
    _, answer = save(api, **{"lines": line, **fields})
    assert answer.status_code == 400
    if message:
        assert answer.json()["message"] == message
    assert SavedBasket.objects.count() == 1

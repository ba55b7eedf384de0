"""The calls that read and change orders: list, details, recent, quick search, address, messages."""

from collections.abc import Callable
from datetime import UTC, datetime
from decimal import Decimal

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from apps.accounts.selectors import Buyer
from apps.accounts.tests.factories import make_buyer
from apps.catalog.models import Product, Running
from apps.catalog.tests.factories import make_product, make_products
from apps.common.testing import ContractClient
from apps.orders.models import Order, PackingBox, PackingItem
from apps.orders.selectors import lists
from apps.orders.selectors.lists import PAYMENTS
from apps.orders.selectors.orders import seller_date
from apps.orders.services.confirm import AddedLine, LineDecision
from apps.orders.status import OrderStatus
from apps.orders.tests.factories import TRACKING, confirm, make_order, make_order_at
from apps.orders.tests.test_uploaded_documents import add

S = OrderStatus
SignIn = Callable[[Buyer], ContractClient]


def statements(client: ContractClient, path: str) -> int:
    """Return how many statements a GET costs, transaction control left out."""
    with CaptureQueriesContext(connection) as queries:
        assert client.get(path).status_code == 200
    return sum(not query["sql"].startswith(("SAVEPOINT", "RELEASE")) for query in queries)


# GET /order/{status_id}


def test_tabs_show_the_companys_orders_newest_first(api: ContractClient, buyer: Buyer) -> None:
    colleague = make_buyer(company_id=buyer.company_id)
    make_order(make_buyer())
    orders = [make_order_at(status, buyer) for status in S] + [make_order(colleague)]
    everything = api.get("/api/order/0").json()
    shown = [row["order_id"] for row in everything["orderList"]]
    assert shown == [order.pk for order in reversed(orders)]
    assert (everything["has_next"], everything["next"]) == (False, None)
    assert everything["orderList"][-1] == {
        "order_id": orders[0].pk,
        "invoice_code": orders[0].invoice_code,
        "message": "Cancelled",
        "status_id": 0,
        "build_date": seller_date(orders[0].placed_at).isoformat(),
        "amount": 90.0,
        "pieces": 20,
        "po_number": "",
        "payment": "",
        "payment_tone": "mute",
        "answers": "",
    }
    for status in range(S.PREPARING, S.SHIPPED + 1):
        (row,) = api.get(f"/api/order/{status}").json()["orderList"]
        assert row["message"] == S(status).label
    assert len(api.get("/api/order/1").json()["orderList"]) == 2


def test_pages_of_the_list(
    api: ContractClient, buyer: Buyer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lists, "PAGE_SIZE", 2)
    orders = [make_order(buyer) for _ in range(5)]
    codes, after = [], ""
    while True:
        page = api.get("/api/order/1", {"after": after} if after else {}).json()
        codes += [row["order_id"] for row in page["orderList"]]
        if not page["has_next"]:
            break
        after = page["next"]
    assert codes == [order.pk for order in reversed(orders)]
    assert api.get("/api/order/1", {"after": "nonsense"}).json()["orderList"] == []


def test_one_order_in_a_tab(api: ContractClient, buyer: Buyer) -> None:
    order, foreign = make_order(buyer), make_order(make_buyer())
    for tab, found in ((0, [order.pk]), (1, [order.pk]), (2, [])):
        listed = api.get(f"/api/order/{tab}/{order.invoice_code}").json()["orderList"]
        assert [row["order_id"] for row in listed] == found
    for path in (f"0/{foreign.invoice_code}", "0/nonsense", "0/%00", "6", "9" * 20, "-1", "x"):
        assert api.get(f"/api/order/{path}").status_code == 404


# GET /details/{invoice_code}


def test_details_of_a_received_order(api: ContractClient, buyer: Buyer) -> None:
    product = make_product(sku="A", eng_name="Serum", weight_g=101, on_hand=100)
    order = make_order(buyer, [(product, 20)], ship_memo="Before noon")
    answer = api.get(f"/api/details/{order.invoice_code}").json()
    head = answer["order"]
    expected = {
        "order_id": order.pk,
        "invoice_code": order.invoice_code,
        "message": "Received",
        "status_id": 1,
        "type": "ORDER",
        "count": 1,
        "total": 90.0,
        "real_total": 90.0,
        "deposit": 90.0,
        "deposit_received": 0.0,
        "shipping_fee": 0.0,
        "balance_due": 0.0,
        "weight": None,
        "weight_kg": None,
        "products_weight_kg": 2.1,
        "tracking_number": None,
        "shipping_url": None,
        "carrier": "",
        "expected_on": None,
        "packing_list_pdf": None,
        "ship_memo": "Before noon",
        "export_report": 1,
        "payment_type": "T/T",
        "email": buyer.email,
        "company": buyer.company,
        "country": "Poland",
        "ship_city": "Warszawa",
        "payment_pending": False,
    }
    assert {name: head[name] for name in expected} == expected
    assert [item["message"] for item in head["history"]] == ["Received"]
    shown = [name for name, yes in head["allowed"].items() if yes]
    assert shown == ["edit_address", "edit_ship_memo", "message", "edit_po_number", "withdraw"]
    assert answer["details"] == [
        {
            "order_product_id": order.lines.get().pk,
            "eng_name": "Serum",
            "image": product.image,
            "images": [product.image],
            "price": 12.0,
            "box_qty": 10,
            "sku": "A",
            "ean": None,
            "count": 20,
            "order_price": 90.0,
            "is_true": 1,
            "comment": "",
            "weight": 101,
            "proposal": None,
            "decided": "",
            "tag": "Confirmed",
        }
    ]
    assert answer["total_weight"] == 2020
    assert answer["fileList"] == answer["box"] == answer["boxProduct"] == []


# What a line tells of its product as it is today; everything else is as it was when ordered.
OF_TODAY = {
    "eng_name": "Serum, renamed",
    "image": "new.jpg",
    "images": ["new.jpg"],
    "ean": "4006381333931",
}


def test_a_changed_product_changes_no_line(api: ContractClient, buyer: Buyer) -> None:
    product = make_product(eng_name="Serum", ean="8801234567893")
    order = make_order(buyer, [(product, 20)])
    path = f"/api/details/{order.invoice_code}"
    before = api.get(path).json()
    for field in Product._meta.concrete_fields:
        value = getattr(product, field.name)
        if isinstance(value, Decimal | int) and not field.is_relation and not field.primary_key:
            setattr(product, field.name, value + 1)
    for name, value in OF_TODAY.items():
        setattr(product, name, value)
    product.is_running = Running.DISCONTINUED
    product.set_list_keys()
    product.save()
    after = api.get(path).json()
    assert after["details"] == [line | OF_TODAY for line in before["details"]]
    assert after["order"]["products_weight_kg"] == before["order"]["products_weight_kg"]
    listed = api.get(f"/api/order/0?search={OF_TODAY['ean']}").json()["orderList"]
    assert [row["order_id"] for row in listed] == [order.pk]


def test_details_of_a_confirmed_order(api: ContractClient, buyer: Buyer) -> None:
    one, two, gift = make_products(3)
    order = make_order_at(S.PREPARING, buyer, [(one, 20), (two, 20)])
    first, second = order.lines.order_by("id")
    confirm(
        order,
        [LineDecision(first.pk, 10, "short", "Rest in May"), LineDecision(second.pk, 20)],
        added=[AddedLine(gift.pk, 5, Decimal("0.00"), "free_offer", "For your shop")],
    )
    answer = api.get(f"/api/details/{order.invoice_code}").json()
    columns = ("sku", "count", "tag", "comment")
    assert [tuple(line[name] for name in columns) for line in answer["details"]] == [
        (one.sku, 10, "Confirmed", ""),
        (one.sku, 10, "Not Confirmed", "Rest in May"),
        (two.sku, 20, "Confirmed", ""),
        (gift.sku, 5, "Free offer", "For your shop"),
    ]
    # 180.00 were received, 135.00 confirmed, 50.00 shipping.
    sums = ("total", "real_total", "shipping_fee", "deposit_received", "paid", "balance_due")
    assert [answer["order"][name] for name in sums] == [180.0, 135.0, 50.0, 180.0, 0.0, 5.0]
    assert answer["order"]["allowed"]["checkout"] is True
    steps = [item["message"] for item in answer["order"]["history"]]
    assert steps == ["Received", "Preparing", "Confirmed"]


def test_packing_shows_when_complete(api: ContractClient, buyer: Buyer) -> None:
    order = make_order_at(S.CONFIRMED, buyer)
    product = order.lines.get().product
    box = PackingBox.objects.create(
        order=order, number=1, count=2, weight_g=1500, length=40, width="30.5", height=20
    )
    item = PackingItem.objects.create(box=box, product=product, quantity=10)
    Order.objects.filter(pk=order.pk).update(packing_status=1, measured_weight_g=3000)
    hidden = api.get(f"/api/details/{order.invoice_code}").json()
    assert (hidden["box"], hidden["order"]["weight"]) == ([], 3000)
    assert hidden["order"]["weight_kg"] == 3.0
    Order.objects.filter(pk=order.pk).update(packing_status=2)
    answer = api.get(f"/api/details/{order.invoice_code}").json()
    size = {"length": 40.0, "width": 30.5, "height": 20.0, "cbm": 0.049}
    assert answer["box"] == [{"box_id": box.pk, "count": 2, "weight": 1500, **size}]
    assert answer["boxProduct"] == [
        {"box_id": box.pk, "eng_name": product.eng_name, "qty": 10, "packing_id": item.pk}
    ]
    assert (answer["packint_qty_total"], answer["packint_weight_total"]) == (20, 3000)


def test_tracking_shows_when_shipped(api: ContractClient, buyer: Buyer) -> None:
    order = make_order_at(S.SHIPPED, buyer)
    head = api.get(f"/api/details/{order.invoice_code}").json()["order"]
    assert {name: head[name] for name in TRACKING} == TRACKING
    assert (head["balance_due"], head["paid"]) == (0.0, 50.0)
    shown = [name for name, yes in head["allowed"].items() if yes]
    assert shown == ["documents", "packing_list", "tracking", "edit_po_number"]


def test_details_cost_six_statements(api: ContractClient, buyer: Buyer) -> None:
    used = []
    for number in (1, 30):
        order = make_order_at(
            S.CONFIRMED, buyer, [(product, 10) for product in make_products(number)]
        )
        for _ in range(number // 10):
            add(order)
        box = PackingBox.objects.create(
            order=order, number=1, weight_g=1, length=1, width=1, height=1
        )
        for line in order.lines.all():
            PackingItem.objects.create(box=box, product=line.product, quantity=1)
        Order.objects.filter(pk=order.pk).update(packing_status=2)
        api.get(f"/api/details/{order.invoice_code}")
        used.append(statements(api, f"/api/details/{order.invoice_code}"))
    assert used == [6, 6]


# GET /recent/order/{uuid}/{n}


def test_recent_orders(api: ContractClient, buyer: Buyer) -> None:
    one, two = make_products(2)
    make_order(make_buyer(), [(one, 10)])
    old = make_order_at(S.PREPARING, buyer, [(one, 20), (two, 10)])
    confirm(old, [LineDecision(line.pk, 10, "short") for line in old.lines.order_by("id")])
    new = make_order(buyer, [(two, 30)])
    result = api.get(f"/api/recent/order/{buyer.uuid}/5").json()["result"]
    shown = [(row["invoice_code"], row["total"], row["count"]) for row in result]
    assert shown == [(new.invoice_code, 135.0, 1), (old.invoice_code, 135.0, 2)]
    # The parts of a split line are ordered again as one.
    assert result[1]["details"] == [{"sku": one.sku, "count": 20}, {"sku": two.sku, "count": 10}]
    assert len(api.get(f"/api/recent/order/{buyer.uuid}/1").json()["result"]) == 1


@pytest.mark.parametrize("tail", ["0", "21", "x", "-1"])
def test_recent_orders_are_1_to_20(api: ContractClient, buyer: Buyer, tail: str) -> None:
    assert api.get(f"/api/recent/order/{buyer.uuid}/{tail}").status_code == 404


# Who may see an order


def test_a_list_is_searched_by_code_product_day_and_from_either_end(
    api: ContractClient, buyer: Buyer
) -> None:
    cream, stick = make_products(2)
    first, second = make_order(buyer, [(cream, 20)]), make_order(buyer, [(cream, 20), (stick, 20)])
    Order.objects.filter(pk=first.pk).update(
        placed_at=datetime(2026, 11, 1, 23, tzinfo=UTC)
    )  # the 2nd in Seoul

    def codes_for(query: str) -> list[str]:
        return [row["invoice_code"] for row in api.get(f"/api/order/0?{query}").json()["orderList"]]

    assert codes_for(f"search={second.invoice_code[1:].lower()}") == [second.invoice_code]
    assert codes_for(f"search={stick.sku.lower()}") == [second.invoice_code]
    type(stick).objects.filter(pk=stick.pk).update(ean="4006381333931")
    assert codes_for("search=4+006381+333931") == [second.invoice_code]
    both = [first.invoice_code, second.invoice_code]
    assert codes_for(f"search={cream.eng_name.split()[0]}&sort=oldest") == both
    assert codes_for("search=%25") == codes_for("search=nothing_of_this") == []
    assert codes_for("since=2026-11-02&until=2026-11-02") == [first.invoice_code]
    assert codes_for("until=2026-11-01") == []
    wrong = api.get("/api/order/0?since=yesterday&sort=best").json()["errors"]
    assert set(wrong) == {"since", "sort"}


def test_the_sums_count_what_each_choice_of_the_payment_leaves(
    api: ContractClient, buyer: Buyer
) -> None:
    product, stick = make_products(2)
    wire, other, cancelled = (make_order(buyer, [(one, 20)]) for one in (product, product, stick))
    make_order(make_buyer(), [(product, 20)])
    Order.objects.filter(pk=wire.pk).update(deposit=90, deposit_received=0, wire_announced=True)
    Order.objects.filter(pk=other.pk).update(deposit=90, deposit_received=90, shipping_fee=7)
    Order.objects.filter(pk=cancelled.pk).update(
        deposit=90, deposit_received=0, payment_pending=True
    )

    def sums(query: str) -> tuple[int, float, dict[str, int]]:
        found = api.get(f"/api/order-sums/0?{query}").json()
        amounts = [row["amount"] for row in api.get(f"/api/order/0?{query}").json()["orderList"]]
        assert (found["orders"], found["amount"]) == (len(amounts), sum(amounts))
        choices = {row["payment"]: row["orders"] for row in found["payments"]}
        return found["orders"], found["amount"], choices

    nothing = dict.fromkeys(PAYMENTS, 0)
    all_of_them = nothing | {"wire": 1, "received": 1, "review": 1}
    assert sums("")[::2] == (3, all_of_them)
    assert sums("payment=wire,received")[::2] == (2, all_of_them)
    assert sums("payment=paid") == (0, 0.0, all_of_them)
    assert sums(f"search={stick.sku}&payment=wire") == (0, 0.0, nothing | {"review": 1})
    Order.objects.filter(pk=cancelled.pk).update(
        status=OrderStatus.CANCELLED, cancelled_at=timezone.now()
    )
    found = api.get("/api/order-sums/0").json()
    assert (found["orders"], found["cancelled"], found["amount"]) == (3, 1, 90 + 97)
    assert api.get("/api/order-sums/0?payment=wire,gold").status_code == 400
    assert api.get("/api/order/0?payment=gold").status_code == 400
    assert api.get("/api/order-sums/9").status_code == 404


# GET /dashboard/quick/{uuid}/{invoice_number}


pytestmark = pytest.mark.django_db


def test_quick_search_finds_the_whole_code_case_ignored(api: ContractClient, buyer: Buyer) -> None:
    order, foreign = make_order(buyer), make_order(make_buyer())
    base = f"/api/dashboard/quick/{buyer.uuid}"
    answer = {"success": 1, "invoice_code": order.invoice_code}
    for text in (order.invoice_code, order.invoice_code.lower(), f"%20{order.invoice_code}%20"):
        assert api.get(f"{base}/{text}").json() == answer
    for text in (order.invoice_code[:-1], foreign.invoice_code, "a%2Fb", "%00", "x" * 500, "%"):
        assert api.get(f"{base}/{text}").json() == {"success": -1}

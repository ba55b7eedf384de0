"""The confirmation sheet: decisions, added lines, fee, refusals at their cells, and who was
quicker.
"""

import re
from decimal import Decimal
from typing import Any

import pytest
from django.conf import settings
from django.contrib.admin.models import LogEntry
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from apps.accounts.models import User
from apps.accounts.tests.factories import make_buyer
from apps.accounts.tests.staff import shown_messages, staff_client
from apps.catalog.models import Product, Running, Stock
from apps.catalog.tests.factories import make_product
from apps.orders.admin.proposing import MAX_ADDED, AddedForm, LineForm
from apps.orders.models import ConfirmationDraft, Order, OrderLine
from apps.orders.status import OrderStatus
from apps.orders.tests.factories import make_order_at, stock_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def sales() -> Client:
    return staff_client("Sales")


@pytest.fixture
def order() -> Order:
    return make_order_at(
        OrderStatus.PREPARING,
        make_buyer(),
        [(make_product(sku="A-1"), 20), (make_product(sku="B-2"), 40)],
    )


def address(order: Order) -> str:
    return reverse("admin:orders_order_confirm", args=[order.pk])


def filled(
    order: Order,
    *decisions: tuple[int | str, str, str],
    added: tuple[dict[str, Any], ...] = (),
    **fields: Any,
) -> dict:
    """Return the sheet as a browser sends it: pieces, reason, comment of each line."""
    lines = list(order.lines.all())
    body = {
        "version": Order.objects.get(pk=order.pk).version,
        "revision": getattr(ConfirmationDraft.objects.filter(order=order).first(), "revision", 0),
        "shipping_fee": "50.00",
        "line-TOTAL_FORMS": len(lines),
        "line-INITIAL_FORMS": len(lines),
        "added-TOTAL_FORMS": max(2, len(added)),
        "added-INITIAL_FORMS": 0,
    }
    decisions = decisions or tuple((line.quantity, "", "") for line in lines)
    names = ("confirmed", "reason", "comment")
    for place, (line, decision) in enumerate(zip(lines, decisions, strict=True)):
        cells = {"line_id": line.pk, **dict(zip(names, decision, strict=True))}
        body |= {f"line-{place}-{name}": value for name, value in cells.items()}
    for place, cells in enumerate(added):
        body |= {f"added-{place}-{name}": value for name, value in cells.items()}
    return {**body, **fields}


def test_it_shows_each_line_with_what_is_available_its_own_hold_counted_in(sales, order):
    rows = sales.get(address(order)).context["rows"]
    assert [(row["line"].sku, row["available"]) for row in rows] == [("A-1", 1000), ("B-2", 1000)]


def test_all_as_ordered_confirms_the_order(sales, order):
    page = sales.post(address(order), filled(order), follow=True)
    assert Order.objects.get(pk=order.pk).status == OrderStatus.CONFIRMED
    said = f"{order}: Confirmed, the buyer has a mail with the amount to pay."
    assert shown_messages(page) == [said]
    assert LogEntry.objects.get().get_change_message() == "Confirmed $270.00, shipping $50.00"


def test_an_order_with_nothing_due_is_said_to_be_paid(sales, order):
    Order.objects.filter(pk=order.pk).update(received=order.total, deposit_received=order.total)
    page = sales.post(address(order), filled(order, shipping_fee="0"), follow=True)
    assert shown_messages(page) == [f"{order}: Confirmed, nothing is due, so it is paid."]


def test_decisions_comments_and_added_lines_reach_the_order(sales, order):
    gift, other = make_product(sku="GIFT-1"), make_product(sku="SUB-1", usd_supply=Decimal("3.10"))
    added = (
        {"sku": "gift-1", "quantity": 24, "reason": "free_offer", "comment": "With our thanks"},
        {"sku": "SUB-1", "quantity": 5, "reason": "substitute", "price": "2.95"},
    )
    body = filled(
        order, (20, "", "Batch 10"), (15, "short", "Rest later"), added=added, shipping_fee="12.50"
    )
    page = sales.post(address(order), body, follow=True)
    assert "35 of 60 pieces confirmed, 5 added, 24 free" in page.text
    columns = ("sku", "quantity", "is_confirmed", "reason", "comment", "price")
    assert set(OrderLine.objects.filter(order=order).values_list(*columns)) == {
        ("A-1", 20, True, "", "Batch 10", Decimal("4.50")),
        ("B-2", 15, True, "", "", Decimal("4.50")),
        ("B-2", 25, False, "short", "Rest later", Decimal("4.50")),
        ("GIFT-1", 24, False, "free_offer", "With our thanks", Decimal("0.00")),
        ("SUB-1", 5, True, "substitute", "", Decimal("2.95")),
    }
    confirmed = Order.objects.get(pk=order.pk)
    assert confirmed.real_total == Decimal("4.50") * 35 + Decimal("14.75")
    assert confirmed.shipping_fee == Decimal("12.50")
    note = "Confirmed $270.00 → $172.25, shipping $12.50"
    assert LogEntry.objects.get().get_change_message() == note
    assert note in [event.text for event in confirmed.events.all()]
    assert stock_of(gift)[1] == 24
    assert stock_of(other)[1] == 5


def test_a_substitute_without_a_price_costs_the_list_price(sales, order):
    make_product(sku="SUB-1", usd_supply=Decimal("3.10"))
    added = ({"sku": "SUB-1", "quantity": 5, "reason": "substitute", "price": ""},)
    sales.post(address(order), filled(order, added=added))
    assert OrderLine.objects.get(order=order, sku="SUB-1").price == Decimal("3.10")


def test_counting_through_changes_nothing_and_shows_the_servers_figures(sales, order):
    body = filled(order, (20, "", ""), (0, "discontinued", ""), count="1")
    page = sales.post(address(order), body)
    assert Order.objects.get(pk=order.pk).status == OrderStatus.PREPARING
    assert page.context["totals"].real_total == Decimal("90.00")
    assert page.context["totals"].overpayment == Decimal("130.00")
    assert "too much was received" in page.text


@pytest.mark.parametrize(
    ("decision", "said"),
    [
        ((41, "", ""), "From 0 to 40."),
        ((0, "", ""), "A reason is needed."),
        (("", "", ""), "How many pieces?"),
        ((-1, "short", ""), "From 0 to 40."),
        ((10_000_000, "", ""), "From 0 to 40."),
        (("many", "short", ""), "Whole pieces only."),
        (("12.5", "short", ""), "Whole pieces only."),
        ((40, "free_offer", ""), "not one of the available choices"),
        ((10, "short", "x" * 301), "at most 300"),
    ],
)
def test_a_wrong_decision_stands_at_its_cell_and_keeps_the_rest(sales, order, decision, said):
    body = filled(order, (7, "short", "Kept"), decision, shipping_fee="5")
    page = sales.post(address(order), body)
    assert page.status_code == 200
    assert said in page.text
    assert [text for _, text in page.context["faults"] if text.startswith("B-2")]
    assert 'value="7"' in page.text
    assert "Kept" in page.text
    assert Order.objects.get(pk=order.pk).status == OrderStatus.PREPARING


@pytest.mark.parametrize(
    ("row", "text"),
    [
        ({"sku": "NOBODY", "quantity": 5, "reason": "free_offer"}, "no product with this SKU"),
        ({"sku": "A-1", "quantity": "", "reason": "free_offer"}, "How many pieces?"),
        ({"sku": "", "quantity": 3, "reason": "free_offer"}, "Which product?"),
        ({"sku": "A-1", "quantity": 3, "reason": "free_offer", "price": "2.00"}, "costs nothing"),
        ({"sku": "A-1", "quantity": 3, "reason": "substitute", "price": "4.50"}, "order already"),
        ({"sku": "A-1", "quantity": 5000, "reason": "free_offer"}, "Not enough in stock."),
        ({"sku": "A-1", "quantity": -5, "reason": "free_offer"}, "At least one piece."),
        ({"sku": "A-1", "quantity": 5, "reason": "substitute", "price": "-1"}, "Not below 0."),
    ],
)
def test_a_wrong_added_line_is_refused(sales, order, row, text):
    page = sales.post(address(order), filled(order, added=(row,)))
    assert page.status_code == 200
    assert text in page.text
    assert Order.objects.get(pk=order.pk).status == OrderStatus.PREPARING


@pytest.mark.parametrize(
    ("fee", "said"),
    [
        ("", "Set the shipping fee."),
        ("-1", "Not below 0."),
        ("x", "Write the amount as 12.50."),
        ("1.005", "At most two decimals."),
        ("99999999999", "The amount is too large."),
        ("9999999999999", "The amount is too large."),
    ],
)
def test_a_wrong_fee_is_refused(sales, order, fee, said):
    page = sales.post(address(order), filled(order, shipping_fee=fee))
    assert page.context["form"].errors["shipping_fee"] == [said]
    assert Order.objects.get(pk=order.pk).status == OrderStatus.PREPARING


def test_more_than_there_is_is_refused_with_what_there_is(sales, order):
    Stock.objects.filter(product__sku="B-2").update(on_hand=10, short=30)
    page = sales.post(address(order), filled(order))
    assert "Only 10 available." in page.text
    assert Order.objects.get(pk=order.pk).status == OrderStatus.PREPARING


def test_who_may_have_more_than_there_is_waits_for_it_before_the_packing(sales, order):
    reason = "the packing can only be completed once the pieces are on the shelf"
    User.objects.filter(pk=order.user_id).update(stock_free=True)
    assert reason not in sales.get(address(order)).text
    Stock.objects.filter(product__sku="B-2").update(on_hand=10, short=30)
    assert reason in sales.get(address(order)).text


def test_who_was_quicker_is_named(sales, order):
    body = filled(order)
    written = {"text": "Changed meanwhile", "_as": "answer"}
    page = reverse("admin:orders_order_answer", args=[order.pk])
    staff_client("Sales", manager="Jun Lim").post(page, written)
    body["line-1-comment"] = "Typed before"
    page = sales.post(address(order), body)
    assert page.status_code == 409
    assert "Jun Lim changed this order" in shown_messages(page)[0]
    assert Order.objects.get(pk=order.pk).status == OrderStatus.PREPARING
    assert "Typed before" in page.text
    sales.post(address(order), {**body, "version": page.context["form"]["version"].value()})
    assert Order.objects.get(pk=order.pk).status == OrderStatus.CONFIRMED


def test_a_sheet_without_the_list_of_its_added_lines_is_refused(sales, order):
    body = {name: value for name, value in filled(order).items() if not name.startswith("added-")}
    assert sales.post(address(order), body).context["faults"]
    assert Order.objects.get(pk=order.pk).status == OrderStatus.PREPARING


def test_lines_of_another_order_are_refused(sales, order):
    other = make_order_at(OrderStatus.PREPARING, make_buyer())
    body = {**filled(order), "line-0-line_id": other.lines.get().pk, "shipping_fee": "77.10"}
    body["line-1-comment"] = "Typed before"
    sales.post(address(order), {**body, "save": "meanwhile"})  # is not said twice
    page = sales.post(address(order), body)
    assert page.text.count("The lines have changed.") == 1
    assert ("77.10" in page.text, "Typed before" in page.text) == (True, True)
    assert Order.objects.get(pk=other.pk).status == OrderStatus.PREPARING


@pytest.mark.parametrize(
    "body", [{}, {"line-TOTAL_FORMS": "x"}, {"line-TOTAL_FORMS": "1000000", "version": "x"}]
)
def test_a_broken_sheet_is_no_error_page(sales, order, body):
    assert sales.post(address(order), body).status_code == 200
    assert Order.objects.get(pk=order.pk).status == OrderStatus.PREPARING


@pytest.mark.parametrize("status", [OrderStatus.RECEIVED, OrderStatus.CANCELLED])
def test_the_sheet_opens_at_preparing_only(sales, status):
    order = make_order_at(status, make_buyer())
    page = sales.get(address(order), follow=True)
    assert shown_messages(page) == [f"{order}: only an order at Preparing is confirmed."]


def test_products_for_an_added_line_are_found_by_part_of_a_name(sales, order):
    mask = make_product(sku="MASK-1", eng_name="Overnight Mask", on_hand=30)
    make_product(sku="MASK-2", eng_name="Overnight Mask", is_running=Running.HIDDEN)
    answer = sales.get(reverse("admin:orders_order_products", args=[order.pk]), {"q": "night m"})
    context: dict[str, Any] = {
        "sku": "MASK-1",
        "ean": "",
        "name": "Overnight Mask",
        "price": "4.50",
    }
    context |= {"available": 30, "weight_g": 120, "picture": f"/media/products/100/{mask.image}"}
    assert answer.json()["products"] == [context]


def test_a_sheet_that_comes_too_late_is_shown_beside_what_was_confirmed(sales, order):
    added = ({"sku": "GIFT", "quantity": 2},)
    late = filled(order, (20, "", "Mine"), (15, "short", ""), added=added, shipping_fee="7.50")
    theirs = filled(order, (20, "", ""), (30, "short", "Ten follow"), shipping_fee="9.00")
    staff_client("Sales", manager="Jun Lim").post(address(order), theirs)
    page = sales.post(address(order), late)
    assert page.status_code == 409
    assert "Jun Lim changed this order" in page.context["message"]
    rows = page.context["rows"]
    assert [row["line"].confirmed for row in rows] == [20, 30]
    shown = [(row["yours"]["confirmed"], row["differs"]) for row in rows]
    assert shown == [("20", False), ("15", True)]
    assert page.context["yours"] == {"fee": "7.50", "added": ["2 × GIFT"]}
    assert Order.objects.get(pk=order.pk).shipping_fee == 9


def test_the_sheet_of_a_confirmed_order_is_read_only(sales, order):
    decisions = (20, "", ""), (0, "discontinued", "Reformulated")
    sales.post(address(order), filled(order, *decisions, shipping_fee="5"))
    page = sales.get(address(order))
    assert page.status_code == 200
    assert "Discontinued. Reformulated" in page.text
    assert re.search(r"Not confirmed</dt><dd>− \d", page.text)
    assert 'id="sheet"' not in page.text
    assert address(order) in sales.get(reverse("admin:orders_order_change", args=[order.pk])).text


def test_as_many_statements_for_many_lines_as_for_few(sales):
    counts = []
    for lines in (2, 2, 30):  # the first also fills caches
        order = make_order_at(
            OrderStatus.PREPARING, make_buyer(), [(make_product(), 20) for _ in range(lines)]
        )
        sales.get(address(order))
        decisions = [(10, "short", "Rest"), *[(20, "", "Noted")] * (lines - 1)]
        with CaptureQueriesContext(connection) as queries:
            sales.get(address(order))
        body = filled(order, *decisions, shipping_fee="5")
        with CaptureQueriesContext(connection) as saved:
            assert sales.post(address(order), body).status_code == 302
        counts.append((len(queries), len(saved)))
    assert counts[1] == counts[2]


def test_an_order_of_two_thousand_lines_fits_into_one_form():
    fields = 2000 * len(LineForm.base_fields) + MAX_ADDED * len(AddedForm.base_fields) + 20
    assert fields < settings.DATA_UPLOAD_MAX_NUMBER_FIELDS


def test_a_saved_sheet_is_the_same_for_whoever_opens_it(sales, order):
    make_product(sku="GIFT-1")
    added = ({"sku": "gift-1", "quantity": 24, "reason": "free_offer", "comment": "Thanks"},)
    decisions = (20, "", ""), (0, "discontinued", "Reformulated")
    body = filled(order, *decisions, added=added, shipping_fee="210")
    page = sales.post(address(order), {**body, "save": "1"}, follow=True)
    assert shown_messages(page) == [f"{order}: Sheet saved. Nothing is confirmed yet."]
    page = staff_client("Sales", manager="Jun Lim").get(address(order))
    line = page.context["decisions"][1]
    shown = [line[name].value() for name in ("confirmed", "reason", "comment")]
    assert shown == [*decisions[1]]
    assert page.context["added"][0]["sku"].value() == "GIFT-1"
    assert page.context["form"]["shipping_fee"].value() == "210.00"
    assert page.context["totals"].real_total == Decimal("90.00")
    assert "Saved by" in page.text
    assert Order.objects.get(pk=order.pk).status == OrderStatus.PREPARING
    assert stock_of(Product.objects.get(sku="GIFT-1"))[1] == 0, "nothing is promised by saving"


def test_two_who_save_are_told_and_neither_overwrites_the_other(sales, order):
    mine = {**filled(order, (20, "", "Mine"), (30, "short", "")), "save": "1"}
    theirs = filled(order, (20, "", "Theirs"), (40, "", ""), shipping_fee="9")
    staff_client("Sales", manager="Jun Lim").post(address(order), {**theirs, "save": "1"})
    page = sales.post(address(order), mine)
    assert page.status_code == 409
    assert shown_messages(page)[0].startswith(f"{order}: Jun Lim changed this order (")
    name = order.lines.first().product.eng_name
    for what, saved, sent in (
        (f"{name}, comment", "Theirs", "Mine"),
        ("Shipping fee", "9.00", "50.00"),
    ):
        assert {"what": what, "saved": saved, "sent": sent} in page.context["conflicts"]
    assert ConfirmationDraft.objects.get().sheet["shipping_fee"] == "9.00"
    revision = page.context["form"]["revision"].value()
    assert sales.post(address(order), {**mine, "revision": revision}).status_code == 302
    assert ConfirmationDraft.objects.get().sheet["shipping_fee"] == "50.00"
    confirmed = sales.post(address(order), theirs)
    assert confirmed.status_code == 409, "a sheet that somebody saved since is not confirmed over"


def test_the_script_saves_what_can_be_read_and_says_why_not(sales, order):
    body = {**filled(order, (20, "", ""), (0, "", ""), shipping_fee=""), "save": "meanwhile"}
    assert sales.post(address(order), body).json()["revision"] == 1
    assert "changed this order" in sales.post(address(order), body).json()["fault"]
    unread = {**filled(order, (20, "", ""), ("many", "", "")), "save": "meanwhile"}
    assert sales.post(address(order), unread).json() == {"fault": "B-2: Whole pieces only."}
    assert ConfirmationDraft.objects.get().revision == 1


def test_a_saved_sheet_ends_with_the_confirmation_or_when_it_is_discarded(sales, order):
    for deed in ("discard", "confirm"):
        sales.post(address(order), {**filled(order), "save": "1"})
        sales.post(address(order), {**filled(order), deed: "1"})
        assert not ConfirmationDraft.objects.exists()
    assert Order.objects.get(pk=order.pk).status == OrderStatus.CONFIRMED


def test_what_the_buyer_changed_meanwhile_is_not_decided_by_a_saved_sheet(sales, order):
    sales.post(address(order), {**filled(order, (20, "", ""), (5, "short", "")), "save": "1"})
    OrderLine.objects.filter(order=order, sku="B-2").update(quantity=30, allocated=30)
    page = sales.get(address(order))
    assert page.context["decisions"][1]["confirmed"].value() == 30


def test_an_unusual_fee_is_asked_about_once(sales, order):
    body = filled(order, shipping_fee="81.01")
    page = sales.post(address(order), body)
    warning = "Shipping fee: 81.01 is 31 % of the goods, 270.00."
    assert (page.context["tick"].value, page.status_code) == (warning, 200)
    other = sales.post(address(order), {**body, "_looked_at": "Shipping fee: another sentence"})
    assert other.context["tick"]
    assert Order.objects.get(pk=order.pk).status == OrderStatus.PREPARING
    sales.post(address(order), {**body, "_looked_at": warning})
    assert Order.objects.get(pk=order.pk).shipping_fee == Decimal("81.01")

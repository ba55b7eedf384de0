"""A confirmation is corrected until its balance is paid: lines, fee, stock, papers, mail."""

from collections import Counter
from contextlib import suppress
from datetime import UTC, datetime
from decimal import Decimal
from threading import Barrier
from typing import Any

import pytest
from django.db import DatabaseError
from django.db.models import Sum
from post_office.models import Email

from apps.accounts.selectors import Buyer
from apps.accounts.tests.staff import staff_client
from apps.catalog.tests.factories import make_product
from apps.common.errors import NotFound, PortalError, WrongStatus
from apps.common.tests.races import race
from apps.orders.errors import StaffRefusal, StaleOrder
from apps.orders.models import IssuedDocument, Order, OrderDocument, OrderEvent, SalesTally, Wish
from apps.orders.selectors.orders import get_order_for_staff
from apps.orders.selectors.papers import file_link, linked_file
from apps.orders.services import moves
from apps.orders.services.confirm import AddedLine, LineDecision
from apps.orders.services.correct import added_before, before_confirmation, correct_confirmation
from apps.orders.status import OrderStatus
from apps.orders.tests.factories import confirm, make_order_at, make_sales, pack, receive, stock_of
from apps.orders.tests.test_life import NOW, lines_of

S = OrderStatus
CUT = "short"


def decided(order: Order, **pieces: int) -> list[LineDecision]:
    """Return the decisions as they stand, with other pieces of some SKUs."""
    rows = []
    for one in before_confirmation(order).lines:
        confirmed = pieces.get(one.line.sku, one.now.confirmed)
        reason = CUT if confirmed < one.line.quantity else ""
        said = one.now.reason or reason, one.now.comment
        rows.append(LineDecision(one.line.pk, confirmed, *said))
    return rows


def correct(order: Order, *, reason: str = "Weighed again", **fields: Any) -> Order:
    stands = Order.objects.get(pk=order.pk)
    pieces = {name: fields.pop(name) for name in ("A", "B") if name in fields}
    given: dict[str, Any] = {
        "version": stands.version,
        "decisions": decided(order, **pieces),
        "added": added_before(before_confirmation(order)),
        "shipping_fee": stands.shipping_fee,
        "actor": make_sales(),
    }
    now = datetime.now(UTC)
    return correct_confirmation(order_id=order.pk, reason=reason, now=now, **{**given, **fields})


@pytest.fixture
def order(buyer: Buyer) -> Order:
    """Return an order of 30 A and 10 B, confirmed with 10 A: 90.00 and 50.00 for 180.00."""
    lines = [(make_product(on_hand=100, sku="A"), 30), (make_product(on_hand=100, sku="B"), 10)]
    order = make_order_at(S.PREPARING, buyer, lines)
    first, second = order.lines.order_by("id")
    decisions = [LineDecision(first.pk, 10, CUT, "Later"), LineDecision(second.pk, 10)]
    return confirm(order, decisions, shipping_fee=Decimal("210.00"))


def test_the_fee_is_corrected_with_a_new_proforma_and_the_difference_by_mail(order: Order) -> None:
    Email.objects.all().delete()
    corrected = correct(order, shipping_fee=Decimal("110.00"), reason="A zero too many")
    assert (corrected.status, corrected.shipping_fee) == (S.CONFIRMED, 110)
    assert corrected.real_total == 90
    (mail,) = Email.objects.all()
    assert mail.subject == f"Order corrected: {order}"
    text = str(mail.context)
    for words in ("$210.00 → $110.00", "$120.00 → $20.00", "A zero too many"):
        assert words in text
    papers = IssuedDocument.objects.filter(order=order, kind="proforma").order_by("revision")
    assert [paper.revision for paper in papers] == [1, 2]
    documents = OrderDocument.objects.filter(order=order, replaced_at=None)
    assert {document.issued_id for document in documents} == {papers[1].pk}
    assert papers[1].content["number"] == f"{order}, revision 2"
    assert papers[1].content["sums"][-1]["usd"] == "20.00"
    event = OrderEvent.objects.get(order=order, kind="lines")
    assert "shipping $210.00 → $110.00. A zero too many" in event.text


def test_a_link_of_the_former_proforma_opens_no_more(buyer: Buyer, order: Order) -> None:
    code, stored = order.invoice_code, order.documents.earliest("id").storage_name
    link = file_link(buyer=buyer, invoice_code=code, storage_name=stored, now=NOW)
    name = link.rpartition("/")[2]
    assert linked_file(invoice_code=code, name=name, now=NOW)[1] is not None
    correct(order, shipping_fee=Decimal("110.00"))
    with pytest.raises(NotFound):
        linked_file(invoice_code=code, name=name, now=NOW)


def test_lines_go_up_and_down_and_stock_and_wishes_follow(order: Order) -> None:
    first, second = (line.product for line in order.lines.order_by("id")[:2])
    correct(order, A=25, B=0)
    assert lines_of(order) == [("A", 25, True, 25), ("B", 10, False, 0), ("A", 5, False, 0)]
    assert (stock_of(first), stock_of(second)) == ((100, 25, 0), (100, 0, 0))
    wishes = Wish.objects.filter(closed_at=None).values_list("line__sku", "pieces")
    assert sorted(wishes) == [("A", 5), ("B", 10)]
    correct(order, A=30, B=10)
    assert lines_of(order) == [("A", 30, True, 30), ("B", 10, True, 10)]
    assert not Wish.objects.filter(closed_at=None).exists()
    assert Order.objects.get().real_total == 180
    sold = SalesTally.objects.aggregate(Sum("orders"), Sum("pieces"), Sum("total"))
    assert sold == {"orders__sum": 1, "pieces__sum": 40, "total__sum": 180}


def test_added_lines_are_changed_taken_away_and_added(order: Order) -> None:
    gift, other = make_product(sku="GIFT", on_hand=50), make_product(sku="SUB", on_hand=50)
    correct(order, added=[AddedLine(gift.pk, 5, Decimal("0.00"), "free_offer")])
    instead = [
        AddedLine(gift.pk, 2, Decimal("0.00"), "free_offer", "Two"),
        AddedLine(other.pk, 10, Decimal("3.00"), "substitute"),
    ]
    assert correct(order, added=instead).real_total == 120
    assert (stock_of(gift)[1], stock_of(other)[1]) == (2, 10)
    assert correct(order, added=[]).real_total == 90
    assert (stock_of(gift)[1], stock_of(other)[1]) == (0, 0)


def test_what_it_received_beyond_its_new_cost_is_credited_and_it_is_paid(order: Order) -> None:
    receive(order, Decimal("20.00"))
    corrected = correct(order, shipping_fee=Decimal("30.00"), A=0)
    assert (corrected.status, corrected.credited) == (S.PAID, Decimal("125.00"))
    assert Order.objects.get().credited == Decimal("125.00")
    with pytest.raises(WrongStatus):
        correct(order, shipping_fee=Decimal("31.00"))


def test_a_packing_that_does_not_agree_any_more_is_opened_again(order: Order) -> None:
    pack(order)
    assert correct(order, shipping_fee=Decimal("200.00")).packing_status == 2
    assert correct(order, A=11).packing_status == 1


@pytest.mark.parametrize(
    ("fields", "refusal"),
    [({}, StaffRefusal), ({"A": 31}, StaffRefusal), ({"version": 1}, StaleOrder)],
)
def test_what_is_refused_changes_nothing(order: Order, fields: dict, refusal: type) -> None:
    before = (lines_of(order), Order.objects.get().version)
    with pytest.raises(refusal):
        correct(order, **fields)
    assert (lines_of(order), Order.objects.get().version) == before
    assert IssuedDocument.objects.count() == 1


@pytest.mark.parametrize("status", [S.CANCELLED, S.RECEIVED, S.PREPARING, S.PAID, S.SHIPPED])
def test_it_is_corrected_at_confirmed_only(buyer: Buyer, status: OrderStatus) -> None:
    order = make_order_at(status, buyer)
    with pytest.raises(WrongStatus):
        correct(order, shipping_fee=Decimal("7.00"))


def test_never_while_a_payment_of_the_balance_is_under_way(order: Order) -> None:
    Order.objects.update(payment_pending=True)
    with pytest.raises(StaffRefusal, match="under way"):
        correct(order, shipping_fee=Decimal("7.00"))


# Many at once


def corrections(order: Order) -> Counter[bool]:
    sales, version = make_sales(), Order.objects.get().version

    def step(number: int) -> bool:
        with suppress(PortalError, DatabaseError):
            fee = Decimal(60 + number)
            correct(order, actor=sales, version=version, shipping_fee=fee, A=20 + number)
            return True
        return False

    return Counter(race(step, times=2))


@pytest.mark.django_db(transaction=True)
def test_of_two_corrections_at_once_one_is_refused(order: Order) -> None:
    assert corrections(order) == {True: 1, False: 1}
    assert IssuedDocument.objects.filter(kind="proforma").count() == 2


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
def test_control_without_the_lock_the_revision_still_stands_once(
    order: Order, monkeypatch: pytest.MonkeyPatch
) -> None:
    everybody_looked = Barrier(2)

    def careless(*, order_id: int, lock: bool) -> Order:
        found = get_order_for_staff(order_id=order_id)
        everybody_looked.wait(timeout=30)
        return found

    monkeypatch.setattr(moves, "get_order_for_staff", careless)
    assert corrections(order) == {True: 1, False: 1}
    assert IssuedDocument.objects.filter(kind="proforma").count() == 2


@pytest.mark.django_db
def test_the_page_corrects_asks_about_the_fee_and_is_closed_by_the_payment(order: Order) -> None:
    page, sales = f"/admin/orders/order/{order.pk}/correct/", staff_client("Sales")
    first, cut = sales.get(page).context["decisions"].forms[:2]
    shown = [first[name].value() for name in ("confirmed", "reason", "comment")]
    assert shown == [10, CUT, "Later"]
    rows = {
        form.add_prefix(name): form[name].value() or ""
        for form in (first, cut)
        for name in ("line_id", "confirmed", "reason", "comment")
    }
    head = {"version": Order.objects.get().version, "revision": 0}
    totals = dict.fromkeys(("line-TOTAL_FORMS", "line-INITIAL_FORMS"), 2)
    totals |= dict.fromkeys(("added-TOTAL_FORMS", "added-INITIAL_FORMS"), 0)
    body = {**rows, **head, **totals, "shipping_fee": "110.00", "why": "A zero too many"}
    faults = sales.post(page, {**body, "why": "", "shipping_fee": "much"}).context["faults"]
    assert faults == [
        ("id_shipping_fee", "Shipping fee: Write the amount as 12.50."),
        ("id_why", "Reason for the buyer and the history: Give a reason; the buyer reads it."),
    ]
    response = sales.post(page, body)
    assert response.context["tick"].value == "Shipping fee: 110.00 is 123 % of the goods, 90.00."
    assert Order.objects.get().shipping_fee == 210
    answer = sales.post(page, {**body, "_looked_at": response.context["tick"].value})
    assert (answer.status_code, Order.objects.get().shipping_fee) == (302, 110)
    Order.objects.update(payment_pending=True)
    closed = sales.get(page, follow=True)
    assert "A payment of the balance is under way" in closed.text

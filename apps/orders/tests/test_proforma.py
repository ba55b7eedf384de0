"""The proforma invoice: issued with the confirmation, equal to the order to the cent, its file made
afterwards.
"""

from collections.abc import Callable
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest
from django.core import mail as outgoing
from django.core.files.base import ContentFile
from django.core.files.storage import storages
from django.db import connection, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from post_office.models import Email

from apps.accounts.models import Company
from apps.accounts.selectors import Buyer
from apps.accounts.tests.staff import shown_messages, staff_client
from apps.catalog.models import Product
from apps.catalog.tests.factories import make_product
from apps.common.errors import StorageUnavailable
from apps.common.mail import queue_again
from apps.common.storage.files import PDF
from apps.common.sweeps import deliver_mails
from apps.common.testing import ContractClient
from apps.orders.documents import render
from apps.orders.documents.content import money
from apps.orders.errors import StaffRefusal
from apps.orders.models import IssuedDocument, Order, OrderDocument, OrderEvent
from apps.orders.rules import line_total
from apps.orders.selectors.orders import due_of
from apps.orders.services.confirm import AddedLine, LineDecision
from apps.orders.services.documents import issue_proforma, open_document, remove_document
from apps.orders.services.moves import start_preparing
from apps.orders.status import OrderStatus
from apps.orders.sweeps import make_document_files
from apps.orders.tests.document_files import (
    documents_of,
    file_of,
    listed,
    pdf_name,
    values_of,
    words_of,
    xlsx_name,
)
from apps.orders.tests.factories import confirm, make_order, make_order_at, make_sales, receive
from apps.orders.tests.test_correct import correct

S = OrderStatus
NOW = datetime.now(UTC)


def make_mixed_order(buyer: Buyer, *, deposit: Decimal | None = None) -> Order:
    """Return a confirmed order: a line whole, one in part, one not at all, a substitute and a free
    offer.
    """
    names = ("Whole Cream 크림", "Part Serum", "No Toner")
    whole, part, none = (
        make_product(eng_name=name, usd_supply=Decimal("7.35"), on_hand=5000) for name in names
    )
    substitute, free = make_product(eng_name="Other Toner"), make_product(eng_name="Gift Sachet")
    order = make_order(buyer, [(whole, 1200), (part, 40), (none, 10)])
    receive(order, order.total if deposit is None else deposit, is_deposit=True)
    start_preparing(order_id=order.pk, actor=make_sales(), now=NOW)
    ids = dict(order.lines.values_list("product_id", "id"))
    decisions = [
        LineDecision(ids[whole.pk], 1200, comment="Batch 2026-10."),
        LineDecision(ids[part.pk], 15, "short", "Rest in December."),
        LineDecision(ids[none.pk], 0, "discontinued"),
    ]
    added = [
        AddedLine(substitute.pk, 20, Decimal("6.10"), "substitute", "For the toner"),
        AddedLine(free.pk, 24, Decimal("0.00"), "free_offer", "Try it"),
    ]
    return confirm(order, decisions, added=added, shipping_fee=Decimal("186.40"))


# What it says


def test_its_figures_are_the_orders_to_the_cent(buyer: Buyer) -> None:
    order = make_mixed_order(buyer, deposit=Decimal("5000.00"))
    words = words_of(file_of(order, pdf_name(order)))
    rows = {
        "Subtotal as ordered": order.total,
        "Not confirmed": order.real_total - order.total,
        "Shipping fee": order.shipping_fee,
        "Total": order.real_total + order.shipping_fee,
        "Deposit received": -order.deposit_received,
        "Balance due": due_of(order),
    }
    assert rows["Balance due"] == Decimal("4238.65")
    for label, amount in rows.items():
        assert f"{label} {money(str(amount))}" in words
    assert f"Confirmed products 1,259 {money(str(order.real_total))}" in words
    assert f"Please wire the balance of ${due_of(order):,.2f}" in words


def test_its_lines_are_the_confirmed_ones_and_the_free_offers(buyer: Buyer) -> None:
    order = make_mixed_order(buyer)
    words = words_of(file_of(order, pdf_name(order)))
    table, _, rest = words.partition("Confirmed products")
    for line in [one for one in order.lines.all() if one.is_confirmed or not one.price]:
        amount = line_total(price=line.price, quantity=line.quantity)
        assert line.sku in table
        assert f"{line.quantity:,} {money(str(line.price))} {money(str(amount))}" in table
    assert "Whole Cream 크림 Batch 2026-10 1,200" in table
    assert "Part Serum 15 of 40 ordered 15 7.35" in table
    assert "Other Toner Substitute. For the toner 20 6.10" in table
    assert "Gift Sachet Free offer. Try it 24 0.00 0.00" in table
    assert "No Toner" not in table
    assert "Part Serum: 25 of 40 pieces. Short. Rest in December." in rest
    assert "No Toner: 10 of 10 pieces. Discontinued" in rest


def test_another_price_of_what_was_ordered_is_no_substitute(buyer: Buyer) -> None:
    order = make_order(buyer, [(product := make_product(eng_name="Part Serum"), 40)])
    receive(order, order.total, is_deposit=True)
    start_preparing(order_id=order.pk, actor=make_sales(), now=NOW)
    decision = LineDecision(order.lines.get().pk, 15, "short")
    added = AddedLine(product.pk, 25, Decimal("1.50"), "substitute", "Short-dated")
    confirm(order, [decision], added=[added])
    words = words_of(file_of(order, pdf_name(order)))
    assert "Part Serum Other price. Short-dated 25 1.50 37.50" in words
    assert "Substitute" not in words
    page = staff_client("Sales").get(f"/admin/orders/order/{order.pk}/change/").text
    assert "Other price. Short-dated" in page
    assert "Substitute" not in page


def test_it_names_seller_bank_buyer_and_where_the_goods_go(buyer: Buyer) -> None:
    Company.objects.filter(pk=buyer.company_id).update(
        name="Müller & Søn", address1="Nørregade 5", city="Århus", tax_number="DK12345678"
    )
    order = make_order_at(S.CONFIRMED, buyer)
    words = words_of(file_of(order, pdf_name(order)))
    today = timezone.localtime().date()
    for text in (
        "Test Shipper Seoul +82 2 0 sales@portal.test",
        "Test Bank Seoul Account holder Test Holder Account number 1-2-3",
        "SWIFT or routing number TESTKRSE",
        f"Reference {order.invoice_code}",
        "Müller & Søn Nørregade 5 Århus",
        f"{buyer.manager}, {buyer.email} Tax/EORI number DK12345678",
        "ul. Lipowa 51 00-682 Warszawa, Poland +48 22 555 01 74",
        f"{order.invoice_code} Ordered {today} Confirmed {today}",
        "export declaration YES",
        "A confirmed order cannot be modified.",
        "except a 100 USD deposit",
        "within 5 to 15 business days",
        "within 7 days of receipt",
        "PayPal payments carry a fee of 3.5 % of the amount.",
    ):
        assert text in words


def test_an_undeclared_order_is_not_asked_for_a_wire(buyer: Buyer) -> None:
    order = make_order_at(S.CONFIRMED, buyer, export_declared=False)
    words = words_of(file_of(order, pdf_name(order)))
    assert "Please pay the balance of $50.00 by PayPal" in words
    assert "Please wire" not in words


def test_with_more_received_than_it_costs_nothing_is_due(buyer: Buyer) -> None:
    order = make_mixed_order(buyer, deposit=Decimal("10000.00"))
    words = words_of(file_of(order, pdf_name(order)))
    beyond = Decimal("10000.00") - order.real_total - order.shipping_fee
    assert f"Credited to your wallet {money(str(beyond))} Balance due 0.00" in words
    assert "There is nothing left to pay." in words


def test_the_spreadsheet_says_the_same(buyer: Buyer) -> None:
    order = make_mixed_order(buyer)
    cells = values_of(file_of(order, xlsx_name(order)))
    by_sku = {row[1]: row for row in cells if isinstance(row[1], str) and row[1].startswith("SKU-")}
    sold = [line for line in order.lines.all() if line.is_confirmed or not line.price]
    assert len(by_sku) == len(sold)
    for line in sold:
        amount = float(line_total(price=line.price, quantity=line.quantity))
        assert by_sku[line.sku][3:6] == [line.quantity, float(line.price), amount]
    due = next(row for row in cells if "Balance due" in row)
    assert due[5] == float(due_of(order))


# Where it is listed


@pytest.mark.parametrize("status", [S.CONFIRMED, S.PAID, S.SHIPPED])
def test_it_is_listed_and_opens_from_the_confirmation_on(
    api: ContractClient, buyer: Buyer, status: OrderStatus
) -> None:
    order = make_order_at(status, buyer)
    files = listed(api, order)
    for name, start in ((pdf_name(order), b"%PDF-"), (xlsx_name(order), b"PK")):
        answer = Client().get(files[name])
        assert answer.status_code == 200
        assert answer.getvalue().startswith(start)
        assert name in answer.headers["Content-Disposition"]
        assert answer.headers["Cache-Control"] == "private, no-store"


@pytest.mark.parametrize("status", [S.RECEIVED, S.PREPARING])
def test_there_is_none_before(api: ContractClient, buyer: Buyer, status: OrderStatus) -> None:
    order = make_order_at(status, buyer)
    assert not IssuedDocument.objects.exists()
    assert listed(api, order) == {}


def test_a_cancelled_order_shows_none(api: ContractClient, buyer: Buyer) -> None:
    order = make_order_at(S.CONFIRMED, buyer)
    url = listed(api, order)[pdf_name(order)]
    Order.objects.filter(pk=order.pk).update(status=S.CANCELLED, cancelled_at=NOW)
    assert listed(api, order) == {}
    assert Client().get(url).status_code == 404


def test_staff_see_it_as_the_portals_own_and_open_it(buyer: Buyer) -> None:
    order, admin = make_order_at(S.CONFIRMED, buyer), staff_client("Sales")
    page = admin.get(reverse("admin:orders_order_change", args=[order.pk])).content.decode()
    assert pdf_name(order) in page
    assert page.count("by the portal") == 2
    document = documents_of(order)[pdf_name(order)]
    assert reverse("admin:orders_order_remove", args=[order.pk, document.pk]) not in page
    answer = admin.get(reverse("admin:orders_order_file", args=[order.pk, document.pk]))
    assert answer.getvalue().startswith(b"%PDF-")


def test_staff_cannot_take_it_away(buyer: Buyer) -> None:
    order = make_order_at(S.CONFIRMED, buyer)
    document = documents_of(order)[pdf_name(order)]
    with pytest.raises(StaffRefusal):
        remove_document(document_id=document.pk, actor=make_sales(), now=NOW)
    assert documents_of(order)


# That it stays as it is


def test_an_issued_invoice_never_changes(buyer: Buyer, settings: Any) -> None:
    order = make_mixed_order(buyer)
    first = file_of(order, pdf_name(order))
    Product.objects.update(eng_name="Renamed")
    Company.objects.update(name="Renamed")
    Order.objects.filter(pk=order.pk).update(shipping_fee=Decimal("999.00"))
    settings.BANK = {**settings.BANK, "account_number": "9-9-9"}
    settings.PORTAL_TITLE = "Renamed"
    order = Order.objects.get(pk=order.pk)
    with transaction.atomic():
        again = issue_proforma(order=order, now=NOW)
    assert again == order.issued_documents.get()
    assert len(documents_of(order)) == 2
    document = documents_of(order)[pdf_name(order)]
    storages["private"].delete(document.path)
    assert file_of(order, pdf_name(order)) == first
    assert storages["private"].exists(document.path)


def test_later_money_does_not_show(buyer: Buyer) -> None:
    order = make_order_at(S.PAID, buyer)
    words = words_of(file_of(order, pdf_name(order)))
    assert f"Deposit received {money(str(-order.total))} Balance due 50.00" in words


# Its files


def test_the_confirmation_asks_nothing_of_the_storage(
    buyer: Buyer, api: ContractClient, broken_storage: Callable[[], None]
) -> None:
    broken_storage()
    order = make_order_at(S.CONFIRMED, buyer)
    assert set(listed(api, order)) == {pdf_name(order), xlsx_name(order)}


def test_the_sweep_makes_each_file_once(buyer: Buyer) -> None:
    order = make_order_at(S.CONFIRMED, buyer)
    assert make_document_files(NOW) == 2
    assert make_document_files(NOW) == 0
    for document in documents_of(order).values():
        stored = storages["private"].open(document.path).read()
        assert document.rendered_at == NOW
        assert document.size == len(stored)
        assert open_document(document=document, now=NOW).read() == stored


def test_a_click_makes_what_is_not_there_yet_and_the_next_one_gets_the_same(
    api: ContractClient, buyer: Buyer
) -> None:
    order = make_order_at(S.CONFIRMED, buyer)
    url = listed(api, order)[pdf_name(order)]
    first, second = Client().get(url).getvalue(), Client().get(url).getvalue()
    assert first == second == file_of(order, pdf_name(order))
    assert make_document_files(NOW) == 1  # the spreadsheet


@pytest.mark.django_db(transaction=True)
def test_the_storage_is_only_asked_outside_any_transaction(
    api: ContractClient, buyer: Buyer, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[bool] = []

    def watched(real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **kwargs: Any) -> Any:
            calls.append(connection.in_atomic_block)
            return real(*args, **kwargs)

        return call

    for name in ("save", "open"):
        monkeypatch.setattr(storages["private"], name, watched(getattr(storages["private"], name)))
    order = make_order_at(S.CONFIRMED, buyer)
    assert calls == []
    urls = listed(api, order)
    Client().get(urls[pdf_name(order)])
    make_document_files(NOW)
    Client().get(urls[pdf_name(order)])
    assert calls == [False] * 3


def test_half_a_file_left_by_a_killed_process_is_made_whole(buyer: Buyer) -> None:
    order = make_order_at(S.CONFIRMED, buyer)
    document = documents_of(order)[pdf_name(order)]
    path = document.path
    storages["private"].save(path, ContentFile(b"%PDF-1.4 half"))
    before = set(storages["private"].listdir("documents")[1])
    whole = open_document(document=document, now=NOW).read()
    document.refresh_from_db()
    assert storages["private"].open(path).read() == whole
    assert set(storages["private"].listdir("documents")[1]) == before


@pytest.fixture
def broken_storage(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Return a function that takes the private storage down; it is up again after the test, or
    after `undo`.
    """

    def fail(*_: Any, **__: Any) -> None:
        raise ConnectionError("the storage is down")

    def take_down() -> None:
        for call in ("save", "open", "delete", "exists", "size"):
            monkeypatch.setattr(storages["private"], call, fail)

    return take_down


def test_while_the_storage_is_down_a_click_says_so_and_the_file_is_made_later(
    api: ContractClient,
    buyer: Buyer,
    broken_storage: Callable[[], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    order = make_order_at(S.CONFIRMED, buyer)
    broken_storage()
    url = listed(api, order)[pdf_name(order)]
    answer = Client().get(url)
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "60")
    assert answer.content.decode() == f"{StorageUnavailable.message}\n"
    assert answer.headers["Cache-Control"] == "private, no-store"
    with pytest.raises(StorageUnavailable):
        make_document_files(NOW)
    assert not OrderDocument.objects.filter(rendered_at__isnull=False).exists()
    monkeypatch.undo()
    assert make_document_files(NOW) == 2
    assert Client().get(url).getvalue().startswith(b"%PDF-")


def test_a_made_file_says_so_too_while_the_storage_is_down(
    api: ContractClient, buyer: Buyer, broken_storage: Callable[[], None]
) -> None:
    order = make_order_at(S.CONFIRMED, buyer)
    make_document_files(NOW)
    broken_storage()
    assert Client().get(listed(api, order)[pdf_name(order)]).status_code == 503


def test_staff_are_told_on_the_orders_page(
    buyer: Buyer, broken_storage: Callable[[], None]
) -> None:
    order, admin = make_order_at(S.CONFIRMED, buyer), staff_client("Sales")
    document = documents_of(order)[pdf_name(order)]
    broken_storage()
    url = reverse("admin:orders_order_file", args=[order.pk, document.pk])
    assert shown_messages(admin.get(url, follow=True)) == [f"{order}: {StorageUnavailable.message}"]


def test_a_document_that_cannot_be_made_holds_up_no_other(buyer: Buyer) -> None:
    order, broken = make_order_at(S.CONFIRMED, buyer), make_order_at(S.CONFIRMED, buyer)
    IssuedDocument.objects.filter(order=broken).update(content={})
    assert make_document_files(NOW) == 2
    made = OrderDocument.objects.filter(rendered_at__isnull=False)
    assert set(made.values_list("order_id", flat=True)) == {order.pk}


def papers_of(mails: list[Any]) -> dict[str, list[Any]]:
    """Return the files that mails took along, by subject."""
    return {one.subject.partition(":")[0]: [*one.attachments] for one in mails if one.attachments}


def test_each_mail_takes_the_proforma_it_speaks_of_along_sent_again_too(
    buyer: Buyer, broken_storage: Callable[[], None]
) -> None:
    order = make_order_at(S.CONFIRMED, buyer)
    correct(order, shipping_fee=Decimal("12.00"))
    first, second = IssuedDocument.objects.order_by("pk")
    broken_storage()
    deliver_mails(NOW)
    name, papers = pdf_name(order), papers_of(outgoing.outbox)
    assert papers == {
        "Order confirmed": [(name, pdf_of(first), "application/pdf")],
        "Order corrected": [
            (name.replace("Invoice_", "Invoice_Revision_2_"), pdf_of(second), "application/pdf")
        ],
    }
    outgoing.outbox.clear()
    confirmed = Email.objects.get(subject__startswith="Order confirmed")
    queue_again(confirmed, to="colleague@buyer.test")
    deliver_mails(NOW)
    assert papers_of(outgoing.outbox)["Order confirmed"] == papers["Order confirmed"]
    page = staff_client("Sales").get(f"/admin/post_office/email/{confirmed.pk}/change/").text
    assert name in page


def test_a_proforma_that_cannot_be_made_loses_no_mail_and_staff_read_it(
    buyer: Buyer, monkeypatch: pytest.MonkeyPatch
) -> None:
    order = make_order_at(S.CONFIRMED, buyer)
    monkeypatch.setattr("apps.orders.services.documents.render", lambda *_, **__: 1 / 0)
    deliver_mails(NOW)
    assert papers_of(outgoing.outbox) == {}
    assert any(one.subject.startswith("Order confirmed") for one in outgoing.outbox)
    note = order.events.get(kind=OrderEvent.Kind.MAIL).text
    assert note == f"Sent without {pdf_name(order)}, which could not be made"


def pdf_of(issued: IssuedDocument) -> bytes:
    return render(issued.content, content_type=PDF.content_type, issued_at=issued.issued_at)

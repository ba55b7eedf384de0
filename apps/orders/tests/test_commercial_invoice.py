"""The commercial invoice: what customs are told of a packed order, issued by staff and issued again
after a change.
"""

from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest
from django.contrib.auth.models import Group
from django.core.exceptions import PermissionDenied
from django.test import Client
from django.urls import reverse

from apps.accounts.models import Company, User
from apps.accounts.selectors import Buyer
from apps.accounts.tests.staff import shown_messages, staff_client, staff_in
from apps.catalog.models import Product
from apps.catalog.tests.factories import make_product
from apps.common.testing import ContractClient
from apps.orders.documents.customs import Terms
from apps.orders.errors import StaffRefusal
from apps.orders.models import IssuedDocument, Order, OrderDocument
from apps.orders.rules import split_terms, spread
from apps.orders.services.commercial import issue_commercial_invoice
from apps.orders.services.confirm import AddedLine, LineDecision
from apps.orders.services.moves import start_preparing
from apps.orders.status import OrderStatus
from apps.orders.sweeps import make_document_files
from apps.orders.tests.document_files import documents_of, file_of, listed, values_of, words_of
from apps.orders.tests.factories import (
    confirm,
    make_box,
    make_order,
    make_order_at,
    make_sales,
    mark_packed,
)

S = OrderStatus
NOW = datetime(2026, 11, 20, 1, 0, tzinfo=UTC)
TERMS = Terms("FCA", "Incheon")


def make_sold(buyer: Buyer, **fields: Any) -> Order:
    """Return a packed order: a line whole, one in part, one not at all, and a free offer; 2 + 1
    boxes.
    """
    names = ("eng_name", "usd_supply", "weight_g", "hs_code", "origin")
    whole, part, none, free = (
        make_product(on_hand=5_000, **dict(zip(names, values, strict=True)))
        for values in (
            ("Ängström Crème Façade", Decimal("7.35"), 120, "3304.99", "KR"),
            ("수분 진정 크림", Decimal("2.10"), 61, "0304991000", "JP"),
            ("No Toner", Decimal("9.99"), 500, "", "KR"),
            ("Gift Sachet", Decimal("0.45"), 7, "3304.91", "KR"),
        )
    )
    order = make_order(buyer, [(whole, 120), (part, 40), (none, 10)], **fields)
    start_preparing(order_id=order.pk, actor=make_sales(), now=NOW)
    ids = dict(order.lines.values_list("product_id", "id"))
    decisions = [
        LineDecision(ids[whole.pk], 120),
        LineDecision(ids[part.pk], 15, "short"),
        LineDecision(ids[none.pk], 0, "discontinued"),
    ]
    added = [AddedLine(free.pk, 24, Decimal("0.00"), "free_offer")]
    order = confirm(order, decisions, added=added, shipping_fee=Decimal("86.40"))
    make_box(order, [(whole, 60)], count=2, weight_g=7_935)
    make_box(order, [(part, 15), (free, 24)], weight_g=1_444)
    return mark_packed(order)


def issue(
    order: Order, terms: Terms = TERMS, *, actor: User | None = None, **fields: Any
) -> IssuedDocument:
    """Issue the invoice of an order as it is now."""
    version = Order.objects.get(pk=order.pk).version
    given = {"version": version, "now": NOW, **fields}
    return issue_commercial_invoice(
        order_id=order.pk, terms=terms, actor=actor or make_sales(), **given
    )


def name_of(order: Order, form: str = "pdf", *, revision: int = 1) -> str:
    revised = f"Revision_{revision}_" if revision > 1 else ""
    return f"Commercial_Invoice_{revised}{order.invoice_code}.{form}"


def staff_with_the_right() -> User:
    actor = staff_in("Sales")
    actor.groups.add(Group.objects.get(name="Declared values"))
    return actor


# What it says


def test_its_lines_are_what_is_sent_with_code_origin_weight_and_value(buyer: Buyer) -> None:
    order = make_sold(buyer)
    issue(order)
    words = words_of(file_of(order, name_of(order)))
    skus = dict(order.lines.values_list("product__eng_name", "sku"))
    for text in (
        f"{skus['Ängström Crème Façade']} Ängström Crème Façade 3304.99 KR 120 14.400 7.35 882.00",
        f"{skus['수분 진정 크림']} 수분 진정 크림 0304991000 JP 15 0.915 2.10 31.50",
        (
            f"{skus['Gift Sachet']} Gift Sachet Free of charge, value for customs purposes only "
            "3304.91 KR 24 0.168 0.45 10.80"
        ),
        "Total 159 15.483 924.30",
        "Goods 913.50 Free of charge 10.80 Freight 86.40 Total USD 1,010.70",
        "actual prices",
    ):
        assert text in words
    assert "No Toner" not in words


def test_it_names_parties_terms_and_the_shipment_as_packed(buyer: Buyer) -> None:
    Company.objects.filter(pk=buyer.company_id).update(name="Kim 뷰티 주식회사")
    order = make_sold(buyer, export_declared=False)
    issue(order)
    words = words_of(file_of(order, name_of(order)))
    for text in (
        "SHIPPER Test Shipper Seoul +82 2 0",
        f"INVOICE NUMBER AND DATE {order.invoice_code} 2026-11-20",
        "CONSIGNEE Kim 뷰티 주식회사 ul. Lipowa 51 00-682 Warszawa, Poland +48 22 555 01 74",
        "SHIPMENT Number of packages 3 Gross weight 17.314 kg Net weight 15.483 kg",
        "NOTIFY PARTY Same as consignee",
        "TERMS FCA Incheon Currency USD Export declaration NO",
    ):
        assert text in words


def test_the_spreadsheet_says_the_same(buyer: Buyer) -> None:
    order = make_sold(buyer)
    issue(order)
    cells = values_of(file_of(order, name_of(order, "xlsx")))
    rows = {row[1]: row[2:8] for row in cells if row[1]}
    assert rows["수분 진정 크림"] == ["0304991000", "JP", 15, 0.915, 2.1, 31.5]
    assert rows["Total USD"][-1] == 1010.7
    total = next(row for row in cells if row[0] == "Total")
    assert [total[4], total[5], total[7]] == [159, 15.483, 924.3]
    assert "Gross weight 17.314 kg" in [row[0] for row in cells]


# When it is issued


@pytest.mark.parametrize("form", ["pdf", "xlsx"])
def test_the_buyer_finds_it_among_the_documents_once_issued(
    api: ContractClient, buyer: Buyer, form: str
) -> None:
    order = make_sold(buyer)
    assert name_of(order, form) not in listed(api, order)
    issue(order)
    answer = Client().get(listed(api, order)[name_of(order, form)])
    assert answer.status_code == 200
    assert name_of(order, form) in answer.headers["Content-Disposition"]


def test_issued_again_it_is_a_revision_and_the_earlier_one_stays_for_staff(
    api: ContractClient, buyer: Buyer
) -> None:
    order = make_sold(buyer)
    issue(order)
    first = file_of(order, name_of(order))
    urls = listed(api, order)
    make_box(order, [], weight_g=1_000)
    mark_packed(order)
    invoice = issue(order, Terms("DAP", "Warszawa"))
    assert invoice.revision == 2
    words = words_of(file_of(order, name_of(order, revision=2)))
    assert f"{order.invoice_code}, revision 2" in words
    assert "Number of packages 4 Gross weight 18.314 kg" in words
    names = set(listed(api, order))
    assert {name_of(order, form, revision=2) for form in ("pdf", "xlsx")} <= names
    assert name_of(order) not in names
    assert Client().get(urls[name_of(order)]).status_code == 404
    assert file_of(order, name_of(order)) == first
    events = order.events.filter(kind="document")
    assert [event.text for event in events] == [
        "Issued: Commercial invoice, FCA Incheon, value of goods 924.30 USD",
        "Issued: Commercial invoice, revision 2, DAP Warszawa, value of goods 924.30 USD",
    ]


def test_without_a_change_it_is_not_issued_again(buyer: Buyer) -> None:
    order = make_sold(buyer)
    issue(order)
    with pytest.raises(StaffRefusal, match="Nothing has changed since revision 1"):
        issue(order, now=datetime(2026, 12, 24, tzinfo=UTC))
    assert IssuedDocument.objects.filter(kind="commercial").count() == 1


def test_it_needs_every_hs_code_of_what_is_sent(buyer: Buyer) -> None:
    order = make_sold(buyer)
    Product.objects.filter(eng_name="Gift Sachet").update(hs_code="")
    sku = order.lines.get(product__eng_name="Gift Sachet").sku
    with pytest.raises(StaffRefusal, match=f"Without an HS code: {sku}."):
        issue(order)


def test_the_sweep_makes_both_forms(buyer: Buyer) -> None:
    order = make_sold(buyer)
    make_document_files(NOW)
    issue(order)
    assert make_document_files(NOW) == 2
    assert not OrderDocument.objects.filter(rendered_at=None).exists()
    assert len(documents_of(order)) == 4


# Another value


def test_another_value_needs_its_own_permission(buyer: Buyer) -> None:
    order, sales = make_sold(buyer), staff_in("Sales")
    with pytest.raises(PermissionDenied):
        issue(order, Terms("FCA", "Incheon", Decimal("28.00")), reason="Agreed", actor=sales)
    assert issue(order, actor=sales).revision == 1


def test_another_value_is_spread_to_the_cent_and_entered_into_the_history(buyer: Buyer) -> None:
    order, actor = make_sold(buyer), staff_with_the_right()
    issue(
        order, Terms("FCA", "Incheon", Decimal("28.00")), reason="Samples for a fair", actor=actor
    )
    words = words_of(file_of(order, name_of(order)))
    for text in (
        "120 14.400 0.2227 26.72",
        "15 0.915 0.0633 0.95",
        "24 0.168 0.0138 0.33",
        "Total 159 15.483 28.00",
        "Declared value of goods 28.00 Freight 86.40 Total USD 114.40",
    ):
        assert text in words
    assert "actual" not in words
    entry = order.events.get(kind="declared")
    assert entry.actor == actor
    shown = entry.text
    assert shown == "Commercial invoice: 28.00 USD declared instead of 924.30. Samples for a fair"


@pytest.mark.parametrize(
    ("value", "over", "parts"),
    [
        ("10.00", ["1", "1", "1"], ["3.34", "3.33", "3.33"]),
        ("0.02", ["5", "3", "2"], ["0.01", "0.01", "0.00"]),
        ("100.00", ["0.10", "99.90"], ["0.10", "99.90"]),
        ("1.00", ["0", "0"], ["0.50", "0.50"]),
        ("7.00", ["2"], ["7.00"]),
        ("7.00", [], []),
    ],
)
def test_a_value_is_spread_in_whole_cents(value: str, over: list[str], parts: list[str]) -> None:
    spread_out = spread(Decimal(value), [Decimal(share) for share in over])
    assert [str(part) for part in spread_out] == parts


@pytest.mark.parametrize(
    ("terms", "parts"),
    [
        ("FCA Incheon", ("FCA", "Incheon")),
        (" dap  New York ", ("DAP", "New York")),
        ("EXW", ("EXW", "")),
        ("Prepaid", None),
        ("", None),
    ],
)
def test_terms_are_an_incoterm_and_a_place(terms: str, parts: tuple[str, str] | None) -> None:
    assert split_terms(terms) == parts


# Its page


def url_of(order: Order) -> str:
    return reverse("admin:orders_order_invoice", args=[order.pk])


def send(client: Client, order: Order, **fields: Any) -> Any:
    version = Order.objects.get(pk=order.pk).version
    body = {"version": version, "incoterm": "FCA", "place": "Incheon", **fields}
    return client.post(url_of(order), body)


def declaring_client() -> Client:
    client = staff_client("Sales")
    actor = User.objects.get(groups__name="Sales")
    actor.groups.add(Group.objects.get(name="Declared values"))
    return client


def test_the_page_shows_what_it_will_say_and_issues_it(buyer: Buyer) -> None:
    order, client = make_sold(buyer), staff_client("Sales")
    page = client.get(url_of(order)).content.decode()
    figures = ("0304991000", "1,010.70", "17.314")
    for text in ("Ängström Crème Façade", *figures, "DAP Warszawa", "Not yet."):
        assert text in page
    answer = send(client, order)
    assert answer.url == reverse("admin:orders_order_change", args=[order.pk])
    invoice = IssuedDocument.objects.get(kind="commercial")
    terms = ["FCA Incheon", "Currency USD", "Export declaration YES"]
    assert {"label": "Terms", "lines": terms} in invoice.content["boxes"]
    page = client.get(answer.url).content.decode()
    assert name_of(order) in page
    assert "Packing list (PDF)" in page


def test_it_begins_with_the_terms_of_the_packing_then_with_those_issued(buyer: Buyer) -> None:
    order, client = make_sold(buyer), staff_client("Sales")
    Order.objects.filter(pk=order.pk).update(packing_terms="EXW Seoul")
    assert "EXW Seoul" in client.get(url_of(order)).content.decode()
    send(client, order)
    page = client.get(url_of(order)).content.decode()
    assert "FCA Incheon" in page
    assert "Issue again" in page


def test_other_terms_are_shown_before_anything_is_issued(buyer: Buyer) -> None:
    order, client = make_sold(buyer), staff_client("Sales")
    page = send(client, order, incoterm="DDP", place="Łódź", show="1").content.decode()
    assert "DDP Łódź" in page
    assert not IssuedDocument.objects.filter(kind="commercial").exists()


def test_another_value_is_offered_only_to_those_who_may_declare_one(buyer: Buyer) -> None:
    order, sales = make_sold(buyer), staff_client("Sales")
    assert "Another value" not in sales.get(url_of(order)).content.decode()
    send(sales, order, declared="28.00", reason="Agreed")
    (issued,) = IssuedDocument.objects.filter(kind="commercial")
    assert issued.content["table"]["total"][-1] == {"usd": "924.30"}


def test_another_value_needs_its_reason_at_the_field(buyer: Buyer) -> None:
    order, client = make_sold(buyer), declaring_client()
    answer = send(client, order, declared="28.00")
    for text in ("Why is another value declared?", "Declared value of goods"):
        assert text in answer.content.decode()
    assert not IssuedDocument.objects.filter(kind="commercial").exists()
    send(client, order, declared="28.00", reason="Samples")
    issued = IssuedDocument.objects.get(kind="commercial")
    assert issued.content["table"]["total"][-1] == {"usd": "28.00"}
    assert order.events.filter(kind="declared").exists()


def test_somebody_who_was_quicker_is_named_and_the_next_click_counts(buyer: Buyer) -> None:
    order, client = make_sold(buyer), staff_client("Sales")
    answer = send(client, order, version=order.version - 1)
    assert "changed this order" in " ".join(shown_messages(answer))
    assert f'name="version" value="{order.version}"' in answer.content.decode()
    assert not IssuedDocument.objects.filter(kind="commercial").exists()


@pytest.mark.parametrize("status", [S.PREPARING, S.CONFIRMED, S.CANCELLED])
def test_an_order_that_cannot_have_one_says_why(buyer: Buyer, status: OrderStatus) -> None:
    order, client = make_order_at(status, buyer), staff_client("Sales")
    page = client.get(url_of(order)).content.decode()
    why = "Packing is not complete" if status == S.CONFIRMED else "needs a confirmed order"
    assert why in page
    assert "Issue the invoice" not in page
    assert send(client, order).status_code == 200
    assert not IssuedDocument.objects.filter(kind="commercial").exists()


def test_staff_open_the_packing_list_as_the_buyer_gets_it(buyer: Buyer) -> None:
    order, client = make_sold(buyer), staff_client("Sales")
    url = reverse("admin:orders_order_packing_list", args=[order.pk])
    answer = client.get(url)
    assert answer.getvalue().startswith(b"%PDF-")
    assert f"Packing_List_{order.invoice_code}.pdf" in answer.headers["Content-Disposition"]
    Order.objects.filter(pk=order.pk).update(packing_status=Order.Packing.EDITED)
    assert client.get(url).status_code == 404

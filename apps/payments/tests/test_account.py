"""The account's calls: what is owed and when, the statement over any days and as files, all
documents in one place.
"""

import csv
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any
from uuid import uuid4

import pytest
from django.utils import timezone
from post_office.models import Email

from apps.accounts.models import CompanyAddress
from apps.accounts.selectors import Buyer
from apps.accounts.tests.factories import make_buyer
from apps.catalog.tests.factories import make_product
from apps.common.mail import write_texts
from apps.common.testing import ContractClient
from apps.common.types import Json
from apps.orders.models import Order, OrderDocument, OrderTally, SavedBasket
from apps.orders.selectors import waiting
from apps.orders.selectors.orders import seller_date
from apps.orders.services.confirm import LineDecision
from apps.orders.services.moves import start_preparing
from apps.orders.status import PACKING_COMPLETE
from apps.orders.tests.document_files import values_of, words_of
from apps.orders.tests.factories import confirm, make_sales
from apps.payments.tests.factories import (
    arrive,
    cancel,
    make_announced_balance,
    make_confirmed_order,
    make_wire_order,
    unexplained,
)


def statement(api: ContractClient, **query: str) -> Json:
    body: Json = api.get("/api/account/statement", query).json()
    return body


def texts(body: Json) -> list[tuple[str, float, float]]:
    return [
        (line["text"], line["charge"] + line["credit"], line["balance"]) for line in body["lines"]
    ]


def test_each_charge_receipt_and_credit_is_a_line(api: ContractClient, buyer: Buyer) -> None:
    order = make_announced_balance(buyer)
    arrive(order, Decimal("45.00"), write_off_reason="Bank charges")
    rows = statement(api)
    assert texts(rows) == [
        ("Deposit invoiced", 90.0, 90.0),
        ("Payment received, bank wire", -90.0, 0.0),
        ("Order confirmed, goods and shipping", 50.0, 50.0),
        ("Payment received, bank wire", -45.0, 5.0),
        ("Written off", -5.0, 0.0),
    ]
    sums = {name: rows[name] for name in ("opening", "charges", "credits", "closing")}
    assert sums == {"opening": 0.0, "charges": 140.0, "credits": -140.0, "closing": 0.0}
    assert {line["invoice_code"] for line in rows["lines"]} == {order.invoice_code}


def test_less_than_was_paid_adds_up_with_what_the_wallet_got(
    api: ContractClient, buyer: Buyer
) -> None:
    order = make_wire_order(buyer, [(make_product(), 20)])
    arrive(order)
    start_preparing(order_id=order.pk, actor=make_sales(), now=timezone.now())
    (line,) = order.lines.all()
    confirm(order, [LineDecision(line.pk, 4, reason="short")], shipping_fee=Decimal(20))
    (mail,) = Email.objects.filter(subject__startswith="Order confirmed")
    assert "Credited to your wallet: $52.00" in write_texts(mail).message
    sums = api.get(f"/api/details/{order.invoice_code}").json()["order"]
    names = ("real_total", "shipping_fee", "deposit_received", "credited", "balance_due")
    assert [sums[name] for name in names] == [18, 20, 90, 52, 0]
    assert texts(statement(api)) == [
        ("Deposit invoiced", 90.0, 90.0),
        ("Payment received, bank wire", -90.0, 0.0),
        ("Adjustment, goods not supplied", -72.0, -72.0),
        ("Shipping fee", 20.0, -52.0),
        ("Overpayment, credited to the wallet", 52.0, 0.0),
    ]


def test_a_cancelled_order_owes_nothing_and_says_what_was_kept(
    api: ContractClient, buyer: Buyer
) -> None:
    order = make_wire_order(buyer)
    arrive(order, Decimal("400.00"))
    cancel(order, by_terms=True)
    assert texts(statement(api))[2:] == [
        ("Cancelled order, credited to the wallet", 300.0, -10.0),
        ("Order cancelled", -90.0, -100.0),
        ("Cancellation fee", 100.0, 0.0),
    ]
    assert unexplained(buyer.company_id) == {}


def test_what_was_let_go_of_a_cancelled_order_is_no_fee(api: ContractClient, buyer: Buyer) -> None:
    order = make_announced_balance(buyer)
    arrive(order, Decimal("45.00"), write_off_reason="Bank charges")
    cancel(order, by_terms=True)
    assert texts(statement(api))[-3:] == [
        ("Cancelled order, credited to the wallet", 35.0, 35.0),
        ("Order cancelled", -135.0, -100.0),
        ("Cancellation fee", 100.0, 0.0),
    ]
    assert unexplained(buyer.company_id) == {}


def test_days_divide_the_account_without_a_gap(api: ContractClient, buyer: Buyer) -> None:
    make_confirmed_order(buyer)
    make_confirmed_order(make_buyer())
    today = seller_date(datetime.now(UTC))
    before, after = str(today - timedelta(days=1)), str(today + timedelta(days=1))
    assert statement(api, since=before, until=before)["lines"] == []
    assert statement(api, since=before, until=str(today))["closing"] == 50.0
    later = statement(api, since=after, until=after)
    assert (later["opening"], later["closing"], later["lines"]) == (50.0, 50.0, [])
    for query in ({"since": after, "until": before}, {"since": "x"}, {"format": "doc"}):
        assert api.get("/api/account/statement", query).status_code == 400


def test_the_files_say_the_same(api: ContractClient, buyer: Buyer) -> None:
    order = make_confirmed_order(buyer)
    file = api.get("/api/account/statement", {"format": "csv"}).content.decode("utf-8-sig")
    rows = file.splitlines()
    assert rows[0] == "Date,Description,Order,Charge $,Payment or credit $,Balance $"
    assert [row[1:] for row in csv.reader(rows[2:])] == [
        ["Deposit invoiced", order.invoice_code, "90.00", "", "90.00"],
        ["Payment received, bank wire", order.invoice_code, "", "-90.00", "0.00"],
        ["Order confirmed, goods and shipping", order.invoice_code, "50.00", "", "50.00"],
        ["Closing balance", "", "140.00", "-90.00", "50.00"],
    ]
    values = values_of(api.get("/api/account/statement", {"format": "xlsx"}).content)
    assert values[5][3:] == [140, -90, 50]
    answer: Any = api.get("/api/account/statement", {"format": "pdf"})
    words = words_of(answer.getvalue())
    assert answer["Content-Type"] == "application/pdf"
    first = f"{rows[2].split(',')[0]} Deposit invoiced"
    figures = ("−90.00", "Closing balance")
    for text in ("STATEMENT OF ACCOUNT", buyer.company, first, order.invoice_code, *figures):
        assert text in words


def test_what_is_owed_says_when(api: ContractClient, buyer: Buyer) -> None:
    wire, balance = make_wire_order(buyer, po_number="PO-1"), make_confirmed_order(buyer)
    make_announced_balance(make_buyer())
    body = api.get("/api/account").json()
    assert (body["owed"], body["reviewed"], body["wallet"]) == (140.0, 0.0, 0.0)
    rows = {row["invoice_code"]: row for row in body["rows"]}
    assert set(rows) == {wire.invoice_code, balance.invoice_code}
    first = rows[wire.invoice_code]
    assert (first["kind"], first["po_number"], first["amount"]) == ("Deposit", "PO-1", 90.0)
    assert first["action"] == "Bank details"
    assert bool(rows[balance.invoice_code]["due"])


def test_what_is_owed_is_summed_over_all_and_listed_by_pages(
    api: ContractClient, buyer: Buyer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(waiting, "DUE_A_PAGE", 2)
    orders = [make_announced_balance(buyer), *(make_wire_order(buyer) for _ in range(2))]
    arrive(make_wire_order(buyer))  # waits for the seller alone
    pages = [api.get("/api/account", {"page": page}).json() for page in ("1", "2", "3")]
    shown = [(page["owed"], page["reviewed"], page["orders"]) for page in pages]
    assert shown == [(230.0, 50.0, 3)] * 3
    assert [(len(page["rows"]), page["next"]) for page in pages] == [(2, 2), (1, None), (0, None)]
    listed = {row["invoice_code"] for page in pages for row in page["rows"]}
    assert listed == {order.invoice_code for order in orders}
    assert api.get("/api/account", {"page": "0"}).status_code == 400


def test_the_years_orders_are_summed_without_cancelled_and_other_companies(
    api: ContractClient, buyer: Buyer
) -> None:
    year = seller_date(datetime.now(UTC)).year
    assert api.get("/api/account").json()["ordered"] == {"year": year, "orders": 0, "amount": 0.0}
    open_wire, lapsed = make_wire_order(buyer), make_wire_order(buyer)
    make_wire_order(make_buyer())
    cancel(lapsed)
    shown = api.get("/api/account").json()["ordered"]
    assert shown == {"year": year, "orders": 1, "amount": float(open_wire.total)}
    OrderTally.objects.filter(bucket__startswith="month:").update(bucket=f"month:{year - 1}-12")
    assert api.get("/api/account").json()["ordered"]["orders"] == 0


def test_the_menu_counts_what_the_parts_list(api: ContractClient, buyer: Buyer) -> None:
    none = {"success": 1, "owed": 0.0, "wallet": 0.0, "documents": 0, "addresses": 0, "baskets": 0}
    assert api.get("/api/account/counts").json() == none
    arrive(make_announced_balance(buyer))
    packed = make_confirmed_order(buyer)
    Order.objects.filter(pk=packed.pk).update(packing_status=PACKING_COMPLETE)
    other = make_buyer()
    for owner, shared in ((buyer, False), (other, True)):
        CompanyAddress.objects.create(company_id=owner.company_id, name="Store", ship_city="Berlin")
        kept: Json = {"uuid": uuid4(), "kind": "named", "name": "May", "is_shared": shared}
        sums: Json = {"lines": [], "count": 0, "pieces": 0, "total": 0, "saved_at": timezone.now()}
        SavedBasket.objects.create(owner_id=owner.id, **kept, **sums)
    make_announced_balance(other)
    body = api.get("/api/account/counts").json()
    listed = len(api.get("/api/account/documents").json()["documents"])
    due = api.get("/api/account").json()["owed"]
    assert listed > 1
    assert body == {**none, "owed": due, "documents": listed, "addresses": 1, "baskets": 1}


def test_a_line_opens_its_paper(api: ContractClient, buyer: Buyer) -> None:
    order = make_announced_balance(buyer)
    arrive(order)
    received = make_wire_order(buyer)
    lines = statement(api)["lines"]
    papers = {(line["invoice_code"], line["text"]): line["paper"] for line in lines}
    assert papers[received.invoice_code, "Deposit invoiced"] is None
    own = [paper for (code, _), paper in papers.items() if code == order.invoice_code]
    names = [paper and paper["name"].split("_")[0] for paper in own]
    assert names == ["Proforma", "Receipt", "Proforma"]
    paper = papers[order.invoice_code, "Payment received, bank wire"]
    assert api.get(paper["url"]).status_code == 200


def test_documents_are_found_by_kind_with_their_totals(api: ContractClient, buyer: Buyer) -> None:
    arrive(make_announced_balance(buyer))
    keep = {"title": "Certificate of origin", "storage_name": f"{'a' * 32}.pdf", "size": 1}
    OrderDocument.objects.create(order=Order.objects.get(), uploaded_at=timezone.now(), **keep)

    def documents_for(**query: str) -> list[tuple[str, float | None]]:
        rows = api.get("/api/account/documents", query).json()["documents"]
        return [(row["kind"], row["amount"]) for row in rows]

    assert documents_for(kind="proforma") == [("proforma", 140.0)] * 2
    assert documents_for(kind="receipt") == [("receipt", 140.0)]
    assert documents_for(kind="other") == [("other", None)]
    assert (documents_for(kind="packing"), documents_for(kind="commercial")) == ([], [])
    Order.objects.update(packing_status=2)
    assert documents_for(kind="packing") == [("packing", None)]
    assert len(documents_for()) == 5
    assert api.get("/api/account/documents", {"kind": "x"}).status_code == 400


def test_documents_of_all_orders_are_in_one_place(api: ContractClient, buyer: Buyer) -> None:
    orders = [make_confirmed_order(buyer), make_confirmed_order(buyer, po_number="PO 77")]
    make_confirmed_order(make_buyer())
    body = api.get("/api/account/documents").json()
    shown = [row["invoice_code"] for row in body["documents"]]
    assert shown == [order.invoice_code for order in reversed(orders) for _ in range(2)]
    titles = set(OrderDocument.objects.filter(order__in=orders).values_list("title", flat=True))
    assert {row["name"] for row in body["documents"]} == titles
    assert body["next"] is None
    search = api.get("/api/account/documents", {"search": "po 77"}).json()["documents"]
    assert {row["po_number"] for row in search} == {"PO 77"}
    assert Order.objects.count() == 3

"""A buyer's own sheet: kept when he orders from it, given back with what became of each row, at
every stage.
"""

import io
import json
from datetime import timedelta
from decimal import Decimal
from typing import Any

import openpyxl
import pytest
from django.core.files.storage import storages
from django.test.client import MULTIPART_CONTENT
from django.utils import timezone

from apps.accounts.selectors import Buyer
from apps.accounts.tests.factories import make_buyer
from apps.accounts.tests.uploads import form
from apps.catalog.models import Product
from apps.catalog.tests.factories import make_product, make_products
from apps.common.testing import ContractClient
from apps.orders.intake import answer as sheets
from apps.orders.models import Order, SentSheet
from apps.orders.models.proposals import LineProposal
from apps.orders.services.confirm import AddedLine, LineDecision
from apps.orders.services.moves import start_preparing
from apps.orders.services.proposals import NewProposal, propose, withdraw_all
from apps.orders.sweeps import expire_proposals
from apps.orders.tests.document_files import values_of
from apps.orders.tests.factories import all_as_ordered, confirm, make_order, make_sales, pack
from apps.orders.tests.intake.test_review import workbook

Kind = LineProposal.Kind
ROWS = 4_999


def keep(
    client: ContractClient, content: bytes, *answers: dict[str, Any], name: str = "KW48.xlsx"
) -> Any:
    """Send a sheet as the screen does once its lines are in the basket."""
    body = form({"answers": json.dumps(answers)}, content, name, field="list")
    return client.generic("POST", "/api/basket/sheet", body, MULTIPART_CONTENT)


def answer(rows: list[int], sku: str = "", count: int = 0, why: str = "") -> dict[str, Any]:
    return {"rows": rows, "sku": sku, "count": count, "why": why}


def twenty_each(*products: Product) -> list[dict[str, Any]]:
    """Return the answers of rows that follow the headings, one a product."""
    return [answer([row], product.sku, 20) for row, product in enumerate(products, 2)]


def link(client: ContractClient, order: Order) -> Any:
    return client.get(f"/api/details/{order.invoice_code}").json()["order"]["sheet"]


def opened(client: ContractClient, order: Order) -> list[list[Any]]:
    file: Any = client.get(link(client, order)["url"])
    assert file.status_code == 200
    return values_of(b"".join(file.streaming_content))


def test_a_sheet_comes_back_with_what_is_in_the_basket(api: ContractClient) -> None:
    product = make_product(usd_supply="4.50")
    content = workbook(
        [["Bestellung"], ["SKU", "Qty"], [product.sku, 20], ["NOPE", "a few"], [product.sku, 10]]
    )
    answers = (answer([3, 5], product.sku, 40), answer([4], why="left out by you"))
    back = keep(api, content, *answers)
    assert back.status_code == 200
    titles = ["SKU", "Ordered", "Price", "Amount", "Why not", "Substitute offered", "Expected"]
    assert values_of(back.content)[1:] == [
        ["SKU", "Qty", *titles],
        [product.sku, 20, product.sku, 20, 4.5, 90, None, None, None],
        ["NOPE", "a few", None, 0, None, None, "left out by you", None, None],
        [product.sku, 10, product.sku, 20, 4.5, 90, None, None, None],
        [None, None, "Total", 40, None, 180, None, None, None],
    ]
    sheet = SentSheet.objects.get()
    with storages["private"].open(sheets.stored_path(sheet.storage_name)) as file:
        assert file.read() == content


@pytest.mark.parametrize(
    ("asked", "delivered", "why"),
    [
        ([30], 30, None),  # a remark that was settled: nothing is missing
        (["about 30"], 30, None),
        ([30], 20, "said"),
        ([13], 20, "said"),
        ([30], 0, "said"),
        ([30, 10], 40, None),
    ],
)
def test_a_row_that_gets_what_it_asks_for_has_no_why_not(
    api: ContractClient, asked: list[Any], delivered: int, why: str | None
) -> None:
    product = make_product()
    content = workbook([["SKU", "Qty"], *([product.sku, pieces] for pieces in asked)])
    back = keep(api, content, answer([*range(2, 2 + len(asked))], product.sku, delivered, "said"))
    assert [row[6] for row in values_of(back.content)[1:-1]] == [why] * len(asked)


def test_pieces_that_are_confirmed_at_two_prices_are_added_up(
    api: ContractClient, buyer: Buyer
) -> None:
    product = make_product()
    keep(api, workbook([["SKU", "Qty"], [product.sku, 20]]), *twenty_each(product))
    order, actor = make_order(buyer, [(product, 20)]), make_sales()
    start_preparing(order_id=order.pk, actor=actor, now=timezone.now())
    more = AddedLine(product.pk, 5, Decimal("1.00"), "substitute")
    confirm(order, added=[more], actor=actor)
    head, row, _ = opened(api, order)
    assert row[head.index("Confirmed")] == 25


def test_a_proposal_says_what_became_of_its_row_in_its_own_words(
    api: ContractClient, buyer: Buyer
) -> None:
    one, two = make_products(2)
    content = workbook([["SKU", "Qty"], [one.sku, 20], [two.sku, 20]])
    keep(api, content, *twenty_each(one, two))
    order, actor, now = make_order(buyer, [(one, 20), (two, 20)]), make_sales(), timezone.now()
    start_preparing(order_id=order.pk, actor=actor, now=now)
    lines = [order.lines.get(sku=product.sku) for product in (one, two)]
    proposals = [
        NewProposal(line.pk, Kind.PRICE, 20, answer, line.price + change, reason=reason)
        for line, answer, change, reason in (
            (lines[0], "accept", -1, "short_dated"),
            (lines[1], "decline", 1, "raised"),
        )
    ]
    version = Order.objects.get(pk=order.pk).version
    propose(order_id=order.pk, version=version, proposals=proposals, actor=actor, now=now)
    expire_proposals(now + timedelta(days=30))
    _, first, second, _ = opened(api, order)
    assert first[6] == "20 at $3.50 instead of $4.50, short-dated"
    assert second[6] == "Declined: 20 at $5.50 instead of $4.50, the maker's price rose"


@pytest.mark.django_db(transaction=True)
def test_the_order_gives_it_back_as_it_stands(api: ContractClient, buyer: Buyer) -> None:
    one, two, three = make_products(3)
    content = workbook([["SKU", "Qty"], [one.sku, 20], [two.sku, 20], [three.sku, 10]])
    keep(api, content, *twenty_each(one, two, three))
    order = make_order(buyer, [(one, 20), (two, 20)])
    assert (link(api, order)["name"], link(api, make_order(buyer))) == ("KW48.xlsx", None)
    answered = opened(api, order)
    assert answered[1][2:4] == [one.sku, 20]
    assert answered[3][2:7] == [three.sku, 0, None, None, "not in this order"]

    line, actor, now = order.lines.get(sku=two.sku), make_sales(), timezone.now()
    start_preparing(order_id=order.pk, actor=actor, now=now)
    substitute = {"price": line.price, "product_id": three.pk}
    offer = NewProposal(line.pk, Kind.SUBSTITUTE, 10, **substitute)
    version = Order.objects.get(pk=order.pk).version
    propose(order_id=order.pk, version=version, proposals=[offer], actor=actor, now=now)
    assert opened(api, order)[2][7] == f"{three.sku} × 10"
    withdraw_all(order=Order.objects.get(pk=order.pk), actor=actor, now=now)
    decisions = [
        LineDecision(one.line_id, 8, "short") if one.line_id == line.pk else one
        for one in all_as_ordered(order)
    ]
    confirm(order, decisions)
    head, first, second, _, total = opened(api, order)
    assert total[2:5] == ["Total", 40, 28]
    assert head[2:7] == ["SKU", "Ordered", "Confirmed", "Price", "Amount"]
    assert (first[3:5], second[3:5], second[7]) == ([20, 20], [20, 8], "Short")
    order.refresh_from_db()
    pack(order)
    head, first, *_ = opened(api, order)
    assert (head[-1], first[-1]) == ("Boxes", "1: 20")


@pytest.mark.django_db(transaction=True)
def test_lines_of_one_product_share_its_pieces(api: ContractClient, buyer: Buyer) -> None:
    product = make_product()
    content = workbook([["Code", "Qty"], [product.sku, 20], ["AC-40", 30], ["AC-41", 10]])
    answers = (answer([2], product.sku, 20), answer([3], product.sku, 30, "Few."))
    keep(api, content, *answers, answer([4], product.sku, 0))
    order = make_order(buyer, [(product, 50)])
    assert [row[3] for row in opened(api, order)[1:]] == [20, 30, 0, 50]
    start_preparing(order_id=order.pk, actor=make_sales(), now=timezone.now())
    confirm(order, [LineDecision(one.line_id, 40, "short") for one in all_as_ordered(order)])
    shared = [(row[4], row[7]) for row in opened(api, order)[1:-1]]
    assert shared == [(20, None), (20, "Few; Short"), (0, "Short")]


@pytest.mark.django_db(transaction=True)
def test_a_sheet_is_its_company_s_alone_and_goes_after_a_time(
    api: ContractClient, buyer: Buyer
) -> None:
    make_product(sku="A", usd_supply="4.50")
    back = keep(api, b"SKU,Qty\nA,20\n", answer([2], "A", 20), name="a.csv")
    assert back.content.decode().splitlines() == [
        "SKU,Qty,SKU,Ordered,Price,Amount,Why not,Substitute offered,Expected",
        "A,20,A,20,4.50,90.00,,,",
        ",,Total,20,,90.00,,,",
    ]
    order, foreign = make_order(buyer), make_order(make_buyer())
    url = link(api, order)["url"]
    other = url.replace(order.invoice_code, foreign.invoice_code)
    assert (api.get(url).status_code, api.get(other).status_code) == (200, 404)
    now = timezone.now()
    assert sheets.forget_sheets(now + timedelta(days=89)) == 0
    sheet = SentSheet.objects.get()
    assert sheets.forget_sheets(now + timedelta(days=91)) == 1
    assert not storages["private"].exists(sheets.stored_path(sheet.storage_name))
    assert (link(api, order), api.get(url).status_code) == (None, 404)


def test_one_product_may_stand_in_5_000_rows(api: ContractClient) -> None:
    product = make_product()
    content = ("SKU,Qty\n" + f"{product.sku},1\n" * ROWS).encode()
    back = keep(api, content, answer(list(range(2, ROWS + 2)), product.sku, ROWS), name="a.csv")
    *_, last, total = back.content.decode().splitlines()
    assert last.startswith(f"{product.sku},1,{product.sku},1,")
    assert total.startswith(f",,Total,{ROWS},")


@pytest.mark.parametrize(
    ("cell", "name"),
    [
        ([answer([9], "A", 1)], "a.csv"),
        ([answer([2], "A", 1), answer([2], "A", 1)], "a.csv"),
        ([answer([], "A", 1)], "a.csv"),
        ([answer([2], "A", -1)], "a.csv"),
        (["A"], "a.csv"),
        ([answer([2], "A", 1)], "a.txt"),
        ([answer([2], "A", 1)], "a.xlsx"),
    ],
)
def test_a_sheet_that_does_not_fit_its_answers_is_refused(
    api: ContractClient, cell: Any, name: str
) -> None:
    assert keep(api, b"SKU,Qty\nA,1\n", *cell, name=name).status_code == 400
    assert not SentSheet.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_of_many_sheets_the_newest_stay(
    api: ContractClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sheets, "MAX_SHEETS", 2)
    for number in range(4):
        keep(api, b"SKU,Qty\nA,1\n", answer([2], "A", 1), name=f"{number}.csv")
    kept = SentSheet.objects.order_by("pk")
    assert [sheet.given_name for sheet in kept] == ["2.csv", "3.csv"]
    assert len(storages["private"].listdir(sheets.FOLDER)[1]) >= 2


def test_new_columns_fit_what_stands_in_them_and_money_looks_as_in_the_buyers_own(
    api: ContractClient,
) -> None:
    product = make_product(sku="AUR-SC050-LONG", usd_supply="4.50")
    head = ["SKU", "Qty", "EK netto USD"]
    content = workbook([head, [product.sku, 20, 4.5], ["Total", 20]], C2='#,##0.00 "$"')
    back = keep(api, content, answer([2], product.sku, 20))
    sheet = openpyxl.load_workbook(io.BytesIO(back.content)).active
    assert [cell.value for cell in sheet[3]][:7] == ["Total", 20, None, "Total", 20, None, 90]
    assert {sheet[place].number_format for place in ("F2", "G2", "G3")} == {'#,##0.00 "$"'}
    assert sheet.column_dimensions["D"].width == len(product.sku) + 2
    assert sheet["E2"].number_format == "General"

"""POST /basket/review: a list of SKUs and quantities, its problems and their fixes."""

import json
from collections.abc import Callable, Iterable
from decimal import Decimal
from io import BytesIO
from pathlib import Path
from typing import Any
from uuid import UUID

import openpyxl
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from apps.accounts.models import Company, User
from apps.accounts.selectors import Buyer
from apps.accounts.tests.factories import make_buyer
from apps.catalog.models import Running, Stock
from apps.catalog.tests.factories import (
    make_brand,
    make_product,
    make_products,
    make_promotion,
    restrict,
)
from apps.common.testing import ContractClient
from apps.common.tests.hand_made import lists_that_excel_opens
from apps.common.types import Json
from apps.orders.intake import catalogue
from apps.orders.models import ListInHand

URL = "/api/basket/review"
LISTS = lists_that_excel_opens()


def send(client: ContractClient, content: bytes | str, name: str = "list.csv") -> Any:
    data = content.encode() if isinstance(content, str) else content
    return client.post(URL, {"list": SimpleUploadedFile(name, data)})


def review(client: ContractClient, content: bytes | str, name: str = "list.csv") -> list[Json]:
    response = send(client, content, name)
    assert response.status_code == 200, response.json()
    lines: list[Json] = response.json()["lines"]
    return lines


def only(client: ContractClient, content: str) -> Json:
    (line,) = review(client, content)
    return line


def problems(line: Json) -> list[tuple[str, list[int | None]]]:
    return [
        (problem["code"], [fix["count"] for fix in problem["fixes"]])
        for problem in line["problems"]
    ]


def workbook(rows: Iterable[Iterable[Any]], **formats: str) -> bytes:
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(list(row))
    for cell, number_format in formats.items():
        book.active[cell].number_format = number_format
    content = BytesIO()
    book.save(content)
    return content.getvalue()


def test_the_price_list_filled_in_comes_back(
    api: ContractClient, buyer: Buyer, settings: Any, tmp_path: Path
) -> None:
    settings.DATA_DIR = tmp_path
    products = make_products(4)
    zeros = make_product(sku="00410275", brand=make_brand(eng="Zeta"))
    file = api.get(f"/api/excel/product-setting/{buyer.uuid}", {"format": "xlsx"}).getvalue()
    book = openpyxl.load_workbook(BytesIO(file))
    book.active["I4"], book.active["I7"], book.active["I3"] = 20, 30, 0
    filled = BytesIO()
    book.save(filled)
    response = send(api, filled.getvalue(), "Price_List.xlsx").json()
    columns = ("row", "sku", "count", "problems", "own_code")
    found = [tuple(line[name] for name in columns) for line in response["lines"]]
    assert found == [(4, products[1].sku, 20, [], ""), (7, zeros.sku, 30, [], "")]
    shown = {"sku": "00410275", "count": 30, "moq": 10, "usd_supply": 4.5}
    product = response["lines"][1]["product"]
    assert {**product, **shown} == product
    assert response["without_quantity"] == 3


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("list.csv", "SKU,Quantity\nABC-1,20\nABC-2,\n"),
        ("list.csv", "Article no;Name;Unit price;Qty\nABC-1;Serum;4,50;20\n"),
        ("list.csv", "abc-1,20\n"),
        ("list.csv", "ABC-1;Serum;20\n"),
        ("list.txt", "ABC-1\t20\r\n"),
        ("list.txt", "  abc-1 20\n"),
        ("list.txt", "ABC-1 x 20"),
        ("list.txt", "ABC-1\t15\nabc-1 5"),
        ("list.txt", "10 x ABC-1\n10x ABC-1"),
        ("list.txt", "20 abc-1"),
        ("list.txt", "20 pcs ABC-1"),
        ("list.txt", "ABC-1 x20 pcs."),
        ("list.txt", "ABC-1 Hydrating serum 50ml × 20"),
        ("list.csv", "20,ABC-1\n"),
        ("list.csv", "20;ABC-1;4,50\n"),
        ("list.xlsx", workbook([["Menge", "Note"], ["Qty", "", "Item code"], [20, "", "ABC-1"]])),
        ("list.xlsx", workbook([["Ours"], [], ["Order qty", "SKU", "Note"], [20, "ABC-1", "=1"]])),
        ("list.xlsx", workbook([["ABC-1", 20]])),
    ],
)
def test_any_list_with_skus_and_quantities(
    api: ContractClient, name: str, content: bytes | str
) -> None:
    make_product(sku="ABC-1", eng_name="Cream 50 ml")
    (line,) = review(api, content, name)
    assert (line["product"]["sku"], line["count"]) == ("ABC-1", 20)
    assert [problem["code"] for problem in line["problems"]] in ([], ["sku_twice"])


def test_a_name_of_another_size_than_its_code_is_asked(api: ContractClient) -> None:
    make_product(sku="ABC-1", eng_name="Cream 50 ml")
    (line,) = review(api, "SKU,Name,Quantity\nABC-1,Cream 100 ml,20\n", "list.csv")
    assert [problem["code"] for problem in line["problems"]] == ["which_product"]


@pytest.mark.parametrize("kind", LISTS)
def test_a_list_that_excel_opens_is_read(api: ContractClient, kind: str) -> None:
    make_product(sku="AUR-BC050")
    (line,) = review(api, LISTS[kind], "list.xlsx")
    assert (line["product"]["sku"], line["count"], line["problems"]) == ("AUR-BC050", 20, [])


@pytest.mark.parametrize(
    ("name", "rows"),
    [
        ("list.txt", "1 ABC-1 30\n2 ABC-2 40"),
        ("list.txt", "Order:\n1. ABC-1 x 30\n2. ABC-2 x 40\ntotal 70"),
        ("list.txt", "1) ABC-1 30 pcs\n2) ABC-2 40 pcs"),
        ("list.txt", "1\tABC-1\t30\n2\tABC-2\t40"),
        ("list.txt", "No\tSKU\tQty\n1\tABC-1\t30\n2\tABC-2\t40"),
        ("list.csv", "1;ABC-1;Serum;30\n2;ABC-2;Toner;40"),
    ],
)
def test_a_number_before_the_row_is_no_quantity(api: ContractClient, name: str, rows: str) -> None:
    for sku in ("ABC-1", "ABC-2"):
        make_product(sku=sku)
    lines = [(line["sku"], line["count"]) for line in review(api, rows, name)]
    assert lines == [("ABC-1", 30), ("ABC-2", 40)]


@pytest.mark.parametrize(
    ("rows", "question"),
    [
        ("1\tABC-1\t30", "1 or 30: which is it?"),
        ("10;ABC-1;30\n20;ABC-2;40", "10 or 30: which is it?"),
        ("1 ABC-1\n2 ABC-2\n3 ABC-3", "is 1 the number of pieces you want?"),
    ],
)
def test_what_may_be_a_row_number_is_asked_about(
    api: ContractClient, rows: str, question: str
) -> None:
    make_product(sku="ABC-1")
    line = review(api, rows, "list.txt")[0]
    (text,) = [problem["text"] for problem in line["problems"] if problem["code"] == "bad_quantity"]
    assert (line["sku"], question in text) == ("ABC-1", True), text


@pytest.mark.parametrize(
    ("name", "content", "fixes"),
    [
        ("list.txt", "ABC-1 ten\nABC-2 20", []),
        ("list.csv", "ABC-1;about 25\nABC-2;20\nABC-2;10", [30, 20]),
        # Neither the one nor the other, nor the MOQ; and nobody meant the 1,000 that there are.
        ("list.csv", "SKU,Qty\nABC-1,10-20\nABC-2,20", []),
        ("list.csv", "SKU,Qty\nABC-1,900 or so\nABC-2,20", [900]),
        ("list.csv", "SKU,Qty\nABC-1,2000 or so\nABC-2,20", []),
    ],
)
def test_a_quantity_that_cannot_be_read_is_asked_about(
    api: ContractClient, name: str, content: str, fixes: list[int]
) -> None:
    make_product(sku="ABC-1")
    make_product(sku="ABC-2")
    line, fine = review(api, content, name)
    assert (line["sku"], problems(line)) == ("ABC-1", [("bad_quantity", fixes)])
    assert fine["sku"] == "ABC-2"


def test_rows_of_one_sku_that_cannot_be_read_are_told_from_those_that_can(
    api: ContractClient,
) -> None:
    make_product(sku="A")
    line = only(api, "SKU,Qty\nA,20\nA,about 10\nA,20\nA,12 or so\n")
    [problem] = line["problems"]
    assert (line["row"], problem["code"], problem["fixes"][0]["count"]) == (2, "bad_quantity", 70)
    assert problem["text"].startswith("Row 3 and 1 more: ")
    assert problem["text"].endswith("The other rows make 40 pieces.")


@pytest.mark.parametrize(
    ("stock", "fields", "count", "expected"),
    [
        (1000, {}, 20, []),
        (1000, {}, 5, [("below_moq", [10])]),
        (1000, {"minimum": 12}, 30, [("not_multiple_of_moq", [36, 24])]),
        (35, {}, 35, [("not_multiple_of_moq", [30])]),
        (35, {}, 100, [("short_stock", [30])]),
        (8, {}, 100, [("short_stock", [])]),
        (8, {}, 5, [("short_stock", [])]),
        (33, {"is_special": True}, 100, [("short_stock", [33])]),
        (33, {"is_special": True}, 19, [("below_moq", [20])]),
        (0, {}, 10, [("unavailable", [])]),
        (0, {"is_running": Running.DISCONTINUED}, 10, [("unavailable", [])]),
        (50, {"is_running": Running.CONTACT_US}, 10, [("unavailable", [])]),
    ],
)
def test_a_quantity_that_cannot_be_ordered(
    api: ContractClient, stock: int, fields: Json, count: int, expected: list[Any]
) -> None:
    product = make_product(on_hand=stock, **fields)
    assert problems(only(api, f"SKU,Qty\n{product.sku},{count}\n")) == expected
    # What a fix proposes is in order.
    for _, fixes in expected:
        for fixed in fixes:
            assert only(api, f"SKU,Qty\n{product.sku},{fixed}\n")["problems"] == []


def test_a_buyer_beyond_stock_has_no_shortage(sign_in: Callable[[Buyer], ContractClient]) -> None:
    free = make_buyer(stock_free=True)
    discontinued = make_product(on_hand=0, is_running=Running.DISCONTINUED)
    line = only(sign_in(free), f"SKU,Qty\n{discontinued.sku},95\n")
    assert problems(line) == [("not_multiple_of_moq", [100, 90])]


def test_skus_that_lost_their_zeros(api: ContractClient) -> None:
    make_product(sku="00410275")
    for sku in ("0077", "077"):
        make_product(sku=sku)
    sure, doubtful, unknown = review(api, "SKU,Qty\n410275,20\n77,10\n999,10\n")
    assert (sure["sku"], sure["count"], sure["problems"]) == ("00410275", 20, [])
    assert (doubtful["product"], problems(doubtful)) == (None, [("which_product", [])])
    assert [one["product"]["sku"] for one in doubtful["candidates"]] == ["0077", "077"]
    assert (unknown["product"], problems(unknown)) == (None, [("unknown_sku", [])])


def test_a_sku_in_several_rows_is_added_up(api: ContractClient) -> None:
    make_product(sku="00410275")
    line = only(api, "SKU,Qty\n00410275,10\n,\n410275,20\n")
    assert (line["row"], line["count"]) == (2, 30)
    assert problems(line) == [("sku_twice", [None])]
    assert "Rows 2 and 4" in line["problems"][0]["text"]


def test_a_row_that_is_hidden_is_asked_about(api: ContractClient) -> None:
    rows = (["SKU", "Qty"], ["A-1", 20], ["A-1", 10], ["B-2", 30])
    make_product(sku="A-1"), make_product(sku="B-2")
    book = openpyxl.load_workbook(BytesIO(workbook(rows)))
    for row in (3, 4):
        book.active.row_dimensions[row].hidden = True
    book.save(content := BytesIO())
    some, whole = review(api, content.getvalue(), "list.xlsx")
    assert problems(some) == [("hidden_row", [30, 20])]
    assert problems(whole) == [("hidden_row", [None])]


def test_a_price_that_changed_is_told(api: ContractClient) -> None:
    one, two = make_products(2)
    make_promotion([two], price=Decimal("3.10"))
    same, other = review(api, f"SKU,Wholesale ($),Qty\n{one.sku},4.50,10\n{two.sku},4.5,10\n")
    assert same["problems"] == []
    assert problems(other) == [("price_changed", [None])]
    assert other["problems"][0]["text"] == "The price is $3.10 now; your list has $4.50."


@pytest.mark.parametrize(
    "quantity",
    [
        *("about 10", "ten", "2.5", "some", "1e3", "-20", "20-", "(20)", "20 -", "–20", "− 20"),
        *("20+", "20 +", "20/", "~20", "20?", "20%", "$20", "20 $", "20EUR", "20kgs", "20tbd"),
        *("+20", ".5"),
    ],
)
def test_a_quantity_that_is_none_is_asked_with_what_it_may_mean(
    api: ContractClient, quantity: str
) -> None:
    product = make_product()
    line = only(api, f"SKU,Qty\n{product.sku},{quantity}\n")
    fixes = [10] if quantity == "about 10" else []
    assert (line["count"], problems(line)) == (0, [("bad_quantity", fixes)])


def test_a_column_that_reads_in_two_ways_is_asked_with_the_pieces_of_both(
    api: ContractClient,
) -> None:
    products = make_products(2)
    text = "SKU;Qty\n" + "".join(
        f"{one.sku};{pieces},000\n" for one, pieces in zip(products, (10, 1), strict=True)
    )
    (tab,) = send(api, text).json()["columns"]
    assert tab["asks"] == "number"
    shown = [tuple(one.values()) for one in tab["readings"]]
    assert shown == [(".", "10,000 means 10,000", 11_000), (",", "10,000 means 10", 11)]


def test_a_table_with_numbers_in_many_columns_says_so_and_is_added_up_where_the_buyer_says(
    api: ContractClient,
) -> None:
    one, two = make_products(2)
    text = f"SKU,Berlin,Hamburg,Jena\n{one.sku},10,20,\n{two.sku},10,,30\n"
    answer = send(api, text).json()
    (tab,) = answer["columns"]
    assert (tab["asks"], [line["count"] for line in answer["lines"]]) == ("quantity", [0, 0])
    assert "numbers in 3 columns, from “Berlin” to “Jena”" in tab["looks_like"]
    assert [choice["text"] for choice in tab["choices"]] == [
        "Berlin: 20 pieces",
        "Hamburg: 20 pieces",
        "Jena: 30 pieces",
        "All 3 added up: 70 pieces",
    ]
    kinds = ["sku", *["qty"] * 3]
    mapping = {"tab": 0, "head": tab["head"], "kinds": kinds}
    again = api.post(URL, {"columns": json.dumps(mapping)}).json()
    assert [(line["count"], line["problems"]) for line in again["lines"]] == [(30, []), (40, [])]
    assert [line["count"] for line in review(api, text.replace(",30", ",25"))] == [30, 35]
    unread = review(api, text.replace(",20", ",twenty"))[0]
    assert (unread["count"], problems(unread)) == (0, [("bad_quantity", [])])


def test_sizes_across_are_never_added_up(api: ContractClient) -> None:
    make_product(sku="ABC-1", eng_name="Cream 50 ml")
    tab = send(api, "Product,30 ml,50 ml\nCream,10,20\nSerum,5,10\n").json()["columns"][0]
    assert "Each is another size" in tab["looks_like"]
    text = "Product,30 ml,50 ml\nSoft Cream,10,20\nPure Serum,5,10\n"
    (tab,) = send(api, text).json()["columns"]
    assert [choice["columns"] for choice in tab["choices"]] == [[1], [2]]


def test_a_row_without_a_sku(api: ContractClient) -> None:
    lines = review(api, "SKU,Qty\n,10\n,10\n")
    shown = [(line["row"], line["product"], problems(line)) for line in lines]
    assert shown == [(row, None, [("which_product", [])]) for row in (2, 3)]


def test_products_of_hidden_brands_do_not_exist(
    sign_in: Callable[[Buyer], ContractClient], buyer: Buyer
) -> None:
    visible, _ = (make_product(sku=sku, brand=make_brand()) for sku in ("0011", "0022"))
    restrict(Company.objects.get(pk=buyer.company_id), [visible.brand])
    limited = make_buyer(company_id=buyer.company_id)
    lines = review(sign_in(limited), "SKU,Qty\n0022,10\n22,10\nNONE,10\n11,10\n")
    codes = [problems(line)[0][0] for line in lines]
    assert codes == [*["unknown_sku"] * 3, "which_product"]


@pytest.mark.parametrize("rows", [3, 2000])
def test_a_list_costs_the_same_few_statements(
    api: ContractClient, django_assert_num_queries: Callable, rows: int
) -> None:
    products = [make_product(), make_product(sku="00123")]
    unknown = [str(10**6 + number) for number in range(rows - 2)]
    text = "".join(f"{sku},10\n" for sku in [products[0].sku, "123", *unknown])
    with django_assert_num_queries(16):  # seven of them keep it in hand
        assert len(review(api, f"SKU,Qty\n{text}")) == rows


@pytest.mark.parametrize("rows", [30, 4_000])
def test_a_list_costs_as_few_of_a_large_catalogue(
    api: ContractClient, django_assert_num_queries: Callable, monkeypatch: Any, rows: int
) -> None:
    monkeypatch.setattr(catalogue, "SMALL", 0)
    products = make_products(30)
    text = "".join(f"{products[row % 30].sku},10\n" for row in range(rows))
    with django_assert_num_queries(17):
        assert len(review(api, f"SKU,Qty\n{text}")) == 30


MANY = b"SKU,Qty\n" + b"".join(b"A-%d,1\n" % row for row in range(2001))


def test_nothing_is_stored(api: ContractClient) -> None:
    product = make_product(on_hand=40)
    before = (Stock.objects.get(product=product).allocated, User.objects.count())
    review(api, f"SKU,Qty\n{product.sku},40\n")
    assert (Stock.objects.get(product=product).allocated, User.objects.count()) == before


@pytest.mark.parametrize(
    ("name", "content", "problem"),
    [
        ("list.csv", b"", "empty"),
        ("list.csv", b"SKU,Qty\nA,\n", "No row has a quantity"),
        ("list.csv", b"SKU,Name\nA,Serum\n", "No row has a quantity"),
        ("list.csv", MANY, "more than 2,000 products"),
        ("list.xlsx", b"not a workbook", "not what it says it is"),
        ("list.xlsx", workbook([["SKU", "Qty"], ["A", 1]])[:900], "cannot be read"),
        ("list.xls", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600, ".xls"),
        ("list.csv", b"%PDF-1.7 ...", "not a text"),
        ("list.pdf", b"%PDF-1.7 ...", "Only .xlsx and .csv"),
        ("list", b"SKU,Qty\nA,1\n", "Only .xlsx and .csv"),
    ],
)
def test_a_file_that_is_no_list_is_refused(
    api: ContractClient, name: str, content: bytes, problem: str
) -> None:
    response = send(api, content, name)
    assert (response.status_code, response.json()["code"]) == (400, "invalid")
    assert problem in str(response.json())


def test_too_large_a_file_and_other_forms(api: ContractClient) -> None:
    too_large = send(api, b"A,1\n" * (5 * 1024 * 1024 // 4 + 1))
    assert too_large.status_code == 413
    assert too_large.json()["message"].startswith("This file is larger than 5 MB. Please save ")
    assert send(api, b"A,1\n" * (6 * 1024 * 1024 // 4 + 1)).json() == too_large.json()
    for form in ({}, {"list": "A,1"}, {"other": SimpleUploadedFile("list.csv", b"A,1")}):
        assert api.post(URL, form).status_code == 400
    assert api.send("post", URL, {"list": "A,1"}).status_code == 415


def test_a_list_in_hand_is_decided_used_once_and_closed_to_what_comes_late(
    api: ContractClient, sign_in: Callable
) -> None:
    sku, path = make_product().sku, "/api/basket/list"
    uuid = send(api, f"SKU,Qty\n{sku},10\n").json()["list"]

    def decide(client: ContractClient, **decision: Any) -> int:
        body = {"uuid": uuid, "decisions": [{"row": 2, **decision}]}
        return client.put(path, body, "application/json").status_code

    assert decide(api, out=True) == 200
    assert [one["out"] for one in api.get(path).json()["decisions"]] == [True]
    assert decide(sign_in(make_buyer()), out=True) == 404
    for key, status in ((UUID(int=1), 200), (UUID(int=1), 200), (UUID(int=2), 410)):
        body = {"uuid": uuid, "key": str(key)}
        assert api.post(path, body, "application/json").status_code == status
    assert decide(api, out=False) == 200
    assert [one["out"] for one in ListInHand.objects.get().decisions] == [True]


def test_pieces_for_nothing_are_named_where_they_are_left_out(api: ContractClient) -> None:
    one, two = make_products(2)
    text = f"SKU,Qty,Bonus\n{one.sku},20,2\n{two.sku},20,\n"
    first, second = review(api, text)
    (fault,) = first["problems"]
    assert problems(first) == [("bad_quantity", [20])]
    assert (second["count"], second["problems"]) == (20, [])
    assert fault["text"] == "Quantity: “Bonus” 2 is left out: how many pieces do you want?"
    (tab,) = send(api, text).json()["columns"]
    mapping = {"tab": 0, "head": tab["head"], "kinds": ["sku", "qty", ""]}
    again = api.post(URL, {"columns": json.dumps(mapping)}).json()["lines"]
    assert [(line["count"], line["problems"]) for line in again] == [(20, []), (20, [])]

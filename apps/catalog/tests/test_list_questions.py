"""What a buyer's sheet leaves open: hidden rows, a name beside another's code, rows passed over,
several of one.
"""

import io
from collections.abc import Callable, Iterable
from typing import Any

import openpyxl
import pytest
from django.utils import timezone

from apps.accounts.selectors import Buyer
from apps.catalog.lists.order_list import MAX_ASKED, MOST_TEXTS, ROWS_OF_A_TAB
from apps.catalog.lists.rows import ListLine
from apps.catalog.models import Brand, OwnCode, Product
from apps.catalog.reading import Catalogue, Row
from apps.catalog.review.other_names import named_by
from apps.catalog.services.list_reading import read_waiting
from apps.catalog.tests.factories import in_hand, make_brand, make_product
from apps.catalog.tests.test_api_basket_review import only, problems, review, send
from apps.common.testing import ContractClient
from apps.common.types import Json

pytestmark = pytest.mark.any_database

RICE, TONER = "Golden Rice Cream 50 ml", "Green Plum Toner 200 ml"


@pytest.fixture(autouse=True)
def products(db: None) -> list[Product]:
    brand = make_brand(eng="Aurelle Skin")
    return [
        make_product(sku="ABC-1", eng_name=RICE, brand=brand),
        make_product(sku="ABC-2", eng_name=TONER),
    ]


def hiding(rows: Iterable[Iterable[Any]], *hidden: int, filtered: bool = False) -> bytes:
    """Return a workbook some of whose rows are hidden."""
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(list(row))
    for number in hidden:
        book.active.row_dimensions[number].hidden = True
    if filtered:
        book.active.auto_filter.ref = "A1:C9"
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def test_hidden_rows_are_asked_before_they_are_ordered(api: ContractClient) -> None:
    rows: list[list[Any]] = [
        ["SKU", "Qty"],
        ["ABC-1", 20],
        ["ABC-2", 15],
        ["NOPE", 10],
        ["ABC-2", None],
    ]
    shown, hidden, unknown = review(api, hiding(rows, 3, 4, 5, filtered=True), "list.xlsx")
    assert shown["problems"] == []
    assert problems(hidden) == [
        ("hidden_row", [(None, None)]),
        ("not_multiple_of_moq", [(None, 20), (None, 10)]),
    ]
    assert hidden["problems"][0]["text"] == "Row 3 is hidden in your sheet."
    assert [problem["code"] for problem in unknown["problems"]] == ["unknown_sku"]
    assert unknown["problems"][0]["text"].endswith("Row 4 is hidden in your sheet.")


@pytest.mark.parametrize(
    ("counts", "hidden", "fixes"),
    [
        ((20, 30), (3,), [50, 20]),
        ((20, 30, 10), (2, 4), [60, 30]),
        ((20, 5), (3,), [30, 20]),  # what is proposed can be ordered
    ],
)
def test_pieces_in_hidden_rows_beside_others_are_told_apart(
    api: ContractClient, counts: tuple[int, ...], hidden: tuple[int, ...], fixes: list[int]
) -> None:
    content = hiding([["SKU", "Qty"], *(["ABC-1", count] for count in counts)], *hidden)
    (line,) = review(api, content, "list.xlsx")
    assert problems(line) == [("hidden_row", [(None, count) for count in fixes])]


def test_a_hidden_row_whose_quantity_cannot_be_read_is_asked_for_both(api: ContractClient) -> None:
    (line,) = review(
        api, hiding([["SKU", "Qty"], ["ABC-1", 20], ["ABC-1", "some"]], 3), "list.xlsx"
    )
    assert [code for code, _ in problems(line)] == ["hidden_row", "bad_quantity"]


def test_a_name_in_a_column_of_codes_is_asked_with_what_it_may_mean(api: ContractClient) -> None:
    named, code = review(api, "Item;How many?\nGolden Rice Cream;20\nOWN-7;10\n")
    assert ([problem["code"] for problem in named["problems"]], named["count"]) == (
        ["which_product"],
        20,
    )
    assert ([one["product"]["sku"] for one in named["candidates"]], named["called"]) == (
        ["ABC-1"],
        "GOLDEN RICE CREAM",
    )
    assert [problem["code"] for problem in code["problems"]] == ["unknown_sku"]


def test_an_unknown_code_is_told_with_the_name_beside_it(api: ContractClient) -> None:
    (line,) = review(api, "SKU;Name;Qty\nV-1003;Hinoki Seife;20\n")
    text = "This SKU is not in your price list; your list calls it “Hinoki Seife”."
    assert [(problem["code"], problem["text"]) for problem in line["problems"]] == [
        ("unknown_sku", text)
    ]


def test_an_unknown_code_is_asked_by_the_name_beside_it_and_the_answer_teaches_the_code(
    api: ContractClient,
) -> None:
    content = "Our code;Name;Qty\nV-1003;Rice Creme;20\nV-1004;Rice Bowl Brush Set;10\nV-1003;Rice Creme;10\n"
    asked, unknown = review(api, content)
    text = "V-1003 is not known yet. Which product is “Rice Creme”? Rows 2 and 4 have it; added up they make 30."
    assert [(problem["code"], problem["text"]) for problem in asked["problems"]] == [
        ("which_product", text)
    ]
    assert [(one["product"]["sku"], one["why"]) for one in asked["candidates"]] == [
        ("ABC-1", "2 words agree")
    ]
    assert (asked["sku"], asked["product"], asked["count"], asked["own_code"]) == (
        "",
        None,
        30,
        "V-1003",
    )
    # One common word proposes nothing.
    assert (unknown["sku"], [problem["code"] for problem in unknown["problems"]]) == (
        "V-1004",
        ["unknown_sku"],
    )
    learned = {
        "code": asked["called"],
        "sku": "ABC-1",
        "row": asked["row"],
        "count": asked["count"],
    }
    assert (
        api.send("post", "/api/account/own-codes", learned).json()["line"]["own_code"] == "V-1003"
    )
    again = review(api, content)[0]
    assert (again["sku"], again["count"], again["own_code"]) == ("ABC-1", 30, "V-1003")


NAMED = "SKU;Name;Qty\nABC-1;{name};20\nABC-2;Green Plum Toner;10\n"


def test_a_code_beside_another_product_s_name_is_asked_with_both_and_why(
    api: ContractClient,
) -> None:
    asked, fine = review(api, NAMED.format(name=TONER))
    assert (fine["sku"], fine["problems"]) == ("ABC-2", [])
    assert (asked["sku"], asked["product"], asked["count"], asked["words"]) == ("", None, 20, TONER)
    assert [(one["product"]["sku"], one["why"]) for one in asked["candidates"]] == [
        ("ABC-1", "by the code of the row"),
        ("ABC-2", "by the name in the row"),
    ]
    (problem,) = asked["problems"]
    assert problem["code"] == "which_product"
    assert f"means {RICE}, but the row says “{TONER}”" in problem["text"]
    # Answered by the code, and remembered: the company calls it so.
    learned = {
        "code": asked["called"],
        "sku": "ABC-1",
        "row": asked["row"],
        "count": asked["count"],
    }
    line = api.send("post", "/api/account/own-codes", learned).json()["line"]
    assert (line["product"]["sku"], line["count"], line["problems"]) == ("ABC-1", 20, [])
    again, _ = review(api, NAMED.format(name=TONER))
    assert (again["sku"], again["problems"]) == ("ABC-1", [])


def test_the_other_answer_is_asked_again_with_the_next_sheet(
    api: ContractClient, products: list[Product]
) -> None:
    (asked, _) = review(api, NAMED.format(name=TONER))
    learned = {
        "code": asked["called"],
        "sku": "ABC-2",
        "row": asked["row"],
        "count": asked["count"],
    }
    assert (
        api.send("post", "/api/account/own-codes", learned).json()["line"]["product"]["sku"]
        == "ABC-2"
    )
    assert OwnCode.objects.get().product == products[1]
    (again, _) = review(api, NAMED.format(name=TONER))
    assert [code for code, _ in problems(again)] == ["which_product"]


@pytest.mark.parametrize(
    "name",
    [
        "Golden Rice Cream",
        "GOLDEN RICE CREAM 50ML",
        "Aurelle Skin Golden Rice Creme 50 ml",
        "Gldn Rice Crm",
        "Crème Golden Rice",
        "Toner",  # no product is called so
        "Green Plum Toner 250 ml",  # nor is one of this size
        "쌀 크림",
        "20 x Green Plum Toner Kork",
        "",
    ],
)
def test_a_name_that_is_only_written_otherwise_is_no_question(
    api: ContractClient, name: str
) -> None:
    first, _ = review(api, NAMED.format(name=name))
    assert (first["sku"], first["count"], first["problems"]) == ("ABC-1", 20, [])


def test_of_two_products_with_the_same_name_the_code_decides(api: ContractClient) -> None:
    make_product(sku="ABC-3", eng_name=RICE)
    make_product(sku="ABC-4", eng_name="Golden Rice Eye Cream 25 ml")
    assert [
        problems(line)
        for line in review(api, f"SKU;Name;Qty\nABC-3;{RICE};10\nABC-4;Golden Rice Cream;10\n")
    ] == [
        [],
        [],
    ]
    (size,) = review(api, f"SKU;Name;Qty\nABC-4;{RICE};10\n")
    assert {one["product"]["sku"] for one in size["candidates"]} == {"ABC-1", "ABC-3", "ABC-4"}


def test_a_product_beyond_the_words_looked_for_is_still_told_by_its_code() -> None:
    catalogue = Catalogue([Row("T-1", TONER, "", None)])
    assert [item.sku for item in named_by(TONER, Row("X-1", RICE, "", None), catalogue)] == ["T-1"]
    assert named_by(RICE, Row("X-1", RICE, "", None), catalogue) == []


def test_of_a_large_catalogue_the_other_products_of_the_list_are_looked_at(
    api: ContractClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("apps.catalog.selectors.reading.MOST_PRODUCTS", 1)
    Brand.objects.update(product_count=2)
    asked, _ = review(api, NAMED.format(name=TONER))
    assert [one["product"]["sku"] for one in asked["candidates"]] == ["ABC-1", "ABC-2"]
    alone = only(api, f"SKU;Name;Qty\nABC-1;{TONER};20\n")
    assert (alone["sku"], alone["problems"]) == ("ABC-1", [])


PASSED = "Bestellung;;\nSKU;Name;Qty\nABC-1;;20\nABC-2;;\nSKU;Name;Qty\nTotal;;20\nBitte bald liefern;;ja\n;Aurelle;\n;;7"


def test_every_row_that_is_passed_over_says_why(api: ContractClient) -> None:
    answer = send(api, PASSED).json()
    assert [(row["row"], row["text"], row["why"]) for row in answer["passed"]] == [
        (1, "Bestellung", "Headings."),
        (2, "SKU · Name · Qty", "Headings."),
        (4, "ABC-2", "No quantity."),
        (5, "SKU · Name · Qty", "A heading."),
        (6, "Total · 20", "A total."),
        (8, "Aurelle", "No quantity."),
    ]
    assert [line["row"] for line in answer["lines"]] == [3, 7, 9]
    assert {why["why"]: why["rows"] for why in answer["passed_why"]} == {
        "Headings.": 2,
        "No quantity.": 2,
        "A heading.": 1,
        "A total.": 1,
    }
    assert (
        only(api, "SKU,Qty\nABC-1,10\n")["row"],
        send(api, "rice cream 10", "a.txt").json()["passed"],
    ) == (2, [])


def test_of_many_rows_for_one_reason_the_first_are_shown_and_all_counted(
    api: ContractClient,
) -> None:
    answer = send(api, "SKU;Qty\nABC-1;10\n" + "ABC-2;\n" * (MOST_TEXTS + 5) + "Total;10\n").json()
    assert len(answer["passed"]) == MOST_TEXTS + 2
    assert answer["passed"][-1]["why"] == "A total."
    assert answer["passed_why"][0] == {"why": "No quantity.", "rows": MOST_TEXTS + 5}


def test_rows_of_tabs_that_are_no_order_are_told_with_their_tab(api: ContractClient) -> None:
    book = openpyxl.Workbook()
    for row in (["SKU", "Qty"], ["ABC-1", 20]):
        book.active.append(row)
    book.create_sheet("Notes").append(["Please ship by sea."])
    file = io.BytesIO()
    book.save(file)
    passed = send(api, file.getvalue(), "list.xlsx").json()["passed"]
    assert passed[-1] == {
        "row": ROWS_OF_A_TAB + 1,
        "text": "Please ship by sea.",
        "why": "On the tab “Notes”, which is no order.",
    }


def test_hidden_tabs_are_named_among_what_was_passed_over(api: ContractClient) -> None:
    book = openpyxl.Workbook()
    for tab in (book.active, book.create_sheet("Old", 0)):
        for row in (["SKU", "Qty"], ["ABC-1", 20]):
            tab.append(row)
    book["Old"].sheet_state = "hidden"
    file = io.BytesIO()
    book.save(file)
    answer = send(api, file.getvalue(), "list.xlsx").json()
    assert [(line["rows"], line["problems"]) for line in answer["lines"]] == [([2], [])]
    assert answer["passed"][-1] == {
        "row": ROWS_OF_A_TAB,
        "text": "Old",
        "why": "On the hidden tab “Old”.",
    }
    assert [tab["name"] for tab in answer["columns"]] == ["Sheet"]


@pytest.mark.parametrize(
    ("content", "code"),
    [
        ("SKU;Qty\nNOPE;10\nABC-1;10\nNOPE;20\n", "unknown_sku"),
        ("Product;Qty\nRice Creme;10\nPlum Toner Mist;10\nRice Creme;20\n", "which_product"),
    ],
)
def test_rows_that_ask_the_same_are_asked_once_with_their_sum(
    api: ContractClient, content: str, code: str
) -> None:
    asked = review(api, content)[0]
    assert (asked["rows"], asked["count"], [problem["code"] for problem in asked["problems"]]) == (
        [2, 4],
        30,
        [code],
    )
    assert asked["problems"][0]["text"].endswith("Rows 2 and 4 have it; added up they make 30.")


def test_a_row_without_pieces_is_asked_by_itself(api: ContractClient) -> None:
    asked = review(api, "Product;Qty\nRice Creme;10\nRice Creme;some\n")
    assert [line["rows"] for line in asked] == [[2], [3]]


def test_what_is_asked_of_names_costs_the_same_statements(
    api: ContractClient, django_assert_num_queries: Callable[[int], Any]
) -> None:
    for rows in (2, 400):
        content = "SKU;Name;Qty\n" + f"ABC-1;{TONER};10\n" * rows
        with django_assert_num_queries(16):  # five of them keep it in hand
            answer: Json = send(api, content).json()
        assert len(answer["lines"][0]["rows"]) == rows


def test_20_000_rows_of_few_products_are_one_list(
    api: ContractClient, buyer: Buyer, django_assert_num_queries: Callable[[int], Any]
) -> None:
    content = "Store;SKU;Qty\n" + "".join(
        f"{row % 20};ABC-{1 + row % 2};10\n" for row in range(MAX_ASKED)
    )
    uuid = in_hand(buyer, content.encode()).uuid
    read_waiting(timezone.now())
    with django_assert_num_queries(5):
        first, second = api.get(f"/api/basket/lists/{uuid}").json()["review"]["lines"]
    assert (len(first["rows"]), len(second["rows"]), first["count"]) == (10_000, 10_000, 100_000)
    assert first["problems"][-1]["text"] == "10,000 rows have this SKU; added up they make 100,000."


def test_a_line_of_the_list_is_not_hidden_by_itself() -> None:
    assert not ListLine(1, "A", 1).is_hidden

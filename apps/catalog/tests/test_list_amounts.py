"""The pieces of a sheet's row: what says cartons or cancels it, and where no pieces are proposed in its place."""

from typing import Any

import pytest

from apps.catalog.models import Product
from apps.catalog.tests.factories import make_product
from apps.catalog.tests.test_api_basket_review import only, problems, review, workbook
from apps.catalog.tests.test_list_layouts import send as settle
from apps.common.testing import ContractClient

ASKED: list[Any] = [("bad_quantity", [])]


@pytest.fixture(autouse=True)
def product(db: None) -> Product:
    return make_product(sku="ABC-1", eng_name="Golden Rice Cream 50 ml")


@pytest.mark.parametrize(
    ("heading", "word"),
    [
        ("VE", "Karton"),
        ("VE", "Kiste"),
        ("Einheit", "Karton"),
        ("Unit", "Box(es)"),
        ("Packing", "CTNS"),
        ("Karton", "Karton"),
        ("", "cajas"),
        ("포장", "박스"),
        ("Тара", "коробка"),
        ("x", "كرتون"),
        ("x", "colis"),
    ],
)
def test_a_word_for_cartons_beside_the_quantity_asks_whatever_its_column_is_called(
    api: ContractClient, heading: str, word: str
) -> None:
    line = only(api, f"Art.-Nr.;Bezeichnung;Menge;{heading}\nABC-1;Golden Rice Cream;20;{word}\n")
    assert (line["sku"], problems(line)) == ("ABC-1", ASKED)
    assert line["problems"][0]["text"] == f"Quantity: in “{word}”: how many pieces is that?"


def test_cartons_are_asked_without_headings_too(api: ContractClient) -> None:
    assert problems(review(api, "ABC-1;20;carton\nABC-2;20;carton\n")[0]) == ASKED


@pytest.mark.parametrize(
    "row",
    [
        "Gift box;20;Tube",
        "Box;20;Tube",  # a name
        "Golden Rice Cream;20;gift box",
        "Golden Rice Cream;20;12 per carton",
        "Golden Rice Cream;20;Set",
        "Golden Rice Cream;20;colour-cancelling",
        "Golden Rice Cream;20;Stück",
    ],
)
def test_other_words_say_nothing_of_cartons(api: ContractClient, row: str) -> None:
    rows = f"SKU;Name;Qty;Kind\nABC-1;{row}\nABC-1;Golden Rice Cream;10;Tube\nABC-1;;;Tube\n"
    assert [code for code, _ in problems(only(api, rows))] == ["sku_twice"]


def test_pieces_of_a_carton_that_were_said_once_are_not_asked_again(api: ContractClient) -> None:
    make_product(sku="ABC-2")
    rows = "SKU;Cartons;VE\nABC-1;2;Karton\nABC-2;3;Karton\n"
    assert problems(review(api, rows)[0]) == ASKED
    said = {"tab": 0, "head": 1, "kinds": ["sku", "cartons", "other"], "carton": 10}
    lines = settle(api, rows, said).json()["lines"]
    assert [(line["count"], line["problems"]) for line in lines] == [(20, []), (30, [])]


@pytest.mark.parametrize(
    "quantity",
    [
        "-4",
        "-4 pcs",
        "(4)",
        "4-",
        "9999999",
        "about 9,999,999",
        "=5*2",
        "2 Karton",
        "2 ctn of 12",
        "cancel",
        "20 cancelled",
    ],
)
def test_no_pieces_are_proposed_for_what_nobody_ordered(api: ContractClient, quantity: str) -> None:
    assert problems(only(api, f"SKU;Qty\nABC-1;{quantity}\n")) == ASKED
    beside = only(api, f"SKU;Qty\nABC-1;20\nABC-1;{quantity}\n")
    assert problems(beside) == ASKED
    assert beside["problems"][0]["text"].endswith("The other rows make 20 pieces.")


@pytest.mark.parametrize(
    "remark",
    [
        "cancel this",
        "CANCELLED",
        "storniert",
        "anulado",
        "주문취소",
        "отменить",
        "annulé",
        "diesmal nicht",
        "يرجى الإلغاء",
    ],
)
def test_a_row_that_is_said_to_be_cancelled_has_no_proposal(api: ContractClient, remark: str) -> None:
    for heading in ("Remark", "Info", ""):
        line = only(api, f"SKU;Qty;{heading}\nABC-1;20;{remark}\n")
        assert (problems(line), line["problems"][0]["text"]) == (ASKED, f"Your remark says “{remark}”.")


def test_any_other_remark_is_asked_with_its_pieces(api: ContractClient) -> None:
    line = only(api, "SKU;Qty;Remark\nABC-1;20;for our shop\n")
    assert problems(line) == [("bad_quantity", [(None, 20)])]
    (short,) = review(api, workbook([["SKU", "Qty", "Remark"], ["ABC-1", 2000, "for our shop"]]), "list.xlsx")
    assert problems(short) == ASKED


@pytest.mark.parametrize("beside", ["Karton", "cancel"])
def test_a_name_alone_takes_no_pieces_along_from_cartons_or_a_cancelled_row(api: ContractClient, beside: str) -> None:
    line = only(api, f"Product;Qty;Info\nRice Creme;20;{beside}\n")
    assert (line["count"], problems(line)) == (0, [("which_product", [])])

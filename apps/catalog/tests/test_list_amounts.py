"""The pieces of a sheet's row: what says cartons or cancels it, and where no pieces are proposed in
its place.
"""

from typing import Any

import pytest

from apps.catalog.models import Product
from apps.catalog.tests.factories import make_product
from apps.catalog.tests.test_api_basket_review import only, problems, review, workbook
from apps.catalog.tests.test_list_layouts import send as settle
from apps.common.testing import ContractClient

pytestmark = pytest.mark.any_database
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
    ("headings", "row"),
    [
        ("Cartons;Pcs/carton", "3;20"),
        ("Units per case;Cases", "20 pcs;3"),
        ("입수;박스", "20;3"),
        ("Menge;ME;Stück/Karton", "3;Karton;20"),
        ("Cajas;Uds/caja", "3;20"),
        ("Кол-во коробок;Шт. в коробке", "3;20"),
        ("كرتون;عدد القطع في الكرتون", "3;20"),
        ("Colis;Colisage", "3;20"),
        ("Qty;Qty/ctn", "3 ctns;20"),
        ("Cartons;PCS/CTN;Total pcs", "3;20;=C2*D2"),
        ("Cartons;PCS/CTN;Pieces", "3;20;60"),
    ],
)
def test_a_row_of_cartons_that_says_what_each_holds_asks_nothing(
    api: ContractClient, headings: str, row: str
) -> None:
    make_product(sku="ABC-2")
    first = only(api, f"SKU;Name;{headings}\nABC-1;Golden Rice Cream;{row}\n")
    assert (first["sku"], first["count"], first["problems"]) == ("ABC-1", 60, [])


@pytest.mark.parametrize(
    ("headings", "row", "asked"),
    [
        ("Cartons;Pcs/carton", "3;", "3 cartons: how many pieces is that?"),
        ("Cartons;Pcs/carton", "3;20-24", "3 cartons: how many pieces is that?"),
        ("Cartons;Pcs/carton;Pcs/ctn", "3;20;24", "3 cartons: how many pieces is that?"),
        ("Cartons;Pcs/carton", "3;20000", "3 cartons: how many pieces is that?"),
        ("Qty;Unit;Pcs/carton", "3;pallet;20", "in “pallet”: how many pieces is that?"),
        ("Qty;Unit;Pcs/carton", "3;dozen;20", "in “dozen”: how many pieces is that?"),
        (
            "Cartons;Pcs/carton;Pieces",
            "3;20;50",
            "50 pieces, but 3 cartons of 20 make 60: how many do you want?",
        ),
    ],
)
def test_what_does_not_say_what_a_carton_holds_is_asked(
    api: ContractClient, headings: str, row: str, asked: str
) -> None:
    rows = f"SKU;Name;{headings}\nABC-1;Golden Rice Cream;{row}\n"
    line = review(api, f"{rows}NOPE;;2;20;20;20\n")[0]
    assert [problem["text"] for problem in line["problems"]] == [f"Quantity: {asked}"]


def test_what_a_sheet_says_of_its_cartons_goes_before_what_was_taught_and_is_told(
    api: ContractClient, product: Product
) -> None:
    said = {"sku": "ABC-1", "code": "ABC-1", "packs": 1, "unit": "carton", "count": 20}
    assert api.send("POST", "/api/account/own-codes", said).status_code == 200
    same, other = (only(api, f"SKU;Cartons;Pcs/carton\nABC-1;3;{held}\n") for held in (20, 30))
    assert (same["count"], same["problems"], same["packs"], same["unit"]) == (60, [], 3, "carton")
    assert (other["count"], problems(other)) == (90, [("other_carton", [(None, 90), (None, 60)])])
    text = "Your sheet says that these cartons hold 90 pieces; by your own codes they hold 60."
    assert other["problems"][0]["text"] == text
    both = only(api, "SKU;Cartons;Pcs/carton\nABC-1;3;30\nABC-1;1;20\n")
    assert (both["packs"], problems(both)) == (0, [("other_carton", [(None, 110), (None, 80)])])


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
def test_a_row_that_is_said_to_be_cancelled_has_no_proposal(
    api: ContractClient, remark: str
) -> None:
    for heading in ("Remark", "Info", ""):
        line = only(api, f"SKU;Qty;{heading}\nABC-1;20;{remark}\n")
        assert (problems(line), line["problems"][0]["text"]) == (
            ASKED,
            f"Your remark says “{remark}”.",
        )


def test_any_other_remark_is_asked_with_its_pieces(api: ContractClient) -> None:
    line = only(api, "SKU;Qty;Remark\nABC-1;20;for our shop\n")
    assert problems(line) == [("bad_quantity", [(None, 20)])]
    (short,) = review(
        api, workbook([["SKU", "Qty", "Remark"], ["ABC-1", 2000, "for our shop"]]), "list.xlsx"
    )
    assert problems(short) == ASKED


@pytest.mark.parametrize("beside", ["Karton", "cancel"])
def test_a_name_alone_takes_no_pieces_along_from_cartons_or_a_cancelled_row(
    api: ContractClient, beside: str
) -> None:
    line = only(api, f"Product;Qty;Info\nRice Creme;20;{beside}\n")
    assert (line["count"], problems(line)) == (0, [("which_product", [])])

"""A list as people type it: SKU or EAN and pieces, by the table that the screen is
tested with too.
"""

import pytest

from apps.catalog.lists.typed import table_of
from apps.catalog.tests.factories import make_product
from apps.catalog.tests.test_api_basket_review import problems, review, send
from apps.common.testing import ContractClient, vectors
from apps.common.types import Json


@pytest.mark.parametrize("row", vectors("catalog/typed_list"))
def test_a_typed_row(row: Json) -> None:
    table, named = table_of(row["text"].encode())
    assert table.decode().split("\t") == row.get("row", [""])
    assert [[one.name, one.quantity] for one in named] == ([row["name"]] if "name" in row else [])


def test_rows_that_begin_with_an_ean_are_not_numbered() -> None:
    rows = "1 234567 890128 20\n2 000000 000008 30"  # 1, 2… as rows are numbered
    assert table_of(rows.encode())[0].decode() == "1234567890128\t20\n2000000000008\t30"
    numbered = "1 9 527384 455703 20\n2 9638 5074 30"
    assert table_of(numbered.encode())[0].decode() == "9527384455703\t20\n96385074\t30"


@pytest.mark.parametrize(
    ("text", "row"),
    [
        (
            "0 36000 29145 2 2",
            ["0360002914522", "0 or 36000 or 29145 or 2 or 2"],
        ),  # a UPC and 2, or an EAN
        (
            "9 5273 8445 5703 9",
            ["9527384455703", "9 or 5273 or 8445 or 5703 or 9"],
        ),  # 9 before it, or behind
        ("9 5273 8445 5703 29", ["9527384455703", "29"]),
    ],
)
def test_what_may_be_one_ean_or_another_is_asked(text: str, row: list[str]) -> None:
    assert table_of(text.encode())[0].decode().split("\t") == row


ROWS = (
    "9 527384 455703 20",
    "20 x 9-527384-455703",
    "952738-4455703 20",
    "EAN 9527384455703: 20",
    "C-1: 20",
)


@pytest.mark.django_db
@pytest.mark.parametrize("row", ROWS)
def test_the_review_knows_the_product(api: ContractClient, row: str) -> None:
    make_product(sku="C-1", ean="9527384455703")
    (line,) = review(api, row, "list.txt")
    assert (line["product"]["sku"], line["count"], line["problems"]) == ("C-1", 20, [])


@pytest.mark.django_db
def test_the_review_asks_which_number_is_the_quantity(api: ContractClient) -> None:
    make_product(sku="C-1", ean="9527384455703")
    (line,) = review(api, "30 9 527384 455703 20", "list.txt")
    assert [problem["code"] for problem in line["problems"]] == ["bad_quantity"]


SKUS = "\n".join(("C-1 20", "C-2 30", "C-3 40"))


@pytest.fixture
def cleansers(db: None) -> None:
    for number, name in enumerate(
        ("Dew Toner 200 ml", "Rice Serum", "Kelp Forest Gel Cleanser"), 1
    ):
        make_product(sku=f"C-{number}", eng_name=name)


@pytest.mark.usefixtures("cleansers")
def test_a_row_of_words_among_skus_is_asked_by_its_name(api: ContractClient) -> None:
    text = f"2 cartons kelp forest gel cleanser\n{SKUS}\ntotal pieces 90\nrice serum 10\n"
    answer = send(api, text, "Pasted list.txt").json()
    asked, *fine, rice = answer["lines"]
    assert [(line["sku"], line["count"], line["problems"]) for line in fine] == [
        ("C-1", 20, []),
        ("C-2", 30, []),
        ("C-3", 40, []),
    ]
    assert (asked["row"], asked["sku"], asked["words"]) == (
        1,
        "",
        "2 cartons kelp forest gel cleanser",
    )
    assert (asked["called"], asked["count"]) == ("KELP FOREST GEL CLEANSER", 0)
    assert problems(asked) == [("which_product", [])]
    said = "Which product is meant? Quantity: “2 cartons”: how many pieces is that?"
    assert asked["problems"][0]["text"] == said
    assert asked["candidates"][0]["product"]["sku"] == "C-3"
    assert (rice["row"], rice["words"], rice["count"]) == (6, "rice serum 10", 10)
    assert [row["text"] for row in answer["passed"]] == ["total pieces 90"]


@pytest.mark.usefixtures("cleansers")
def test_pieces_are_asked_once_the_product_of_cartons_is_chosen(api: ContractClient) -> None:
    row = "2 cartons kelp forest gel cleanser"
    asked = review(api, f"{SKUS}\n{row}", "Pasted list.txt")[-1]
    learned = {"code": asked["called"], "sku": "C-3", "row": asked["row"], "count": asked["count"]}
    line = api.send("post", "/api/account/own-codes", learned).json()["line"]
    assert (line["product"]["sku"], problems(line)) == ("C-3", [("bad_quantity", [])])
    assert line["problems"][0]["text"] == "How many pieces do you want?"
    known = review(api, f"C-1 20\nC-2 30\n{row}", "Pasted list.txt")[-1]
    assert (known["sku"], known["own_code"], problems(known)) == (
        "C-3",
        asked["called"],
        [("bad_quantity", [])],
    )


@pytest.mark.usefixtures("cleansers")
@pytest.mark.parametrize(
    ("content", "name"),
    [
        ("C-1 2 cartons\nC-2 20\nC-3 20", "list.txt"),
        ("2 boxes C-1\nC-2 20\nC-3 20", "list.txt"),
        ("SKU;Qty\nC-1;2 ctn\n", "list.csv"),
        ("SKU;Cartons\nC-1;2\n", "list.csv"),
        ("SKU;Qty;Unit\nC-1;2;box\n", "list.csv"),
        ("rice serum 2 boxes", "list.txt"),
    ],
)
def test_no_pieces_are_proposed_for_cartons(api: ContractClient, content: str, name: str) -> None:
    line = review(api, content, name)[0]
    assert (line["sku"], problems(line)) in (
        ("C-1", [("bad_quantity", [])]),
        ("C-2", [("bad_quantity", [])]),
    )


def test_words_in_another_encoding_stay_in_the_table() -> None:
    table, named = table_of("crème douce légère 20".encode("cp1252"))
    assert (named, table.decode("cp1252")) == ([], "crème\t20")

"""A list as people type it: SKU or EAN and pieces, by the table that the screen is tested with too."""

import pytest

from apps.catalog.tests.factories import make_product
from apps.catalog.tests.test_api_basket_review import review
from apps.catalog.typed_list import table_of
from apps.common.testing import ContractClient, vectors
from apps.common.types import Json


@pytest.mark.parametrize("row", vectors("catalog/typed_list"))
def test_a_typed_row(row: Json) -> None:
    assert table_of(row["text"].encode()).decode().split("\t") == row["row"]


def test_rows_that_begin_with_an_ean_are_not_numbered() -> None:
    rows = "1 234567 890128 20\n2 000000 000008 30"  # 1, 2… as rows are numbered
    assert table_of(rows.encode()).decode() == "1234567890128\t20\n2000000000008\t30"
    numbered = "1 9 527384 455703 20\n2 9638 5074 30"
    assert table_of(numbered.encode()).decode() == "9527384455703\t20\n96385074\t30"


@pytest.mark.parametrize(
    ("text", "row"),
    [
        ("0 36000 29145 2 2", ["0360002914522", "0 or 36000 or 29145 or 2 or 2"]),  # a UPC and 2, or an EAN
        ("9 5273 8445 5703 9", ["9527384455703", "9 or 5273 or 8445 or 5703 or 9"]),  # 9 before it, or behind
        ("9 5273 8445 5703 29", ["9527384455703", "29"]),
    ],
)
def test_what_may_be_one_ean_or_another_is_asked(text: str, row: list[str]) -> None:
    assert table_of(text.encode()).decode().split("\t") == row


ROWS = ("9 527384 455703 20", "20 x 9-527384-455703", "952738-4455703 20", "EAN 9527384455703: 20", "C-1: 20")


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

"""POST /basket/review with a text that is no table: what it asks for, questions first."""

from typing import Any

import pytest
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from apps.accounts.selectors import Buyer
from apps.catalog.models import OwnCode, Product, Running
from apps.catalog.review.message import read_message
from apps.catalog.selectors import reading
from apps.catalog.tests.factories import make_brand, make_product
from apps.catalog.tests.test_api_basket_review import problems, review, send
from apps.common.testing import ContractClient

NAME = "Pasted list.txt"


@pytest.fixture(autouse=True)
def products(db: None) -> None:
    brand = make_brand(eng="Aurelle Skin")
    for sku, name in (
        ("GC-1", "Golden Rice Cream 50 ml"),
        ("GE-1", "Golden Rice Eye Cream 25 ml"),
        ("ST-1", "Sun Stick"),
    ):
        make_product(sku=sku, eng_name=name, brand=brand)
    make_product(sku="ST-2", eng_name="Daylight Sun Stick 18 g", brand=brand)
    make_product(sku="XX-1", eng_name="Secret Rice Balm", brand=brand, is_running=Running.HIDDEN)


def test_a_message_is_reviewed_questions_first(api: ContractClient) -> None:
    text = "Hello, golden rice cream 40, rice 20 and golden rice eye cream 3 boxes"
    asked, boxes, fine = review(api, text, NAME)
    assert (asked["words"], asked["called"], asked["sku"], asked["count"]) == (
        "rice 20",
        "rice",
        "",
        20,
    )
    assert problems(asked) == [("which_product", [])]
    assert [one["product"]["sku"] for one in asked["candidates"]] == ["GC-1", "GE-1"]
    assert (asked["candidates"][0]["why"], asked["candidates"][0]["agreeing"]) == (
        "1 word agrees",
        ["rice"],
    )
    assert (fine["sku"], fine["count"], fine["words"], fine["problems"]) == (
        "GC-1",
        40,
        "golden rice cream 40",
        [],
    )
    assert (boxes["sku"], boxes["problems"][0]["text"]) == (
        "GE-1",
        "How many pieces are in 3 boxes?",
    )
    assert problems(boxes) == [("bad_quantity", [])]  # how many are in a box, nobody can propose
    assert len({line["row"] for line in (fine, asked, boxes)}) == 3


@pytest.mark.parametrize(
    ("text", "unread"),
    [
        ("golden rice cream 40\nbubble wrap 20", ["bubble wrap 20"]),
        (
            "golden rice cream 40, bubble wrap 20, 15 gift boxes.",
            ["bubble wrap 20", "15 gift boxes"],
        ),
        ("Hello! Please send golden rice cream 40. Thanks", []),
        ("golden rice cream, 40", []),
        ("no bubble wrap 20, golden rice cream 40", []),
        ("GC-1;40", []),
    ],
)
def test_words_with_a_number_and_no_product_are_named(
    api: ContractClient, text: str, unread: list[str]
) -> None:
    answer: Any = send(api, text, NAME).json()
    assert (answer["unread"], [line["sku"] for line in answer["lines"]]) == (unread, ["GC-1"])


def test_what_is_answered_is_remembered_unless_told_not_to(
    api: ContractClient, buyer: Buyer
) -> None:
    body = {"code": "the yellow one", "sku": "GC-1", "row": 3, "count": 15}
    line = api.send("POST", "/api/account/own-codes", {**body, "remember": False}).json()["line"]
    assert (line["row"], line["sku"], line["own_code"], problems(line)[0][0]) == (
        3,
        "GC-1",
        "",
        "not_multiple_of_moq",
    )
    assert not OwnCode.objects.exists()
    api.send("POST", "/api/account/own-codes", body)
    (line,) = review(api, "The yellow one 30", NAME)
    assert (line["sku"], line["count"], line["problems"]) == ("GC-1", 30, [])


def test_what_the_buyer_does_not_see_is_not_named(api: ContractClient) -> None:
    (line,) = review(api, "rice balm 20", NAME)
    assert [one["product"]["sku"] for one in line["candidates"]] == ["GC-1", "GE-1"]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("Good morning", "Nothing in it names a product."),
        ("golden rice cream 40 " * 1_000, "A message has at most 20,000 characters"),
        ("please\n" * 501, "A message has at most"),
    ],
)
def test_a_message_is_refused_in_a_sentence(api: ContractClient, text: str, why: str) -> None:
    response: Any = send(api, text, NAME)
    assert response.status_code == 400
    assert response.json()["errors"]["file"][0].startswith(why)


def test_sixty_lines_of_a_large_catalogue_cost_four_statements(
    buyer: Buyer, django_assert_num_queries: DjangoAssertNumQueries, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "MOST_PRODUCTS", 3)
    text = "\n".join(["golden rice cream 40"] * 60).encode()
    with django_assert_num_queries(4):  # the words, the last order, brands, products
        read = read_message(buyer=buyer, content=text, name=NAME)
    assert read is not None
    assert {line.sku for line in read.lines} == {"GC-1"}
    assert read_message(buyer=buyer, content=b"GC-1\t20", name=NAME) is None
    product = Product.objects.get(sku="GC-1")
    OwnCode.objects.create(
        company_id=buyer.company_id, code="CREAM", product=product, learned_at=timezone.now()
    )
    assert read_message(buyer=buyer, content=b"cream 20\ncream 10", name=NAME) is None

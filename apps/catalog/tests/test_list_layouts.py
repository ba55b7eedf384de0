"""Columns of a buyer's sheet: asked once, then remembered by their headings for the company."""

import json
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from apps.accounts.selectors import Buyer
from apps.accounts.tests.factories import make_buyer
from apps.catalog.models import ListLayout, OwnCode
from apps.catalog.services import list_layouts
from apps.catalog.tests.factories import make_product
from apps.common.testing import ContractClient

URL = "/api/basket/review"
TWO = "Title;;\nItem code;Shop A;Shop B\nABC-1;10;24\nABC-2;20;36\n"
SAID = {"tab": 0, "head": 2, "kinds": ["sku", "other", "qty"], "carton": 0}


def send(client: ContractClient, content: str, *said: Any, name: str = "list.csv") -> Any:
    columns = {"columns": json.dumps(said)} if said else {}
    return client.post(URL, {"list": SimpleUploadedFile(name, content.encode()), **columns})


def counts(answer: Any) -> list[tuple[str, int]]:
    return [(line["sku"], line["count"]) for line in answer.json()["lines"]]


@pytest.fixture(autouse=True)
def products(db: None) -> None:
    make_product(sku="ABC-1", eng_name="Golden Rice Cream 50 ml")
    make_product(sku="ABC-2", eng_name="Green Plum Toner 200 ml")


def test_what_is_settled_once_is_asked_no_more(
    api: ContractClient, sign_in: Any, buyer: Buyer
) -> None:
    (asked,) = send(api, TWO).json()["columns"]
    assert (asked["asks"], asked["head"], asked["kinds"]) == ("quantity", 2, ["sku", "", ""])
    assert asked["rows"][1] == {"row": 2, "cells": ["Item code", "Shop A", "Shop B"]}
    settled = send(api, TWO, SAID)
    assert counts(settled) == [("ABC-1", 24), ("ABC-2", 36)]
    assert settled.json()["columns"][0]["is_remembered"]

    later = "Item code;Shop A;Shop B\nABC-2;70;40\n"
    colleague = sign_in(make_buyer(company_id=buyer.company_id))
    assert counts(send(colleague, later)) == [("ABC-2", 40)]
    assert send(sign_in(make_buyer()), TWO).json()["columns"][0]["asks"] == "quantity"

    send(api, later, {**SAID, "head": 1, "kinds": ["sku", "qty", "other"]})
    assert counts(send(api, TWO)) == [("ABC-1", 10), ("ABC-2", 20)]
    assert ListLayout.objects.count() == 1


@pytest.mark.any_database
@pytest.mark.parametrize(
    ("content", "asks", "kinds"),
    [
        ("SKU;Qty\nABC-1;10\n", "", ["sku", "qty"]),
        ("SKU;Cartons\nABC-1;10\n", "carton", ["sku", "cartons"]),
        ("SKU;Karton;Stück pro Karton\nABC-1;2;12\n", "", ["sku", "cartons", "per_carton"]),
        ("SKU;Pcs/ctn;Cases\nABC-1;12;2\n", "", ["sku", "per_carton", "cartons"]),
        ("SKU;박스당 수량;박스\nABC-1;12;2\n", "", ["sku", "per_carton", "cartons"]),
        ("SKU;Cartons;VE\nABC-1;2;Karton\n", "carton", ["sku", "cartons", "other"]),
        ("SKU;Cartons;GW/CTN\nABC-1;2;12\n", "carton", ["sku", "cartons", "other"]),
        ("10;Golden Rice Cream\n20;Green Plum Toner\n", "columns", ["other", "other"]),
        ("ABC-1;10;20\nABC-2;20;30\n", "quantity", ["sku", "", ""]),
    ],
)
def test_only_what_is_not_plain_is_asked(
    api: ContractClient, content: str, asks: str, kinds: list[str]
) -> None:
    (tab,) = send(api, content).json()["columns"]
    assert (tab["asks"], tab["kinds"]) == (asks, kinds)


@pytest.mark.any_database
@pytest.mark.parametrize(
    ("kinds", "carton", "lines"),
    [
        (["sku", "cartons"], 12, [("ABC-1", 120)]),
        (["sku", "cartons"], 0, [("ABC-1", 0)]),
        (["name", "qty"], 0, [("", 10)]),
        (["sku", "per_carton", "cartons"], 12, [("ABC-1", 20)]),  # the row says 2
    ],
)
def test_rows_are_read_as_the_buyer_says(
    api: ContractClient, kinds: list[str], carton: int, lines: Any
) -> None:
    first = "Golden Rice Cream" if "name" in kinds else "ABC-1"
    content = f"Item;{';'.join('AB'[: len(kinds) - 1])}\n{first};{'2;' * (len(kinds) - 2)}10\n"
    said = {"tab": 0, "head": 1, "kinds": kinds, "carton": carton}
    for answer in (send(api, content, said), send(api, content)):
        assert counts(answer) == lines
        assert answer.json()["columns"][0]["asks"] == ""


def test_a_row_that_names_its_product_is_a_question_until_it_is_answered(
    api: ContractClient,
) -> None:
    content = "Product;Qty\nGolden Rice Creme 50ml;20\n"
    (line,) = send(api, content).json()["lines"]
    assert (line["product"], line["count"], line["called"]) == (None, 20, "GOLDEN RICE CREME 50ML")
    assert [problem["code"] for problem in line["problems"]] == ["which_product"]
    assert [one["product"]["sku"] for one in line["candidates"]] == ["ABC-1"]
    learned = {"code": line["called"], "sku": "ABC-1", "row": line["row"], "count": line["count"]}
    assert api.send("post", "/api/account/own-codes", learned).status_code == 200
    (line,) = send(api, content).json()["lines"]
    assert (line["product"]["sku"], line["count"], line["problems"]) == ("ABC-1", 20, [])


@pytest.mark.any_database
@pytest.mark.parametrize(
    "said",
    [
        {"kinds": ["sku", "other", "other"]},
        {"kinds": ["other", "other", "qty"]},
        {"kinds": ["sku", "qty", "qty"]},
        {"kinds": ["sku", "none", "qty"]},
        {"tab": -1},
        {"carton": 10**9},
    ],
)
def test_what_no_row_can_be_read_by_is_refused_and_not_kept(api: ContractClient, said: Any) -> None:
    answer = send(api, TWO, {**SAID, **said})
    assert (answer.status_code, ListLayout.objects.count()) == (400, 0)


def test_beyond_the_most_the_oldest_is_forgotten(
    api: ContractClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(list_layouts, "MAX_LAYOUTS", 2)
    for letter in "ABC":
        send(api, TWO.replace("Shop A", f"Shop {letter * 3}"), SAID)
    assert sorted(ListLayout.objects.values_list("headings", flat=True)) == [
        "Item code | Shop BBB | Shop B",
        "Item code | Shop CCC | Shop B",
    ]


def test_staff_mend_and_drop_what_is_remembered(api: ContractClient, admin_client: Client) -> None:
    send(api, TWO, SAID)
    layout = ListLayout.objects.get()
    page = f"/admin/catalog/listlayout/{layout.pk}/"
    assert (
        "none of sku"
        in admin_client.post(f"{page}change/", {"kinds": "sku, x", "carton": 0}).content.decode()
    )
    admin_client.post(f"{page}change/", {"kinds": "sku, qty, other", "carton": 0})
    assert counts(send(api, TWO)) == [("ABC-1", 10), ("ABC-2", 20)]
    admin_client.post(f"{page}delete/", {"post": "yes"})
    assert send(api, TWO).json()["columns"][0]["asks"] == "quantity"
    assert OwnCode.objects.count() == 0

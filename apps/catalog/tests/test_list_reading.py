"""Long lists: read in the background with progress, by a reader that may die, and refused with a
sentence.
"""

import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any
from uuid import uuid4

import pytest
from django.core.files.storage import storages
from django.utils import timezone

from apps.accounts.models import User
from apps.accounts.selectors import Buyer
from apps.catalog.lists.order_list import MAX_ASKED, TOO_MANY
from apps.catalog.models import ListInHand, list_path
from apps.catalog.selectors import read_list
from apps.catalog.services import list_reading, lists_in_hand
from apps.catalog.services.list_reading import GAVE_UP, GONE, TRIES, read_waiting
from apps.catalog.tests.factories import in_hand, make_product
from apps.catalog.tests.test_api_basket_review import workbook
from apps.catalog.tests.test_lists_in_hand import long_book, names, opened, send
from apps.common.testing import ContractClient

pytestmark = pytest.mark.django_db
Committed = Callable[..., AbstractContextManager[object]]


@pytest.fixture(autouse=True)
def products(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Call five rows many."""
    monkeypatch.setattr(lists_in_hand, "LONG_ROWS", 4)
    for sku in ("A-1", "B-1", "C-1"):
        make_product(sku=sku, eng_name=f"Serum {sku}")


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("kelp.xlsx", long_book()),
        ("kelp.csv", "SKU,Qty\nA-1,20\nB-1,15\nA-1,10\nNOPE,5\n"),
        ("Pasted list.txt", "A-1 20\nB-1 15\nA-1 10\nNOPE-1 5\n\n"),
    ],
)
def test_a_long_list_is_read_in_the_background(
    api: ContractClient, name: str, content: bytes | str
) -> None:
    uuid = uuid4()
    response = send(api, content, name, uuid=uuid)
    assert (response.status_code, response.json()["list"]["state"]) == (202, "waiting")
    assert opened(api, uuid)["review"] is None
    assert read_waiting(timezone.now()) == 1
    answer = opened(api, uuid)
    assert answer["list"]["state"] == "ready"
    assert answer["list"]["rows_read"] == answer["list"]["rows"] >= 4
    found = [
        (line["rows"], line["count"], [one["code"] for one in line["problems"]])
        for line in answer["review"]["lines"]
    ]
    first = answer["review"]["lines"][0]["row"]
    assert found == [
        ([first, first + 2], 30, ["sku_twice"]),
        ([first + 1], 15, ["not_multiple_of_moq"]),
        ([first + 3], 5, ["unknown_sku"]),
    ]
    assert read_waiting(timezone.now()) == 0


@pytest.mark.any_database
def test_a_long_list_says_what_the_short_one_says(
    api: ContractClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [("A-1", 20, 4.5), ("B-1", "15?", 9.99), ("", 3, ""), ("C-1", "", ""), ("Total", 99, "")]
    book = workbook([("SKU", "Qty", "Price"), *rows])
    long = uuid4()
    assert send(api, book, "a.xlsx", uuid=long).status_code == 202
    read_waiting(timezone.now())
    monkeypatch.setattr(lists_in_hand, "LONG_ROWS", 100)
    short = send(api, book, "a.xlsx").json()
    assert {**opened(api, long)["review"], "list": None} == {**short, "list": None}


def test_progress_is_told_about_once_a_second(
    api: ContractClient, buyer: Buyer, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = iter(range(100))
    monkeypatch.setattr(time, "monotonic", lambda: next(clock) / 4)
    seen: list[tuple[str, int, int]] = []
    note = list_reading._Told._note

    def noted(self: Any, **changes: Any) -> None:
        note(self, **changes)
        (one,) = api.get("/api/basket/lists").json()["lists"]
        seen.append((one["state"], one["rows_read"], one["rows"]))

    monkeypatch.setattr(list_reading._Told, "_note", noted)
    in_hand(buyer, long_book(("A-1", 10) for _ in range(12)), "a.xlsx")
    read_waiting(timezone.now())
    assert seen[-1] == ("looking_up", 13, 13)
    told = [read for state, read, _ in seen if state == "reading"]
    assert told == sorted(told)
    assert 2 <= len(told) <= 4


def test_a_reader_that_dies_is_followed_by_another(
    api: ContractClient, buyer: Buyer, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept, behind = in_hand(buyer, long_book(), "a.xlsx"), in_hand(buyer, long_book(), "b.xlsx")
    with monkeypatch.context() as patch:
        patch.setattr(list_reading, "read_list", lambda **_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            read_waiting(timezone.now())
    kept.refresh_from_db()
    assert (kept.state, kept.tries) == ("reading", 1)
    for state in ("reading", "ready"):  # behind the one that ended no worker
        read_waiting(timezone.now())
        kept.refresh_from_db()
        assert kept.state == state
    behind.refresh_from_db()
    assert behind.state == "ready"
    assert len(opened(api, kept.uuid)["review"]["lines"]) == 3


def test_a_list_that_ends_its_reader_again_and_again_is_given_up(
    api: ContractClient, buyer: Buyer
) -> None:
    kept = in_hand(buyer, long_book(), "a.xlsx")
    ListInHand.objects.filter(pk=kept.pk).update(state="reading", tries=TRIES)
    read_waiting(timezone.now())
    answer = opened(api, kept.uuid)
    assert (answer["list"]["state"], answer["list"]["remark"], answer["review"]) == (
        "refused",
        GAVE_UP,
        None,
    )


@pytest.mark.any_database
def test_what_cannot_be_read_is_refused_with_its_sentence(
    api: ContractClient, buyer: Buyer
) -> None:
    kept = in_hand(buyer, b"SKU,Qty\nA-1,\nB-1,\nA-1,\nB-1,\nC-1,\n")
    read_waiting(timezone.now())
    answer = opened(api, kept.uuid)["list"]
    assert (answer["state"], answer["remark"].partition(".")[0]) == (
        "refused",
        "No row has a quantity",
    )
    assert send(api, None, uuid=kept.uuid).json()["list"]["state"] == "refused"
    many = in_hand(buyer, b"SKU,Qty\n" + b"A,1\n" * (MAX_ASKED + 1))
    read_waiting(timezone.now())
    assert opened(api, many.uuid)["list"]["remark"] == TOO_MANY
    gone = in_hand(buyer, long_book(), "b.xlsx")
    storages["private"].delete(list_path(gone.storage_name))
    read_waiting(timezone.now())
    assert opened(api, gone.uuid)["list"]["remark"] == GONE


def test_what_is_no_workbook_is_refused_at_once(api: ContractClient) -> None:
    for content, name in (
        (b"PK\x03\x04 no archive", "a.xlsx"),
        (b"1\n2\n3\n4\n5\n", "a.xlsx"),
        (b"", "a.csv"),
    ):
        assert send(api, content, name).status_code == 400
    assert names(api) == []


def test_a_list_that_is_dropped_while_it_is_read_stays_dropped(
    api: ContractClient,
    buyer: Buyer,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: Committed,
) -> None:
    kept = in_hand(buyer, long_book(), "a.xlsx")
    read, given = read_list, []

    def dropped_meanwhile(**options: Any) -> Any:
        assert api.delete(f"/api/basket/lists/{kept.uuid}").status_code == 200
        given.append(options["name"])
        return read(**options)

    monkeypatch.setattr(list_reading, "read_list", dropped_meanwhile)
    with django_capture_on_commit_callbacks(execute=True):
        read_waiting(timezone.now())
    assert (given, names(api)) == (["a.xlsx"], [])
    assert not storages["private"].exists(list_path(kept.storage_name))


def test_the_list_of_a_closed_account_is_not_read(buyer: Buyer) -> None:
    kept = in_hand(buyer, long_book(), "a.xlsx")
    User.objects.filter(pk=buyer.id).update(is_active=False)
    read_waiting(timezone.now())
    kept.refresh_from_db()
    assert (kept.state, kept.read) == ("refused", None)

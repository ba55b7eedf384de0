"""Lists in hand: each is kept, opened again with what was decided of it, put into the basket once,
and dropped.
"""

import io
import json
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import openpyxl
import pytest
from django.core.files.storage import storages
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test.client import MULTIPART_CONTENT
from django.utils import timezone

from apps.accounts.models import Company
from apps.accounts.selectors import Buyer
from apps.accounts.tests.factories import make_buyer
from apps.accounts.tests.uploads import form
from apps.catalog.errors import TooManyLists
from apps.catalog.lists.order_list import TOO_MANY
from apps.catalog.models import LIST_FOLDER, ListInHand, ListLayout, Product, Stock, list_path
from apps.catalog.services import list_reading, lists_in_hand
from apps.catalog.services.list_reading import read_waiting
from apps.catalog.services.lists_in_hand import KEPT, KEPT_FOR_A_BUYER, forget_lists, send_list
from apps.catalog.tests.factories import in_hand, make_product
from apps.catalog.tests.test_api_basket_review import workbook
from apps.common.errors import Unavailable
from apps.common.tables.spreadsheets import SpreadsheetRefused
from apps.common.testing import ContractClient
from apps.common.types import Json

pytestmark = pytest.mark.django_db
Committed = Callable[..., AbstractContextManager[object]]
FEW = "SKU,Qty\nA-1,20\nB-1,15\n"


@pytest.fixture(autouse=True)
def products(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Call five rows many."""
    monkeypatch.setattr(lists_in_hand, "LONG_ROWS", 4)
    for sku in ("A-1", "B-1", "C-1"):
        make_product(sku=sku, eng_name=f"Serum {sku}")


def long_book(
    rows: Iterable[tuple[Any, ...]] = (("A-1", 20), ("B-1", 15), ("A-1", 10), ("NOPE", 5)),
) -> bytes:
    return workbook([("SKU", "Qty"), *rows])


def send(
    client: ContractClient, content: bytes | str | None, name: str = "kelp.csv", **fields: Any
) -> Any:
    data = content.encode() if isinstance(content, str) else content
    fields = {
        key: str(value) if isinstance(value, UUID) else json.dumps(value)
        for key, value in fields.items()
    }
    if data is None:
        return client.post("/api/basket/review", fields)
    return client.generic(
        "POST", "/api/basket/review", form(fields, data, name, field="list"), MULTIPART_CONTENT
    )


def opened(client: ContractClient, uuid: object) -> Json:
    response = client.get(f"/api/basket/lists/{uuid}")
    assert response.status_code == 200, response.json()
    answer: Json = response.json()
    return answer


def decide(client: ContractClient, uuid: object, *decisions: Json) -> Any:
    return client.send("PUT", f"/api/basket/lists/{uuid}", {"decisions": list(decisions)})


def names(client: ContractClient) -> list[str]:
    return [one["name"] for one in client.get("/api/basket/lists").json()["lists"]]


def files(buyer: Buyer) -> list[bool]:
    """Return of each of the buyer's lists whether its file is there."""
    found = ListInHand.objects.filter(user_id=buyer.id)
    return [storages["private"].exists(list_path(one.storage_name)) for one in found]


def stored() -> list[str]:
    """Return the names of all lists in the private storage."""
    try:
        return storages["private"].listdir(LIST_FOLDER)[1]
    except FileNotFoundError:
        return []


def test_a_short_list_is_answered_at_once_and_stays_in_hand(api: ContractClient) -> None:
    uuid = uuid4()
    response = send(api, FEW, uuid=uuid)
    assert (response.status_code, response.json()["list"]) == (200, str(uuid))
    (kept,) = api.get("/api/basket/lists").json()["lists"]
    assert (kept["uuid"], kept["name"], kept["state"], kept["decided"]) == (
        str(uuid),
        "kelp.csv",
        "ready",
        0,
    )
    assert kept["rows"] == 2
    again = opened(api, uuid)
    assert again["review"] == response.json()
    assert [line["sku"] for line in again["review"]["lines"]] == ["A-1", "B-1"]


def test_a_list_without_a_uuid_has_one_made(api: ContractClient) -> None:
    uuid = send(api, FEW).json()["list"]
    assert opened(api, uuid)["list"]["name"] == "kelp.csv"


def test_the_review_is_by_todays_stock(api: ContractClient) -> None:
    uuid = uuid4()
    send(api, long_book(), "a.xlsx", uuid=uuid)
    read_waiting(timezone.now())
    Stock.objects.filter(product__sku="A-1").update(on_hand=10)
    Product.objects.filter(sku="B-1").update(minimum=15)
    first, second, _ = opened(api, uuid)["review"]["lines"]
    assert [one["code"] for one in first["problems"]] == ["short_stock", "sku_twice"]
    assert second["problems"] == []


def test_a_list_sent_again_is_the_same_one(api: ContractClient, buyer: Buyer) -> None:
    short, long = uuid4(), uuid4()
    answers = [send(api, FEW, uuid=short).json() for _ in range(2)]
    assert answers[0] == answers[1]
    assert [send(api, long_book(), "a.xlsx", uuid=long).status_code for _ in range(2)] == [202, 202]
    read_waiting(timezone.now())
    assert send(api, long_book(), "a.xlsx", uuid=long).json() == opened(api, long)["review"]
    assert sorted(names(api)) == ["a.xlsx", "kelp.csv"]
    assert files(buyer) == [True, True]


def test_decisions_are_kept_and_come_back_with_the_products_that_were_chosen(
    api: ContractClient,
) -> None:
    uuid = send(api, FEW + "WHAT,40\n").json()["list"]
    fixed = [{"code": "not_multiple_of_moq", "fix": "Change to 20"}]
    given = [{"row": 3, "out": False, "wished": True, "sku": "", "count": 0, "fixed": fixed}]
    assert decide(api, uuid, *given).status_code == 200
    assert opened(api, uuid)["decisions"] == given
    chosen = {"row": 4, "out": False, "sku": "C-1", "count": 45, "fixed": []}
    twice = {"row": 2, "sku": "C-1", "count": 20}
    decide(api, uuid, *given, chosen, twice)
    answer = opened(api, uuid)
    assert answer["list"]["decided"] == 3
    found = [(line["row"], line["product"]["sku"], line["count"]) for line in answer["chosen"]]
    assert found == [(4, "C-1", 45), (2, "C-1", 20)]
    assert [one["code"] for one in answer["chosen"][0]["problems"]] == ["not_multiple_of_moq"]


@pytest.mark.any_database
@pytest.mark.parametrize(
    "wrong",
    [
        {"row": 0},
        {"row": 2, "fixed": [{"code": "?"}]},
        {"row": 2, "count": -1},
        {"out": True},
        {"row": 2, "sku": "x" * 41},
    ],
)
def test_a_decision_that_is_none_is_refused(api: ContractClient, wrong: Json) -> None:
    uuid = send(api, FEW).json()["list"]
    assert decide(api, uuid, wrong).status_code == 400


def test_decisions_have_a_limit(api: ContractClient) -> None:
    uuid = send(api, FEW).json()["list"]
    fixed = [{"code": "sku_twice", "fix": "x" * 120}]
    assert (
        decide(api, uuid, *({"row": row + 1, "fixed": fixed} for row in range(1300))).status_code
        == 413
    )
    assert decide(api, uuid, *({"row": row + 1} for row in range(2001))).status_code == 400
    assert opened(api, uuid)["decisions"] == []


@pytest.mark.parametrize(
    "rows", [[("A-1", 20)], [("A-1", 20), ("B-1", 10), ("B-1", 10), ("C-1", 10)]]
)
def test_columns_are_said_of_the_list_in_hand(
    api: ContractClient, buyer: Buyer, rows: list[tuple[str, int]]
) -> None:
    uuid = uuid4()
    sheet = workbook([("SKU", "Now", "Later"), *((sku, count, 7 * count) for sku, count in rows)])
    send(api, sheet, "a.xlsx", uuid=uuid)
    read_waiting(timezone.now())
    before = opened(api, uuid)["review"]["columns"][0]
    said = [{"tab": 0, "head": before["head"], "kinds": ["sku", "other", "qty"], "carton": 0}]
    for status in (
        202 if len(rows) > 3 else 200,
        200,
    ):  # the second time because its answer was lost
        assert send(api, None, uuid=uuid, columns=said).status_code == status
        read_waiting(timezone.now())
    assert opened(api, uuid)["review"]["lines"][0]["count"] == 140
    assert ListLayout.objects.filter(company_id=buyer.company_id).count() == 1
    assert names(api) == ["a.xlsx"]


def test_columns_that_it_cannot_be_read_by_leave_what_was_read(
    api: ContractClient, buyer: Buyer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(**_: object) -> None:
        raise SpreadsheetRefused(TOO_MANY)

    uuid = in_hand(buyer, long_book(), "a.xlsx").uuid
    read_waiting(timezone.now())
    decide(api, uuid, {"row": 2, "out": True})
    said = [{"tab": 0, "head": 1, "kinds": ["qty", "sku"], "carton": 0}]
    assert send(api, None, uuid=uuid, columns=said).status_code == 202
    with monkeypatch.context() as patch:
        patch.setattr(list_reading, "read_list", refused)
        read_waiting(timezone.now())
    answer = opened(api, uuid)
    assert (answer["list"]["state"], answer["list"]["remark"]) == ("ready", TOO_MANY)
    assert (answer["review"]["lines"][0]["count"], answer["list"]["decided"]) == (30, 1)


def test_nobody_else_opens_it(api: ContractClient, buyer: Buyer) -> None:
    colleague = make_buyer(company=Company.objects.get(pk=buyer.company_id))
    for strange in (
        in_hand(make_buyer(), FEW.encode()).uuid,
        in_hand(colleague, FEW.encode()).uuid,
        uuid4(),
        "1",
    ):
        url = f"/api/basket/lists/{strange}"
        tries = [api.get(url), decide(api, strange), api.delete(url)]
        if strange != "1":
            tries += [send(api, None, uuid=strange)]
        assert [answer.status_code for answer in tries] == [404] * len(tries)
    assert names(api) == []


def test_another_buyers_uuid_makes_a_list_of_ones_own(api: ContractClient) -> None:
    theirs = in_hand(make_buyer(), b"SKU,Qty\nC-1,10\n")
    assert [line["sku"] for line in send(api, FEW, uuid=theirs.uuid).json()["lines"]] == [
        "A-1",
        "B-1",
    ]
    assert opened(api, theirs.uuid)["review"]["lines"][0]["sku"] == "A-1"


def test_three_of_a_buyer_wait_at_once(api: ContractClient, buyer: Buyer) -> None:
    for number in range(3):
        assert send(api, long_book(), f"{number}.xlsx").status_code == 202
    refused = send(api, long_book(), "3.xlsx")
    assert (refused.status_code, refused.json()["message"]) == (409, TooManyLists.message)
    assert send(api, FEW).status_code == 200
    assert files(buyer) == [True] * 4
    read_waiting(timezone.now())
    assert send(api, long_book(), "3.xlsx").status_code == 202


def test_no_list_in_hand_goes_for_another_one(api: ContractClient, buyer: Buyer) -> None:
    uuids = [send(api, FEW, "kelp.csv").json()["list"] for _ in range(KEPT_FOR_A_BUYER)]
    before = stored()
    refused = send(api, FEW, "new.csv")
    assert (refused.status_code, refused.json()["code"]) == (409, "lists_full")
    assert (len(files(buyer)), sorted(stored())) == (KEPT_FOR_A_BUYER, sorted(before))
    assert send(api, None, uuid=UUID(uuids[0])).status_code == 200  # one of them, sent once more
    assert api.delete(f"/api/basket/lists/{uuids[0]}").status_code == 200
    assert send(api, FEW, "new.csv").status_code == 200
    assert names(api) == ["new.csv", *["kelp.csv"] * (KEPT_FOR_A_BUYER - 1)]


def test_one_review_alone_puts_a_list_into_the_basket(api: ContractClient) -> None:
    """Opened on two devices, its lines are put there once; it is in hand no more, and can be given
    back.
    """
    uuid, key = send(api, FEW).json()["list"], {"key": str(uuid4())}
    assert [api.send("POST", f"/api/basket/lists/{uuid}", key).status_code for _ in range(2)] == [
        200,
        200,
    ]
    others = (
        api.send("POST", f"/api/basket/lists/{uuid}", {"key": str(uuid4())}),
        api.get(f"/api/basket/lists/{uuid}"),
        send(api, FEW, uuid=UUID(uuid)),
    )
    assert [(one.status_code, one.json()["code"]) for one in others] == [(410, "used")] * 3
    assert (names(api), decide(api, uuid, {"row": 2, "out": True}).status_code) == ([], 404)
    assert api.post("/api/basket/sheet", {"uuid": uuid, "answers": "[]"}).status_code == 200
    assert api.delete(f"/api/basket/lists/{uuid}").status_code == 200


def test_a_list_in_the_basket_makes_room_for_another_one(api: ContractClient, buyer: Buyer) -> None:
    uuids = [send(api, FEW, f"{place}.csv").json()["list"] for place in range(KEPT_FOR_A_BUYER)]
    api.send("POST", f"/api/basket/lists/{uuids[-1]}", {"key": str(uuid4())})
    send(api, FEW, "new.csv")
    assert names(api) == [
        "new.csv",
        *(f"{place}.csv" for place in reversed(range(KEPT_FOR_A_BUYER - 1))),
    ]


def test_a_list_is_dropped_once(
    api: ContractClient, buyer: Buyer, django_capture_on_commit_callbacks: Committed
) -> None:
    kept = in_hand(buyer, FEW.encode())
    with django_capture_on_commit_callbacks(execute=True):
        statuses = [api.delete(f"/api/basket/lists/{kept.uuid}").status_code for _ in range(2)]
    assert statuses == [200, 404]
    assert not storages["private"].exists(list_path(kept.storage_name))


def test_what_nobody_touched_for_a_week_goes(
    api: ContractClient, buyer: Buyer, django_capture_on_commit_callbacks: Committed
) -> None:
    old, touched = (
        in_hand(buyer, FEW.encode(), "old.csv"),
        in_hand(buyer, FEW.encode(), "touched.csv"),
    )
    later = timezone.now() + KEPT + timedelta(minutes=1)
    ListInHand.objects.filter(pk=touched.pk).update(touched_at=later - KEPT)
    with django_capture_on_commit_callbacks(execute=True):
        assert forget_lists(later) == 1
    assert names(api) == ["touched.csv"]
    assert not storages["private"].exists(list_path(old.storage_name))


@pytest.mark.parametrize("what", ["storage", "scanner"])
def test_a_short_list_that_cannot_be_kept_is_answered(
    api: ContractClient, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    def silent(*_: object, **__: object) -> None:
        raise Unavailable if what == "scanner" else OSError

    if what == "scanner":
        monkeypatch.setattr(lists_in_hand, "check_virus", silent)
    else:
        monkeypatch.setattr(storages["private"], "save", silent)
    response = send(api, FEW)
    assert (response.status_code, response.json()["list"], len(response.json()["lines"])) == (
        200,
        None,
        2,
    )
    assert send(api, long_book(), "a.xlsx").status_code == 503
    assert names(api) == []


def test_a_row_that_cannot_be_saved_leaves_no_file(
    buyer: Buyer, monkeypatch: pytest.MonkeyPatch
) -> None:
    saved: list[str] = []

    def fails(kept: ListInHand) -> None:
        saved.append(list_path(kept.storage_name))
        raise SpreadsheetRefused("no")

    monkeypatch.setattr(lists_in_hand, "_save", fails)
    with pytest.raises(SpreadsheetRefused):
        in_hand(buyer, FEW.encode())
    assert not storages["private"].exists(saved[0])


def test_the_sheet_is_given_back_from_the_list_in_hand(api: ContractClient, buyer: Buyer) -> None:
    kept = in_hand(buyer, long_book(), "kelp.xlsx")
    answers = [{"rows": [2, 4], "sku": "A-1", "count": 30}]
    given = {"answers": json.dumps(answers), "uuid": str(kept.uuid)}
    assert api.post("/api/basket/sheet", given).status_code == 200
    assert api.post("/api/basket/sheet", {**given, "uuid": str(uuid4())}).status_code == 404
    assert api.post("/api/basket/sheet", {"answers": "[]"}).status_code == 400


def test_a_long_list_is_given_back_without_being_read_again(
    api: ContractClient, buyer: Buyer, monkeypatch: pytest.MonkeyPatch
) -> None:
    uuid = send(api, long_book(), "kelp.xlsx", uuid=uuid4()).json()["list"]["uuid"]
    read_waiting(timezone.now())
    monkeypatch.setattr("apps.orders.services.sent_sheets.read_list", pytest.fail)
    given = {"answers": json.dumps([{"rows": [2, 4], "sku": "A-1", "count": 35}]), "uuid": uuid}
    back: Any = api.post("/api/basket/sheet", given)
    rows = [
        [cell.value for cell in row]
        for row in openpyxl.load_workbook(io.BytesIO(back.content)).active
    ]
    assert [row[2:4] for row in rows] == [
        ["SKU", "Ordered"],
        ["A-1", 20],
        [None, None],
        ["A-1", 15],
        [None, None],
    ]
    wrong = {**given, "answers": json.dumps([{"rows": [9], "sku": "A-1", "count": 1}])}
    assert api.post("/api/basket/sheet", wrong).status_code == 400


def test_a_list_that_arrives_twice_at_once_is_one(
    buyer: Buyer, monkeypatch: pytest.MonkeyPatch
) -> None:
    uuid, sheet, kept = uuid4(), long_book(), []

    def send_it() -> None:
        file = SimpleUploadedFile("a.xlsx", sheet)
        kept.append(send_list(buyer=buyer, uuid=uuid, file=file, said=(), now=timezone.now()).kept)

    def meanwhile(_: object) -> None:
        monkeypatch.setattr(lists_in_hand, "check_virus", lambda _: None)
        send_it()

    monkeypatch.setattr(lists_in_hand, "check_virus", meanwhile)
    before = stored()
    send_it()
    assert kept[0] == kept[1]
    assert len(stored()) == len(before) + 1

"""Lists in hand: sent, opened again with what was decided so far, put into the basket once,
dropped.

A short list is read while its buyer waits, a long one in the background (`list_reading.py`). Either
is kept, so that its review can be left and opened again, here or on another device.
"""

import io
import json
from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial
from typing import NamedTuple
from uuid import UUID, uuid4

from django.core.files.base import ContentFile
from django.core.files.storage import storages
from django.core.files.uploadedfile import UploadedFile
from django.db import transaction
from django.db.models import QuerySet

from apps.accounts.models import User
from apps.accounts.selectors import Buyer
from apps.catalog.errors import ListsFull, ListUsed, TooManyLists
from apps.catalog.lists.as_json import AskedRows, rows_asked_kept
from apps.catalog.lists.columns import Said, said_of_json
from apps.catalog.lists.rows import chosen_line
from apps.catalog.models import ListInHand, list_path
from apps.catalog.review.reviews import review_each, review_kept, review_sent
from apps.catalog.services.list_layouts import settle_layouts
from apps.common.db.failures import unless_read_only
from apps.common.db.transactions import one_transaction
from apps.common.errors import Invalid, NotFound, TooLarge, Unavailable
from apps.common.nudge import nudge
from apps.common.storage.private import read_private, save_private
from apps.common.storage.uploads import check_virus, clean_name
from apps.common.tables.spreadsheets import HEADINGS_WITHIN, check_workbook, estimated_rows
from apps.common.types import Json

SWEEP = "lists"
LONG_ROWS = 2_000 + HEADINGS_WITHIN
READABLE = ("xlsx", "csv", "tsv", "txt")
ZIP = b"PK"
KEPT = timedelta(days=7)
KEPT_FOR_A_BUYER = 10
READ_AT_ONCE = 3  # of a buyer
FORGOTTEN_AT_ONCE = 500
MAX_DECISIONS_BYTES = 256 * 1024
NO_FILE = {"list": ["No file was submitted."]}

State = ListInHand.State
PENDING = (State.WAITING, State.READING, State.LOOKING_UP)
LARGE = ("read", "decisions")


class SentList(NamedTuple):
    """A list that was sent: in hand, if it could be kept, with its review once it is read."""

    kept: ListInHand | None
    review: Json | None


class OpenedList(NamedTuple):
    """A list in hand, its review once it is read, and by themselves the lines whose product its
    buyer has chosen.
    """

    kept: ListInHand
    review: Json | None
    chosen: list[Json]


class KeptSheet(NamedTuple):
    """The file of a list in hand, and what its rows ask for, if that is kept."""

    file: ContentFile
    asked: AskedRows | None


def lists_in_hand(buyer: Buyer) -> QuerySet[ListInHand]:
    """Return the buyer's lists in hand without what was read and decided, the newest first. One
    statement.
    """
    return (
        ListInHand.objects.filter(user_id=buyer.id, used_at=None)
        .defer(*LARGE)
        .order_by("-sent_at", "-pk")
    )


def has_waiting() -> bool:
    """Return whether a list waits to be read."""
    return ListInHand.objects.filter(state__in=PENDING).exists()


def send_list(
    *,
    buyer: Buyer,
    uuid: UUID | None,
    file: UploadedFile | None,
    said: Sequence[Said],
    now: datetime,
) -> SentList:
    """Take in a list, or one in hand once more with what is `said` of its columns, which is
    remembered.

    A short one is reviewed at once; a long one waits for its sweep. The same `uuid` again makes no
    second one.

    Raises:
        Invalid, NotFound: no file, nor a list in hand of this uuid.
        ListUsed: its lines are in the basket already.
        SpreadsheetRefused: it cannot be read; of a long one that is told later.
        ListsFull: ten of the buyer's are in hand.
        TooManyLists: three of the buyer's are being read.
        UnsafeFile, Unavailable: it is infected; the storage or the virus scanner does not answer.
    """
    if uuid and (kept := _own(buyer, uuid).defer(*LARGE).first()):
        _check_unused(kept)
        return _sent_again(kept, buyer=buyer, said=said, now=now)
    name, content = _given(file, uuid)
    keep = partial(_keep, buyer=buyer, uuid=uuid, name=name, content=content, said=said, now=now)
    if _is_long(content, name):
        return SentList(keep(state=State.WAITING), None)
    review = _reviewed(buyer=buyer, name=name, content=content, said=said, now=now)
    with suppress(Unavailable), unless_read_only():
        return SentList(keep(state=State.READY, rows=_rows_of(review)), review)
    return SentList(None, review)  # it was read all the same: it is only lost with the page


def _sent_again(kept: ListInHand, *, buyer: Buyer, said: Sequence[Said], now: datetime) -> SentList:
    """Return a list in hand as it is, or read anew as is said of its columns."""
    if not said or kept.said == _json_of(said):
        return SentList(kept, review_of(buyer=buyer, kept=kept, now=now))
    content = stored_list(kept)
    if _is_long(content, kept.name):
        _read_again(kept, said=said, now=now)
        return SentList(kept, None)
    review = _reviewed(buyer=buyer, name=kept.name, content=content, said=said, now=now)
    kept.said, kept.rows, kept.touched_at = _json_of(said), _rows_of(review), now
    kept.save(update_fields=["said", "rows", "touched_at"])
    return SentList(kept, review)


def _reviewed(
    *, buyer: Buyer, name: str, content: bytes, said: Sequence[Said], now: datetime
) -> Json:
    settle = partial(settle_layouts, buyer=buyer, said=said, now=now) if said else None
    return review_sent(buyer=buyer, content=content, name=name, now=now, said=said, settle=settle)


def _rows_of(review: Json) -> int:
    """Return how many rows of a list ask for something."""
    return sum(len(line["rows"]) for line in review["lines"])


def open_list(*, buyer: Buyer, uuid: UUID, now: datetime) -> OpenedList:
    """Return a list in hand; its review is by today's products, prices and stock.

    Raises:
        NotFound: unknown, dropped, or another person's.
        ListUsed: its lines are in the basket already.
        StorageUnavailable: the storage does not answer.
        SpreadsheetRefused: it asks for nothing any more.
    """
    kept = _own(buyer, uuid).defer("read").first()
    if kept is None:
        raise NotFound
    _check_unused(kept)
    review = review_of(buyer=buyer, kept=kept, now=now)
    chosen = [
        chosen_line(row=one["row"], sku=one["sku"], count=one["count"])
        for one in kept.decisions
        if one.get("sku")
    ]
    return OpenedList(
        kept, review, review_each(buyer=buyer, lines=chosen, now=now) if review and chosen else []
    )


def review_of(*, buyer: Buyer, kept: ListInHand, now: datetime) -> Json | None:
    """Return the review of a list in hand as of now; None while it is not read, or cannot be.

    Raises:
        StorageUnavailable, SpreadsheetRefused: as `open_list`.
    """
    if kept.state != State.READY:
        return None
    if kept.read is not None:
        return review_kept(buyer=buyer, kept=kept.read, now=now)
    return review_sent(
        buyer=buyer,
        content=stored_list(kept),
        name=kept.name,
        now=now,
        said=said_of_json(kept.said),
    )


@one_transaction
def decide(*, buyer: Buyer, uuid: UUID, decisions: Sequence[Json], now: datetime) -> None:
    """Keep what the buyer has decided of a list's lines, in place of what was kept before.

    Raises:
        NotFound: unknown, dropped, another person's, or in the basket already.
        TooLarge: more than 256 KB.
    """
    if len(json.dumps(decisions)) > MAX_DECISIONS_BYTES:
        raise TooLarge
    changes = {"decisions": list(decisions), "decided": len(decisions), "touched_at": now}
    if not lists_in_hand(buyer).filter(uuid=uuid).update(**changes):
        raise NotFound


@one_transaction
def use_list(*, buyer: Buyer, uuid: UUID, key: UUID, now: datetime) -> None:
    """Use a list up, before its lines are put into the basket: it is in hand no more, and can still
    be given back.

    One review alone may, on whatever device: a repeat with its `key` changes nothing.

    Raises:
        NotFound: unknown, dropped, or another person's.
        ListUsed: another review of it has put its lines into the basket.
    """
    kept = _own(buyer, uuid).defer(*LARGE).select_for_update(no_key=True).first()
    if kept is None:
        raise NotFound
    if kept.used_key != key:
        _check_unused(kept)
        kept.used_at, kept.used_key, kept.touched_at = now, key, now
        kept.save(update_fields=["used_at", "used_key", "touched_at"])


@one_transaction
def drop_list(*, buyer: Buyer, uuid: UUID) -> None:
    """Drop a list in hand: its buyer does not want it any more, or has its lines in the basket.

    Raises:
        NotFound: unknown, dropped before, or another person's.
    """
    kept = _own(buyer, uuid).defer(*LARGE).select_for_update(no_key=True).first()
    if kept is None:
        raise NotFound
    _delete(kept)


def kept_sheet(*, buyer: Buyer, uuid: UUID | None) -> KeptSheet:
    """Return a list in hand as it was sent, with what its rows ask for where it was read in the
    background.

    Raises:
        Invalid, NotFound: none is named; it is unknown, dropped, or another person's.
        StorageUnavailable: the storage does not answer.
    """
    if uuid is None:
        raise Invalid(errors=NO_FILE)
    kept = _own(buyer, uuid).defer("decisions").first()
    if kept is None:
        raise NotFound
    file = ContentFile(stored_list(kept), name=kept.name)
    # One that was read before the portal kept the headings is read once more.
    return KeptSheet(
        file, rows_asked_kept(kept.read) if kept.read and "heads" in kept.read else None
    )


def stored_list(kept: ListInHand) -> bytes:
    """Return a list in hand as it was sent.

    Raises:
        NotFound: the file is gone.
        StorageUnavailable: the storage does not answer.
    """
    return read_private(list_path(kept.storage_name))


def forget_lists(now: datetime) -> int:
    """Drop the lists in hand that nobody has touched for seven days; return how many they were."""
    old = list(
        ListInHand.objects.filter(touched_at__lt=now - KEPT).defer(*LARGE)[:FORGOTTEN_AT_ONCE]
    )
    for kept in old:
        with transaction.atomic():
            _delete(kept)
    return len(old)


def _own(buyer: Buyer, uuid: UUID) -> QuerySet[ListInHand]:
    return ListInHand.objects.filter(user_id=buyer.id, uuid=uuid)


def _check_unused(kept: ListInHand) -> None:
    """Check that the lines of a list are not in the basket.

    Raises:
        ListUsed: they are.
    """
    if kept.used_at:
        raise ListUsed


def _json_of(said: Sequence[Said]) -> list[Json]:
    return [
        {
            "tab": one.tab,
            "head": one.head,
            "kinds": list(one.settled.kinds),
            "carton": one.settled.carton,
        }
        for one in said
    ]


def _given(file: UploadedFile | None, uuid: UUID | None) -> tuple[str, bytes]:
    """Return the name and the content of a file that was sent.

    Raises:
        NotFound, Invalid: there is none; as there is no list in hand of this uuid either, or none
        was named.
    """
    if file is not None:
        return clean_name(file.name or ""), file.read()
    if uuid:
        raise NotFound
    raise Invalid(errors=NO_FILE)


def _is_long(content: bytes, name: str) -> bool:
    """Return whether a list is read in the background; what cannot be a list is refused at once.

    Raises:
        SpreadsheetRefused: an archive made to harm, or damaged.
    """
    extension = name.rpartition(".")[2].lower()
    if extension not in READABLE or (extension == "xlsx") != content.startswith(ZIP):
        return False
    file = io.BytesIO(content)
    if extension == "xlsx":
        check_workbook(file)
    return estimated_rows(file, enough=LONG_ROWS + 1, all_sheets=True) > LONG_ROWS


def _keep(
    *,
    buyer: Buyer,
    uuid: UUID | None,
    name: str,
    content: bytes,
    said: Sequence[Said],
    state: str,
    now: datetime,
    rows: int = 0,
) -> ListInHand:
    """Keep a list, and have it read where it waits for that.

    Raises:
        ListsFull, TooManyLists, UnsafeFile, Unavailable: as `send_list`.
    """
    check_virus(io.BytesIO(content))
    kept = ListInHand(
        uuid=uuid or uuid4(),
        user_id=buyer.id,
        name=name,
        storage_name=f"{uuid4().hex}.{name.rpartition('.')[2].lower()}",
        said=_json_of(said),
        state=state,
        rows=rows,
        sent_at=now,
        touched_at=now,
    )
    path = list_path(kept.storage_name)
    save_private(path, content)
    saved = None
    try:
        saved = _save(kept)
    finally:
        if saved is not kept:
            storages["private"].delete(path)
    return saved


@one_transaction
def _save(kept: ListInHand) -> ListInHand:
    """Save a list, and return it; or the one that was kept meanwhile under its uuid.

    The buyer's oldest goes that is in the basket, or could not be read.

    Raises:
        ListsFull: ten of the buyer's are in hand.
        TooManyLists: three of the buyer's are being read.
    """
    User.objects.select_for_update(no_key=True).only("pk").get(pk=kept.user_id)
    others = list(ListInHand.objects.filter(user_id=kept.user_id).defer(*LARGE))
    if same := next((other for other in others if other.uuid == kept.uuid), None):
        return same
    if kept.state == State.WAITING:
        if sum(other.state in PENDING for other in others) >= READ_AT_ONCE:
            raise TooManyLists
        nudge(SWEEP)
    kept.pk = None  # a repeat writes it once more
    kept.save(force_insert=True)
    for other in _without_room(others):
        _delete(other)
    return kept


def _without_room(others: Sequence[ListInHand]) -> list[ListInHand]:
    """Return which of a buyer's lists go as another one comes: the oldest of those that nobody will
    open again.

    Raises:
        ListsFull: all are in hand.
    """
    over = len(others) - KEPT_FOR_A_BUYER + 1
    done = sorted(
        (one for one in others if one.used_at or one.state == State.REFUSED), key=lambda one: one.pk
    )
    if over > len(done):
        raise ListsFull
    return done[: max(over, 0)]


@one_transaction
def _read_again(kept: ListInHand, *, said: Sequence[Said], now: datetime) -> None:
    """Have a long list read anew, as is said of its columns."""
    kept.said, kept.state, kept.tries, kept.rows_read, kept.touched_at = (
        _json_of(said),
        State.WAITING,
        0,
        0,
        now,
    )
    kept.save(update_fields=["said", "state", "tries", "rows_read", "touched_at"])
    nudge(SWEEP)


def _delete(kept: ListInHand) -> None:
    """Delete a list, and its file after the commit."""
    path = list_path(kept.storage_name)
    kept.delete()
    transaction.on_commit(lambda: storages["private"].delete(path), robust=True)

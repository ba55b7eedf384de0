"""Lists of buyers: read from stage to stage, kept as the one in hand, opened again with what was
decided so far, put into the basket once. Staff paste one for a buyer, who has a mail with the link.
"""

import io
import json
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from uuid import UUID, uuid4

from django.conf import settings
from django.core.files.base import File
from django.utils import timezone

from apps.accounts.models import Company, CompanyEvent, User
from apps.accounts.selectors import Buyer, identify
from apps.common.db.failures import unless_read_only
from apps.common.db.transactions import one_transaction
from apps.common.errors import Invalid, NotFound, TooLarge, Unavailable
from apps.common.http.serializers import MAX_LINES
from apps.common.mail import Mail, queue
from apps.common.permissions import needs
from apps.common.seller import seller
from apps.common.storage.uploads import check_virus, clean_name
from apps.common.tables.spreadsheets import SpreadsheetRefused
from apps.common.types import Json
from apps.orders.errors import ListUsed
from apps.orders.intake.catalogue import catalogue_of
from apps.orders.intake.columns import choose
from apps.orders.intake.match import learned_beside, match, with_cartons
from apps.orders.intake.memory import cartons_of, layouts_of, learn_beside, settle_layout
from apps.orders.intake.review import (
    json_of_passed,
    json_of_tables,
    review_lines,
)
from apps.orders.intake.rows import lines_of
from apps.orders.intake.table import COLUMNS, Table, TabMapping
from apps.orders.intake.typed import HOW_MANY, Line, Passed
from apps.orders.intake.words import Amount, texts_in
from apps.orders.intake.workbook import Workbook, open_workbook
from apps.orders.models.lists import ListInHand

KEEP_FOR = timedelta(days=7)
MAX_DECISIONS_BYTES = 256 * 1024
NO_FILE = {"list": ["No file was submitted."]}
NO_PRODUCTS = (
    "Nothing in it names a product. Write what you want and how many pieces, a line for each."
)
NO_QUANTITIES = (
    "No row has a quantity. Write how many pieces you want beside each SKU, and send it again."
)
TOO_MANY_PRODUCTS = (
    f"It orders more than {MAX_LINES:,} products, and a basket holds no more. Send it in parts."
)
PASTED_NAME = "Pasted list.txt"
NOT_A_BUYER = "This person may not sign in, and could not open the link."


@dataclass(frozen=True)
class ListReading:
    """A list that was read: its lines, the rows that are none, and its tabs."""

    lines: list[Line]
    passed: list[Passed]
    tables: list[Table]
    table: Table
    proposed: int

    def review(self, *, buyer: Buyer, now: datetime) -> Json:
        """Return the list as it would be ordered now."""
        is_text = len(self.tables) == 1 and self.table.is_typed
        return {
            "tab": self.table.place,
            "lines": review_lines(buyer=buyer, lines=self.lines, now=now),
            "columns": [] if is_text else json_of_tables(self.tables, self.table, self.proposed),
            **json_of_passed(self.passed),
        }


def read_list(*, buyer: Buyer, stored: ListInHand) -> ListReading:
    """Return what a list asks for, in hand or not yet, stage by stage. Six statements, more of a
    large catalogue.

    Raises:
        SpreadsheetRefused: it cannot be read, is too long, or asks for nothing.
        Invalid: it cannot be read as is said of its columns.
    """
    mappings = {one["tab"]: TabMapping(**one) for one in stored.columns}
    if faults := [one.fault for one in mappings.values() if one.fault]:
        raise Invalid(errors={"columns": faults[:1]})
    book = open_workbook(bytes(stored.content), stored.name)
    catalogue = catalogue_of(buyer, _texts(book))
    tables, place, proposed = choose(
        book, catalogue, mappings=mappings, remembered=layouts_of(buyer), tab=stored.tab
    )
    table = tables[place]
    rows = list(lines_of(table)) if table.asks != COLUMNS else []
    lines = match([row for row in rows if isinstance(row, Line)], catalogue, cartons_of(buyer))
    passed = [row for row in rows if isinstance(row, Passed)]
    if len({line.sku or line.row for line in lines}) > MAX_LINES:
        raise SpreadsheetRefused(TOO_MANY_PRODUCTS)
    if not lines and book.is_text:
        raise SpreadsheetRefused(NO_PRODUCTS)
    if not lines and not any(table.has_numbers for table in tables):
        raise SpreadsheetRefused(NO_QUANTITIES)
    if not lines and not table.asks:  # its columns can be named otherwise, or another tab be read
        table = replace(table, asks=COLUMNS)
        tables[place] = table
    return ListReading(lines, passed, tables, table, proposed)


def _texts(book: Workbook) -> Iterator[str]:
    """Yield the texts that may name products: cells, and runs of words in them."""
    for row in (row for tab in book.tabs for row in tab.rows):
        for text in texts_in(row.cells):
            yield text
            words = text.split()[:40]
            for length in range(1, 4 if len(words) > 1 else 1):
                yield from (" ".join(words[at : at + length]) for at in range(len(words)))


def send_list(
    *, buyer: Buyer, file: File | None, tab: int | None, columns: Sequence[Json], now: datetime
) -> tuple[ListInHand | None, Json, Json | None]:
    """Read a list, or the one in hand anew, and keep it in place of the former: return it, its
    review, and what is lost of the former. `tab` is the one to read; what is said of columns is
    remembered, and so are the company's codes beside ours.

    A list that cannot be kept is reviewed all the same.

    Raises:
        Invalid: neither a file nor a list in hand; see `read_list`.
        SpreadsheetRefused: see `read_list`.
        UnsafeFile: it is infected.
    """
    former = in_hand(buyer)
    if file is not None:
        name, content = clean_name(file.name or ""), file.read()
    elif former is not None:
        name, content = former.name, bytes(former.content)
    else:
        raise Invalid(errors=NO_FILE)
    same = former if former and (former.name, bytes(former.content)) == (name, content) else None
    if same:
        tabs = {one["tab"] for one in columns}
        columns = [*(one for one in same.columns if one["tab"] not in tabs), *columns]
        tab = same.tab if tab is None else tab
    changes: Json = {"tab": tab, "columns": columns}
    new = {"name": name, "content": content}
    listed = read_list(buyer=buyer, stored=ListInHand(**new, **changes))
    review = listed.review(buyer=buyer, now=now)
    with suppress(Unavailable), unless_read_only():
        check_virus(io.BytesIO(content))
        if columns or (tab is not None and not listed.table.asks):
            settle_layout(buyer=buyer, table=listed.table, now=now)
        if codes := learned_beside(listed.lines):
            learn_beside(buyer=buyer, codes=codes, now=now)
        changes["rows"] = len(listed.lines)
        if not same:
            changes |= {**new, "uuid": uuid4(), "sent_at": now, "pasted_by": None}
        if not same or same.tab != tab:
            changes["decisions"] = []
        stored = keep_list(buyer=buyer, now=now, **changes)
        return stored, review, json_of_list(former) if former and not same else None
    return None, review, None


@one_transaction
def keep_list(*, buyer: Buyer, now: datetime, **columns: object) -> ListInHand:
    """Keep a list as the one that the buyer has in hand."""
    columns |= {"touched_at": now, "used_key": None}
    stored, _ = ListInHand.objects.update_or_create(user_id=buyer.id, defaults=columns)
    return stored


def json_of_list(stored: ListInHand) -> Json:
    """Return a list in hand by what it is recognised."""
    return {
        "uuid": str(stored.uuid),
        "name": stored.name,
        "sent_at": timezone.localtime(stored.sent_at),
        "decided": len(stored.decisions),
        "rows": stored.rows,
        "pasted_by": stored.pasted_by.manager if stored.pasted_by else "",
    }


def in_hand(buyer: Buyer) -> ListInHand | None:
    """Return the list that the buyer has in hand. One statement."""
    rows = ListInHand.objects.filter(user_id=buyer.id, used_key=None)
    return rows.select_related("pasted_by").first()


def open_list(*, buyer: Buyer, now: datetime) -> Json:
    """Return the list in hand with its review by today's products, prices and stock, the decisions
    so far, and by themselves the lines whose product the buyer has chosen; all empty without one.

    Raises:
        SpreadsheetRefused: it asks for nothing any more.
    """
    stored = in_hand(buyer)
    if stored is None:
        return {"list": None, "review": None, "decisions": [], "chosen": []}
    listed = read_list(buyer=buyer, stored=stored)
    lines = [
        review_choice(buyer=buyer, row=one["row"], sku=one["sku"], count=one["count"], now=now)
        for one in stored.decisions
        if one["sku"]
    ]
    review = {"success": 1, "list": str(stored.uuid), "replaced": None}
    return {
        "list": json_of_list(stored),
        "review": review | listed.review(buyer=buyer, now=now),
        "decisions": stored.decisions,
        "chosen": lines,
    }


def review_choice(
    *,
    buyer: Buyer,
    row: int,
    sku: str,
    count: int,
    now: datetime,
    packs: int = 0,
    unit: str = "",
    own_code: str = "",
) -> Json:
    """Return the line of a row whose product the buyer has chosen, as it would be ordered by
    itself, whatever the others order.
    """
    sku = sku.upper()
    amount = Amount(count, "" if count else HOW_MANY, packs=packs, unit=unit)
    line = Line(row, amount, sku=sku, own_code="" if own_code == sku else own_code)
    if packs:
        line = with_cartons(line, cartons_of(buyer))
    (reviewed,) = review_lines(buyer=buyer, lines=[line], now=now)
    return reviewed


def decide(*, buyer: Buyer, uuid: UUID, decisions: Sequence[Json], now: datetime) -> None:
    """Keep what the buyer has decided of a list's lines, in place of what was kept before.

    What comes late, once the lines are in the basket, changes nothing.

    Raises:
        NotFound: it is not in hand any more.
        TooLarge: more than 256 KB.
    """
    if len(json.dumps(decisions)) > MAX_DECISIONS_BYTES:
        raise TooLarge
    lists = ListInHand.objects.filter(user_id=buyer.id, uuid=uuid)
    stored = lists.filter(used_key=None).update(decisions=list(decisions), touched_at=now)
    if not stored and not lists.exists():
        raise NotFound


@one_transaction
def use_list(*, buyer: Buyer, uuid: UUID, key: UUID, now: datetime) -> None:
    """Use a list up, before its lines are put into the basket; it can still be given back.

    One review alone may, on whatever device: a repeat with its `key` changes nothing.

    Raises:
        NotFound: it is not in hand any more.
        ListUsed: another review of it has put its lines into the basket.
    """
    stored = ListInHand.objects.select_for_update(of=("self",)).filter(user_id=buyer.id, uuid=uuid)
    used = stored.values_list("used_key", flat=True).first()
    if not stored.exists():
        raise NotFound
    if used is not None and used != key:
        raise ListUsed
    stored.update(used_key=key, touched_at=now)


def forget_lists(now: datetime) -> int:
    """Drop the lists in hand that nobody has touched for seven days; return how many they were."""
    return ListInHand.objects.filter(touched_at__lt=now - KEEP_FOR).delete()[0]


@needs("orders.change_order")
def read_for(*, user_id: int, text: str, actor: User, now: datetime) -> Json:
    """Return the review of a text as its buyer will see it. Nothing is kept.

    Raises:
        NotFound: there is no such person.
        Invalid: he may not sign in, or nothing in the text asks for a product.
    """
    buyer = _buyer(user_id)
    try:
        reading = read_list(buyer=buyer, stored=ListInHand(name=PASTED_NAME, content=text.encode()))
    except SpreadsheetRefused as error:
        raise Invalid(text=str(error)) from error
    return reading.review(buyer=buyer, now=now)


@needs("orders.change_order")
@one_transaction
def paste_for(*, user_id: int, text: str, actor: User, now: datetime) -> None:
    """Keep a text as its buyer's list in hand and mail him the link; the same text again changes
    nothing.

    Raises:
        NotFound, Invalid: see `read_for`; and he has another list in hand, which would be lost.
    """
    # Nobody is mailed a link who is closed meanwhile.
    people = User.objects.select_for_update(no_key=True).only("company_id")
    user = people.filter(pk=user_id).first()
    if user and user.company_id:
        Company.objects.select_for_update(no_key=True).only("pk").get(pk=user.company_id)
    review = read_for(user_id=user_id, text=text, actor=actor, now=now)
    buyer = _buyer(user_id)
    content = text.encode()
    if (former := in_hand(buyer)) is not None:
        if bytes(former.content) == content:
            return
        day = timezone.localtime(former.sent_at)
        fault = f"{buyer.manager} has “{former.name}” of {day:%-d %B} in hand: it would be lost."
        raise Invalid(text=fault)
    lines, questions = len(review["lines"]), sum(bool(line["problems"]) for line in review["lines"])
    stored = keep_list(
        buyer=buyer,
        now=now,
        uuid=uuid4(),
        name=PASTED_NAME,
        content=content,
        tab=None,
        columns=[],
        rows=lines,
        decisions=[],
        pasted_by=actor,
        sent_at=now,
    )
    counted = f"{lines} line{'' if lines == 1 else 's'}, {questions} to answer"
    note = f"pasted for {buyer.manager}: {counted}"
    CompanyEvent.objects.create(
        company_id=buyer.company_id,
        kind=CompanyEvent.Kind.MESSAGE,
        actor=actor,
        note=note,
        at=now,
    )
    until = timezone.localtime(now + KEEP_FOR)
    words = (
        f"{actor.manager or seller().title} has turned your message into a list. "
        "Please check it: nothing is ordered until you order it yourself.\n\nSign in with this "
        f"address. We keep the list until {until:%-d %B %Y}."
    )
    facts = [("Lines", f"{lines:,}"), ("To answer", f"{questions:,}")]
    values = {
        "text": words,
        "facts": facts,
        "quote": "",
        "link": f"{settings.SITE_URL}/order?list={stored.uuid}",
        "open": "Check the list",
    }
    queue([Mail(buyer.email, "Your list is ready: please check it", "order", values)])


def _buyer(user_id: int) -> Buyer:
    user = User.objects.filter(pk=user_id).first()
    if user is None:
        raise NotFound
    buyer = identify(user.uuid)
    if buyer is None:
        raise Invalid(user=NOT_A_BUYER)
    return buyer

"""Stage six: a sheet that a buyer orders from is kept as he sent it, and given back with columns
that say what became of it: as the basket stands, or as the order does that came of it.
"""

import io
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID

from django.core.files.base import File
from django.core.files.storage import storages
from django.db import transaction

from apps.accounts.models import User
from apps.accounts.selectors import Buyer
from apps.catalog.selectors import cart_stock
from apps.common.db.transactions import one_transaction
from apps.common.errors import Invalid, NotFound
from apps.common.storage.files import SPREADSHEET, TABLE, FileKind, random_name
from apps.common.storage.private import read_private, saved_private
from apps.common.storage.uploads import check_virus, clean_name
from apps.common.tables.answered import AddedColumns, with_columns
from apps.common.types import Json
from apps.orders.intake import words
from apps.orders.intake.lists import NO_FILE, read_list
from apps.orders.intake.workbook import (
    AMOUNT,
    BOXES,
    CONFIRMED,
    EXPECTED,
    ORDERED,
    PRICE,
    SKU,
    SUBSTITUTE,
    TITLES,
    WHY,
)
from apps.orders.models import (
    LineProposal,
    ListInHand,
    Order,
    OrderLine,
    PackingItem,
    SentSheet,
)
from apps.orders.models.lists import SheetAnswer
from apps.orders.selectors.orders import seller_date
from apps.orders.selectors.wishes import expected_days
from apps.orders.status import PACKING_COMPLETE, OrderStatus

FOLDER = "sent-sheets"
KINDS: dict[str, FileKind] = {
    "xlsx": SPREADSHEET,
    "csv": TABLE,
    "tsv": FileKind("tsv", TABLE.content_type),
}
KEEP_FOR = timedelta(days=90)
MAX_SHEETS = 20
FORGOTTEN_AT_ONCE = 500
NOT_THERE = -1
SUMMED = (ORDERED, CONFIRMED, AMOUNT)
NOT_ORDERED = "not in this order"
ROWS_OF_A_TAB = 10_000_000  # answers of several tabs, before 1.1, say the tab in the row


def stored_path(storage_name: str) -> str:
    """Return where the private storage keeps a buyer's sheet."""
    return f"{FOLDER}/{storage_name}"


def keep_sheet(
    *,
    buyer: Buyer,
    file: File | None,
    uuid: UUID | None,
    answers: Sequence[SheetAnswer],
    now: datetime,
) -> bytes:
    """Keep a sheet whose lines went into the basket, and return it with its columns: a list in hand
    by its `uuid`, or the file where that could not be kept.

    `answers` come from the review's lines; what each row asks for is read from the sheet once more.

    Raises:
        NotFound: neither a file nor the buyer's list of this uuid.
        Invalid: an answer for a row that asks for nothing, or a file that is no sheet.
        SpreadsheetRefused: the sheet cannot be read, or there is no room at its right.
        UnsafeFile, Unavailable: it is infected; the storage or the virus scanner does not answer.
    """
    listed = ListInHand.objects.filter(user_id=buyer.id, uuid=uuid).first() if uuid else None
    if listed is None and file is not None:
        listed = ListInHand(name=clean_name(file.name or ""), content=file.read())
    if listed is None:
        raise NotFound if uuid else Invalid(errors=NO_FILE)
    name, content = listed.name, bytes(listed.content)
    kind = KINDS.get(name.rpartition(".")[2].lower())
    if kind is None:
        raise Invalid(list="Only .xlsx and .csv files can be given back.")
    reading = read_list(buyer=buyer, stored=listed)
    table = reading.table
    check_virus(io.BytesIO(content))
    counts = {line.row: line.amount.count for line in reading.lines}
    completed: list[SheetAnswer] = []
    for answer in answers:
        requested = [counts.pop(row, NOT_THERE) for row in answer["rows"]]
        if NOT_THERE in requested:
            raise Invalid(answers="A row that is not in this sheet.")
        completed.append({**answer, "asked": requested})
    sheet = SentSheet(
        user_id=buyer.id,
        storage_name=random_name(kind),
        given_name=name,
        content_type=kind.content_type,
        heads=[(table.tab.name, table.head, next(iter(table.columns(words.PRICE)), -1) + 1)],
        answers=completed,
        sent_at=now,
    )
    answered = with_columns(
        content, name=name, added=answers_of_basket(buyer=buyer, sheet=sheet, now=now)
    )

    @one_transaction
    def save() -> None:  # and of the buyer's others the newest alone
        User.objects.select_for_update().get(pk=buyer.id)
        sheet.pk = None  # a repeat writes it once more
        sheet.save(force_insert=True)
        others = SentSheet.objects.filter(user_id=buyer.id).order_by("-pk")
        for other in others[MAX_SHEETS:]:
            drop_sheet(other)

    with saved_private(stored_path(sheet.storage_name), content):
        save()
    return answered


def drop_sheet(sheet: SentSheet) -> None:
    """Delete the row of a sheet, and its file after the commit."""
    path = stored_path(sheet.storage_name)
    sheet.delete()
    transaction.on_commit(lambda: storages["private"].delete(path), robust=True)


def answered_sheet(*, sheet: SentSheet, order: Order, now: datetime) -> bytes:
    """Return the sheet of an order with columns that say how each of its rows stands now: confirmed
    pieces once they are, boxes once it is packed.

    Raises:
        NotFound: it is gone.
        StorageUnavailable: the storage does not answer.
        SpreadsheetRefused: it cannot be read any more.
    """
    content = read_private(stored_path(sheet.storage_name))
    by_sku = _answers_by_sku(order)
    less = [sku for sku, answer in by_sku.items() if answer.confirmed < answer.ordered]
    _add_arrivals(by_sku, less, now=now)
    is_confirmed = order.status >= OrderStatus.CONFIRMED
    is_packed = is_confirmed and order.packing_status == PACKING_COMPLETE
    if is_packed:
        items = PackingItem.objects.filter(box__order=order).select_related("box", "product")
        for item in items.order_by("box__number"):
            if answer := by_sku.get(item.product.sku):
                times = f" × {item.box.count}" if item.box.count > 1 else ""
                answer.boxes.append(f"{item.box.number}{times}: {item.quantity:,}")
    new = {CONFIRMED: is_confirmed, BOXES: is_packed}
    titles = [
        title for title in (SKU, ORDERED, CONFIRMED, *TITLES[2:], BOXES) if new.get(title, True)
    ]
    added = _columns(sheet, titles, by_sku, is_ordered=True)
    return with_columns(content, name=sheet.given_name, added=added)


def forget_sheets(now: datetime) -> int:
    """Delete the sheets that were kept long enough; return how many they were."""
    old = list(SentSheet.objects.filter(sent_at__lt=now - KEEP_FOR)[:FORGOTTEN_AT_ONCE])
    for sheet in old:
        with transaction.atomic():
            drop_sheet(sheet)
    return len(old)


# What is said of each row.


@dataclass
class _Answer:
    """What is said of a SKU: its pieces, the price of one, and all else as text.

    `why` and `arrives` are for rows that do not get what they ask for, `terms` for all of its rows.
    """

    price: Decimal | None = None
    ordered: int = 0
    confirmed: int = 0
    why: list[str] = field(default_factory=list)
    terms: list[str] = field(default_factory=list)
    substitute: str = ""
    expected: str = ""
    arrives: str = ""
    boxes: list[str] = field(default_factory=list)


def answers_of_basket(*, buyer: Buyer, sheet: SentSheet, now: datetime) -> list[AddedColumns]:
    """Return the columns of a sheet whose lines are in the basket; prices are those of now."""
    skus = [(row["sku"], 0) for row in sheet.answers if row["sku"]]
    products = cart_stock(buyer=buyer, lines=skus, now=now)
    by_sku = {product["sku"]: _Answer(price=product["usd_supply"]) for product in products}
    less = [row["sku"] for row in sheet.answers if row["count"] < max(1, sum(row["asked"]))]
    _add_arrivals(by_sku, less, now=now)
    return _columns(sheet, TITLES, by_sku, is_ordered=False)


def _answers_by_sku(order: Order) -> dict[str, _Answer]:
    """Return what is said of the SKUs of an order by its lines and by what was proposed of them.

    Of a line that was proposed its comment says what becomes of it, and its reason is one for
    papers.
    """
    State = LineProposal.State
    proposals = LineProposal.objects.filter(order=order).exclude(state=State.WITHDRAWN)
    proposed = list(proposals.select_related("product", "line"))
    skus = {one.line.sku for one in proposed}
    priced = {
        one.line_id
        for one in proposed
        if one.kind == LineProposal.Kind.PRICE and one.applied == LineProposal.Answer.ACCEPT
    }
    by_sku: dict[str, _Answer] = {}
    for line in OrderLine.objects.filter(order=order):
        answer = by_sku.setdefault(line.sku, _Answer())
        answer.ordered += line.quantity if line.is_ordered else 0
        if line.is_confirmed:
            answer.confirmed += line.quantity
            answer.price = line.price
            continue
        answer.price = answer.price or line.price
        reason = line.get_reason_display() if line.reason else ""
        reason = "" if line.sku in skus and line.comment else reason
        texts = answer.terms if line.pk in priced else answer.why
        texts.append(": ".join(filter(None, (reason, line.comment))) or "not confirmed")
    for one in proposed:
        if one.state in (State.OPEN, State.ACCEPTED) and one.line.sku in by_sku:
            answer = by_sku[one.line.sku]
            if one.product is not None:
                answer.substitute = f"{one.product.sku} × {one.pieces:,}"
            if one.expected_on is not None:
                answer.expected = one.expected_on.isoformat()
    return by_sku


def _add_arrivals(by_sku: Mapping[str, _Answer], skus: Collection[str], *, now: datetime) -> None:
    """Add when more is expected of products of which not all is given."""
    for sku, day in expected_days(skus, today=seller_date(now)).items() if skus else ():
        if sku in by_sku:
            by_sku[sku].arrives = day.isoformat()


def _columns(
    sheet: SentSheet, titles: Sequence[str], by_sku: Mapping[str, _Answer], *, is_ordered: bool
) -> list[AddedColumns]:
    tabs: dict[int, dict[int, Json]] = {}
    ordered, confirmed = (_allotted(sheet, by_sku, name) for name in ("ordered", "confirmed"))
    for place, one in enumerate(sheet.answers):
        answer = by_sku.get(one["sku"]) or _Answer()
        is_missing = is_ordered and one["sku"] not in by_sku and not one["why"]
        in_order = ordered[place] if is_ordered else one["count"]
        shares = (_shares(pieces, one) for pieces in (one["count"], in_order, confirmed[place]))
        for row, requested, settled, *pieces in zip(
            one["rows"], one["asked"], *shares, strict=True
        ):
            delivered = pieces[is_ordered]
            # What a row asks for where that cannot be read is what the review settled.
            is_less = not delivered or delivered != (requested or settled)
            why = [one["why"], *answer.why] if is_less else []
            why += [NOT_ORDERED] if is_missing else []
            paid = pieces[CONFIRMED in titles]
            tab, number = divmod(row, ROWS_OF_A_TAB)
            tabs.setdefault(tab, {})[number] = {
                SKU: one["sku"],
                ORDERED: pieces[0],
                CONFIRMED: pieces[1],
                PRICE: answer.price,
                AMOUNT: answer.price * paid if answer.price is not None and paid else None,
                WHY: "; ".join(text.removesuffix(".") for text in (*why, *answer.terms) if text),
                SUBSTITUTE: answer.substitute,
                EXPECTED: answer.expected or (answer.arrives if is_less else ""),
                BOXES: "; ".join(answer.boxes),
            }
    return [_with_totals(titles, rows, *sheet.heads[tab]) for tab, rows in tabs.items()]


def _with_totals(
    titles: Sequence[str], rows: Mapping[int, Json], name: str, head: int, *money: int
) -> AddedColumns:
    """Return the columns of a tab with a row of totals; `money` is its column of prices, which
    sheets of before 1.1 do not have.
    """
    sums = {title: sum(filter(None, (row[title] for row in rows.values()))) for title in SUMMED}
    totals: list[Any] = [{SKU: "Total", **sums}.get(title) for title in titles]
    cells = {number: [row[title] for title in titles] for number, row in rows.items()}
    return AddedColumns(titles, head, cells, (max(rows) + 1, totals), name, *money)


def _allotted(sheet: SentSheet, by_sku: Mapping[str, _Answer], name: str) -> list[int]:
    """Return how many of its SKU's pieces each answer of a sheet gets: its own, the last of several
    the rest.
    """
    by_count = sorted(enumerate(sheet.answers), key=lambda one: one[1]["count"] > 0)
    last = {answer["sku"]: place for place, answer in by_count}  # of those with pieces, if any has
    remaining = Counter({sku: getattr(answer, name) for sku, answer in by_sku.items()})
    shares = []
    for place, answer in enumerate(sheet.answers):
        sku = answer["sku"]
        shares.append(
            remaining[sku] if last[sku] == place else min(answer["count"], remaining[sku])
        )
        remaining[sku] -= shares[-1]
    return shares


def _shares(pieces: int, answer: SheetAnswer) -> Iterable[int]:
    """Return how many of a SKU's pieces each of its rows gets: what it asks for, in their order,
    the last the rest.
    """
    shares = []
    for requested in answer["asked"][:-1]:
        shares.append(min(requested, pieces))
        pieces -= shares[-1]
    return [*shares, pieces]

"""What the review of an import shows: tabs, rows with old and new values, guards, and the same as a
workbook.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property, reduce
from operator import or_
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import xlsxwriter
from django.core.paginator import Page, Paginator
from django.db.models import Q, QuerySet
from django.utils import timezone

from apps.catalog.guards import POINT_LOST, Guard
from apps.catalog.models import Import, ImportRow, Product
from apps.catalog.sheet import IMAGE, ON_HAND, PRICES, TITLES, WHOLESALE, shown, values_of

PAGE_SIZE = 50
CHUNK = 500
State, Result = Import.State, ImportRow.Result
STATE_TAGS: Mapping[str, str] = {
    State.READING: "info",
    State.REVIEW: "warn",
    State.APPLYING: "info",
    State.APPLIED: "ok",
    State.UNDOING: "info",
    State.UNDONE: "",
    State.REFUSED: "bad",
    State.DISCARDED: "",
}
GUARDED = {
    Guard.DROP: Q(price_drop__gt=0),
    Guard.RISE: Q(price_rise__gt=0),
    Guard.FREE: Q(is_free=True),
    Guard.ABOVE_USRP: Q(is_above_usrp=True),
    Guard.PROMOTION: Q(is_below_promotion=True),
    Guard.FALL: Q(stock_fall__gt=0),
    Guard.PROMISED: Q(short__gt=0),
    "unknown": Q(result__in=(Result.UNKNOWN, Result.NEW)),
    "twice": Q(is_twice=True) | Q(result=Result.TWICE),
    "faulty": Q(result=Result.FAULTY),
}
ANY_GUARD = reduce(or_, GUARDED.values())
TABS: Mapping[str, tuple[str, Q]] = {
    "all": ("All", ~Q(result=Result.SAME)),
    "prices": ("Prices", Q(has_price=True)),
    "stock": ("Stock", Q(has_stock=True)),
    "new": ("New", Q(result=Result.NEW)),
    "guards": ("Guards", ANY_GUARD),
    "same": ("Same", Q(result=Result.SAME)),
}
TOUCHED = ("Changed since", Q(is_touched=True))


@dataclass(frozen=True)
class Cell:
    """A value on the page: what it was, what it becomes; the same text twice where
    nothing changes.
    """

    old: str
    new: str

    @property
    def differs(self) -> bool:
        """Return whether the row changes it."""
        return self.old != self.new


@dataclass(frozen=True)
class Line:
    """A row of the page."""

    row: ImportRow
    name: str
    product_id: int | None
    wholesale: Cell
    on_hand: Cell
    promised: str
    others: tuple[str, ...]
    tag: str
    word: str
    guarded: bool


@dataclass(frozen=True)
class ToTick:
    """What has to be ticked before applying."""

    name: str
    text: str
    detail: str


class Review:
    """The review of one import, at the tab, page and SKU that its address names."""

    def __init__(self, source: Import, asked: Mapping[str, str]) -> None:
        self.source = source
        self.tab = asked.get("tab", "all")
        self.guard = asked.get("guard", "") if asked.get("guard") in GUARDED else ""
        self.term = asked.get("q", "").strip().upper()[:60]
        self.number = asked.get("page", "1")
        if self.tab not in self.tab_names:
            self.tab = "all"

    @cached_property
    def tab_names(self) -> dict[str, tuple[str, Q]]:
        """Return the tabs, with those rows that stopped an undoing, if any did."""
        touched = (
            self.source.state == State.APPLIED and self.source.rows.filter(is_touched=True).exists()
        )
        return {**TABS, "touched": TOUCHED} if touched else dict(TABS)

    @cached_property
    def tabs(self) -> list[dict[str, Any]]:
        """Return the tabs with their counts and addresses."""
        counts = self.source.counts
        sizes = {**counts, "all": counts.get("rows", 0) - counts.get("same", 0)}
        sizes["guards"] = self.source.rows.filter(ANY_GUARD).count()
        if "touched" in self.tab_names:
            sizes["touched"] = self.source.rows.filter(is_touched=True).count()
        return [
            {
                "name": title,
                "count": sizes.get(key, 0),
                "url": f"?{urlencode({'tab': key})}",
                "current": key == self.tab,
            }
            for key, (title, _) in self.tab_names.items()
        ]

    @cached_property
    def rows(self) -> QuerySet[ImportRow]:
        """Return the rows that were asked for."""
        rows = self.source.rows.filter(self.tab_names[self.tab][1]).select_related("source")
        if self.guard:
            rows = rows.filter(GUARDED[self.guard])
        if self.term:
            rows = self.source.rows.filter(sku__startswith=self.term)
        return rows.order_by("number")

    @cached_property
    def page(self) -> Page:
        """Return the page that was asked for, the nearest where there is none."""
        return Paginator(self.rows, PAGE_SIZE).get_page(self.number)

    def pages(self) -> list[tuple[str, str]]:
        """Return the numbers below the table with their addresses; none where pages are
        left out.
        """
        numbers = self.page.paginator.get_elided_page_range(
            self.page.number, on_each_side=2, on_ends=1
        )
        kept = {"tab": self.tab, "guard": self.guard, "q": self.term}
        kept = {name: value for name, value in kept.items() if value}
        return [
            (
                str(number),
                f"?{urlencode({**kept, 'page': number})}" if isinstance(number, int) else "",
            )
            for number in numbers
        ]

    def lines(self) -> list[Line]:
        """Return the page's rows with the products as they are now."""
        return list(_lines(list(self.page)))

    @cached_property
    def guards(self) -> list[ToTick]:
        """Return the guards that hold rows back."""
        if not self.source.counts:
            return []
        tellers = {
            Guard.DROP: self._price_guard,
            Guard.RISE: self._rise_guard,
            Guard.FREE: self._free_guard,
            Guard.ABOVE_USRP: self._above_guard,
            Guard.PROMOTION: self._promotion_guard,
            Guard.FALL: self._fall_guard,
            Guard.PROMISED: self._promised_guard,
            "unknown": self._unknown_guard,
            "twice": self._twice_guard,
            "faulty": self._faulty_guard,
        }
        found = self.source.counts["guards"]
        return [
            ToTick(name, *tell(found[name])) for name, tell in tellers.items() if found.get(name)
        ]

    def _price_guard(self, count: int) -> tuple[str, str]:
        largest = (
            self.source.rows.filter(price_drop__gt=0).order_by("-price_drop", "number").first()
        )
        return f"{_many(count, 'price')} down by more than 30 %", _largest(largest)

    def _rise_guard(self, count: int) -> tuple[str, str]:
        largest = (
            self.source.rows.filter(price_rise__gt=0).order_by("-price_rise", "number").first()
        )
        tenfold = self.source.rows.filter(price_rise__in=POINT_LOST).count()
        lost = (
            f"; {tenfold:,} ten or a hundred times as much: is a decimal point lost?"
            if tenfold
            else ""
        )
        return f"{_many(count, 'price')} up by more than 100 %", f"{_largest(largest)}{lost}"

    def _free_guard(self, count: int) -> tuple[str, str]:
        return f"{_many(count, 'product')} at 0.00", self._named(Guard.FREE)

    def _above_guard(self, count: int) -> tuple[str, str]:
        return f"{_many(count, 'wholesale price')} above the USRP", self._named(Guard.ABOVE_USRP)

    def _promotion_guard(self, count: int) -> tuple[str, str]:
        text = f"{_many(count, 'wholesale price')} below an open promotion"
        return text, f"{self._named(Guard.PROMOTION)}; the promotion asks more"

    def _named(self, guard: Guard) -> str:
        """Return the SKUs of the first rows that a guard holds back."""
        rows = self.source.rows.filter(GUARDED[guard]).order_by("number")
        skus = list(rows.values_list("sku", flat=True)[:4])
        return ", ".join(skus[:3]) + (" and more" if len(skus) > 3 else "")

    def _fall_guard(self, count: int) -> tuple[str, str]:
        row = self.source.rows.filter(stock_fall__gt=0).order_by("-stock_fall", "number").first()
        largest = f"largest: {row.sku}, {row.old[ON_HAND]:,} → {row.new[ON_HAND]:,}" if row else ""
        return f"{_many(count, 'stock')} down to less than a tenth", largest

    def _promised_guard(self, count: int) -> tuple[str, str]:
        pieces = _many(self.source.counts["pieces_short"], "piece")
        return (
            f"{_many(count, 'stock')} below what is promised",
            f"{pieces} short in all; orders keep their promise",
        )

    def _unknown_guard(self, count: int) -> tuple[str, str]:
        added = self.source.counts["new"]
        left_out = count - added
        details = [_many(added, "new product")] if added else []
        if left_out > 0:
            details.append(f"{_many(left_out, 'row')} {'is' if left_out == 1 else 'are'} left out")
        return _many(count, "unknown SKU"), "; ".join(details)

    def _twice_guard(self, count: int) -> tuple[str, str]:
        skus = (
            self.source.rows.filter(is_twice=True)
            .order_by("number")
            .values_list("sku", flat=True)[:3]
        )
        more = f" and {count - 3} more" if count > 3 else ""
        return f"{_many(count, 'SKU')} twice", f"the last row wins: {', '.join(skus)}{more}"

    def _faulty_guard(self, count: int) -> tuple[str, str]:
        return f"{_many(count, 'row')} that cannot be read", "these rows are left out"

    def context_line(self) -> str:
        """Return who sent it, when, and how many rows were read in what time."""
        source = self.source
        at = f"{timezone.localtime(source.created_at):%Y-%m-%d %H:%M}"
        line = f"{source.created_by.manager}, {at}"
        if source.read_at and source.rows_read:
            seconds = max(1, round((source.read_at - source.created_at).total_seconds()))
            line += f" · {_many(source.rows_read, 'row')} read in {seconds} s"
        return line


def _many(count: int, word: str) -> str:
    return f"{count:,} {word}" if count == 1 else f"{count:,} {word}s"


def _largest(row: ImportRow | None) -> str:
    if row is None:
        return ""
    name = max(
        (name for name in row.new if name in PRICES),
        key=lambda name: _change(row, name),
    )
    return f"largest: {row.sku}, {row.old[name]} → {row.new[name]}"


def _change(row: ImportRow, name: str) -> Decimal:
    """Return how much a price changes in the way for which the row is guarded."""
    before = Decimal(row.old[name])
    change = (before - Decimal(row.new[name])) / before if before else Decimal(0)
    return change if row.price_drop else -change


def _lines(rows: list[ImportRow]) -> Iterator[Line]:
    ids = {row.product_id for row in rows if row.product_id}
    products = Product.objects.select_related("brand", "stock").in_bulk(ids)
    twice = {row.sku for row in rows if row.is_twice or row.result == Result.TWICE}
    numbers: dict[str, list[int]] = {}
    if twice:
        for sku, number in rows[0].source.rows.filter(sku__in=twice).values_list("sku", "number"):
            numbers.setdefault(sku, []).append(number)
    for row in rows:
        yield _line(row, products.get(row.product_id or 0), numbers.get(row.sku, []))


def _line(row: ImportRow, product: Product | None, numbers: list[int]) -> Line:
    current = values_of(product) if product else {}

    def cell(name: str) -> Cell:
        if name in row.new:
            return Cell(shown(name, row.old.get(name)), shown(name, row.new[name]))
        now = shown(name, current.get(name))
        return Cell(now, now)

    tag, word, guarded = _word(row, numbers)
    return Line(
        row=row,
        name=product.eng_name if product else str(row.new.get("eng_name", "–")),
        product_id=product.pk if product else None,
        wholesale=cell(WHOLESALE),
        on_hand=cell(ON_HAND),
        promised=_promised(product),
        others=tuple(_others(row)),
        tag=tag,
        word=word,
        guarded=guarded,
    )


def _promised(product: Product | None) -> str:
    return f"{product.stock.allocated:,}" if product and hasattr(product, "stock") else "–"


def _others(row: ImportRow) -> Iterator[str]:
    """Yield what a row says beside wholesale price and stock, with the old value where the product
    is known.
    """
    for name, title in TITLES.items():
        if name in row.new and name not in (WHOLESALE, ON_HAND):
            before = f"{shown(name, row.old.get(name))} → " if row.old else ""
            yield f"{title} {before}{shown(name, row.new[name])}"


def _word(row: ImportRow, numbers: list[int]) -> tuple[str, str, bool]:
    """Return a row's tag, what stands in it, and whether a guard holds the row back."""
    fault = _fault(
        row, ", ".join(str(number) for number in sorted(numbers)[:4] if number != row.number)
    )
    if fault:
        return "bad", fault, True
    tags = {Result.NEW: ("ok", "New product"), Result.CHANGED: ("info", "Changed")}
    return *tags.get(Result(row.result), ("", "Same")), False


def _fault(row: ImportRow, others: str) -> str:
    """Return why a guard holds a row back, nothing where none does; `others` are the rows with the
    same SKU.
    """
    reasons = (
        (row.is_touched, "Changed since"),
        (row.result == Result.TWICE, f"Left out: also row {others}"),
        (row.result in (Result.FAULTY, Result.UNKNOWN), row.get_result_display()),
        (row.is_free, "Price 0.00"),
        (row.price_drop, f"Price −{row.price_drop} %{', short' if row.short else ''}"),
        (row.price_rise, f"Price +{row.price_rise:,} %"),
        (row.is_above_usrp, "Above the USRP"),
        (row.is_below_promotion, "Below its promotion"),
        (row.short, "Below promised"),
        (row.stock_fall, "Less than a tenth"),
        (row.is_twice, f"Twice: also row {others}"),
    )
    return next((text for applies, text in reasons if applies), "")


def write_diff(source: Import, path: Path) -> None:
    """Write every row that is not the same to an xlsx file: old and new beside each other. Text
    stays text.
    """
    left_out = {"sku"} if source.kind == Import.Kind.PICTURES else {"sku", IMAGE}
    names = [name for name in TITLES if name not in left_out]
    with xlsxwriter.Workbook(path, {"constant_memory": True, "tmpdir": str(path.parent)}) as book:
        bold = book.add_format({"bold": True, "bottom": 1})
        sheet = book.add_worksheet("Differences")
        sheet.freeze_panes(1, 2)
        for index, head in enumerate(_heads(names)):
            sheet.set_column(index, index, 14 if index else 7)
            sheet.write_string(0, index, head, bold)
        rows = source.rows.exclude(result=Result.SAME).order_by("number")
        for line, row in enumerate(rows.iterator(chunk_size=CHUNK), 1):
            sheet.write_number(line, 0, row.number)
            cells = [row.sku, row.get_result_display(), row.remark, *_old_and_new(row, names)]
            for index, text in enumerate(cells, 1):
                if text is not None:
                    sheet.write_string(line, index, text)


def _heads(names: list[str]) -> list[str]:
    return [
        "Row",
        "SKU",
        "Result",
        "Remark",
        *(f"{TITLES[name]}, {when}" for name in names for when in ("now", "new")),
    ]


def _old_and_new(row: ImportRow, names: list[str]) -> Iterator[str | None]:
    """Yield the old and the new value of each column, None where the row has none."""
    for name in names:
        for values in (row.old, row.new):
            yield shown(name, values[name]) if name in values else None

"""What the review of an import shows: tabs, rows with old and new values, guards, and the same as a
workbook.
"""

from collections.abc import Iterator, Mapping
from decimal import Decimal
from functools import cached_property, reduce
from operator import or_
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlencode

import xlsxwriter
from django.core.paginator import Page, Paginator
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext, ngettext, pgettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from apps.catalog.guards import POINT_LOST, Guard
from apps.catalog.models import Import, ImportRow, Product
from apps.catalog.selectors.imports import HELD_BY
from apps.catalog.sheet import IMAGE, ON_HAND, PRICES, TITLES, WHOLESALE, shown, values_of
from apps.common.texts import Text, read
from apps.common.types import Label

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
# The rows of a guard as its link shows them; of a SKU that stands twice those that lose, too.
SHOWN_BY = {name: held.rows for name, held in HELD_BY.items()}
SHOWN_BY["twice"] |= Q(result=Result.TWICE)
ANY_GUARD = reduce(or_, SHOWN_BY.values())
TABS: Mapping[str, tuple[Label, Q]] = {
    "all": (_("All"), ~Q(result=Result.SAME)),
    "prices": (_("Prices"), Q(has_price=True)),
    "stock": (_("Stock"), Q(has_stock=True)),
    "new": (pgettext_lazy("import", "New"), Q(result=Result.NEW)),
    "guards": (_("To check"), ANY_GUARD),
    "same": (_("Same"), Q(result=Result.SAME)),
}
TOUCHED = (_("Changed since"), Q(is_touched=True))


class Cell(NamedTuple):
    """A value on the page: what it was, what it becomes; the same text twice where nothing
    changes.
    """

    old: str
    new: str

    @property
    def differs(self) -> bool:
        """Return whether the row changes it."""
        return self.old != self.new


class Line(NamedTuple):
    """A row of the page."""

    row: ImportRow
    name: str
    product_id: int | None
    wholesale: Cell
    on_hand: Cell
    promised: str
    others: list[str]
    tag: str
    word: Label
    guarded: bool
    remark: str


class ToTick(NamedTuple):
    """What has to be ticked before applying."""

    name: str
    text: str
    detail: str


class Review:
    """The review of one import, at the tab, page and SKU that its address names."""

    def __init__(self, source: Import, query: Mapping[str, str]) -> None:
        self.source = source
        self.tabs_there = dict(TABS)
        if source.state == State.APPLIED and source.rows.filter(TOUCHED[1]).exists():
            self.tabs_there["touched"] = TOUCHED
        tab, guard = query.get("tab", "all"), query.get("guard", "")
        self.tab = tab if tab in self.tabs_there else "all"
        self.guard = guard if guard in SHOWN_BY else ""
        self.term = query.get("q", "").strip().upper()[:60]
        self.number = query.get("page", "1")

    @cached_property
    def tabs(self) -> list[dict[str, Any]]:
        """Return the tabs with their counts and addresses; those rows that stopped an undoing have
        one, too.
        """
        counts, rows = self.source.counts, self.source.rows
        sizes = {**counts, "all": counts.get("rows", 0) - counts.get("same", 0)}
        for key in {"guards", "touched"} & self.tabs_there.keys():
            sizes[key] = rows.filter(self.tabs_there[key][1]).count()
        return [
            {
                "name": title,
                "count": sizes.get(key, 0),
                "url": f"?tab={key}",
                "current": key == self.tab,
            }
            for key, (title, _) in self.tabs_there.items()
        ]

    @cached_property
    def page(self) -> Page:
        """Return the rows of the page that the address names, the nearest where there is none."""
        rows: QuerySet[ImportRow] = self.source.rows.select_related("source").order_by("number")
        if self.term:
            rows = rows.filter(sku__startswith=self.term)
        else:
            rows = rows.filter(self.tabs_there[self.tab][1], SHOWN_BY.get(self.guard, Q()))
        return Paginator(rows, PAGE_SIZE).get_page(self.number)

    def pages(self) -> list[tuple[str, str]]:
        """Return the numbers below the table with their addresses; none where pages are left
        out.
        """
        filters = {"tab": self.tab, "guard": self.guard, "q": self.term}
        query = urlencode({name: value for name, value in filters.items() if value})
        numbers = self.page.paginator.get_elided_page_range(
            self.page.number, on_each_side=2, on_ends=1
        )
        return [
            (str(number), f"?{query}&page={number}" if isinstance(number, int) else "")
            for number in numbers
        ]

    def lines(self) -> Iterator[Line]:
        """Yield the page's rows with the products as they are now."""
        rows = list(self.page)
        ids = {row.product_id for row in rows if row.product_id}
        products = Product.objects.select_related("brand", "stock").in_bulk(ids)
        twice = {row.sku for row in rows if row.is_twice or row.result == Result.TWICE}
        numbers: dict[str, list[int]] = {}
        if twice:
            same_sku = self.source.rows.filter(sku__in=twice).order_by("number")
            for sku, number in same_sku.values_list("sku", "number"):
                numbers.setdefault(sku, []).append(number)
        for row in rows:
            others = [number for number in numbers.get(row.sku, [])[:4] if number != row.number]
            yield _line(row, products.get(row.product_id or 0), ", ".join(map(str, others)))

    @cached_property
    def guards(self) -> list[ToTick]:
        """Return the guards that hold rows back."""
        counts: dict[str, int] = self.source.counts.get("guards", {})
        return [
            ToTick(name, str(held.text(counts[name])), self._detail(name, counts[name]))
            for name, held in HELD_BY.items()
            if counts.get(name)
        ]

    def _detail(self, name: str, count: int) -> str:
        """Return which rows a guard holds back, or what becomes of them."""
        rows = self.source.rows.filter(HELD_BY[name].rows)
        skus = ", ".join(rows.order_by("number").values_list("sku", flat=True)[:3])
        more = count - 3
        match name:
            case Guard.DROP:
                return _largest(rows, "price_drop")
            case Guard.RISE:
                tenfold = rows.filter(price_rise__in=POINT_LOST).count()
                largest = _largest(rows, "price_rise")
                if not tenfold:
                    return largest
                return gettext(
                    "%(largest)s; %(count)s ten or a hundred times as much: is a decimal point "
                    "lost?"
                ) % {"largest": largest, "count": f"{tenfold:,}"}
            case Guard.FALL:
                row = rows.order_by("-stock_fall", "number")[0]
                return _changed(row.sku, f"{row.old[ON_HAND]:,}", f"{row.new[ON_HAND]:,}")
            case Guard.PROMISED:
                pieces = self.source.counts["pieces_short"]
                text = ngettext(
                    "%(count)s piece short in all; orders keep their promise",
                    "%(count)s pieces short in all; orders keep their promise",
                    pieces,
                )
                return text % {"count": f"{pieces:,}"}
            case "unknown":
                added = self.source.counts["new"]
                left = count - added
                new = ngettext("%(count)s new product", "%(count)s new products", added)
                out = ngettext("%(count)s row left out", "%(count)s rows left out", left)
                parts = [text % {"count": f"{n:,}"} for text, n in ((new, added), (out, left)) if n]
                return "; ".join(parts)
            case "twice":
                named = str(Text("%(skus)s and %(more)s more", skus=skus, more=more))
                return gettext("the last row wins: %(skus)s") % {
                    "skus": named if more > 0 else skus
                }
            case "faulty":
                return gettext("these rows are left out")
        named = gettext("%(skus)s and more") % {"skus": skus} if more > 0 else skus
        if name != Guard.PROMOTION:
            return named
        return gettext("%(skus)s; the promotion asks more") % {"skus": named}

    def context_line(self) -> str:
        """Return who sent it, when, and how many rows were read in what time."""
        source = self.source
        at = f"{timezone.localtime(source.created_at):%Y-%m-%d %H:%M}"
        line = f"{source.created_by.manager}, {at}"
        if source.read_at and source.rows_read:
            seconds = max(1, round((source.read_at - source.created_at).total_seconds()))
            text = ngettext(
                "%(count)s row read in %(seconds)s s",
                "%(count)s rows read in %(seconds)s s",
                source.rows_read,
            )
            line += f" · {text % {'count': f'{source.rows_read:,}', 'seconds': seconds}}"
        return line


def _changed(sku: str, old: str, new: str) -> str:
    return gettext("largest: %(sku)s, %(old)s → %(new)s") % {"sku": sku, "old": old, "new": new}


def _largest(rows: QuerySet[ImportRow], column: str) -> str:
    """Return the largest change of a price among the rows that a guard holds back for it."""
    row = rows.order_by(f"-{column}", "number")[0]

    def change(name: str) -> Decimal:
        before = Decimal(row.old[name])
        part = (before - Decimal(row.new[name])) / before if before else Decimal(0)
        return part if column == "price_drop" else -part

    name = max((name for name in row.new if name in PRICES), key=change)
    return _changed(row.sku, shown(name, row.old[name]), shown(name, row.new[name]))


def _line(row: ImportRow, product: Product | None, others: str) -> Line:
    """Return a row with its product as it is now; `others` are the rows with the same SKU."""
    current = values_of(product) if product else {}
    wholesale, on_hand = (
        Cell(shown(name, row.old.get(name)), shown(name, row.new[name]))
        if name in row.new
        else Cell(*[shown(name, current.get(name))] * 2)
        for name in (WHOLESALE, ON_HAND)
    )
    has_stock = product is not None and hasattr(product, "stock")
    fault = _fault(row, others)
    tags = {Result.NEW: "ok", Result.CHANGED: "info"}
    result = Result(row.result)
    word = result.label if result in tags else Result.SAME.label
    return Line(
        row=row,
        name=product.eng_name if product else str(row.new.get("eng_name", "–")),
        product_id=product.pk if product else None,
        wholesale=wholesale,
        on_hand=on_hand,
        promised=f"{product.stock.allocated:,}" if product and has_stock else "–",
        others=[
            f"{gettext(title)} {f'{shown(name, row.old.get(name))} → ' if row.old else ''}"
            f"{shown(name, row.new[name])}"
            for name, title in TITLES.items()
            if name in row.new and name not in (WHOLESALE, ON_HAND)
        ],
        tag="bad" if fault else tags.get(result, ""),
        word=fault or word,
        guarded=bool(fault),
        remark=read(row.remark),
    )


def _fault(row: ImportRow, others: str) -> Label:
    """Return why a guard holds a row back, nothing where none does; `others` are the rows with the
    same SKU.
    """
    reasons = (
        (row.is_touched, _("Changed since")),
        (row.result == Result.TWICE, gettext("Left out: also row %(rows)s") % {"rows": others}),
        (row.result in (Result.FAULTY, Result.UNKNOWN), row.get_result_display()),
        (row.is_free, _("Price 0.00")),
        (
            row.price_drop and row.short,
            gettext("Price −%(percent)s %%, short") % {"percent": row.price_drop},
        ),
        (row.price_drop, gettext("Price −%(percent)s %%") % {"percent": row.price_drop}),
        (row.price_rise, gettext("Price +%(percent)s %%") % {"percent": f"{row.price_rise:,}"}),
        (row.is_above_usrp, _("Above the USRP")),
        (row.is_below_promotion, _("Below its promotion")),
        (row.short, _("Below promised")),
        (row.stock_fall, _("Less than a tenth")),
        (row.is_twice, gettext("Twice: also row %(rows)s") % {"rows": others}),
    )
    return next((text for applies, text in reasons if applies), "")


def write_diff(source: Import, path: Path) -> None:
    """Write every row that is not the same to an xlsx file: old and new beside each other. Text
    stays text.
    """
    left_out = {"sku"} if source.kind == Import.Kind.PICTURES else {"sku", IMAGE}
    names = [name for name in TITLES if name not in left_out]
    heads = [
        head % {"column": gettext(TITLES[name])}
        for name in names
        for head in (gettext("%(column)s, now"), gettext("%(column)s, new"))
    ]
    with xlsxwriter.Workbook(path, {"constant_memory": True, "tmpdir": str(path.parent)}) as book:
        bold = book.add_format({"bold": True, "bottom": 1})
        sheet = book.add_worksheet(gettext("Differences"))
        sheet.freeze_panes(1, 2)
        for index, head in enumerate(
            [pgettext("table", "Row"), "SKU", gettext("Result"), gettext("Remark"), *heads]
        ):
            sheet.set_column(index, index, 14 if index else 7)
            sheet.write_string(0, index, head, bold)
        rows = source.rows.exclude(result=Result.SAME).order_by("number")
        for line, row in enumerate(rows.iterator(chunk_size=CHUNK), 1):
            sheet.write_number(line, 0, row.number)
            values = [
                shown(name, side[name]) if name in side else ""
                for name in names
                for side in (row.old, row.new)
            ]
            cells = (row.sku, row.get_result_display(), read(row.remark), *values)
            for index, text in enumerate(cells, 1):
                if text:
                    sheet.write_string(line, index, text)

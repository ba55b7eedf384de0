"""What a list of products leaves open once all its rows are there."""

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import islice
from statistics import median
from typing import Any

from django.db.models import Q

from apps.catalog.kinds.compare import ABOVE, ZERO
from apps.catalog.models import Import, ImportRow
from apps.catalog.selectors.imports import PRODUCT_GUARDS
from apps.catalog.services.import_brands import unknown_brands
from apps.catalog.services.import_kinds import Question, question
from apps.catalog.services.import_tables import OUT
from apps.catalog.sheet import TITLES, USRP, WHOLESALE, shown
from apps.common.texts import Text, joined, text_of

Result = ImportRow.Result
Rows = Sequence[ImportRow]
SHEETS, TWICE, IS, ADDED, ALL = "sheets", "twice", "is", "+", "all"
NONE, FIRST, LAST = "none", "first", "last"
EXAMPLES, MOST_BRANDS = 4, 200
READ = (Result.NEW, Result.CHANGED, Result.SAME)
PART = 500
FAR, FEW = 10, 5  # times the median; prices for that to tell


def questions(source: Import, rows: Rows) -> Iterator[Question]:
    """Yield what is to be asked of the rows of a list of products, its columns apart."""
    if source.sheets and len(several := {row.number // ImportRow.PER_SHEET for row in rows}) > 1:
        choices = {ALL: Text("All")}
        for place in sorted(several):
            name = source.sheets[place]
            choices[name] = Text("“%(sheet)s” alone", sheet=name)
        yield question(SHEETS, Text("Which sheets are read?"), choices)
    yield from _twice(source)
    if below := [row for row in rows if (row.made or {}).get(ABOVE)]:
        told = [f"{row.place} {row.sku} ({row.made[ABOVE]})" for row in below[:EXAMPLES]]
        text = Text(
            "Rows without a brand: %(count)s. Are they of the brand above? %(rows)s",
            count=f"{len(below):,}",
            rows=", ".join(told) + (", …" if len(below) > EXAMPLES else ""),
        )
        choices = {ABOVE: Text("Yes, of that brand"), OUT: Text("Leave the rows out")}
        yield question(ABOVE, text, choices)
    if any((row.made or {}).get("lacks") == [USRP] for row in rows):
        choices = {ZERO: Text("Add them with 0.00"), OUT: Text("Leave the rows out")}
        yield question(USRP, Text("What of new products without a USRP?"), choices)


def _twice(source: Import) -> Iterator[Question]:
    """Yield which row counts of a SKU whose rows differ, with what they say beside each other."""
    skus: dict[str, list[ImportRow]] = {}
    rows = source.rows.filter(Q(is_twice=True) | Q(result=Result.TWICE))
    for row in rows.select_related("source").order_by("number"):
        skus.setdefault(row.sku, []).append(row)
    skus = {sku: same for sku, same in skus.items() if any(row.new for row in same)}
    if not skus:
        return
    told = []  # in what the rows of each differ: `N-1 (4: 12.00, 9: 13.00)`
    for sku, same in islice(skus.items(), EXAMPLES):
        now = {name: value for row in same for name, value in (row.old or {}).items()}
        said = [{**now, **row.new} for row in same]
        names = [name for name in TITLES if len({one.get(name) for one in said}) > 1]
        parts = [
            f"{row.place}: {' '.join(shown(name, one.get(name)) for name in names)}"
            for row, one in zip(same, said, strict=True)
        ]
        told.append(f"{sku} ({', '.join(parts)})")
    text = Text(
        "SKUs that stand on several rows: %(count)s. Which row counts? %(rows)s",
        count=f"{len(skus):,}",
        rows="; ".join([*told, "…"] if len(skus) > EXAMPLES else told),
    )
    choices = {
        LAST: Text("The last of them"),
        FIRST: Text("The first of them"),
        NONE: Text("None: leave them out"),
    }
    yield question(TWICE, text, choices)


def brands_asked(source: Import) -> Iterator[Question]:
    """Yield which unknown brands are those of almost their names, that are there or come along."""
    asked = set()
    unknown = unknown_brands(source.rows.filter(PRODUCT_GUARDS["brand"].rows))
    for name, _count, near in islice(unknown, MOST_BRANDS):
        if near and near not in asked:
            asked.add(name)
            choices = {
                near: Text("Yes, “%(other)s” is meant", other=near),
                ADDED: Text("No, another brand: it is added"),
            }
            text = Text("Is the brand “%(name)s” “%(other)s”?", name=name, other=near)
            yield question(f"{IS} {name}", text, choices)


def brands_meant(answers: Mapping[str, str] | None) -> dict[str, str]:
    """Return the brands that others are, as was answered, by those in small letters."""
    return {
        key.removeprefix(f"{IS} ").casefold(): value
        for key, value in (answers or {}).items()
        if key.startswith(f"{IS} ") and value != ADDED
    }


def far_prices(rows: Rows) -> list[ImportRow]:
    """Return the rows of new products whose wholesale price is far above the others'."""
    prices = {row: Decimal(row.new[WHOLESALE]) for row in rows if row.result == Result.NEW}
    limit = FAR * median(prices.values()) if len(prices) >= FEW else None
    return [row for row, price in prices.items() if limit and price > limit]


def mark(rows: Rows) -> None:
    """Leave out rows that stand twice letter for letter, and note prices far above
    the others.
    """
    first: dict[str, ImportRow] = {}
    for row in rows:
        if row.result in READ and row.sku:
            other = first.setdefault(row.sku, row)
            if other is not row and other.new == row.new:
                row.result, row.guards = Result.LEFT, ""
                row.remark = Text("the same as row %(row)s", row=other.place).stored()
    for row in far_prices(rows):
        doubt(row, Text("Wholesale %(price)s: far above the others.", price=row.new[WHOLESALE]))
    ImportRow.objects.bulk_update(rows, ["result", "remark", "guards"], batch_size=PART)


def doubt(row: ImportRow, text: Text) -> None:
    """Note what of a row could be meant otherwise, beside what is noted."""
    before: list[Any] = [text_of(row.remark)] if row.remark else []
    row.remark = joined(" ", [*before, text]).stored()
    if ",doubtful," not in row.guards:
        row.guards = f"{row.guards or ','}doubtful,"

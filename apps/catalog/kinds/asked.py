"""What a list of products leaves open once all its rows are there."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import islice
from statistics import median, quantiles
from typing import Any

from django.db.models import QuerySet

from apps.catalog.kinds.compare import ENDS
from apps.catalog.kinds.product_rows import ALONE, BETWEEN, DISCONTINUED, ENDED, SHEET, STATE
from apps.catalog.models import Import, ImportRow
from apps.catalog.selectors.imports import PRODUCT_GUARDS
from apps.catalog.services.import_brands import unknown_brands
from apps.catalog.services.import_kinds import Question, question
from apps.catalog.services.import_tables import OUT
from apps.catalog.sheet import BRAND, NAME, USRP, WHOLESALE
from apps.common.texts import Text, joined, text_of

Result = ImportRow.Result
Rows = Sequence[ImportRow]
SHEETS, TWICE, IS, ADDED = "sheets", "twice", "is", "+"
NONE, FIRST, LAST, ALL = "none", "first", "last", "all"
EXAMPLES, MOST_BRANDS = 4, 200
READ = (Result.NEW, Result.CHANGED, Result.SAME)
PART = 500
FAR, FEW = 4, 20  # times the price that nine of ten are below; prices for that to tell
FAR_OF_MEDIAN, FEW_OF_MEDIAN = 10, 5
MANY = 5  # one row of so many lacks a column, and more rows do than are about known products


def questions(source: Import, rows: Rows) -> Iterator[Question]:
    """Yield what is to be asked of the rows of a list of products, its columns apart."""
    if several := sheets_of_twins(source, rows):
        choices = {ALL: Text("All: the last row of a SKU counts")}
        choices |= {name: Text("“%(sheet)s” alone", sheet=name) for name in several}
        text = Text("Sheets name the same SKUs. Which is read? Send the file again for another.")
        yield question(SHEETS, text, choices)
        return
    if places := _brand_places(source, rows):
        count = f"{lacking(rows)[BRAND]:,}"
        text = Text("Where do the brands stand? Rows without one: %(count)s.", count=count)
        yield question(BRAND, text, {**places, OUT: Text("Leave the rows out")})
    yield from _ended(rows)
    if same := [row.sku for row in rows if row.is_twice and row.result == Result.NEW]:
        text = Text(
            "One SKU stands on different products. Which row is added? %(rows)s",
            rows=_beside(rows, same[:EXAMPLES]) + (", …" if len(same) > EXAMPLES else ""),
        )
        choices = {
            LAST: Text("The last of them"),
            FIRST: Text("The first of them"),
            NONE: Text("None: leave them out"),
        }
        yield question(TWICE, text, choices)


def _ended(rows: Rows) -> Iterator[Question]:
    """Yield, for each sheet, whether its rows are taken that are crossed out or say that their
    products are not sold any more.
    """
    sheets: dict[int, list[ImportRow]] = defaultdict(list)
    for row in rows:
        if (row.made or {}).get("ends") and row.result in (Result.NEW, Result.CHANGED):
            sheets[row.number // ImportRow.PER_SHEET].append(row)
    for sheet, ended in sheets.items():
        told = ", ".join(f"{row.place} {row.sku}" for row in ended[:EXAMPLES])
        more = ", …" if len(ended) > EXAMPLES else ""
        choices = {OUT: Text("Leave the rows out")}
        choices[ENDED] = Text("Take them in as discontinued: what is on the shelf is sold")
        if any(row.new.get(STATE) != DISCONTINUED for row in ended):
            choices["as"] = Text("Take them in as the others")
        text = Text(
            "Rows that are crossed out or discontinued: %(count)s (%(rows)s). Are they taken in?",
            count=f"{len(ended):,}",
            rows=told + more,
        )
        yield question(f"{ENDS} {sheet}", text, choices)


def _beside(rows: Rows, skus: Sequence[str]) -> str:
    """Return what the rows of SKUs say, beside each other."""
    told = []
    for sku in skus:
        said = "; ".join(
            f"{row.place} “{row.new[NAME]}” {row.new[WHOLESALE]}"
            for row in rows
            if row.sku == sku and {NAME, WHOLESALE} <= row.new.keys()
        )
        told.append(f"{sku} ({said})")
    return ", ".join(told)


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


def lacking(rows: Rows) -> Counter[str]:
    """Return how many rows lack what a new product needs, by column."""
    return Counter(name for row in rows for name in (row.made or {}).get("lacks", ()))


def are_many(count: int, rows: Rows) -> bool:
    """Return whether so many rows lack a column that it is worth asking for."""
    return MANY * count > len(rows) and count > sum(row.product_id is not None for row in rows)


def without_usrp(rows: Rows) -> bool:
    """Return whether rows lack nothing but the USRP, and are more than those of known products."""
    alone = any((row.made or {}).get("lacks") == [USRP] for row in rows)
    return alone and lacking(rows)[USRP] > sum(row.product_id is not None for row in rows)


def _brand_places(source: Import, rows: Rows) -> dict[str, Text]:
    """Return where the brands may stand that no column holds."""
    places: dict[str, Text] = {}
    sheets: dict[int, list[ImportRow]] = defaultdict(list)
    for row in rows:
        sheets[row.number // ImportRow.PER_SHEET].append(row)
    if not any(are_many(lacking(one)[BRAND], one) for one in sheets.values()):
        return places
    left: QuerySet[ImportRow] = source.rows.filter(result=Result.LEFT, remark=ALONE)
    if titles := list(dict.fromkeys(left.order_by("number").values_list("sku", flat=True)[:50])):
        examples = _listed(titles)
        places[BETWEEN] = Text("The texts alone between the rows: %(examples)s", examples=examples)
    if source.sheets:
        examples = _listed(source.sheets)
        places[SHEET] = Text("The names of the sheets: %(examples)s", examples=examples)
    return places


def _listed(names: Sequence[str]) -> str:
    more = ", …" if len(names) > EXAMPLES else ""
    return ", ".join(names[:EXAMPLES])[:120] + more


def sheets_of_twins(source: Import, rows: Rows) -> list[str]:
    """Return the names of sheets that hold different rows of one SKU."""
    places: dict[str, set[int]] = defaultdict(set)
    for row in rows:
        if row.is_twice or row.result == Result.TWICE:
            places[row.sku].add(row.number // ImportRow.PER_SHEET)
    found = set().union(*(one for one in places.values() if len(one) > 1))
    return [source.sheets[place] for place in sorted(found)] if source.sheets else []


def far_prices(rows: Rows) -> list[ImportRow]:
    """Return the rows of new products whose wholesale price is far above the others'."""
    prices = {row: Decimal(row.new[WHOLESALE]) for row in rows if row.result == Result.NEW}
    if len(prices) < FEW_OF_MEDIAN:
        return []
    limit = FAR_OF_MEDIAN * median(prices.values())
    if len(prices) >= FEW:
        limit = min(limit, FAR * quantiles(prices.values(), n=10)[-1])
    return [row for row, price in prices.items() if price > limit]


def same_eans(rows: Rows) -> list[tuple[ImportRow, str]]:
    """Return the rows whose EAN stands for another SKU of the file too, with that."""
    by_ean: dict[str, list[ImportRow]] = defaultdict(list)
    for row in rows:
        if row.new.get("ean") and row.result in (Result.NEW, Result.CHANGED):
            by_ean[row.new["ean"]].append(row)
    return [
        (row, next(other.sku for other in same if other.sku != row.sku))
        for same in by_ean.values()
        if len({row.sku for row in same}) > 1
        for row in same
    ]


def mark(rows: Rows) -> None:
    """Leave out rows that stand twice letter for letter, and note prices and EANs that could be
    meant otherwise.
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
    for row, sku in same_eans(rows):
        doubt(row, Text("Its EAN is also that of %(sku)s.", sku=sku))
    ImportRow.objects.bulk_update(rows, ["result", "remark", "guards"], batch_size=PART)


def doubt(row: ImportRow, text: Text) -> None:
    """Note what of a row could be meant otherwise, beside what is noted."""
    before: list[Any] = [text_of(row.remark)] if row.remark else []
    row.remark = joined(" ", [*before, text]).stored()
    if ",doubtful," not in row.guards:
        row.guards = f"{row.guards or ','}doubtful,"

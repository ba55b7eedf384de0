"""What a list of products leaves open once all its rows are there."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import combinations
from statistics import median, quantiles
from typing import Any

from django.utils.translation import gettext_noop as _

from apps.catalog.kinds.brand_places import ABOVE, BETWEEN, HANGUL, SHEET
from apps.catalog.kinds.product_rows import PAIR
from apps.catalog.models import Import, ImportRow
from apps.catalog.services.import_kinds import Question
from apps.catalog.sheet import BRAND, NAME, TITLES, USRP, WHOLESALE
from apps.common.tables.cells import currency_in
from apps.common.texts import Text, joined, text_of

Result = ImportRow.Result
Rows = Sequence[ImportRow]
COLUMN, SHEETS, TWICE, SPELLING = "column", "sheets", "twice", "spelling"
HEADING = "heading "  # in front of a heading that was chosen
ZERO, NONE, FIRST, LAST, ONE, AS_WRITTEN = "zero", "none", "first", "last", "one", "as written"
EXAMPLES = 4
SHARED = 5  # one of so many SKUs of a sheet that another has too
READ = (Result.NEW, Result.CHANGED, Result.SAME)
PART = 500
FAR, FEW = 4, 20  # times the price that nine of ten are below; prices for that to tell
FAR_OF_MEDIAN, FEW_OF_MEDIAN = 10, 5
MANY = 5  # one row of so many lacks a column, and more rows do than are about known products
PLACES = {
    ABOVE: _("Row %(row)s: %(examples)s"),
    SHEET: _("The names of the sheets: %(examples)s"),
    BETWEEN: _("The texts alone between the rows: %(examples)s"),
}
OUT = Text(_("None of these: leave the rows out"))


def questions(source: Import, rows: Rows) -> Iterator[Question]:
    """Yield what is to be asked of the rows of a list of products."""
    if sheets := _sheets(source, rows):
        yield sheets
        return
    yield from _lacking(rows, source.counts.get("asks", {}))
    if pairs := [row for row in rows if PAIR in (row.made or {}).get("asks", ())]:
        yield _pair(pairs)
    if same := [row for row in rows if row.is_twice and row.result == Result.NEW]:
        yield _twice(same)
    if spelled := spellings(rows):
        yield _spelling(spelled)


def _lacking(rows: Rows, facts: Mapping[str, Any]) -> Iterator[Question]:
    """Yield what is asked of that which new products lack, where they are many."""
    lacking, without = Counter[str](), Counter[str]()  # of those: on sheets without the column
    known, alone = 0, False
    for row in rows:
        lacks = (row.made or {}).get("lacks", ())
        has = facts.get("has", {}).get(str(row.number // ImportRow.PER_SHEET), ())
        lacking.update(lacks)
        without.update(set(lacks) - set(has))
        alone |= lacks == [USRP]
        known += row.product_id is not None

    def are_many(count: int) -> bool:
        return MANY * count > len(rows) and count > known

    for name in (NAME, USRP, WHOLESALE):
        if are_many(without[name]):
            yield _column(name, lacking[name], facts["unread"])
        elif name == USRP and alone and lacking[name] > known:
            yield _column(name, lacking[name], ())
    if are_many(lacking[BRAND]) and facts.get("brands"):
        yield _brand(lacking[BRAND], facts["brands"])


def _question(key: str, text: Text, choices: Mapping[str, Text]) -> Question:
    return Question(key, text.stored(), [(key, one.stored()) for key, one in choices.items()])


def _listed(names: Sequence[str]) -> str:
    more = ", …" if len(names) > EXAMPLES else ""
    return ", ".join(names[:EXAMPLES])[:120] + more


def _column(name: str, count: int, unread: Sequence[tuple[str, str]]) -> Question:
    """Ask which column holds what new products lack."""
    text = Text(
        "Which column holds “%(column)s”? New products without it: %(count)s.",
        column=Text(TITLES[name]),
        count=f"{count:,}",
    )
    choices = {
        HEADING + heading: Text("“%(heading)s” (%(example)s)", heading=heading, example=example)
        for heading, example in unread
        if name == NAME or currency_in(heading) in ("", "USD")
    }
    if name == USRP:
        choices[ZERO] = Text("None of these: add them with 0.00")
    return _question(f"{COLUMN} {name}", text, {**choices, NONE: OUT})


def _brand(count: int, places: Mapping[str, Sequence[str]]) -> Question:
    """Ask where the brands stand that no column holds."""
    choices = {}
    for key, examples in places.items():
        where, _, row = key.partition(" ")
        choices[key] = Text(PLACES[where], row=row, examples=_listed(examples))
    text = Text("Where do the brands stand? Rows without one: %(count)s.", count=f"{count:,}")
    return _question(BRAND, text, {**choices, NONE: OUT})


def _pair(rows: Rows) -> Question:
    text = Text(
        "Two numbers stand under the minimum (%(skus)s). Which is the minimum in pieces?",
        skus=_listed([row.sku for row in rows]),
    )
    choices = {
        FIRST: Text("The first of the two"),
        "second": Text("The second of the two"),
        NONE: Text("Neither: leave it empty"),
    }
    return _question(PAIR, text, choices)


def _twice(rows: Rows) -> Question:
    text = Text(
        "One SKU stands on different products (%(skus)s). Which row is added?",
        skus=_listed([row.sku for row in rows]),
    )
    choices = {
        LAST: Text("The last of them"),
        FIRST: Text("The first of them"),
        NONE: Text("None: leave them out"),
    }
    return _question(TWICE, text, choices)


def _sheets(source: Import, rows: Rows) -> Question | None:
    """Ask which of the sheets that name the same SKUs are read, if there are such."""
    skus: dict[int, set[str]] = defaultdict(set)
    for row in rows:
        if row.sku and row.result != Result.LEFT:
            skus[row.number // ImportRow.PER_SHEET].add(row.sku)
    shared: dict[int, list[int]] = defaultdict(list)
    for one, two in combinations(sorted(skus), 2):
        if SHARED * len(skus[one] & skus[two]) >= min(len(skus[one]), len(skus[two])):
            shared[one].append(two)
            shared[two].append(one)
    if not shared or not source.sheets:
        return None
    choices = {}
    for place, others in shared.items():
        out = [source.sheets[other] for other in others]
        left = source.answers.get(SHEETS, "").split("\n") if source.answers else []
        choices["\n".join(filter(None, [*left, *out]))] = Text(
            "“%(sheet)s” (%(count)s SKUs), without %(others)s",
            sheet=source.sheets[place],
            count=f"{len(skus[place]):,}",
            others=", ".join(out),
        )
    text = Text(
        "Several sheets name the same SKUs. Which is read now? "
        "The others are left out: send the file again for them."
    )
    return _question(SHEETS, text, choices)


def _spelling(spelled: Mapping[str, str]) -> Question:
    text = Text(
        "Brands stand in Korean and in English letters (%(brands)s). Are they the same?",
        brands=_listed([f"{korean} = {english}" for korean, english in spelled.items()]),
    )
    choices = {
        ONE: Text("Yes: one brand each, by its English name"),
        AS_WRITTEN: Text("No: as they are written"),
    }
    return _question(SPELLING, text, choices)


def spellings(rows: Rows) -> dict[str, str]:
    """Return the brands in Korean letters with those in English letters whose SKUs begin alike."""
    found: dict[str, tuple[Counter[str], Counter[str]]] = {}
    for row in rows:
        if brand := row.new.get(BRAND):
            start = row.sku.replace(" ", "-").partition("-")[0]
            korean, english = found.setdefault(start, (Counter(), Counter()))
            (korean if HANGUL.search(brand) else english)[brand] += 1
    return {
        korean.most_common(1)[0][0]: english.most_common(1)[0][0]
        for korean, english in found.values()
        if korean and english and all(map(_is_one, (korean, english)))
    }


def _is_one(counted: Counter[str]) -> bool:
    """Return whether most rows have one brand, whatever its case."""
    folded = Counter[str]()
    for brand, count in counted.items():
        folded[brand.casefold()] += count
    return 2 * folded.most_common(1)[0][1] > folded.total()


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


def chosen_columns(answers: Mapping[str, str]) -> dict[str, str]:
    """Return the headings that were chosen, by what their columns hold."""
    return {
        key.removeprefix(f"{COLUMN} "): value.removeprefix(HEADING)
        for key, value in answers.items()
        if key.startswith(COLUMN) and value.startswith(HEADING)
    }


def mark(rows: Rows, answers: Mapping[str, str]) -> None:
    """Leave out rows that stand twice letter for letter, spell brands as was chosen, and note
    prices and EANs that could be meant otherwise.
    """
    if answers.get(SPELLING) == ONE:
        spelled = spellings(rows)
        for row in rows:
            if row.new.get(BRAND) in spelled:
                row.new[BRAND] = spelled[row.new[BRAND]]
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
    fields = ["new", "result", "remark", "guards"]
    ImportRow.objects.bulk_update(rows, fields, batch_size=PART)


def doubt(row: ImportRow, text: Text) -> None:
    """Note what of a row could be meant otherwise, beside what is noted."""
    before: list[Any] = [text_of(row.remark)] if row.remark else []
    row.remark = joined(" ", [*before, text]).stored()
    if ",doubtful," not in row.guards:
        row.guards = f"{row.guards or ','}doubtful,"

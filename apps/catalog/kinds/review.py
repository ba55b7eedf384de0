"""What the review of a list of products asks, shows of its rows and holds back."""

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import islice
from statistics import median
from typing import Any, NamedTuple

from django.conf import settings
from django.db.models import Count, Q, QuerySet
from django.utils.html import format_html_join
from django.utils.translation import gettext, gettext_lazy as _, gettext_noop, ngettext
from rapidfuzz.fuzz import ratio
from rapidfuzz.process import extractOne

from apps.catalog.guards import POINT_LOST, Guard
from apps.catalog.kinds.compare import ABOVE, ZERO
from apps.catalog.models import Brand, Import, ImportRow
from apps.catalog.services.import_kinds import (
    FAULTY,
    MAX_NAMED,
    Question,
    RowGuard,
    ValueChange,
    question,
    row_guards,
)
from apps.catalog.services.import_tables import OUT, sheet_of
from apps.catalog.sheet import (
    ON_HAND,
    PRICES,
    TITLES,
    USRP,
    WHOLESALE,
    value_text,
    values_of,
)
from apps.common.tables.cells import heading
from apps.common.texts import Text, joined, phrase, text_of

Result = ImportRow.Result
Rows = Sequence[ImportRow]
SHEETS, TWICE, IS, ADDED, ALL = "sheets", "twice", "is", "+", "all"
NONE, FIRST, LAST = "none", "first", "last"
EXAMPLES, MOST_BRANDS = 4, 200
READABLE = (Result.NEW, Result.CHANGED, Result.SAME)
PART = 500
FAR, FEW = 10, 5  # times the median; prices for that to tell
MAX_BRANDS_NAMED = 50
OTHERS = {name: title for name, title in TITLES.items() if name not in (WHOLESALE, ON_HAND)}
OF_STOCK = (Guard.FALL, Guard.PROMISED)
OF_PRICES = set(Guard).difference(OF_STOCK)
NEAR = 80  # percent of the letters
PRODUCT_GUARDS: Mapping[str, RowGuard] = {
    **row_guards(
        free=(
            gettext_noop("%(count)s product at 0.00"),
            gettext_noop("%(count)s products at 0.00"),
            _("Price 0.00"),
        ),
        price=(
            gettext_noop("%(count)s price down by more than 30 %%"),
            gettext_noop("%(count)s prices down by more than 30 %%"),
            _("Price −%(percent)s %%"),
        ),
        rise=(
            gettext_noop("%(count)s price up by more than 100 %%"),
            gettext_noop("%(count)s prices up by more than 100 %%"),
            _("Price +%(percent)s %%"),
        ),
        above=(
            gettext_noop("%(count)s wholesale price above the USRP"),
            gettext_noop("%(count)s wholesale prices above the USRP"),
            _("Above the USRP"),
        ),
        promotion=(
            gettext_noop("%(count)s wholesale price below an open promotion"),
            gettext_noop("%(count)s wholesale prices below an open promotion"),
            _("Below its promotion"),
        ),
        promised=(
            gettext_noop("%(count)s stock below what is promised"),
            gettext_noop("%(count)s stocks below what is promised"),
            _("Below promised"),
        ),
        fall=(
            gettext_noop("%(count)s stock down to less than a tenth"),
            gettext_noop("%(count)s stocks down to less than a tenth"),
            _("Less than a tenth"),
        ),
    ),
    "unknown": RowGuard(
        Q(result__in=(Result.UNKNOWN, Result.NEW)),
        gettext_noop("%(count)s unknown SKU"),
        gettext_noop("%(count)s unknown SKUs"),
    ),
    **row_guards(
        brand=(
            gettext_noop("%(count)s row of an unknown brand"),
            gettext_noop("%(count)s rows of unknown brands"),
        ),
        doubtful=(
            gettext_noop("%(count)s row that could be meant otherwise"),
            gettext_noop("%(count)s rows that could be meant otherwise"),
            _("Is this right?"),
        ),
        weightless=(
            gettext_noop("%(count)s new product without a weight"),
            gettext_noop("%(count)s new products without a weight"),
            _("No weight"),
        ),
        fewer=(
            gettext_noop("%(count)s product with fewer pictures than before"),
            gettext_noop("%(count)s products with fewer pictures than before"),
            _("Fewer pictures"),
        ),
    ),
    "faulty": FAULTY,
}


def questions(source: Import, rows: Rows) -> Iterator[Question]:
    """Yield what is to be asked of the rows of a list of products, its columns apart."""
    if source.sheets and len(several := set(map(sheet_of, rows))) > 1:
        choices = {ALL: Text("All")}
        for place in sorted(several):
            name = source.sheets[place]
            choices[name] = Text("“%(sheet)s” alone", sheet=name)
        yield question(SHEETS, Text("Which sheets are read?"), choices)
    yield from _twice(source)
    if below := [row for row in rows if (row.made or {}).get(ABOVE)]:
        examples = [f"{row.place} {row.sku} ({row.made[ABOVE]})" for row in below[:EXAMPLES]]
        text = Text(
            "Rows without a brand: %(count)s. Are they of the brand above? %(rows)s",
            count=f"{len(below):,}",
            rows=", ".join(examples) + (", …" if len(below) > EXAMPLES else ""),
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
    examples = []  # in what the rows of each differ: `N-1 (4: 12.00, 9: 13.00)`
    for sku, same in islice(skus.items(), EXAMPLES):
        now = {name: value for row in same for name, value in (row.old or {}).items()}
        values = [{**now, **row.new} for row in same]
        names = [name for name in TITLES if len({one.get(name) for one in values}) > 1]
        parts = [
            f"{row.place}: {' '.join(value_text(name, one.get(name)) for name in names)}"
            for row, one in zip(same, values, strict=True)
        ]
        examples.append(f"{sku} ({', '.join(parts)})")
    text = Text(
        "SKUs that stand on several rows: %(count)s. Which row counts? %(rows)s",
        count=f"{len(skus):,}",
        rows="; ".join([*examples, "…"] if len(skus) > EXAMPLES else examples),
    )
    choices = {
        LAST: Text("The last of them"),
        FIRST: Text("The first of them"),
        NONE: Text("None: leave them out"),
    }
    yield question(TWICE, text, choices)


def brand_questions(source: Import) -> Iterator[Question]:
    """Yield which unknown brands are those of almost their names, that are there or come along."""
    names = set()
    unknown = unknown_brands(source.rows.filter(PRODUCT_GUARDS["brand"].rows))
    for name, _count, near in islice(unknown, MOST_BRANDS):
        if near and near not in names:
            names.add(name)
            choices = {
                near: Text("Yes, “%(other)s” is meant", other=near),
                ADDED: Text("No, another brand: it is added"),
            }
            text = Text("Is the brand “%(name)s” “%(other)s”?", name=name, other=near)
            yield question(f"{IS} {name}", text, choices)


def brand_answers(answers: Mapping[str, str] | None) -> dict[str, str]:
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
        if row.result in READABLE and row.sku:
            other = first.setdefault(row.sku, row)
            if other is not row and other.new == row.new:
                row.result, row.guards = Result.LEFT, {}
                row.remark = Text("the same as row %(row)s", row=other.place).stored()
    for row in far_prices(rows):
        doubt(row, Text("Wholesale %(price)s: far above the others.", price=row.new[WHOLESALE]))
    ImportRow.objects.bulk_update(rows, ["result", "remark", "guards"], batch_size=PART)


def doubt(row: ImportRow, text: Text) -> None:
    """Note what of a row could be meant otherwise, beside what is noted."""
    before: list[Any] = [text_of(row.remark)] if row.remark else []
    row.remark = joined(" ", [*before, text]).stored()
    row.guards["doubtful"] = 1


def cells_of(row: ImportRow) -> list[ValueChange]:
    """Return the wholesale price and the pieces on hand, and those promised, of a row with its
    product as it is now.
    """
    product = row.product
    current = values_of(product) if product else {}
    cells = []
    for name, guards in ((WHOLESALE, OF_PRICES), (ON_HAND, OF_STOCK)):
        now = value_text(name, row.old.get(name) if name in row.new else current.get(name))
        new = value_text(name, row.new[name]) if name in row.new else now
        cells.append(ValueChange(now, new, not row.guards.keys().isdisjoint(guards)))
    has_stock = product is not None and hasattr(product, "stock")
    promised = f"{product.stock.allocated:,}" if product and has_stock else "–"
    return [*cells, ValueChange(promised, promised)]


def thumbnails(images: str) -> ValueChange:
    """Return a product's pictures in their order, small."""
    addresses = [(f"{settings.IMAGE_HOST}/100/{name}",) for name in images.split()]
    tag = '<img class="picture" src="{}" alt="" width="48" height="48" loading="lazy"> '
    pictures = format_html_join("", tag, addresses) or "–"
    return ValueChange(pictures, pictures)


def detail_of(source: Import, guard: str, rows: QuerySet[ImportRow], count: int) -> str:
    """Return which rows a guard holds back, or what becomes of them."""
    skus = ", ".join(rows.order_by("number").values_list("sku", flat=True)[:MAX_NAMED])
    more = count - MAX_NAMED
    match guard:
        case Guard.DROP:
            return _largest(rows, Guard.DROP)
        case Guard.RISE:
            tenfold = rows.filter(guards__rise__in=list(POINT_LOST)).count()
            largest = _largest(rows, Guard.RISE)
            if not tenfold:
                return largest
            return phrase(
                "%(largest)s; %(count)s ten or a hundred times as much: is a decimal point lost?",
                largest=largest,
                count=f"{tenfold:,}",
            )
        case Guard.FALL:
            row = rows.order_by("-guards__fall", "number")[0]
            return _changed(row.sku, f"{row.old[ON_HAND]:,}", f"{row.new[ON_HAND]:,}")
        case Guard.PROMISED:
            pieces = source.counts["pieces_short"]
            text = ngettext(
                "%(count)s piece short in all; orders keep their promise",
                "%(count)s pieces short in all; orders keep their promise",
                pieces,
            )
            return text % {"count": f"{pieces:,}"}
        case "unknown":
            added = source.counts["new"]
            others = count - added
            new = ngettext("%(count)s new product", "%(count)s new products", added)
            out = ngettext("%(count)s row left out", "%(count)s rows left out", others)
            parts = [text % {"count": f"{n:,}"} for text, n in ((new, added), (out, others)) if n]
            return "; ".join(parts)
        case "faulty":
            return gettext("these rows are left out")
        case "brand":
            return new_brands(rows)
    names = phrase("%(skus)s and more", skus=skus) if more > 0 else skus
    if guard != Guard.PROMOTION:
        return names
    return phrase("%(skus)s; the promotion's price is higher", skus=names)


def new_brands(rows: QuerySet[ImportRow]) -> str:
    """Return the brands that are added, with their rows."""
    brands = []
    for name, count, _near in islice(unknown_brands(rows), MAX_BRANDS_NAMED):
        text = ngettext("%(brand)s (%(count)s row)", "%(brand)s (%(count)s rows)", count)
        brands.append(text % {"brand": name, "count": f"{count:,}"})
    added = phrase("are added: %(brands)s", brands="; ".join(brands))
    more = rows.order_by().values("new__brand").distinct().count() - len(brands)
    return str(Text("%(skus)s and %(more)s more", skus=added, more=more)) if more else added


def _changed(sku: str, old: str, new: str) -> str:
    return phrase("largest: %(sku)s, %(old)s → %(new)s", sku=sku, old=old, new=new)


def _largest(rows: QuerySet[ImportRow], guard: Guard) -> str:
    """Return the largest change of a price among the rows that a guard holds back for it."""
    row = rows.order_by(f"-guards__{guard}", "number")[0]

    def change(name: str) -> Decimal:
        before = Decimal(row.old[name])
        part = (before - Decimal(row.new[name])) / before if before else Decimal(0)
        return part if guard == Guard.DROP else -part

    name = max((name for name in row.new if name in PRICES), key=change)
    return _changed(row.sku, value_text(name, row.old[name]), value_text(name, row.new[name]))


class UnknownBrand(NamedTuple):
    """A brand that is not there, with its rows, and the one of almost that name which is, or comes
    along; empty where there is none.
    """

    name: str
    rows: int
    near: str


def unknown_brands(rows: QuerySet[ImportRow]) -> Iterator[UnknownBrand]:
    """Yield the unknown brands of these rows, those with the most rows first; each may be one that
    is there or has more rows, never the rarer spelling.
    """
    counted = rows.order_by().values_list("new__brand").annotate(count=Count("pk"))
    counts = sorted(counted, key=lambda one: -one[1])
    spellings = {name: _spelling(name) for name in Brand.objects.values_list("eng", flat=True)}
    words = {name: f" {heading(name)} " for name in (*spellings, *(name for name, _ in counts))}
    for name, count in counts:
        spelling = _spelling(name)
        part = next((other for other in spellings if _is_part(words[name], words[other])), "")
        near = extractOne(spelling, spellings, scorer=ratio, score_cutoff=NEAR)
        yield UnknownBrand(name, count, part or (near[2] if near else ""))
        spellings[name] = spelling


def _is_part(one: str, other: str) -> bool:
    """Return whether one of two names, both in spaces, is whole words of the other (`니들리`,
    `Needly 니들리`).
    """
    return bool(one.strip() and other.strip()) and (one in other or other in one)


def _spelling(brand: str) -> str:
    return heading(brand).replace(" ", "")

"""Rows of an import as its page shows them, and what a guard holds back."""

from decimal import Decimal
from itertools import islice

from django.conf import settings
from django.db.models import QuerySet
from django.urls import reverse
from django.utils.html import format_html_join
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from apps.catalog.guards import POINT_LOST, Guard
from apps.catalog.models import Import, ImportRow, Product
from apps.catalog.services.import_brands import unknown_brands
from apps.catalog.services.import_kinds import NAMED, Line, Shown
from apps.catalog.sheet import ON_HAND, PRICES, TITLES, WHOLESALE, shown, values_of
from apps.common.texts import Text, read
from apps.common.types import Label

Result = ImportRow.Result
BRANDS_NAMED = 50


def line_of(row: ImportRow, product: Product | None, others: str) -> Line:
    """Return a row with its product as it is now; `others` are the rows with the same SKU."""
    current = values_of(product) if product else {}
    wholesale, on_hand = (
        Shown(shown(name, row.old.get(name)), shown(name, row.new[name]), is_guarded)
        if name in row.new
        else Shown(shown(name, current.get(name)), shown(name, current.get(name)))
        for name, is_guarded in (
            (WHOLESALE, row.has_guarded_price),
            (ON_HAND, bool(row.short or row.stock_fall)),
        )
    )
    has_stock = product is not None and hasattr(product, "stock")
    promised = f"{product.stock.allocated:,}" if product and has_stock else "–"
    fault = _fault(row, others)
    tags = {Result.NEW: "ok", Result.CHANGED: "info", Result.LEFT: ""}
    result = Result(row.result)
    word = result.label if result in tags else Result.SAME.label
    return Line(
        row=row,
        name=product.eng_name if product else str(row.new.get("eng_name", "–")),
        url=reverse("admin:catalog_product_change", args=[product.pk]) if product else "",
        cells=(wholesale, on_hand, Shown(promised, promised)),
        others=[
            f"{gettext(title)} {f'{shown(name, row.old.get(name))} → ' if row.old else ''}"
            f"{shown(name, row.new[name])}"
            for name, title in TITLES.items()
            if name in row.new and name not in (WHOLESALE, ON_HAND)
        ],
        tag="bad" if fault else tags.get(result, ""),
        word=fault or word,
        is_guarded=bool(fault),
        remark=read(row.remark),
    )


def thumbnails(images: str) -> Shown:
    """Return a product's pictures in their order, small."""
    addresses = [(f"{settings.IMAGE_HOST}/100/{name}",) for name in images.split()]
    tag = '<img class="picture" src="{}" alt="" width="48" height="48" loading="lazy"> '
    shown = format_html_join("", tag, addresses) or "–"
    return Shown(shown, shown)


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
        (",doubtful," in row.guards, _("Is this right?")),
        (",weightless," in row.guards, _("No weight")),
        (",fewer," in row.guards, _("Fewer pictures")),
        (row.is_twice, gettext("Twice: also row %(rows)s") % {"rows": others}),
    )
    return next((text for applies, text in reasons if applies), "")


def detail_of(source: Import, guard: str, rows: QuerySet[ImportRow], count: int) -> str:
    """Return which rows a guard holds back, or what becomes of them."""
    skus = ", ".join(rows.order_by("number").values_list("sku", flat=True)[:NAMED])
    more = count - NAMED
    match guard:
        case Guard.DROP:
            return _largest(rows, "price_drop")
        case Guard.RISE:
            tenfold = rows.filter(price_rise__in=POINT_LOST).count()
            largest = _largest(rows, "price_rise")
            if not tenfold:
                return largest
            return gettext(
                "%(largest)s; %(count)s ten or a hundred times as much: is a decimal point lost?"
            ) % {"largest": largest, "count": f"{tenfold:,}"}
        case Guard.FALL:
            row = rows.order_by("-stock_fall", "number")[0]
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
            left = count - added
            new = ngettext("%(count)s new product", "%(count)s new products", added)
            out = ngettext("%(count)s row left out", "%(count)s rows left out", left)
            parts = [text % {"count": f"{n:,}"} for text, n in ((new, added), (out, left)) if n]
            return "; ".join(parts)
        case "faulty":
            return gettext("these rows are left out")
    named = gettext("%(skus)s and more") % {"skus": skus} if more > 0 else skus
    if guard != Guard.PROMOTION:
        return named
    return gettext("%(skus)s; the promotion's price is higher") % {"skus": named}


def doubts(rows: QuerySet[ImportRow]) -> str:
    """Return how the first of the rows that could be meant otherwise are read."""
    return " ".join(
        dict.fromkeys(map(read, rows.order_by("number").values_list("remark", flat=True)[:NAMED]))
    )


def new_brands(rows: QuerySet[ImportRow]) -> str:
    """Return the brands that are added, with their rows."""
    told = []
    for name, count, _near in islice(unknown_brands(rows), BRANDS_NAMED):
        text = ngettext("%(brand)s (%(count)s row)", "%(brand)s (%(count)s rows)", count)
        told.append(text % {"brand": name, "count": f"{count:,}"})
    added = gettext("are added: %(brands)s") % {"brands": "; ".join(told)}
    more = rows.order_by().values("new__brand").distinct().count() - len(told)
    return str(Text("%(skus)s and %(more)s more", skus=added, more=more)) if more else added


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

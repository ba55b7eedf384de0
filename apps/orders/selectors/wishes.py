"""Wishes, as their buyers read them; and what is wanted and was not given, as staff buy it: by
product, by brand, by customer, or each wish.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import Any

from django.db.models import F, Min, OuterRef, Q, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce, Greatest
from django.utils import timezone
from django.utils.translation import gettext_lazy as _, pgettext_lazy

from apps.accounts.models import Company
from apps.accounts.selectors import Buyer
from apps.catalog.models import Brand, Product, Running
from apps.catalog.rules import search_words
from apps.catalog.selectors import shown_to_buyer, with_word
from apps.common.tables.download import Cell
from apps.common.types import Json
from apps.orders.models import Wish
from apps.orders.models.wishes import SETTLED
from apps.orders.selectors.orders import seller_date
from apps.orders.selectors.progress import promised_day

WISHES_A_PAGE = 50


def open_wishes(*, buyer: Buyer, search: str = "", after: int = 0) -> Json:
    """Return a page of what the buyer's company wants and has not got, the oldest first. One
    statement.

    A search finds a product's name, SKU, brand or EAN, a code of a list, an invoice code. What the
    buyer does not see is not named.
    """
    wishes, today = _visible_wishes(buyer).filter(pk__gt=after), timezone.localdate()
    for word in search_words(search)[:10]:
        here = with_word(word, "product__") | Q(code__icontains=word)
        wishes = wishes.filter(here | Q(line__order__invoice_code__icontains=word))
    wishes = wishes.select_related("product__stock", "line__order", "user")
    wishes = wishes.annotate(promised=_promised(today, product="product"))
    page = list(wishes.order_by("pk")[: WISHES_A_PAGE + 1])
    listed = page[:WISHES_A_PAGE]
    rows = []
    for wish in listed:
        product, expected_on = wish.product, wish.promised_on
        if expected_on is None:
            shelf = getattr(product, "stock", None)
            expected_on = _next_day((shelf and shelf.expected_on, wish.promised), today=today)
        rows.append(
            {
                "wish_id": wish.pk,
                "sku": product.sku if product else wish.code,
                "eng_name": product.eng_name if product else "",
                "image": product.image if product else "",
                "count": wish.open,
                "held": wish.held,
                "held_text": f"until {promised_day(wish.held_until)}" if wish.held_until else "",
                "why": wish.why,
                "why_text": wish.get_why_display(),
                "since": seller_date(wish.since),
                "expected_text": promised_day(expected_on),
                "invoice_code": wish.line.order.invoice_code if wish.line else "",
                "manager": wish.user.manager,
            }
        )
    return {"wishes": rows, "next": listed[-1].pk if len(page) > WISHES_A_PAGE else None}


def wish_offers(*, buyer: Buyer) -> Json:
    """Return what is held for the company's wishes, by product, and in words until when. One
    statement.
    """
    offers = _visible_wishes(buyer).filter(held__gt=0)
    lines: dict[str, int] = {}
    ends: list[Any] = []
    for sku, pieces, until in offers.order_by("product__sku").values_list(
        "product__sku", "held", "held_until"
    ):
        lines[sku] = lines.get(sku, 0) + pieces
        ends.append(until)
    return {
        "lines": [{"sku": sku, "count": pieces} for sku, pieces in lines.items()],
        "pieces": sum(lines.values()),
        "until": promised_day(min(ends, default=None)),
    }


def _visible_wishes(buyer: Buyer) -> QuerySet[Wish]:
    visible = Q(product__isnull=True) | shown_to_buyer(buyer, "product__")
    return Wish.objects.filter(visible, company_id=buyer.company_id, closed_at__isnull=True)


def expected_days(skus: Collection[str], *, today: date) -> dict[str, date]:
    """Return when products are expected next, by SKU, of those of which that is known. One
    statement.
    """
    products = Product.objects.filter(sku__in=skus).annotate(
        promised=_promised(today, product="pk")
    )
    days = products.values_list("sku", "stock__expected_on", "promised")
    return {sku: day for sku, *candidates in days if (day := _next_day(candidates, today=today))}


def _promised(today: date, *, product: str) -> Subquery:
    """Return the next day on which somebody gets later pieces of a product."""
    later = Wish.objects.filter(
        product=OuterRef(product), closed_at__isnull=True, promised_on__gte=today
    )
    return Subquery(later.order_by("promised_on").values("promised_on")[:1])


def _next_day(days: Iterable[date | None], *, today: date) -> date | None:
    return min((day for day in days if day and day >= today), default=None)


OLD_DAYS = 30
WAITING = F("pieces") - SETTLED - F("held")
BY = {
    "product": _("By product"),
    "brand": _("By brand"),
    "customer": _("By customer"),
    "wish": _("Each wish"),
}
HEADINGS = (
    *(
        _("Brand"),
        "SKU",
        _("Product"),
        pgettext_lazy("pieces", "Wanted"),
        _("Customers"),
        pgettext_lazy("wish", "Since"),
        pgettext_lazy("wish", "Promised"),
    ),
    *(_("Available"), _("Arriving"), _("Expected"), _("To buy"), _("Why")),
)
Row = Mapping[str, Any]
Products = Mapping[int, Product]
Key = int | str  # a product's number, or a code that nobody knows


@dataclass(frozen=True)
class WishQuery:
    """Which wishes, and how: words of a product, code, brand or customer; why; overdue ones alone;
    of one brand, of one company.
    """

    by: str = "product"
    words: str = ""
    why: str = ""
    overdue: bool = False
    brand: int | None = None
    company: int | None = None


@dataclass
class Group:
    """What is wanted of one product, of one brand, by one customer, or by one wish, in pieces."""

    name: str
    second: str = ""
    product: Product | None = None
    company_id: int | None = None
    wanted: int = 0
    to_buy: int = 0
    whys: Counter[str] = field(default_factory=Counter)
    companies: set[int] = field(default_factory=set)
    products: set[Any] = field(default_factory=set)
    since: datetime | None = None
    promised_on: date | None = None

    def add(self, row: Row, product: Any) -> None:
        """Count pieces of one product, one customer and one reason in."""
        self.wanted += row["wanted"]
        self.whys[row["why"]] += row["wanted"]
        self.companies.add(row["company_id"])
        self.products |= {product} - {None}
        self.since = min(filter(None, [self.since, row["oldest"]]))
        self.promised_on = min(filter(None, [self.promised_on, row["promised"]]), default=None)

    @property
    def available(self) -> int:
        """Return the pieces that are there and nobody is promised."""
        return sum(product.available for product in self.products)

    @property
    def arriving(self) -> int:
        """Return the pieces that are on their way."""
        return sum(product.arriving for product in self.products)

    @property
    def expected_on(self) -> date | None:
        """Return when the first of them are expected."""
        return min(filter(None, (one.expected_on for one in self.products)), default=None)

    @property
    def pick(self) -> str:
        """Return by what a product or a code of nobody's is ticked."""
        return str(self.product.pk) if self.product else f"code:{self.name}"

    @property
    def why(self) -> str:
        """Return the reasons in words, that of most pieces first."""
        return ", ".join(str(Wish.Why(why).label) for why, _pieces in self.whys.most_common())


@dataclass(frozen=True)
class WishTotals:
    """The groups, the most wanted first, and the figures of all of them."""

    groups: Sequence[Group]
    pieces: int
    skus: int
    customers: int
    to_buy: int


def wish_totals(query: WishQuery, *, today: date) -> WishTotals:
    """Return what is wanted and was not given. Three statements at most.

    To buy is what is wanted less what is available and what is on its way; nothing of what is not
    sold any more, or of a code nobody knows.
    """
    rows = list(_rows(query, today=today))
    supplied: Any = Product.objects.select_related("brand").annotate(
        available=Greatest(Coalesce(F("stock__on_hand") - F("stock__allocated"), 0), 0),
        arriving=Coalesce("stock__arriving", 0),
        expected_on=F("stock__expected_on"),
    )
    products = supplied.in_bulk({row["product_id"] for row in rows} - {None})
    customers = {row["company_id"] for row in rows}
    company_ids = customers if query.by in ("customer", "wish") else set()
    names = dict(Company.objects.filter(pk__in=company_ids).values_list("pk", "name"))
    groups: dict[Any, Group] = {}
    pieces: Counter[Key] = Counter()
    for row in rows:
        pieces[_key(row)] += row["wanted"]
        key, new = _group(query.by, row, products, names)
        groups.setdefault(key, new).add(row, products.get(row["product_id"]))
    for product in products.values():
        missing = pieces[product.pk] - product.available - product.arriving
        is_sold = product.is_running != Running.DISCONTINUED
        product.to_buy = max(0, missing) if is_sold else 0
    if query.by in ("product", "brand"):
        for group in groups.values():
            group.to_buy = sum(product.to_buy for product in group.products)
    return WishTotals(
        sorted(groups.values(), key=lambda group: (-group.wanted, group.name, group.second)),
        sum(pieces.values()),
        len(pieces),
        len(customers),
        sum(product.to_buy for product in products.values()),
    )


def purchase_list(
    query: WishQuery, *, picked: Collection[str] = (), today: date
) -> Iterable[Sequence[Cell]]:
    """Yield headings and what there is to buy, brand by brand, as it is exported: what is ticked,
    or all.
    """
    yield [str(heading) for heading in HEADINGS]
    groups = [
        one for one in wish_totals(query, today=today).groups if not picked or one.pick in picked
    ]
    for group in sorted(groups, key=lambda one: (_brand(one).lower(), one.name, one.second)):
        since = seller_date(group.since).isoformat() if group.since else ""
        promised = group.promised_on.isoformat() if group.promised_on else ""
        sku, name = (group.product.sku, group.name) if group.product else (group.name, "")
        expected = group.expected_on.isoformat() if group.expected_on else ""
        coming = (group.available, group.arriving, expected, group.to_buy)
        figures = (group.wanted, len(group.companies), since, promised, *coming)
        yield _brand(group), sku, name, *figures, group.why


def pieces_on_offer() -> int:
    """Return the pieces that are offered and held for wishes. One statement."""
    pieces: int | None = Wish.objects.filter(held__gt=0).aggregate(pieces=Sum("held"))["pieces"]
    return pieces or 0


def open_wish_rows() -> QuerySet[Wish]:
    """Return the wishes that wait for pieces: what is offered and held need not be bought."""
    return Wish.objects.filter(closed_at__isnull=True).filter(pieces__gt=SETTLED + F("held"))


def overdue(*, today: date) -> Q:
    """Return what makes a wish overdue: it waits for more than 30 days, or its promised day is
    past.
    """
    return Q(since__date__lt=today - timedelta(days=OLD_DAYS)) | Q(promised_on__lt=today)


def brands_of_wishes() -> list[tuple[int, str]]:
    """Return the brands of which something is wanted, by name. One statement."""
    used = open_wish_rows().filter(product__isnull=False).order_by().values("product__brand")
    return list(Brand.objects.filter(pk__in=used).order_by("list_key").values_list("pk", "eng"))


def _rows(query: WishQuery, *, today: date) -> Iterable[Row]:
    """Return the pieces by product or code, customer and why: what groups are put together from."""
    rows = open_wish_rows()
    for word in query.words.split()[:10]:
        here = with_word(word, "product__") | Q(code__icontains=word)
        rows = rows.filter(here | Q(company__name__icontains=word))
    if query.why:
        rows = rows.filter(why=query.why)
    if query.overdue:
        rows = rows.filter(overdue(today=today))
    if query.brand is not None:
        rows = rows.filter(product__brand_id=query.brand)
    if query.company is not None:
        rows = rows.filter(company_id=query.company)
    keys = ["product_id", "code", "company_id", "why", *(["pk"] if query.by == "wish" else [])]
    figures = {"wanted": Sum(WAITING), "oldest": Min("since"), "promised": Min("promised_on")}
    result: Iterable[Row] = rows.order_by().values(*keys).annotate(**figures)
    return result


def _group(by: str, row: Row, products: Products, names: Mapping[int, str]) -> tuple[Any, Group]:
    """Return which group a row belongs to, and such a group with nothing in it."""
    product = products.get(row["product_id"])
    if by == "brand":
        brand = product.brand.eng if product else ""
        return brand, Group(brand or str(_("Unknown codes")))
    customer = names.get(row["company_id"], "")
    if by == "customer":
        return row["company_id"], Group(customer, company_id=row["company_id"])
    group = Group(
        product.eng_name if product else row["code"], product.sku if product else "", product
    )
    if by == "wish":
        group.company_id = row["company_id"]
        group.second = " · ".join(filter(None, [group.second, customer]))
        return row["pk"], group
    return _key(row), group


def _key(row: Row) -> Key:
    return row["product_id"] or str(row["code"])


def _brand(group: Group) -> str:
    return group.product.brand.eng if group.product else ""

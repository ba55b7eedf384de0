"""Which rows of an import are looked at before it is applied, and the figures of a review."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from django.db.models import Count, Q, QuerySet, Sum
from django.utils.translation import gettext_noop as _

from apps.catalog.guards import Guard
from apps.catalog.models import ImportRow
from apps.common.texts import Text

Result = ImportRow.Result
LEFT_OUT = (Result.UNKNOWN, Result.FAULTY, Result.TWICE, Result.LEFT)


class Held(NamedTuple):
    """The rows that a guard holds back, and how one and several are told."""

    rows: Q
    one: str
    several: str

    def text(self, count: int) -> Text:
        """Return how many there are, and of what."""
        return Text(self.one if count == 1 else self.several, count=f"{count:,}")


def held(name: str, one: str, several: str) -> Held:
    """Return the rows whose `guards` have a name."""
    return Held(Q(guards__contains=f",{name},"), one, several)


FAULTY = Held(
    Q(result=Result.FAULTY),
    _("%(count)s row that cannot be read"),
    _("%(count)s rows that cannot be read"),
)
PRODUCT_GUARDS: Mapping[str, Held] = {
    Guard.DROP: Held(
        Q(price_drop__gt=0),
        _("%(count)s price down by more than 30 %%"),
        _("%(count)s prices down by more than 30 %%"),
    ),
    Guard.RISE: Held(
        Q(price_rise__gt=0),
        _("%(count)s price up by more than 100 %%"),
        _("%(count)s prices up by more than 100 %%"),
    ),
    Guard.FREE: Held(
        Q(is_free=True), _("%(count)s product at 0.00"), _("%(count)s products at 0.00")
    ),
    Guard.ABOVE_USRP: Held(
        Q(is_above_usrp=True),
        _("%(count)s wholesale price above the USRP"),
        _("%(count)s wholesale prices above the USRP"),
    ),
    Guard.PROMOTION: Held(
        Q(is_below_promotion=True),
        _("%(count)s wholesale price below an open promotion"),
        _("%(count)s wholesale prices below an open promotion"),
    ),
    Guard.FALL: Held(
        Q(stock_fall__gt=0),
        _("%(count)s stock down to less than a tenth"),
        _("%(count)s stocks down to less than a tenth"),
    ),
    Guard.PROMISED: Held(
        Q(short__gt=0),
        _("%(count)s stock below what is promised"),
        _("%(count)s stocks below what is promised"),
    ),
    "unknown": Held(
        Q(result__in=(Result.UNKNOWN, Result.NEW)),
        _("%(count)s unknown SKU"),
        _("%(count)s unknown SKUs"),
    ),
    "brand": held(
        "brand", _("%(count)s row of an unknown brand"), _("%(count)s rows of unknown brands")
    ),
    "doubtful": held(
        "doubtful",
        _("%(count)s row that could be meant otherwise"),
        _("%(count)s rows that could be meant otherwise"),
    ),
    "weightless": held(
        "weightless",
        _("%(count)s new product without a weight"),
        _("%(count)s new products without a weight"),
    ),
    "fewer": held(
        "fewer",
        _("%(count)s product with fewer pictures than before"),
        _("%(count)s products with fewer pictures than before"),
    ),
    "faulty": FAULTY,
}


def counts_of(rows: QuerySet[ImportRow], guards: Mapping[str, Held]) -> dict[str, Any]:
    """Return the figures of a review: rows by what they do, guards by how many rows each holds
    back. One statement.
    """
    by = {
        **{f"{result}_rows": Q(result=result) for result in Result.values},
        **{f"guard_{name}": one.rows for name, one in guards.items()},
        "with_prices": Q(has_price=True),
        "with_stock": Q(has_stock=True),
        "without_minimum": Q(result=Result.NEW) & ~Q(new__has_key="minimum"),
        "without_stock": Q(result=Result.NEW) & ~Q(new__has_key="on_hand"),
    }
    of = rows.order_by().aggregate(
        all_rows=Count("pk"),
        pieces_short=Sum("short", default=0),
        **{name: Count("pk", filter=condition) for name, condition in by.items()},
    )
    return {
        "rows": of["all_rows"],
        "changes": of["changed_rows"] + of["new_rows"],
        "prices": of["with_prices"],
        "stock": of["with_stock"],
        "new": of["new_rows"],
        "same": of["same_rows"],
        "left_out": sum(of[f"{result}_rows"] for result in LEFT_OUT),
        "left": of["left_rows"],
        "unknown": of["unknown_rows"],
        "pieces_short": of["pieces_short"],
        "without_minimum": of["without_minimum"],
        "without_stock": of["without_stock"],
        "guards": {name: of[f"guard_{name}"] for name in guards},
    }

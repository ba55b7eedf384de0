"""Which rows of an import are looked at before it is applied, and the figures of a review."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from django.db.models import Count, IntegerField, Q, QuerySet, Sum
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Cast
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


def held(**texts: tuple[str, str]) -> dict[str, Held]:
    """Return guards by their names, each with how one row of it and several are told."""
    return {name: Held(Q(guards__has_key=name), *text) for name, text in texts.items()}


FAULTY = Held(
    Q(result=Result.FAULTY),
    _("%(count)s row that cannot be read"),
    _("%(count)s rows that cannot be read"),
)
PRODUCT_GUARDS: Mapping[str, Held] = {
    **held(
        price=(
            _("%(count)s price down by more than 30 %%"),
            _("%(count)s prices down by more than 30 %%"),
        ),
        rise=(
            _("%(count)s price up by more than 100 %%"),
            _("%(count)s prices up by more than 100 %%"),
        ),
        free=(_("%(count)s product at 0.00"), _("%(count)s products at 0.00")),
        above=(
            _("%(count)s wholesale price above the USRP"),
            _("%(count)s wholesale prices above the USRP"),
        ),
        promotion=(
            _("%(count)s wholesale price below an open promotion"),
            _("%(count)s wholesale prices below an open promotion"),
        ),
        fall=(
            _("%(count)s stock down to less than a tenth"),
            _("%(count)s stocks down to less than a tenth"),
        ),
        promised=(
            _("%(count)s stock below what is promised"),
            _("%(count)s stocks below what is promised"),
        ),
    ),
    "unknown": Held(
        Q(result__in=(Result.UNKNOWN, Result.NEW)),
        _("%(count)s unknown SKU"),
        _("%(count)s unknown SKUs"),
    ),
    **held(
        brand=(_("%(count)s row of an unknown brand"), _("%(count)s rows of unknown brands")),
        doubtful=(
            _("%(count)s row that could be meant otherwise"),
            _("%(count)s rows that could be meant otherwise"),
        ),
        weightless=(
            _("%(count)s new product without a weight"),
            _("%(count)s new products without a weight"),
        ),
        fewer=(
            _("%(count)s product with fewer pictures than before"),
            _("%(count)s products with fewer pictures than before"),
        ),
    ),
    "faulty": FAULTY,
}
WITH_PRICES = Q(result=Result.CHANGED, new__has_any_keys=["usd_price", "usd_supply"])
WITH_STOCK = Q(result=Result.CHANGED, new__has_key="on_hand")


def counts_of(rows: QuerySet[ImportRow], guards: Mapping[str, Held]) -> dict[str, Any]:
    """Return the figures of a review: rows by what they do, guards by how many rows each holds
    back. One statement.
    """
    by = {
        **{f"{result}_rows": Q(result=result) for result in Result.values},
        **{f"guard_{name}": one.rows for name, one in guards.items()},
        "with_prices": WITH_PRICES,
        "with_stock": WITH_STOCK,
        "without_minimum": Q(result=Result.NEW) & ~Q(new__has_key="minimum"),
        "without_stock": Q(result=Result.NEW) & ~Q(new__has_key="on_hand"),
    }
    promised = Cast(KeyTextTransform(Guard.PROMISED, "guards"), IntegerField())
    of = rows.order_by().aggregate(
        all_rows=Count("pk"),
        pieces_short=Sum(promised, default=0),
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

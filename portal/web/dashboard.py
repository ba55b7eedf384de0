"""POST /dashboard: notices and orders together, composed here because neither app knows
the other.
"""

from datetime import datetime
from decimal import Decimal
from typing import Annotated, Any

from django.db.models import DateTimeField, QuerySet, Value
from django.http import HttpResponse
from django.utils import timezone
from rest_framework import serializers

from apps.accounts.api.identity import BuyerRequest, own_uuid_or_404
from apps.accounts.selectors import Buyer
from apps.common.db.columns import money_field
from apps.common.db.prepared import prepared
from apps.common.http.api import PortalView
from apps.common.http.renderers import json_response
from apps.common.http.schema import call
from apps.common.http.serializers import Answer, Success, TextField
from apps.common.money import ZERO
from apps.common.types import Json
from apps.notices.api.serializers import NoticeItem
from apps.notices.models import Notice
from apps.notices.selectors import notices_for
from apps.orders.models import OrderTally, month_bucket, status_bucket
from apps.orders.selectors.orders import last_months
from apps.orders.status import OrderStatus

NEWEST = 5
NOTICE, POPUP, TALLY = range(3)
COUNTERS = {
    "ready": OrderStatus.RECEIVED,
    "receipt": OrderStatus.PREPARING,
    "confirm": OrderStatus.CONFIRMED,
    "paid": OrderStatus.PAID,
    "shipped": OrderStatus.SHIPPED,
}


class DashboardRequest(serializers.Serializer):
    """Whose dashboard."""

    uuid = TextField(max_length=64)


class Counters(Answer):
    """The company's orders by status."""

    ready: int
    receipt: int
    confirm: int
    paid: int
    shipped: int


class PurchaseMonth(Answer):
    """What the company ordered in a month, cancelled orders left out."""

    build_date: Annotated[str, "YYYY-MM"]
    total: Decimal


class Dashboard(Success):
    """The dashboard; `popup` are the notices whose window holds now."""

    notice: list[NoticeItem]
    order: Counters
    purchase: list[PurchaseMonth]
    popup: list[int]


def dashboard(*, buyer: Buyer, now: datetime) -> Json:
    """Return the dashboard of the buyer's company, in one statement (api.md, POST /dashboard)."""
    months = tuple(last_months(now))
    second = now.replace(microsecond=0)  # a window holds its last second
    rows = _rows(company=buyer.company_id, now=now, second=second, months=months)
    newest = [row[1:] for row in rows if row[0] == NOTICE]
    tallies = {label: (count, total) for kind, _, count, label, total in rows if kind == TALLY}
    orders = {name: tallies.get(status_bucket(status)) for name, status in COUNTERS.items()}
    amounts = {month: tallies.get(month_bucket(month)) for month in months}
    return {
        "success": 1,
        "notice": [
            {"notice_id": number, "title": title, "build_date": f"{timezone.localdate(at)}"}
            for at, number, title, _ in sorted(newest, reverse=True)
        ],
        "order": {name: tally[0] if tally else 0 for name, tally in orders.items()},
        "purchase": [
            {"build_date": month, "total": tally[1] if tally else ZERO}
            for month, tally in amounts.items()
        ],
        "popup": sorted(number for kind, _, number, *_ in rows if kind == POPUP),
    }


@prepared
def _rows(company: int, now: datetime, second: datetime, months: tuple[str, ...]) -> QuerySet[Any]:
    """Return notices, pop-ups and running figures, which the first column tells apart."""
    notices = notices_for(company, now).order_by()
    newest = notices.order_by("-published_at", "-id").values("pk")[:NEWEST]
    popups = notices.filter(popup_from__lte=second, popup_until__gte=second)
    buckets = [*map(status_bucket, COUNTERS.values()), *map(month_bucket, months)]
    tallies = OrderTally.objects.filter(company=company, bucket__in=buckets).order_by()
    text = ("published_at", "id", "title", Value(ZERO, output_field=money_field()))
    figure = (Value(None, output_field=DateTimeField()), "count", "bucket", "total")
    of_newest = Notice.objects.filter(pk__in=newest).order_by()
    return of_newest.values_list(Value(NOTICE), *text).union(
        popups.values_list(Value(POPUP), *text),
        tallies.values_list(Value(TALLY), *figure),
        all=True,
    )


class DashboardView(PortalView):
    """The dashboard."""

    @call("dashboard", request=DashboardRequest, answer=Dashboard)
    def post(self, request: BuyerRequest) -> HttpResponse:
        """Answer notices, counters, the months' amounts and the open pop-ups."""
        own_uuid_or_404(buyer=request.user, uuid=self.validated(DashboardRequest)["uuid"])
        return json_response(dashboard(buyer=request.user, now=timezone.now()))

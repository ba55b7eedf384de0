"""POST /dashboard: notices and orders together, composed here because neither app knows
the other.
"""

from datetime import datetime
from decimal import Decimal
from typing import NamedTuple

from django.db import connection
from django.http import HttpResponse
from django.utils import timezone
from rest_framework import serializers

from apps.accounts.api.identity import BuyerRequest, own_uuid_or_404
from apps.accounts.selectors import Buyer
from apps.common.db.rows import fetch_all
from apps.common.http.api import PortalView
from apps.common.http.renderers import json_response
from apps.common.http.schema import call
from apps.common.http.serializers import MoneyField, TextField
from apps.common.money import ZERO
from apps.common.types import Json
from apps.notices.api.serializers import NoticeItem
from apps.notices.selectors import MEANT_FOR, MINE, day_of
from apps.orders.models import month_bucket, status_bucket
from apps.orders.selectors import last_months
from apps.orders.status import OrderStatus

NEWEST = 5
COUNTERS = {
    "ready": OrderStatus.RECEIVED,
    "receipt": OrderStatus.PREPARING,
    "confirm": OrderStatus.CONFIRMED,
    "paid": OrderStatus.PAID,
    "shipped": OrderStatus.SHIPPED,
}
BUCKETS = len(COUNTERS) + 3  # one for each counter and each month shown

# One statement for the whole screen.
STATEMENT = f"""{MINE}
SELECT 'notice' AS kind, newest.id AS number, newest.title AS label, newest.published_at AS at,
0 AS total FROM (
 SELECT n.id, n.title, n.published_at FROM notices_notice n WHERE n.published_at <= %s
 AND {MEANT_FOR}
 ORDER BY n.published_at DESC, n.id DESC LIMIT {NEWEST}) newest
UNION ALL
SELECT 'popup', n.id, n.title, n.popup_from, 0 FROM notices_notice n
 WHERE n.published_at <= %s AND n.popup_from <= %s AND n.popup_until >= %s AND {MEANT_FOR}
UNION ALL
SELECT 'tally', t.count, t.bucket, NULL, t.total FROM orders_ordertally t
 WHERE t.company_id = %s AND t.bucket IN ({", ".join(["%s"] * BUCKETS)})
"""  # noqa: S608 - constants only


class DashboardRow(NamedTuple):
    """A notice, a pop-up or a running figure: its `kind` says which."""

    kind: str
    number: int
    label: str
    at: datetime | None
    total: Decimal


class DashboardRequest(serializers.Serializer):
    """Whose dashboard."""

    uuid = TextField(max_length=64)


class Counters(serializers.Serializer):
    """The company's orders by status."""

    ready = serializers.IntegerField()
    receipt = serializers.IntegerField()
    confirm = serializers.IntegerField()
    paid = serializers.IntegerField()
    shipped = serializers.IntegerField()


class PurchaseMonth(serializers.Serializer):
    """What the company ordered in a month, cancelled orders left out."""

    build_date = serializers.CharField(help_text="YYYY-MM")
    total = MoneyField()


class Dashboard(serializers.Serializer):
    """The dashboard; `popup` are the notices whose window holds now."""

    success = serializers.IntegerField()
    notice = NoticeItem(many=True)
    order = Counters()
    purchase = PurchaseMonth(many=True)
    popup = serializers.ListField(child=serializers.IntegerField())


def dashboard(*, buyer: Buyer, now: datetime) -> Json:
    """Return the dashboard of the buyer's company, in one statement (api.md, POST /dashboard)."""
    moment = connection.ops.adapt_datetimefield_value(now)
    second = connection.ops.adapt_datetimefield_value(
        now.replace(microsecond=0)
    )  # a window holds its last second
    months = last_months(now)
    buckets = [
        *(status_bucket(status) for status in COUNTERS.values()),
        *(month_bucket(month) for month in months),
    ]
    company = buyer.company_id
    rows = fetch_all(
        DashboardRow, STATEMENT, [*[company] * 3, moment, moment, second, second, company, *buckets]
    )
    newest = sorted(
        ((row.at, row.number, row.label) for row in rows if row.kind == "notice" and row.at),
        reverse=True,
    )
    tallies = [row for row in rows if row.kind == "tally"]
    counts = {row.label: row.number for row in tallies}
    totals = {row.label: row.total for row in tallies}
    return {
        "success": 1,
        "notice": [
            {"notice_id": number, "title": title, "build_date": day_of(at)}
            for at, number, title in newest
        ],
        "order": {name: counts.get(status_bucket(status), 0) for name, status in COUNTERS.items()},
        "purchase": [
            {"build_date": month, "total": totals.get(month_bucket(month), ZERO)}
            for month in months
        ],
        "popup": sorted(row.number for row in rows if row.kind == "popup"),
    }


class DashboardView(PortalView):
    """The dashboard."""

    @call("dashboard", request=DashboardRequest, answer=Dashboard)
    def post(self, request: BuyerRequest) -> HttpResponse:
        """Answer notices, counters, the months' amounts and the open pop-ups."""
        own_uuid_or_404(buyer=request.user, uuid=self.validated(DashboardRequest)["uuid"])
        return json_response(dashboard(buyer=request.user, now=timezone.now()))

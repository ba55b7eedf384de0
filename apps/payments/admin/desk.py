"""The payment desk: announced wires, the statement in work, what staff must look at, and what was booked today."""

from typing import Any

from django.db.models import Count, QuerySet, Sum
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern
from django.utils import timezone

from apps.common.money import ZERO
from apps.common.promises import Promise, due_at
from apps.common.staff import RecordAdmin, humanize, overdue
from apps.payments.admin.access import CHANGE
from apps.payments.admin.exceptions import exception_rows
from apps.payments.admin.rows import CreditRow, credit_rows, found_in_statements, summary
from apps.payments.models import BankCredit, BankStatement, Payment, Refund
from apps.payments.states import PaymentState

SHOWN = 5


def announced_wires() -> QuerySet[Payment]:
    """Return the wires that wait for their money, oldest first."""
    wires = Payment.objects.filter(method=Payment.Method.WIRE, state=PaymentState.ANNOUNCED, order__isnull=False)
    return wires.select_related("order", "company").order_by("created_at", "id")


class DeskPages(RecordAdmin):
    """The desk itself; it needs the permission to change payments."""

    def desk_urls(self) -> list[URLPattern]:
        """Return its address."""
        return [self.address("desk/", self.desk, name="desk", permission=CHANGE)]

    def desk(self, request: HttpRequest) -> HttpResponse:
        """Show what waits for the desk."""
        now = timezone.now()
        statements = list(BankStatement.objects.filter(put_away_at__isnull=True))
        rows = self._rows(statements)
        found = found_in_statements(rows)
        announced = list(announced_wires())
        wires = [
            {
                "payment": wire,
                "age": humanize(now - wire.created_at),
                "late": overdue(due_at=due_at(Promise.WIRE, since=wire.created_at), now=now),
                "found": found.get(wire.pk, ""),
            }
            for wire in announced
        ]
        total = sum((wire.amount for wire in announced), ZERO)
        return self.page(
            request,
            "staff/desk.html",
            title="Payment desk",
            subtitle=f"{len(wires)} announced wire{'' if len(wires) == 1 else 's'}, {total:,.2f} USD",
            wires=wires,
            exceptions=exception_rows(now=now),
            today=_today(),
            **self._statement(statements, rows),
        )

    def _rows(self, statements: list[BankStatement]) -> list[CreditRow]:
        """Return the credits of all statements in work, compared together: a wire is found once."""
        credits = BankCredit.objects.filter(statements__in=statements).distinct()
        return credit_rows(credits.prefetch_related("bookings__payment", "statements"))

    def _statement(self, statements: list[BankStatement], rows: list[CreditRow]) -> dict[str, Any]:
        """Return the newest statement in work with its first rows; only these are ticked and booked from here."""
        if not statements:
            return {"bar": False}
        newest = statements[0]
        its_own = [row for row in rows if newest in row.credit.statements.all()]
        return {
            "statement": newest,
            "others": statements[1:],
            "rows": its_own[:SHOWN],
            "summary": {**summary(its_own), **{key: summary(its_own[:SHOWN])[key] for key in ("ticked", "sum")}},
            "bar": True,
        }


def _today() -> list[tuple[str, int, Any]]:
    """Return what was booked, written off and refunded since midnight: count and sum of each. Three statements."""
    midnight = timezone.localtime().replace(hour=0, minute=0, second=0, microsecond=0)
    settled = Payment.objects.filter(
        method=Payment.Method.WIRE, state=PaymentState.CAPTURED, settled_at__gte=midnight, moved_in__isnull=True
    )
    booked = settled.aggregate(count=Count("pk"), sum=Sum("received"))
    # A rest is written off with the wire that pays the order, and a wire's reason is that of its rest.
    with_rest = settled.filter(kind=Payment.Kind.BALANCE, order__written_off__gt=0).exclude(reason="")
    written_off = with_rest.aggregate(count=Count("pk"), sum=Sum("order__written_off"))
    refunded = Refund.objects.filter(state=Refund.State.COMPLETED, created_at__gte=midnight).aggregate(
        count=Count("pk"), sum=Sum("amount")
    )
    return [
        (label, row["count"], row["sum"] or ZERO)
        for label, row in (("Booked", booked), ("Written off", written_off), ("Refunded", refunded))
    ]

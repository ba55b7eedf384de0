"""What a customer's page shows, to each group what it may see."""

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from decimal import Decimal
from itertools import chain, pairwise
from statistics import median
from typing import Any

from django.db.models import Count, F, Max, Sum
from django.utils import timezone
from django.utils.translation import gettext as _

from apps.accounts.models import Certificate, Company, CompanyEvent, RegistrationEvent, User
from apps.accounts.selectors import invitation_text, postal_address
from apps.accounts.services.companies import share_text
from apps.common.money import ZERO
from apps.common.notes import MAX_TEXT
from apps.common.staff import Context, actions_on, humanize, overdue, page_of
from apps.common.texts import read
from apps.orders.admin.page import (
    SIDES,
    TONES,
    ThreadEntry,
    address_line,
    entry_of,
    next_step,
    signs,
)
from apps.orders.models import Order, OrderEvent, OrderLine, OrderTally
from apps.orders.selectors.orders import due_of
from apps.orders.status import LIVE, OPEN, OrderStatus
from apps.payments.admin.trace import ledger_of
from apps.payments.bank.rows import credits_of
from apps.payments.models import WalletEntry
from apps.payments.selectors import all_announced_wires, wallet_balance
from portal.staff.customers.figures import MONTHS, by_status, last_months, state_of
from portal.staff.reports.sales import percent_more
from portal.staff.visible import mail_rows, mails_for

MAX_ROWS = 8


def customer_page(company: Company, *, user: User, now: datetime) -> Context:
    """Return what the page of a customer shows. At most 23 statements, however much there is."""
    people = list(
        company.users.select_related("invitation").order_by(
            "-is_active", F("last_login").desc(nulls_last=True), "pk"
        )[:50]
    )
    state, tone = state_of(company, people)
    sees_orders, sees_money = (
        user.has_perm("orders.view_order"),
        user.has_perm("payments.view_payment"),
    )
    return {
        "company": company,
        "state": state,
        "state_tone": tone,
        "people": [(person, invitation_text(person, now=now)) for person in people],
        "may_sign_in": sum(may_sign_in(person, company) for person in people),
        "address": address_line(postal_address(company)),
        "share": share_text(company.deposit_rate, company.price_group),
        "brands": list(company.brand_access.select_related("brand"))
        if company.brands_restricted
        else [],
        "files": Certificate.objects.filter(user__company=company)
        .select_related("user")
        .order_by("-pk")[:MAX_ROWS],
        "own_codes": company.own_codes.select_related("product").order_by("-pk")[:MAX_ROWS],
        "said": _thread(company, people, user=user, sees_orders=sees_orders),
        "max_note": MAX_TEXT,
        "history": _history(company),
        "mails": mail_rows(
            mails_for(user).filter(to__in=[person.email for person in people]).order_by("-id")[:5]
        )
        if user.has_perm("post_office.view_email")
        else None,
        **(_orders(company, now) if sees_orders else {}),
        **(_money(company) if sees_orders and sees_money else {}),
    }


def may_sign_in(person: User, company: Company) -> bool:
    """Return whether somebody of a company may come into the portal."""
    return company.is_open and person.is_active and person.approval == User.Approval.APPROVED


def _orders(company: Company, now: datetime) -> Context:
    by_state = by_status(company, now=now)
    last = max((row["last"] for row in by_state.values()), default=None)
    months, year_before = last_months(now), last_months(now, before=MONTHS)
    tallies = OrderTally.objects.filter(company=company, bucket__in=[*months, *year_before])
    totals = {tally.bucket: tally.total for tally in tallies}
    twelve, before = (
        sum((totals.get(month, ZERO) for month in some), ZERO) for some in (months, year_before)
    )
    orders = Order.objects.filter(company=company, status__in=OPEN).order_by(
        F("due_at").asc(nulls_last=True), "pk"
    )
    return {
        **_by_status(by_state, now),
        "orders_count": sum(row["count"] for row in by_state.values()),
        "last_order": last,
        "quiet_for": humanize(now - last) if last else "",
        "twelve_months": twelve,
        "change": percent_more(twelve, before),
        "open_orders": [_open_order(order, now) for order in orders[:MAX_ROWS]],
        "buys_most": buys_most(company, now=now),
        "quiet": not_bought_for_long(company, now=now),
    }


def _by_status(by_state: Mapping[int, dict[str, Any]], now: datetime) -> dict[str, Any]:
    """Return a row for each status, and the sums of those that are open."""
    opened = [by_state[int(status)] for status in OPEN if int(status) in by_state]
    sums = {name: _sum(opened, name) for name in ("cost", "came", "open", "overdue")}
    deposits = _sum([row for row in opened if not OrderStatus(row["status"]).is_priced], "open")
    return {
        "statuses": [
            {
                "status": status,
                "label": status.staff_label,
                "tone": TONES[status],
                "age": humanize(now - row["since"]) if row else "",
                **row,
            }
            for status in (*LIVE, OrderStatus.CANCELLED)
            for row in [by_state.get(int(status), {})]
        ],
        "sums": {**sums, "count": sum(row["count"] for row in opened)},
        "late": sum(row["late"] for row in opened),
        "deposits": deposits,
        "balances": sums["open"] - deposits,
        "overdue_count": sum(row["overdue_count"] for row in opened),
    }


def _sum(rows: Iterable[Mapping[str, Any]], name: str) -> Decimal:
    return sum((row[name] or ZERO for row in rows), ZERO)


def _open_order(order: Order, now: datetime) -> Context:
    step, status = next_step(order), order.state
    page = page_of(order)
    waiting = order.deposit - order.deposit_received if not status.is_priced else due_of(order)
    return {
        "order": order,
        "url": page,
        "status": str(status.staff_label),
        "tone": TONES[status],
        "age": humanize(now - order.status_at),
        "late": overdue(due_at=order.due_at, now=now, short=True),
        "total": order.real_total + order.shipping_fee,
        "open": max(Decimal(0), waiting),
        "signs": signs(order),
        "verb": step.verb if step else "",
        "next": page if step is None or step.is_post else step.url,
    }


def _money(company: Company) -> Context:
    entries = (
        WalletEntry.objects.filter(company=company).select_related("order").order_by("-at", "-pk")
    )
    return {
        "wallet": wallet_balance(company_id=company.pk),
        "wallet_entries": list(entries[:4]),
        "announced": list(all_announced_wires().filter(company=company)[:4]),
        "ledger": ledger_of(company.pk),
        "credits": credits_of(company),
    }


def _thread(
    company: Company, people: list[User], *, user: User, sees_orders: bool
) -> list[ThreadEntry]:
    """Return what was noted of a company and its registrations, and for those who see orders what
    was said on them.
    """
    notes: Any = company.events.select_related("actor").order_by("-at")[:MAX_ROWS]
    texts = [
        ThreadEntry(
            "internal" if event.kind == CompanyEvent.Kind.NOTE else "deed",
            _name(event),
            event.at,
            _deed(event),
        )
        for event in notes
    ]
    if user.has_perm("accounts.change_user"):
        of_people = RegistrationEvent.objects.filter(
            user__in=people, kind=RegistrationEvent.Kind.NOTE
        )
        newest = of_people.select_related("actor").order_by("-at")[:MAX_ROWS]
        texts += [
            ThreadEntry("internal", _name(event), event.at, event.note, _("Registration"))
            for event in newest
        ]
    if sees_orders:
        events = OrderEvent.objects.filter(order__company=company, kind__in=SIDES).exclude(note="")
        texts += [
            entry_of(event, order=event.order)
            for event in events.select_related("actor", "order").order_by("-id")[: 2 * MAX_ROWS]
        ]
    return sorted(texts, key=lambda one: one.at)[-2 * MAX_ROWS :]


def _name(event: Any) -> str:
    return event.actor.manager if event.actor else ""


def _deed(event: CompanyEvent) -> str:
    return (
        event.note
        if event.kind == CompanyEvent.Kind.NOTE
        else f"{event.get_kind_display()} {read(event.note)}"
    )


def _history(company: Company) -> list[tuple[datetime, str, str]]:
    logged = actions_on(company).select_related("user")[:MAX_ROWS]
    events = (
        company.events.exclude(kind=CompanyEvent.Kind.NOTE)
        .select_related("actor")
        .order_by("-at")[:MAX_ROWS]
    )
    rows = chain(
        (
            (
                entry.action_time,
                entry.get_change_message() or _("Added"),
                entry.user.get_short_name(),
            )
            for entry in logged
        ),
        ((event.at, _deed(event), _name(event)) for event in events),
    )
    return sorted(rows, key=lambda row: row[0], reverse=True)[:MAX_ROWS]


PRODUCTS_SHOWN = 5
YEAR, RHYTHM = timedelta(days=365), timedelta(days=730)
LEAST_ORDERS = 3
MOST_LINES = 20_000


def _ordered(company: Company, *, since: datetime) -> Any:
    lines = OrderLine.objects.filter(
        order__company=company, order__placed_at__gte=since, is_ordered=True
    )
    return lines.exclude(order__status=OrderStatus.CANCELLED)


def buys_most(company: Company, *, now: datetime) -> list[Context]:
    """Return the products of which a company ordered most pieces in twelve months. One
    statement.
    """
    rows = (
        _ordered(company, since=now - YEAR)
        .order_by()
        .values("product_id", "product__eng_name", "product__sku")
    )
    products = rows.annotate(
        pieces=Sum("quantity"), orders=Count("order", distinct=True), last=Max("order__placed_at")
    )
    return list(products.order_by("-pieces", "product_id")[:PRODUCTS_SHOWN])


def not_bought_for_long(company: Company, *, now: datetime) -> list[Context]:
    """Return the products that a company bought at least three times, and now not for twice its
    median gap.
    """
    columns = ("product_id", "product__eng_name", "order__placed_at", "quantity")
    lines = _ordered(company, since=now - RHYTHM).order_by("-id").values_list(*columns)[:MOST_LINES]
    bought: dict[tuple[int, str], dict[datetime, int]] = {}
    for product, name, at, pieces in lines:
        times = bought.setdefault((product, name), {})
        times[at] = times.get(at, 0) + pieces
    products: list[Context] = []
    for (product, name), times in bought.items():
        days = sorted({timezone.localtime(at).date() for at in times})
        if len(days) < LEAST_ORDERS:
            continue
        gap = median((later - earlier).days for earlier, later in pairwise(days))
        since = (timezone.localtime(now).date() - days[-1]).days
        if since > 2 * gap and since >= 7:
            products.append(
                {
                    "product_id": product,
                    "name": name,
                    "last": max(times),
                    "weeks": since // 7,
                    "every": max(1, round(gap / 7)),
                    "pieces": round(median(times.values())),
                }
            )
    return sorted(products, key=lambda one: -one["weeks"])[:PRODUCTS_SHOWN]

"""The home page of staff: what waits, by area, and what is late (design/admin.md, Home)."""

from datetime import datetime
from typing import Any

from django.conf import settings
from django.urls import reverse
from django.utils import timezone

from apps.accounts.models import User
from apps.accounts.registrations import APPROVAL_WARNED, approval_over
from apps.common.promises import Promise, due_at, term_of
from apps.common.staff import humanize
from apps.orders.status import OrderStatus
from portal.staff.late import LateFirst, late_first
from portal.staff.reports.stock import RED
from portal.staff.waiting import Incoming, Waiting, Work
from portal.staff.work import MESSAGES, REGISTRATIONS, STEPS, arrived, fresh_work, running_out

MOST_LATE = 500


def home(*, user: User, now: datetime) -> dict[str, Any]:
    """Return the cards that a user's group sees.

    At most ten statements with the user's own last actions and notes, five more once in 30 seconds,
    four once in ten minutes.
    """
    shown = _cards(user=user, now=now)
    return {**shown, "card_sides": (shown["cards"][::2], shown["cards"][1::2])}


def _cards(*, user: User, now: datetime) -> dict[str, Any]:
    work = fresh_work(user=user, now=now)
    town = settings.TIME_ZONE.rpartition("/")[2]
    moment = (
        f"{timezone.localtime(now):%A %Y-%m-%d, %H:%M} in {town} · "
        "business days follow the Korean calendar"
    )
    if not user.has_perm("orders.view_order"):
        if not user.has_perm("accounts.change_user"):
            return {"moment": moment, "cards": [_mail(work, now), _sweeps(work, now)]}
        return {
            "moment": moment,
            "cards": [_registrations(work, now), _mail(work, now), _sweeps(work, now)],
            "waiting": _waiting(work, now),
            "registrations_url": reverse("admin:accounts_registration_changelist"),
        }
    came = arrived(user=user, now=now)
    cards = [
        _messages(work, now),
        *([_money(work, came.credits, now)] if user.has_perm("payments.change_payment") else ()),
        _proposals(work, came, now),
        _packing(work, now),
        _stock(work, came.imports, now),
        _mail(work, now),
        _sweeps(work, now),
    ]
    return {
        "moment": moment,
        "steps": _steps(work, now),
        "orders_url": reverse("admin:orders_order_changelist"),
        "open_orders": work.orders.count,
        "cards": [_registrations(work, now), *cards] if work.registrations else cards,
        "late": late_first(work=work, now=now),
        "show_late": True,
    }


def everything_late(*, user: User, now: datetime) -> LateFirst:
    """Return all that is late of a user's work, of every kind, the most overdue first."""
    return late_first(work=fresh_work(user=user, now=now, most=MOST_LATE), now=now, most=MOST_LATE)


def _registrations(work: Work, now: datetime) -> dict[str, Any]:
    queue = reverse("admin:accounts_registration_changelist")
    addresses = {
        "new": f"{queue}?hint=new",
        "asked": f"{queue}?decision=asked",
        "answered": f"{queue}?hint=answered",
    }
    rows = [
        card_row(
            label=label,
            waiting=work.registrations[kind],
            url=addresses[kind],
            now=now,
            late_url=f"{queue}?age=late",
            warn_url=f"{queue}?age=48",
        )
        for kind, label in REGISTRATIONS.items()
    ]
    return {"name": "Registrations", "group": "Approvers", "rows": rows}


def _waiting(work: Work, now: datetime) -> list[dict[str, Any]]:
    return [
        {
            "url": reverse("admin:accounts_registration_change", args=[one.id]),
            "company": one.company,
            "manager": one.manager,
            "country": one.country,
            "age": humanize(now - one.sent_at),
            "over": approval_over(since=one.sent_at, now=now),
            "sent_at": one.sent_at,
        }
        for one in work.oldest_registrations
    ]


def _steps(work: Work, now: datetime) -> list[dict[str, Any]]:
    orders = reverse("admin:orders_order_changelist")
    return [
        {
            "label": status.label,
            "verb": STEPS[status],
            "count": waiting.count,
            "late": waiting.late,
            "late_text": f"{waiting.late} past {term_of(Promise.BALANCE).days} d"
            if status == OrderStatus.CONFIRMED
            else f"{waiting.late:,} late",
            "oldest": humanize(now - waiting.oldest) if waiting.oldest else "",
            "url": f"{orders}?status={int(status)}",
            "late_url": f"{orders}?status={int(status)}&promise=late",
        }
        for status in STEPS
        if (waiting := work.steps[int(status)]) is not None
    ]


def _money(work: Work, credits: Waiting, now: datetime) -> dict[str, Any]:
    desk = reverse("admin:payments_payment_desk")
    paypal = reverse("admin:payments_payment_changelist") + "?attention="
    rows = [
        card_row(label="Announced wires", waiting=work.wires, url=desk, now=now),
        card_row(label="Statement lines not booked", waiting=credits, url=desk, now=now),
        card_row(
            label="PayPal to look at",
            waiting=work.exceptions,
            url=f"{paypal}yes",
            now=now,
            alarm="Look",
        ),
        card_row(
            label="Refunds on their way",
            waiting=work.refunds,
            url=f"{paypal}refund",
            now=now,
            late_url=f"{paypal}late",
            due=due_at(Promise.REFUND, since=work.refunds.oldest) if work.refunds.oldest else None,
        ),
        card_row(
            label="To send by bank",
            waiting=work.transfers,
            url=f"{desk}#transfers",
            now=now,
            due=work.owed_transfers[0].due_at if work.owed_transfers else None,
        ),
    ]
    return {"name": "Money", "group": "Sales", "rows": rows}


def _messages(work: Work, now: datetime) -> dict[str, Any]:
    orders = reverse("admin:orders_order_changelist")
    rows = [
        card_row(
            label=label,
            waiting=work.messages[str(kind)],
            url=f"{orders}?status=all&sign={sign}",
            now=now,
        )
        for kind, (label, sign, _) in MESSAGES.items()
    ]
    return {"name": "Messages", "group": "Sales", "rows": rows}


def _proposals(work: Work, came: Incoming, now: datetime) -> dict[str, Any]:
    orders, wanted = (reverse(f"admin:orders_{name}_changelist") for name in ("order", "wish"))
    said = f"{orders}?proposals="
    rows = [
        card_row(
            label="Questions on proposals", waiting=came.questions, url=f"{said}question", now=now
        ),
        card_row(
            label="Answered, to confirm", waiting=came.answered, url=f"{said}answered", now=now
        ),
        card_row(
            label="Unanswered, end today",
            waiting=came.ending,
            url=f"{said}ending",
            now=now,
            due=came.ending_at,
        ),
        card_row(label="Wishes, offered and held", waiting=came.offered, url=wanted, now=now),
        card_row(
            label="Wanted, not given",
            waiting=work.wanted,
            url=wanted,
            now=now,
            late_url=f"{wanted}?overdue=1",
        ),
    ]
    return {"name": "Proposals and wishes", "group": "Sales", "rows": rows}


def _packing(work: Work, now: datetime) -> dict[str, Any]:
    orders = reverse("admin:orders_order_changelist")
    rows = [
        card_row(
            label=label,
            waiting=waiting,
            url=f"{orders}?packing={name}",
            now=now,
            late_url=f"{orders}?packing={name}&promise=late",
        )
        for label, name, waiting in (
            ("Paid, to pack", "todo", work.to_pack),
            ("Packed, no tracking number", "packed", work.to_ship),
        )
    ]
    return {"name": "Packing and shipment", "group": "Sales", "rows": rows}


def _stock(work: Work, imports: Waiting, now: datetime) -> dict[str, Any]:
    short = reverse("admin:catalog_stock_changelist") + "?promised=short"
    review = reverse("admin:catalog_import_changelist") + "?state__exact=review"
    soon = reverse("admin:catalog_product_changelist") + f"?runs_out={RED}"
    rows = [
        card_row(label="Products short of promises", waiting=work.short, url=short, now=now),
        card_row(
            label=f"Run out within {RED} days", waiting=running_out(now=now), url=soon, now=now
        ),
        card_row(label="Imports to review", waiting=imports, url=review, now=now),
    ]
    return {"name": "Stock and imports", "group": "Sales", "rows": rows}


def _mail(work: Work, now: datetime) -> dict[str, Any]:
    mail = reverse("admin:post_office_email_changelist")
    rows = [
        card_row(
            label="Failed",
            waiting=work.mail_failed,
            url=f"{mail}?state=failed",
            now=now,
            alarm="Resend",
        ),
        card_row(
            label="Waiting in the queue",
            waiting=work.mail_queued,
            url=f"{mail}?state=queued",
            now=now,
        ),
    ]
    return {"name": "Mail", "group": "all staff", "rows": rows}


def _sweeps(work: Work, now: datetime) -> dict[str, Any]:
    url = reverse("admin:portal_sweeprun_changelist")
    rows = [
        card_row(label="Failing", waiting=work.sweeps_failing, url=url, now=now, alarm="Failing"),
        card_row(label="Not run when due", waiting=work.sweeps_late, url=url, now=now),
    ]
    return {"name": "Work in the background", "group": "all staff", "rows": rows}


def due_text(due: datetime, *, now: datetime) -> str:
    """Return when something is due: `due 11-23`, today its time alone, `18:00`."""
    moment = timezone.localtime(due)
    is_today = moment.date() == timezone.localdate(now)
    return f"{moment:%H:%M}" if is_today else f"due {moment:%m-%d}"


def card_row(
    *,
    label: str,
    waiting: Waiting,
    url: str,
    now: datetime,
    alarm: str = "",
    late_url: str = "",
    warn_url: str = "",
    due: datetime | None = None,
) -> dict[str, Any]:
    """Return a row of a card: what waits, how many, since when; how late, or what is to be done at
    once (`alarm`).

    Where nothing is late yet, those that are warned of, or when the oldest is `due`.
    """
    late, tone, link = "–", "", url
    if waiting.count and alarm:
        late, tone = alarm, "late"
    elif waiting.late:
        late, tone, link = f"{waiting.late} late", "late", late_url or url
    elif waiting.warned:
        late, tone, link = f"{waiting.warned} {APPROVAL_WARNED}", "soon", warn_url
    elif due is not None:
        late, tone = due_text(due, now=now), "soon"
    return {
        "label": label,
        "url": url,
        "count": waiting.count,
        "oldest": humanize(now - waiting.oldest) if waiting.oldest else "–",
        "late": late,
        "tone": tone,
        "late_url": link,
    }

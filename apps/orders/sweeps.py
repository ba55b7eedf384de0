"""Periodic work on orders. Safe to repeat; `portal/ops/sweeps.py` says when each runs."""

import logging
from collections.abc import Callable
from datetime import datetime, timedelta
from itertools import chain
from typing import Any

from django.db import DatabaseError
from django.db.models import Q

from apps.common.errors import StorageUnavailable
from apps.common.sweeps import delete_in_parts, parts_of
from apps.orders.models import (
    LineProposal,
    Order,
    OrderDocument,
    SavedBasket,
    TemporaryOrder,
)
from apps.orders.selectors.orders import STEP_PROMISES, step_due_at
from apps.orders.services.documents import make_file
from apps.orders.services.proposals import expire
from apps.orders.services.request import KEY_LIFETIME
from apps.orders.services.wishes import lapse_offers, late_offers, tell_offers, untold_offers
from apps.orders.status import OrderStatus

logger = logging.getLogger("portal.papers")

BATCH = 500
FILES_AT_ONCE = 200
MONEY_MAY_COME = timedelta(days=30)  # as long as PayPal keeps a request id
ORDERS_AT_ONCE = 5_000


def forget_temporary_orders(now: datetime) -> int:
    """Delete expired temporary orders that never became an order; return how many they were.

    One that PayPal was asked about stays as long as money may still come for it.
    Short transactions: on SQLite a long one would hold up every order.
    """
    unpaid = Q(paypal_at__isnull=True) | Q(paypal_at__lt=now - MONEY_MAY_COME)
    return delete_in_parts(
        TemporaryOrder.objects.filter(unpaid, expires_at__lt=now, order__isnull=True)
    )


def forget_former_baskets(now: datetime) -> int:
    """Delete the former baskets that were kept long enough; return how many they were."""
    return delete_in_parts(SavedBasket.objects.filter(expires_at__lt=now))


def renew_due_times(now: datetime) -> int:
    """Store when each open order's step is late where that is not what is stored; return how many
    changed.

    A holiday that was declared, or a changed setting, moves what was worked out when the order
    reached its status. However many are open, a part of them is in memory.
    """
    changed = after = 0
    rows = Order.objects.filter(status__in=STEP_PROMISES).order_by("pk")
    while True:
        part = rows.filter(pk__gt=after)[:ORDERS_AT_ONCE]
        batch = list(part.values_list("pk", "status", "status_at", "due_at"))
        for pk, status, status_at, stored in batch:
            due = step_due_at(OrderStatus(status), since=status_at)
            if due != stored:
                still = Order.objects.filter(pk=pk, status=status, status_at=status_at)
                changed += still.update(due_at=due)
        if len(batch) < ORDERS_AT_ONCE:
            return changed
        after = batch[-1][0]


def expire_proposals(now: datetime) -> int:
    """Apply the defaults of proposals whose time is over, an order at a time; return how many they
    were.

    An order that somebody works on right now, or that fails, does not hold up the others: it comes
    again.
    """
    late = LineProposal.objects.filter(state=LineProposal.State.OPEN, answer_by__lte=now)
    return _one_by_one(
        late.values_list("order_id", flat=True),
        lambda order_id: expire(order_id=order_id, now=now),
        "the proposals of order %s cannot expire now",
    )


def pass_offers_on(now: datetime) -> int:
    """Let offers lapse whose time is over, then tell buyers of new ones; return how many wishes and
    mails they were.

    A product or buyer that somebody works on right now, or that fails, does not hold up the others:
    it comes again.
    """
    lapsed = _one_by_one(
        late_offers(now=now).values_list("product_id", flat=True),
        lambda product_id: lapse_offers(product_id=product_id, now=now),
        "the offers of product %s cannot lapse now",
    )
    passed_on = _one_by_one(
        untold_offers().values_list("user_id", flat=True),
        lambda user_id: tell_offers(user_id=user_id, now=now),
        "buyer %s cannot be told of offers now",
    )
    return lapsed + passed_on


def _one_by_one(ids: Any, work: Callable[[int], int], failure: str) -> int:
    """Return the sum of what the work of each did; where the database gives way, that is logged."""
    total = 0
    for id_ in sorted(set(ids[:BATCH])):
        try:
            total += work(id_)
        except DatabaseError:
            logger.exception(failure, id_)
    return total


def forget_idempotency_keys(now: datetime) -> int:
    """Clear the keys of calls made more than 24 hours ago; return how many they were (reliability,
    section 4).
    """
    before = now - KEY_LIFETIME
    orders = Order.objects.filter(idempotency_key__isnull=False, placed_at__lt=before)
    drafts = TemporaryOrder.objects.filter(idempotency_key__isnull=False, created_at__lt=before)
    parts = chain(parts_of(orders), parts_of(drafts))
    return sum(part.update(idempotency_key=None, request_hash="") for part in parts)


def make_document_files(now: datetime) -> int:
    """Make the files of issued documents, the newest first; return how many were made.

    A document that cannot be made is logged and does not hold up the others; a storage that is down
    ends the run.

    Raises:
        StorageUnavailable: the storage does not answer; the sweep comes again.
    """
    waiting = OrderDocument.objects.filter(issued__isnull=False, rendered_at__isnull=True).order_by(
        "-id"
    )
    total = 0
    for document in list(waiting[:FILES_AT_ONCE]):
        try:
            make_file(document=document, now=now)
        except StorageUnavailable:
            raise
        except Exception:
            logger.exception("document %s cannot be made", document.pk)
            continue
        total += 1
    return total

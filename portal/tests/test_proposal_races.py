"""Buyer and staff at once on one proposal: one wins, the other is told, and nothing is
half done.
"""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import partial

import pytest

from apps.accounts.models import User
from apps.accounts.selectors import Buyer
from apps.catalog.models import Product
from apps.catalog.tests.factories import make_product
from apps.common.errors import PortalError, WrongStatus
from apps.common.tests.races import race
from apps.orders.errors import ProposalClosed
from apps.orders.models import LineProposal, Order, OrderEvent
from apps.orders.proposal_rules import pieces_of
from apps.orders.services.moves import start_preparing
from apps.orders.services.proposals import (
    NewProposal,
    ProposalAnswer,
    answer_proposals,
    expire,
    propose,
    withdraw,
)
from apps.orders.tests.factories import make_sales, stock_of
from apps.payments.services.cancel import cancel_order
from apps.payments.tests.factories import arrive, make_wire_order
from apps.payments.tests.paypal.support import audit

pytestmark = pytest.mark.django_db(transaction=True)

TIMES = 4
State = LineProposal.State


def take_back(proposal: LineProposal, sales: User, now: datetime) -> None:
    withdraw(order_id=proposal.order_id, proposal_ids=[proposal.pk], actor=sales, now=now)


def cancel(proposal: LineProposal, sales: User, now: datetime) -> None:
    cancel_order(
        order_id=proposal.order_id, by_terms=True, reason="Asked for", actor=sales, now=now
    )


def fall_silent(proposal: LineProposal, sales: User, now: datetime) -> None:
    expire(order_id=proposal.order_id, now=now + timedelta(days=40))


def propose_substitute(
    buyer: Buyer, product: Product, other: Product, sales: User, now: datetime
) -> LineProposal:
    """Return an open proposal for the line of a new order."""
    order = make_wire_order(buyer, [(product, 20)])
    arrive(order)
    order = start_preparing(order_id=order.pk, actor=sales, now=now)
    line, version = order.lines.get(), Order.objects.get(pk=order.pk).version
    proposal = NewProposal(line.pk, "substitute", 10, price=line.price, product_id=other.pk)
    return propose(order_id=order.pk, version=version, proposals=[proposal], actor=sales, now=now)[
        0
    ]


def at_once(*deeds: Callable[[], object]) -> list[PortalError | None]:
    """Do all of them at once; return how each was refused, None if it was not."""

    def work(number: int) -> PortalError | None:
        try:
            deeds[number]()
        except PortalError as refusal:
            return refusal
        return None

    return race(work, times=len(deeds), threads=len(deeds))


DEEDS: dict[str, tuple[Callable[[LineProposal, User, datetime], None], set[str]]] = {
    "withdraw": (take_back, {State.WITHDRAWN}),
    "cancel": (cancel, {State.WITHDRAWN}),
    "expire": (fall_silent, {State.EXPIRED}),
}


@pytest.mark.parametrize("answer", ["accept", "decline"])
@pytest.mark.parametrize("deed", DEEDS)
def test_one_of_two_closes_a_proposal(buyer: Buyer, deed: str, answer: str) -> None:
    sales, now = make_sales(), datetime.now(UTC)
    act, ends = DEEDS[deed]
    product, other = make_product(on_hand=1000), make_product(on_hand=1000)
    for _ in range(TIMES):
        proposal = propose_substitute(buyer, product, other, sales, now)
        order, reply = proposal.order, ProposalAnswer(proposal.pk, answer)
        answered, moved = at_once(
            partial(
                answer_proposals,
                buyer=buyer,
                invoice_code=order.invoice_code,
                answers=[reply],
                now=now,
            ),
            partial(act, proposal, sales, now),
        )
        proposal.refresh_from_db()
        if answered is None:
            assert proposal.state == {"accept": State.ACCEPTED, "decline": State.DECLINED}[answer]
            assert isinstance(moved, ProposalClosed) if deed == "withdraw" else moved is None
        else:
            assert isinstance(answered, ProposalClosed | WrongStatus)
            assert (proposal.state in ends, moved) == (True, None)
        assert (pieces_of(proposal).ordered, proposal.held) == (20, 0)
        assert (
            OrderEvent.objects.filter(order=order, kind="proposal").count() == 2
        )  # proposed, and closed once
        assert audit() == ""
        if deed != "cancel":
            cancel(proposal, sales, now)
        assert (stock_of(product), stock_of(other)) == ((1000, 0, 0), (1000, 0, 0))

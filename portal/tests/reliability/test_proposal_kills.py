"""The end of the process at every statement of a proposal and of its answers: done whole, or not at
all.
"""

from datetime import UTC, datetime

import pytest
from django.db.models import Q
from post_office.models import Email

from apps.accounts.selectors import Buyer
from apps.catalog.tests.factories import make_product
from apps.orders.models import LineProposal, Order
from apps.orders.services.moves import start_preparing
from apps.orders.services.proposals import NewProposal, ProposalAnswer, answer_proposals, propose
from apps.orders.tests.factories import make_sales, stock_of
from apps.payments.tests.factories import arrive, make_wire_order
from portal.tests.reliability.test_kills import Deed, refused, survive

MAILS = Q(subject__icontains="proposal")
pytestmark = pytest.mark.usefixtures("transactional_db")


@pytest.mark.parametrize("step", ["propose", "accept", "decline"])
def test_a_substitute_is_proposed_and_answered(
    buyer: Buyer, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    product, other, sales = make_product(on_hand=10_000), make_product(on_hand=10_000), make_sales()

    def make() -> Deed:
        order = make_wire_order(buyer, [(product, 20)])
        arrive(order)
        start_preparing(order_id=order.pk, actor=sales, now=datetime.now(UTC))
        line, version = order.lines.get(), Order.objects.get(pk=order.pk).version
        proposal = NewProposal(line.pk, "substitute", 10, price=line.price, product_id=other.pk)
        proposals = LineProposal.objects.filter(order=order)
        allocated, code = (stock_of(product)[1], stock_of(other)[1]), order.invoice_code

        def send() -> None:
            propose(
                order_id=order.pk,
                version=version,
                proposals=[proposal],
                actor=sales,
                now=datetime.now(UTC),
            )

        def answer() -> None:
            answers = [ProposalAnswer(proposals.get().pk, step)]
            answer_proposals(buyer=buyer, invoice_code=code, answers=answers, now=datetime.now(UTC))

        def state() -> tuple[object, ...]:
            return (
                list(proposals.values_list("state", "held")),
                sorted(order.lines.values_list("quantity", "is_confirmed", "allocated")),
                (stock_of(product)[1] - allocated[0], stock_of(other)[1] - allocated[1]),
                order.events.filter(kind="proposal").count(),
                Email.objects.filter(subject__contains=code).filter(MAILS).count(),
            )

        outcomes: dict[str, tuple[object, ...]] = {
            "propose": ([("open", 10)], [(20, True, 20)], (0, 10), 1, 1),
            "accept": ([("accepted", 0)], [(10, True, 10), (20, False, 0)], (-20, 10), 2, 2),
            "decline": ([("declined", 0)], [(20, False, 0)], (-20, 0), 2, 2),
        }
        if step == "propose":
            return Deed(refused(send), state, outcomes[step])
        send()
        return Deed(answer, state, outcomes[step])

    survive(make, monkeypatch, least=3)

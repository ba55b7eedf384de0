"""Random negotiations of an order's lines against a plain model: where the pieces went, what it
costs, what is held.

Lines are proposed on again after a decision, whatever it was, and after a proposal was taken back.
With `make fuzz` an order is negotiated for each four of FUZZ_LIVES, with about eighty proposals;
else their share of the calls.
"""

import random
from collections import Counter
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.db import transaction
from post_office.models import Email

from apps.accounts.models import User
from apps.accounts.selectors import Buyer
from apps.catalog.models import Product, Stock
from apps.catalog.tests.factories import make_product
from apps.orders.documents import content as cells
from apps.orders.errors import StaffRefusal
from apps.orders.models import IssuedDocument, LineProposal, Order
from apps.orders.proposal_rules import pieces_of
from apps.orders.services.confirm import LineDecision, confirm_order
from apps.orders.services.moves import start_preparing
from apps.orders.services.proposals import ProposalAnswer, answer_proposals, propose, withdraw
from apps.orders.status import OrderStatus
from apps.orders.sweeps import expire_proposals
from apps.orders.tests.factories import make_sales
from apps.payments.services.cancel import cancel_order
from apps.payments.tests.factories import arrive, make_wire_order
from apps.payments.tests.paypal.support import audit
from portal.tests.fuzz.negotiation import Model
from portal.tests.fuzz.size import LIVES, REQUESTS, chance_of, share

NOW = datetime(2026, 11, 20, 6, 0, tzinfo=UTC)
SEED = 20261123
PRICE = Decimal("6.00")
ROUNDS = 8 if REQUESTS else 4
SHELF = 100_000


class Negotiation:
    """An order that staff and its buyer negotiate at random."""

    def __init__(
        self, buyer: Buyer, sales: User, products: list[Product], chance: random.Random
    ) -> None:
        self.buyer, self.sales, self.chance = buyer, sales, chance
        self.model, self.went, self.now = Model(), dict[int, dict[str, int]](), NOW
        ordered = chance.sample(products, chance.randint(2, len(products) - 4))
        lines = [(product, chance.randrange(10, 60, 10)) for product in ordered]
        self.order = make_wire_order(buyer, lines)
        arrive(self.order)
        start_preparing(order_id=self.order.pk, actor=sales, now=NOW)
        self.others = [product.pk for product in products]
        for line in self.order.lines.all():
            self.model.begin(line.pk, line.product_id, line.price, line.quantity)

    def run(self) -> int:
        """Negotiate some rounds, then confirm or cancel; return how many proposals were made."""
        for _ in range(ROUNDS):
            self.propose()
            self.check()
            self.take_back()
            self.answer()
            self.fall_silent()
            self.check()
        if self.chance.random() < 0.3 or not self.model.sent:
            self.cancel()
        else:
            self.confirm()
        self.check_ends()
        return len(self.went)

    def propose(self) -> None:
        model, busy = self.model, {one.line_id for one in self.model.open.values()}
        free = [line for line in model.sent if line not in busy]
        products = self.chance.sample(free, self.chance.randint(0, len(free)))
        drawn = [model.draw(self.chance, line, self.others) for line in products]
        while faults := model.refused(drawn):
            with pytest.raises(StaffRefusal) as refusal:
                self.send(drawn)
            lines = {name.split("-")[1] for name in refusal.value.errors or {}}
            assert lines == {str(line) for line in faults}
            drawn = [one for one in drawn if one.line_id not in faults]
        if drawn:
            proposals = self.send(drawn)
            model.open |= {one.pk: one for one in proposals}
            model.mails["need"] += 1

    def send(self, drawn: list) -> list[LineProposal]:
        days = self.chance.randint(1, 5)
        return propose(proposals=drawn, days=days, version=self.version(), **self.step())

    def version(self) -> int:
        return Order.objects.get(pk=self.order.pk).version

    def step(self) -> dict[str, Any]:
        """Return what every step of staff says."""
        return {"order_id": self.order.pk, "actor": self.sales, "now": self.now}

    def withdraw(self, some: list[LineProposal]) -> None:
        """Take proposals back."""
        withdraw(proposal_ids=[one.pk for one in some], **self.step())
        for one in some:
            self.went[one.pk] = self.model.close(one, "", None)

    def take_back(self) -> None:
        some = [one for one in self.model.open.values() if self.chance.random() < 0.2]
        if some:
            self.withdraw(some)

    def answer(self) -> None:
        said = {
            one: self.chance.choice(["accept", "accept", "decline", "ask", ""])
            for one in self.model.open
        }
        answers = [
            ProposalAnswer(pk, word, "Why?" * (word == "ask")) for pk, word in said.items() if word
        ]
        if not answers:
            return
        was_asked = {one.pk for one in self.model.open.values() if one.question}
        code = self.order.invoice_code
        answer_proposals(buyer=self.buyer, invoice_code=code, answers=answers, now=self.now)
        settled = [self.model.open[one.proposal_id] for one in answers if one.answer != "ask"]
        self.model.mails["Proposals answered"] += any(
            one.answer != "ask" or one.proposal_id not in was_asked for one in answers
        )
        for one in answers:
            self.model.open[one.proposal_id].question = one.question
        self.apply(settled, said)

    def fall_silent(self) -> None:
        self.now += timedelta(days=self.chance.choice([0, 1, 3]))
        late = self.model.due(self.now)
        assert expire_proposals(self.now) == len(late)
        self.model.mails["Proposals decided"] += bool(late)
        self.apply(late, {one.pk: one.unanswered for one in late}, lost="expired")

    def apply(
        self, closed: list[LineProposal], answers: dict[int, str], *, lost: str = "declined"
    ) -> None:
        lines = self.order.lines.filter(is_confirmed=True, is_ordered=False)
        agreed = {(line.product_id, line.price): line.pk for line in lines} if closed else {}
        for one in closed:
            product = one.product_id or self.model.sent[one.line_id].product
            place = agreed.get((product, one.price))
            self.went[one.pk] = self.model.close(one, answers[one.pk], place, lost=lost)

    def check(self) -> None:
        """Compare lines, money and stock with the model."""
        model = self.model
        assert model.explained()
        rows = list(self.order.lines.all())
        fields = {
            row.pk: (row.product_id, row.price, row.quantity, row.allocated)
            for row in rows
            if row.is_confirmed
        }
        assert fields == {
            pk: (*line.goods, line.pieces, line.pieces) for pk, line in model.sent.items()
        }
        assert {
            (row.product_id, row.price): row.quantity for row in rows if not row.is_confirmed
        } == model.aside
        assert Order.objects.get(pk=self.order.pk).real_total == model.cost
        self.check_stock(model.promised())

    def check_stock(self, promised: Counter[int]) -> None:
        shelf = Stock.objects.filter(product_id__in=self.others, allocated__gt=0)
        assert dict(shelf.values_list("product_id", "allocated")) == promised

    def confirm(self) -> None:
        if self.model.open:
            self.wait()
        decisions = [LineDecision(pk, line.pieces) for pk, line in self.model.sent.items()]
        sheet: Any = {"decisions": decisions, "shipping_fee": Decimal("5.00")}
        order_confirmed = confirm_order(version=self.version(), **sheet, **self.step())
        assert order_confirmed.status in (OrderStatus.CONFIRMED, OrderStatus.PAID)
        assert order_confirmed.real_total == self.model.cost
        issued = IssuedDocument.objects.filter(order=self.order)
        paper = issued.get(kind=IssuedDocument.Kind.PROFORMA).content
        pieces = sum(line.pieces for line in self.model.sent.values())
        assert paper["table"]["total"][3::2] == [cells.pieces(pieces), cells.usd(self.model.cost)]
        assert len(paper["table"]["rows"]) == len(self.model.sent)
        self.check()

    def wait(self) -> None:
        """See the confirmation refused while something waits, and let it be taken back."""
        sheet: Any = {"decisions": [], "shipping_fee": PRICE}
        with pytest.raises(StaffRefusal):
            confirm_order(version=self.version(), **sheet, **self.step())
        self.withdraw(list(self.model.open.values()))

    def cancel(self) -> None:
        cancel_order(by_terms=True, reason="No", **self.step())
        for one in list(self.model.open.values()):
            self.went[one.pk] = self.model.close(one, "", None)
        self.check_stock(Counter())

    def check_ends(self) -> None:
        """Compare every proposal's end and the mails with the model."""
        rows = list(LineProposal.objects.filter(order=self.order))
        ends = {
            one.pk: {name: number for name, number in vars(pieces_of(one)).items() if number}
            for one in rows
        }
        assert ends == {
            pk: {fate: number for fate, number in went.items() if number}
            for pk, went in self.went.items()
        }
        assert not any(one.held for one in rows)
        mails = Email.objects.filter(subject__contains=self.order.invoice_code)
        for words, number in self.model.mails.items():
            assert mails.filter(subject__contains=words).count() == number, words
        assert audit() == ""


@pytest.mark.django_db
def test_every_piece_and_cent_of_a_negotiation_is_explained(
    buyer: Buyer, tally: Counter[str], request: pytest.FixtureRequest
) -> None:
    chance = chance_of(request, SEED)
    sales, number = make_sales(), 60 if REQUESTS else 16
    products = [make_product(on_hand=SHELF, usd_supply=PRICE) for _ in range(number)]
    for _ in range(LIVES // 4 or share(8)):
        with transaction.atomic():
            tally["line proposals"] += Negotiation(buyer, sales, products, chance).run()
            transaction.set_rollback(True)

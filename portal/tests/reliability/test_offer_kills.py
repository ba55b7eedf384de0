"""The end of the process at every statement of an arrival, of what becomes of its offers, and of
their mail.
"""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from post_office.models import Email

from apps.accounts.tests.factories import make_buyer
from apps.catalog.services import stock
from apps.catalog.tests.factories import make_product
from apps.orders.models import GivenPieces, Wish
from apps.orders.services.wishes import drop_wish, lapse_offers, tell_offers, wish_for
from apps.orders.tests.factories import make_draft, make_sales, stock_of
from apps.payments.services.deposit import checkout_deposit_by_wire
from apps.payments.tests.factories import wire_form
from portal.tests.reliability.test_kills import Deed, refused, survive

pytestmark = pytest.mark.usefixtures("transactional_db")

DONE: dict[str, tuple[object, ...]] = {
    "arrive": ([(20, 0, 0, 0), (10, 0, 0, 0)], (30, 30, 0), 0, 0),
    "tell": ([(20, 0, 0, 0), (10, 0, 0, 0)], (30, 30, 0), 0, 1),
    "order": ([(0, 20, 0, 0), (10, 0, 0, 0)], (30, 30, 0), 20, 0),
    "lapse": ([(0, 0, 20, 0), (30, 0, 0, 0)], (30, 30, 0), 0, 1),
    "drop": ([(0, 0, 0, 20), (30, 0, 0, 0)], (30, 30, 0), 0, 0),
}


class Offered:
    """Two wishes for a product, and what may happen to them."""

    def __init__(self) -> None:
        self.sales, self.now = make_sales(), datetime.now(UTC)
        self.product, self.first = make_product(on_hand=0), make_buyer()
        self.wish = wish_for(buyer=self.first, sku=self.product.sku, pieces=20, now=self.now)
        later = self.now + timedelta(minutes=1)
        wish_for(buyer=make_buyer(), sku=self.product.sku, pieces=30, now=later)

    def arrive(self) -> None:
        if stock_of(self.product)[0]:
            return  # staff see that it is there
        goods: dict[str, Any] = {"product_id": self.product.pk, "pieces": 30, "reason": "Delivery"}
        stock.receive(**goods, actor=self.sales, now=self.now)

    def tell(self) -> None:
        tell_offers(user_id=self.first.id, now=self.now)

    def lapse(self) -> None:
        lapse_offers(product_id=self.product.pk, now=self.now + timedelta(days=30))

    def drop(self) -> None:
        drop_wish(buyer=self.first, wish_id=self.wish.pk, now=self.now)

    def order(self) -> None:
        checkout_deposit_by_wire(buyer=self.first, form=wire_form(self.draft), now=self.now)

    def state(self) -> tuple[object, ...]:
        wishes = Wish.objects.filter(product=self.product).order_by("pk")
        pieces = GivenPieces.objects.filter(wish__in=wishes).values_list("pieces", flat=True)
        mails = Email.objects.filter(
            to=self.first.email, subject__icontains="reserved for you"
        ).count()
        columns = ("held", "given", "expired", "dropped")
        return list(wishes.values_list(*columns)), stock_of(self.product), sum(pieces), mails

    def deed(self, step: str) -> Deed:
        """Return a step, with what comes before it done."""
        if step != "arrive":
            self.arrive()
        if step == "lapse":
            self.tell()
        if step == "order":
            self.draft = make_draft(self.first, [(self.product, 20)])
        return Deed(refused(getattr(self, step)), self.state, DONE[step])


@pytest.mark.parametrize("step", DONE)
def test_an_offer_is_made_told_ordered_and_passed_on(
    monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    survive(lambda: Offered().deed(step), monkeypatch, least=3)

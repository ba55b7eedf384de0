"""Plays the demo's stories through the portal's own services, each step at its own time in the
past.

Stock, money, tallies, events and mails therefore agree just as they do in real use.
"""

from collections import Counter
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from random import Random
from types import SimpleNamespace

from django.utils import timezone
from post_office.models import STATUS, Email

from apps.accounts.models import Company, User
from apps.accounts.selectors import Buyer, identify
from apps.accounts.shipping import Shipping
from apps.catalog.models import Product, Stock
from apps.catalog.selectors import products_by_sku, quantities
from apps.catalog.services import stock
from apps.common.money import ZERO
from apps.common.storage.files import PDF
from apps.orders.carriers import Carrier
from apps.orders.documents.customs import Terms
from apps.orders.models import Order, OrderEvent, Wish
from apps.orders.rules import Box, Contents
from apps.orders.selectors.packing import lines_to_pack
from apps.orders.services.commercial import issue_commercial_invoice
from apps.orders.services.confirm import AddedLine, LineDecision, confirm_order
from apps.orders.services.conversation import answer_buyer, leave_message, mark_read
from apps.orders.services.documents import keep_document
from apps.orders.services.moves import start_preparing
from apps.orders.services.packing import PackingListDetails, complete_packing, ship_order
from apps.orders.services.request import request_order
from apps.orders.services.wishes import wish_for
from apps.orders.status import OrderStatus
from apps.payments.services.cancel import cancel_order
from apps.payments.services.deposit import WireCheckout, checkout_deposit_by_wire
from apps.payments.services.wire import announce_balance_wire, confirm_wire
from apps.payments.states import PaymentState
from portal.demo.pictures import pdf
from portal.demo.rows import BUYER, LIMITED, ON_SALE, PRODUCTS, STORIES, Reached

# Days after placing when each step happens, office days and hours apart.
DEPOSIT_ARRIVES, PREPARED, PACKED, CONFIRMED, BALANCE_ANNOUNCED, BALANCE_ARRIVES, SHIPPED = (
    0.8,
    1.5,
    3,
    3.2,
    4.6,
    6,
    7.5,
)
FRIDAY, MONDAY_AFTER = 5, 8
PLENTY = 900  # pieces on hand: low and sold-out products stay as the catalogue says
ON_ITS_WAY = timedelta(days=6)
# Who waits for what is sold out: days ago, of how many products, pieces of each.
WISHES = ((BUYER, 34, 4, 60), (LIMITED, 9, 2, 24))


def play_stories(*, now: datetime) -> None:
    """Make the orders of all stories, as if the portal had been in use for three months."""
    sales = User.objects.get(email="sales@demo.test")
    catalogue = {product.sku: product for product in Product.objects.select_related("brand")}
    for number, story in enumerate(STORIES):
        _Teller(story, number, now=now, sales=sales, catalogue=catalogue).tell()
    _restock(sales=sales, now=now)
    sold_out = [one.sku for one in PRODUCTS if one.is_running == ON_SALE and not one.on_hand]
    for email, days_ago, products, pieces in WISHES:
        buyer, at = _buyer_of(email), now - timedelta(days=days_ago)
        for sku in sorted(products_by_sku(buyer=buyer, skus=sold_out, now=at))[:products]:
            wish_for(buyer=buyer, sku=sku, pieces=pieces, now=at)


@dataclass
class _Teller:
    """Tells one story; `number` makes its choices its own, and the same at every load."""

    story: SimpleNamespace
    number: int
    now: datetime
    sales: User
    catalogue: dict[str, Product]

    def __post_init__(self) -> None:
        self.chance = Random(self.number)
        self.placed_at = self.now - timedelta(days=self.story.days_ago)
        self.clock = self.placed_at
        self.buyer = _buyer_of(self.story.buyer)
        self.user = User.objects.get(pk=self.buyer.id)

    def at(self, days: float) -> datetime:
        """Return the moment so many days after placing: in office hours, after the step before,
        never to come.
        """
        moment = timezone.localtime(self.placed_at + timedelta(days=days))
        moment = moment.replace(
            hour=9 + self.chance.randrange(8), minute=self.chance.randrange(60), second=0
        )
        if moment.isoweekday() > FRIDAY:
            moment += timedelta(days=MONDAY_AFTER - moment.isoweekday())
        earliest = self.clock + timedelta(minutes=7)
        self.clock = min(max(moment, earliest), max(self.now - timedelta(minutes=1), self.clock))
        return self.clock

    def tell(self) -> None:
        """Play the steps up to where the story ends."""
        story = self.story
        order = self._place()
        steps = (
            (Reached.DEPOSITED, self._deposit_arrives),
            (Reached.PREPARING, self._prepare),
            (Reached.ANNOUNCED, self._hear_from_buyer),
            (Reached.CONFIRMED, self._confirm),
            (Reached.BALANCE_ANNOUNCED, self._announce_balance),
            (Reached.PAID, self._balance_arrives),
            (Reached.SHIPPED, self._ship),
        )
        for reached, step in steps:
            if reached <= Reached[story.reached]:
                step(order)
                self._mails_are_old()
        if story.cancelled:
            cancel_order(
                order_id=order.pk,
                **story.cancelled,
                actor=self.sales,
                now=self.at((self.clock - self.placed_at).days + 1),
            )
        self._mails_are_old()

    def _place(self) -> Order:
        products = self.chance.sample(self._choice(), self.story.lines)
        if self.story.back_order:
            sold_out = [p for p in PRODUCTS if p.is_running == ON_SALE and not p.on_hand]
            products[:2] = sold_out[:2]
        lines = []
        for product in products:
            moq, _ = quantities(product.minimum, product.is_special)
            if product.is_special:
                lines.append((product.sku, moq + self.chance.randrange(40)))
            else:
                lines.append((product.sku, moq * self.chance.choice((1, 1, 1, 2, 2, 3))))
        shipping = Shipping.of(self.user)
        draft = request_order(buyer=self.buyer, lines=lines, shipping=shipping, now=self.placed_at)
        self.clock = self.placed_at + timedelta(minutes=4)
        form = WireCheckout(
            invoice_code=draft.invoice_code,
            shipping=shipping,
            export_declared=True,
            depositor=self.buyer.company,
            amount=draft.total,
            ship_memo=self.story.ship_request,
            po_number=self.story.po_number,
        )
        order = checkout_deposit_by_wire(buyer=self.buyer, form=form, now=self.clock)
        self._mails_are_old()
        return order

    def _choice(self) -> list[SimpleNamespace]:
        """Return what the buyer may order of the products that there are plenty of."""
        company: Company = self.user.company  # type: ignore[assignment]
        brands = {access.brand.eng for access in company.brand_access.select_related("brand")}
        return [
            product
            for product in PRODUCTS
            if product.is_running == ON_SALE
            and product.on_hand >= PLENTY
            and (not self.buyer.brands_restricted or product.brand in brands)
        ]

    def _deposit_arrives(self, order: Order) -> None:
        self._wire_arrives(order, self.at(DEPOSIT_ARRIVES))

    def _wire_arrives(self, order: Order, at: datetime) -> None:
        for wire in order.payments.filter(state=PaymentState.ANNOUNCED):
            confirm_wire(payment_id=wire.pk, received=wire.amount, actor=self.sales, now=at)

    def _prepare(self, order: Order) -> None:
        start_preparing(order_id=order.pk, actor=self.sales, now=self.at(PREPARED))

    def _confirm(self, order: Order) -> None:
        story = self.story
        lines = list(order.lines.select_related("product"))
        by_price = sorted(lines, key=lambda line: line.price * line.quantity, reverse=story.dearest)
        short = {line.pk for line in by_price[: story.short]}
        partial = {line.pk for line in by_price[story.short : story.short + story.partial]}
        decisions = []
        for line in lines:
            decision = LineDecision(line.pk, line.quantity)
            if line.pk in short:
                why = "The next delivery comes in three weeks."
                decision = LineDecision(line.pk, 0, "short", why)
            elif line.pk in partial:
                why = "Half of it now, the rest is not in stock."
                decision = LineDecision(line.pk, line.quantity // 2, "short", why)
            decisions.append(decision)
        order.refresh_from_db()
        confirm_order(
            order_id=order.pk,
            version=order.version,
            decisions=decisions,
            added=self._added({line.sku for line in lines}),
            shipping_fee=Decimal(story.shipping_fee),
            actor=self.sales,
            now=self.at(CONFIRMED),
        )
        if story.packed:
            pack(order_id=order.pk, actor=self.sales, now=self.clock)
            self._add_document(order, "Certificate of origin")
        if story.note:
            answer_buyer(order_id=order.pk, text=story.note, actor=self.sales, now=self.clock)

    def _added(self, ordered: set[str]) -> list[AddedLine]:
        others = [product for product in self._choice() if product.sku not in ordered]
        thanks = "With our thanks: samples of the new line."
        return [
            AddedLine(self.catalogue[product.sku].pk, 10, ZERO, "free_offer", thanks)
            for product in self.chance.sample(others, self.story.free_offers)
        ]

    def _announce_balance(self, order: Order) -> None:
        order.refresh_from_db()
        if order.status == OrderStatus.CONFIRMED:  # not paid at once
            announce_balance_wire(
                buyer=self.buyer,
                invoice_code=order.invoice_code,
                depositor=self.buyer.company,
                now=self.at(BALANCE_ANNOUNCED),
            )

    def _balance_arrives(self, order: Order) -> None:
        self._wire_arrives(order, self.at(BALANCE_ARRIVES))

    def _ship(self, order: Order) -> None:
        number = f"EK{204800000 + 137 * order.pk}KR"
        ship_order(
            order_id=order.pk,
            tracking_number=number,
            carrier=Carrier.EMS,
            expected_on=timezone.localdate(self.at(SHIPPED)) + ON_ITS_WAY,
            actor=self.sales,
            now=self.at(SHIPPED),
        )
        order.refresh_from_db()
        issue_commercial_invoice(
            order_id=order.pk,
            version=order.version,
            terms=Terms("FCA", "Incheon"),
            actor=self.sales,
            now=self.clock,
        )
        self._add_document(order, "Air waybill")

    def _add_document(self, order: Order, title: str) -> None:
        keep_document(
            order_id=order.pk,
            title=f"{title} {order.invoice_code}",
            content=pdf(title, [f"Invoice code {order.invoice_code}", self.buyer.company]),
            kind=PDF,
            actor=self.sales,
            now=self.clock,
        )

    def _hear_from_buyer(self, order: Order) -> None:
        story = self.story
        if story.message:
            leave_message(
                buyer=self.buyer,
                invoice_code=order.invoice_code,
                kind=OrderEvent.Kind.MESSAGE,
                text=story.message,
                now=self.at(2),
            )
        if Reached[story.reached] >= Reached.CONFIRMED:
            mark_read(order_id=order.pk, actor=self.sales, now=self.at(2))

    def _mails_are_old(self) -> None:
        """Let no mail of the past go out now."""
        values = {"status": STATUS.sent, "created": self.clock, "last_updated": self.clock}
        Email.objects.filter(status=STATUS.queued).update(**values)


def _buyer_of(email: str) -> Buyer:
    buyer = identify(User.objects.get(email=email).uuid)
    assert buyer is not None
    return buyer


def _restock(*, sales: User, now: datetime) -> None:
    """Let deliveries arrive until as many pieces can be promised as the catalogue says, beside what
    buyers wait for.
    """
    waiting: Counter[int] = Counter()
    for wish in Wish.objects.filter(closed_at=None, product__isnull=False):
        waiting[wish.product_id or 0] += wish.waiting
    stock_by_sku = {product.sku: product.on_hand for product in PRODUCTS}
    for row in Stock.objects.select_related("product"):
        missing = stock_by_sku[row.product.sku] + waiting[row.pk] - (row.on_hand - row.allocated)
        if missing > 0 and stock_by_sku[row.product.sku]:
            delivered_at = now - timedelta(days=1)
            stock.receive(
                product_id=row.pk, pieces=missing, reason="Delivery", actor=sales, now=delivered_at
            )


IN_A_BOX = 4  # products
CARTON_PERCENT = 7  # what carton and padding weigh above the products
SIZE_CM = (Decimal("42.0"), Decimal("32.0"), Decimal("30.0"))


def pack(*, order_id: int, actor: User, now: datetime) -> None:
    """Put every piece that will be sent into boxes, and say that the packing is complete."""
    boxes, all_lines = [], lines_to_pack(order_id=order_id)
    for first in range(0, len(all_lines), IN_A_BOX):
        lines = all_lines[first : first + IN_A_BOX]
        grams = sum(line.pieces * line.weight_g for line in lines)
        inside = tuple(Contents(line.product_id, line.pieces) for line in lines)
        boxes.append(Box(1, grams * (100 + CARTON_PERCENT) // 100, *SIZE_CM, inside))
    complete_packing(
        order_id=order_id,
        version=Order.objects.get(pk=order_id).version,
        boxes=boxes,
        details=PackingListDetails(
            "Keep dry, this side up.", "", "FCA Incheon", timezone.localdate(now)
        ),
        actor=actor,
        now=now,
    )

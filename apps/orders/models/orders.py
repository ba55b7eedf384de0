"""Temporary orders, orders, their lines and their history."""

from datetime import datetime
from typing import TypedDict

from django.db import models
from django.db.models import Q
from django.db.models.functions import Length
from django.db.models.lookups import LessThanOrEqual
from django.utils import timezone
from django.utils.translation import gettext_lazy as _, pgettext_lazy

from apps.accounts.models import Company, ShippingAddress, User
from apps.catalog.models import Product
from apps.common.db.columns import moment_field, money_field, person_field
from apps.common.models import Event
from apps.common.money import ZERO
from apps.common.seller import seller
from apps.common.texts import read
from apps.orders.carriers import Carrier
from apps.orders.status import CHOICES, OrderStatus


def invoice_code(*, number: int, placed_at: datetime) -> str:
    """Return the invoice code of a temporary order's number: prefix, seller's date, number."""
    return f"{seller().invoice_prefix.upper()}-{timezone.localtime(placed_at):%y%m%d}-{number:04d}"


class FrozenProduct(TypedDict):
    """A product as it is when somebody orders it, by the columns of `OrderLine`; money as text
    (`4.50`).
    """

    product_id: int
    sku: str
    price: str
    usrp: str
    box_qty: int
    weight_g: int
    price_rule: str


class FrozenLine(FrozenProduct):
    """A line of a temporary order: a product as it was, and pieces of it."""

    count: int


class TemporaryOrder(ShippingAddress):
    """A priced list with an invoice code: prices frozen, nothing reserved (readings, The trade).

    `lines` is a list of `FrozenLine`, written once and read whole.
    """

    user = models.ForeignKey(User, models.PROTECT, related_name="temporary_orders", db_index=False)
    lines = models.JSONField()
    total = money_field()
    count = models.PositiveIntegerField(help_text="lines")
    deposit_rate = models.DecimalField(
        max_digits=5, decimal_places=4, help_text="share of the total, frozen as the prices"
    )
    weight_g = models.PositiveBigIntegerField()
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField(db_index=True)
    ordered_at = moment_field(help_text="when it became an order")
    paypal_at = moment_field(help_text="when a PayPal link was last asked for")
    idempotency_key = models.UUIDField(null=True, blank=True)
    request_hash = models.CharField(max_length=64, blank=True)

    may_take_offers = (
        True  # no column: False once it is known that nothing is held for the company's wishes
    )

    class Meta:
        verbose_name = _("temporary order")
        verbose_name_plural = _("temporary orders")
        constraints = [
            models.UniqueConstraint(
                fields=["user", "idempotency_key"], name="temporaryorder_idempotency"
            )
        ]

    def __str__(self) -> str:
        return self.invoice_code

    @property
    def invoice_code(self) -> str:
        """Return the code made of the row's own number, which the database never gives twice."""
        return invoice_code(number=self.pk, placed_at=self.created_at)


# The buyer's own number of an order, as long as the systems of buyers make them.
MAX_PO_NUMBER = 40


def numbers(column: str, *, name: str) -> models.Index:
    """Return an index of the orders that have such a number, for it and for how it begins, in any
    language's order.
    """
    return models.Index(
        fields=[column], name=name, opclasses=["varchar_pattern_ops"], condition=~Q((column, ""))
    )


# What a buyer wrote or changed and nobody has answered or looked at.
UNREAD = Q(message_unread=True) | Q(ship_memo_unread=True) | Q(address_changed=True)

# Received, its deposit neither there nor on its way: the wire has lapsed, or was refused.
UNPAID = Q(
    status=OrderStatus.RECEIVED,
    wire_announced=False,
    payment_pending=False,
    received=0,
    deposit__gt=0,
)


class Order(ShippingAddress):
    """An order of a company. Status, money and stock change only through services."""

    class Packing(models.IntegerChoices):
        NONE = 0, _("None")
        EDITED = 1, _("Being edited")
        COMPLETE = 2, _("Complete")

    invoice_code = models.CharField(max_length=40, unique=True)
    temporary_order = models.OneToOneField(
        TemporaryOrder, models.SET_NULL, null=True, blank=True, related_name="order", editable=False
    )
    company = models.ForeignKey(Company, models.PROTECT, related_name="orders", db_index=False)
    user = models.ForeignKey(
        User, models.PROTECT, related_name="orders", help_text="who ordered", db_index=False
    )
    status = models.PositiveSmallIntegerField(choices=CHOICES, default=OrderStatus.RECEIVED)
    status_at = models.DateTimeField(help_text="since when it stands in this status")
    due_at = moment_field(help_text="when the next step is late")
    placed_at = models.DateTimeField()
    month = models.CharField(max_length=7, help_text="of placing, in the seller's time zone")
    type = models.CharField(max_length=10, default="ORDER")
    payment_type = models.CharField(max_length=10)
    export_declared = models.BooleanField(default=True)
    po_number = models.CharField(
        "PO number", max_length=MAX_PO_NUMBER, blank=True, help_text="the buyer's own"
    )
    former_number = models.CharField(
        max_length=MAX_PO_NUMBER,
        blank=True,
        default="",
        db_default="",
        help_text="in the system that it moved in from",
    )
    count = models.PositiveIntegerField(help_text="lines as ordered")
    pieces = models.PositiveBigIntegerField(help_text="of all lines as ordered")
    total = money_field(help_text="subtotal as ordered")
    real_total = money_field(help_text="subtotal of the confirmed lines")
    deposit = money_field(help_text="as quoted")
    deposit_received = money_field(default=ZERO)
    received = money_field(default=ZERO, help_text="all money received, without PayPal fees")
    credited = money_field(default=ZERO, help_text="given back to the wallet")
    written_off = money_field(default=ZERO, help_text="missing from wires, not asked for any more")
    shipping_fee = money_field(default=ZERO)
    weight_g = models.PositiveBigIntegerField(help_text="of the products")
    measured_weight_g = models.PositiveBigIntegerField(null=True, blank=True)
    payment_pending = models.BooleanField(
        default=False, help_text="an announced balance wire or unsettled PayPal"
    )
    wire_announced = models.BooleanField(
        default=False, help_text="a wire waits for its money, deposit or balance"
    )
    packing_status = models.PositiveSmallIntegerField(choices=Packing, default=Packing.NONE)
    packing_build_date = models.DateField(null=True, blank=True)
    packing_remarks = models.CharField(max_length=500, blank=True)
    packing_notify = models.CharField(max_length=500, blank=True)
    packing_terms = models.CharField(max_length=200, blank=True)
    tracking_number = models.CharField(max_length=80, blank=True)
    shipping_url = models.URLField(max_length=500, blank=True)
    carrier = models.CharField(
        max_length=10, choices=Carrier, blank=True, default="", db_default=""
    )
    expected_on = models.DateField(
        null=True, blank=True, help_text="when the parcel is expected to arrive"
    )
    customer_memo = models.TextField(blank=True)
    ship_memo = models.TextField(blank=True)
    memo = models.TextField("newest answer", blank=True)
    answer_read_at = moment_field(help_text="when the company first saw it")
    message_unread = models.BooleanField(default=False)
    ship_memo_unread = models.BooleanField(default=False)
    address_changed = models.BooleanField(default=False)
    is_back_order = models.BooleanField(default=False)
    cancelled_at = moment_field()
    cancel_reason = models.TextField(blank=True)
    version = models.PositiveIntegerField(
        default=1, help_text="rises with every change by staff and every answered proposal"
    )
    idempotency_key = models.UUIDField(null=True, blank=True)
    request_hash = models.CharField(max_length=64, blank=True)

    class Meta:
        verbose_name = _("order")
        verbose_name_plural = _("orders")
        ordering = ("-id",)
        permissions = [("declare_value", "Can declare another value on a commercial invoice")]
        constraints = [
            models.CheckConstraint(condition=Q(status__gte=0, status__lte=5), name="order_status"),
            models.CheckConstraint(
                condition=Q(
                    total__gte=0, real_total__gte=0, deposit__gte=0, deposit_received__gte=0
                )
                & Q(received__gte=0, credited__gte=0, written_off__gte=0, shipping_fee__gte=0),
                name="order_money",
            ),
            models.CheckConstraint(
                condition=~Q(status=5) | ~Q(tracking_number=""), name="order_tracking"
            ),
            models.CheckConstraint(
                condition=Q(status=0, cancelled_at__isnull=False)
                | (~Q(status=0) & Q(cancelled_at__isnull=True)),
                name="order_cancelled_at",
            ),
            models.CheckConstraint(
                condition=LessThanOrEqual(Length("po_number"), MAX_PO_NUMBER),
                name="order_po_number_length",
            ),
            models.UniqueConstraint(fields=["user", "idempotency_key"], name="order_idempotency"),
            models.UniqueConstraint(
                fields=["former_number"],
                condition=~Q(former_number=""),
                name="order_former_number",
            ),
        ]
        indexes = [
            models.Index(fields=["company", "-id"], name="order_company"),
            models.Index(fields=["company", "status", "-id"], name="order_company_status"),
            models.Index(fields=["status", "due_at"], name="order_work"),
            numbers("tracking_number", name="order_tracking"),
            numbers("po_number", name="order_po"),
            models.Index(fields=["id"], name="order_unread", condition=UNREAD),
        ]

    def __str__(self) -> str:
        return self.invoice_code

    @property
    def state(self) -> OrderStatus:
        """Return the status with what it means."""
        return OrderStatus(self.status)


class OrderLine(models.Model):
    """Pieces of one product at one price, confirmed or not. Two lines of a SKU are its confirmed
    and other part.
    """

    class Reason(models.TextChoices):
        NONE = "", "–"
        SHORT = "short", _("Short")
        DISCONTINUED = "discontinued", _("Discontinued")
        SUBSTITUTE = "substitute", _("Substitute")
        PRICE = "price", _("Other price")  # of the product that was ordered
        FREE_OFFER = "free_offer", _("Free offer")

    order = models.ForeignKey(Order, models.PROTECT, related_name="lines", db_index=False)
    product = models.ForeignKey(Product, models.PROTECT, related_name="order_lines")
    sku = models.CharField("SKU", max_length=40)
    price = money_field(help_text="wholesale, frozen")
    usrp = money_field()
    box_qty = models.PositiveIntegerField(help_text="effective MOQ when ordered")
    weight_g = models.PositiveIntegerField(help_text="grams of one piece")
    price_rule = models.CharField(  # noqa: DJ001
        max_length=16,
        null=True,  # of temporary orders from before, nothing is known
        blank=True,
        help_text="what gave the price; empty: staff, or an order that moved in",
    )
    quantity = models.PositiveIntegerField()
    allocated = models.PositiveIntegerField(help_text="pieces of the stock promised to this line")
    is_confirmed = models.BooleanField(default=True)
    is_ordered = models.BooleanField(default=True, help_text="False for a line that staff added")
    reason = models.CharField(max_length=20, choices=Reason, default="", blank=True)
    comment = models.CharField(max_length=300, blank=True)

    class Meta:
        ordering = ("id",)
        verbose_name = _("order line")
        verbose_name_plural = _("order lines")
        constraints = [
            models.UniqueConstraint(
                fields=["order", "sku", "is_confirmed", "price"], name="orderline_once"
            ),
            models.CheckConstraint(
                condition=Q(quantity__gt=0, price__gte=0), name="orderline_quantity"
            ),
            models.CheckConstraint(
                condition=Q(allocated__gte=0, allocated__lte=models.F("quantity")),
                name="orderline_allocated",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.order}: {self.quantity} x {self.sku}"


class OrderEvent(Event):
    """What happened to an order, who did it, when and why. Never edited."""

    class Kind(models.TextChoices):
        STATUS = "status", _("Status")
        ADDRESS = "address", _("Address changed")
        MESSAGE = "message", _("Message")
        SHIP_MEMO = "ship_memo", _("Shipping request")
        MEMO = "memo", _("Answer")
        NOTE = "note", _("Internal note")
        LINES = "lines", _("Lines")
        PAYMENT = "payment", _("Payment")
        PACKING = "packing", _("Packing")
        DOCUMENT = "document", _("Document")
        DECLARED = "declared", _("Declared value")
        READ = "read", _("No answer needed")
        TRACKING = "tracking", _("Tracking number")
        MAIL = "mail", pgettext_lazy("history", "Mail to the buyer")
        SEEN = "seen", _("Seen as the buyer sees it")
        PO_NUMBER = "po_number", _("PO number")
        PROPOSAL = "proposal", _("Proposal")

    order = models.ForeignKey(Order, models.PROTECT, related_name="events")
    kind = models.CharField(max_length=12, choices=Kind)
    from_status = models.PositiveSmallIntegerField(null=True, blank=True, choices=CHOICES)
    to_status = models.PositiveSmallIntegerField(null=True, blank=True, choices=CHOICES)
    actor = person_field(null=True, blank=True, help_text="empty: the portal", db_index=False)
    key = models.CharField(max_length=40, blank=True, help_text="of what happens once to an order")

    class Meta(Event.Meta):
        verbose_name = _("order event")
        verbose_name_plural = _("order events")
        constraints = [
            models.UniqueConstraint(
                fields=["order", "to_status"],
                condition=Q(kind="status"),
                name="orderevent_status_once",
            ),
            models.UniqueConstraint(
                fields=["order", "key"], condition=~Q(key=""), name="orderevent_key_once"
            ),
        ]
        # For figures by day and the list of events. Placing an order writes none of their rows.
        indexes = [
            models.Index(
                fields=["to_status", "at"],
                name="orderevent_steps",
                condition=Q(kind="status", to_status__gte=2),
            ),
            models.Index(
                fields=["at"], name="orderevent_answers", condition=Q(kind__in=("memo", "read"))
            ),
            models.Index(
                fields=["kind", "-id"], name="orderevent_kinds", condition=~Q(kind="status")
            ),
            models.Index(
                fields=["actor", "-id"], name="orderevent_actors", condition=Q(actor__isnull=False)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.order}: {self.get_kind_display()}"

    @property
    def text(self) -> str:
        """Return the note: people's words as they wrote them, the portal's own in the language of
        the page.
        """
        is_cancelled = self.to_status == OrderStatus.CANCELLED  # its note is the reason
        return self.note if is_cancelled or self.kind in PEOPLES_WORDS else read(self.note)


PEOPLES_WORDS = (
    OrderEvent.Kind.MESSAGE,
    OrderEvent.Kind.SHIP_MEMO,
    OrderEvent.Kind.MEMO,
    OrderEvent.Kind.NOTE,
)


class FormerTracking(Event):
    """A tracking number that a shipped order had before it was corrected: who corrected it, when
    and why.
    """

    order = models.ForeignKey(Order, models.PROTECT, related_name="former_trackings")
    tracking_number = models.CharField(max_length=80, db_index=True)
    shipping_url = models.URLField(max_length=500, blank=True)
    carrier = models.CharField(
        max_length=10, choices=Carrier, blank=True, default="", db_default=""
    )
    expected_on = models.DateField(null=True, blank=True)

    class Meta(Event.Meta):
        verbose_name = _("former tracking number")
        verbose_name_plural = _("former tracking numbers")

    def __str__(self) -> str:
        return f"{self.order}: {self.tracking_number}"

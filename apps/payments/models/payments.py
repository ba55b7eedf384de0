"""Payments by wire, PayPal and wallet, their events, refunds and the ledger."""

import uuid
from decimal import Decimal

from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Round
from django.utils.translation import gettext_lazy as _

from apps.accounts.models import Company, User
from apps.common.db.columns import moment_field, money_field, person_field
from apps.common.models import AppendOnly, Event
from apps.common.money import ZERO
from apps.common.names import NameField
from apps.common.texts import phrase
from apps.orders.models import BuyerFile, Order
from apps.payments.states import (
    BROUGHT_MONEY,
    LIVE,
    PAYPAL_STATES,
    WALLET_STATES,
    WIRE_STATES,
    PaymentState,
)


class Payment(models.Model):
    """One attempt to pay the deposit or the balance of an invoice code. Amounts are US dollars."""

    class Method(models.TextChoices):
        WIRE = "T/T", _("Bank wire")
        PAYPAL = "PAYPAL", "PayPal"
        WALLET = "WALLET", _("Wallet credit")

    class Kind(models.TextChoices):
        DEPOSIT = "deposit", _("Deposit")
        BALANCE = "balance", _("Balance")

    uuid = models.UUIDField(unique=True, default=uuid.uuid4, editable=False)
    invoice_code = models.CharField(max_length=40, db_index=True)
    order = models.ForeignKey(Order, models.PROTECT, null=True, blank=True, related_name="payments")
    company = models.ForeignKey(Company, models.PROTECT, related_name="payments")
    # Who pays
    user = models.ForeignKey(User, models.PROTECT, related_name="payments", db_index=False)
    method = models.CharField(max_length=10, choices=Method)
    kind = models.CharField(max_length=10, choices=Kind)
    state = models.CharField(max_length=20, choices=PaymentState)
    reason = models.CharField(max_length=200, blank=True)
    base = money_field()  # what it settles of the order
    fee = money_field(default=ZERO)  # PayPal surcharge
    amount = money_field()  # base and fee together
    received = money_field(default=ZERO)  # what arrived, without the fee
    taken = money_field(null=True, blank=True)  # what PayPal took, where it is not the amount
    currency = models.CharField(max_length=3, default="USD")
    depositor = NameField(max_length=120, blank=True)
    # The bank's credit that it came with; a credit that was split has several payments
    bank_credit = models.ForeignKey(
        "BankCredit", models.PROTECT, null=True, blank=True, related_name="payments", db_index=False
    )
    # That a wire was sent
    proof = models.OneToOneField(
        BuyerFile, models.PROTECT, null=True, blank=True, related_name="payment"
    )
    created_at = models.DateTimeField()
    # How often the buyer was asked for an announced wire
    reminders = models.PositiveSmallIntegerField(default=0, db_default=0)
    reminded_at = moment_field()
    settled_at = moment_field()
    settled_by = person_field(null=True, blank=True, db_index=False)

    provider = models.CharField(max_length=10, blank=True)
    # As PayPal is told, once for each payment
    invoice_number = models.CharField(max_length=48, blank=True)
    paypal_payment_id = models.CharField(max_length=64, null=True, blank=True, unique=True)
    paypal_token = models.CharField(max_length=64, blank=True)
    approval_url = models.URLField(max_length=500, blank=True)
    payer_id = models.CharField(max_length=20, blank=True)
    sale_id = models.CharField(max_length=64, null=True, blank=True, unique=True)
    sale_state = models.CharField(max_length=24, blank=True)
    create_key = models.UUIDField(null=True, blank=True, unique=True)
    execute_key = models.UUIDField(null=True, blank=True, unique=True)
    checkout = models.JSONField(null=True, blank=True)  # the checkout form, until the order is made
    hold_expires_at = moment_field()
    link_expires_at = moment_field()
    executing_since = moment_field()
    next_check_at = moment_field()
    checks = models.PositiveIntegerField(default=0)
    # Checks that found nothing taken, one after another
    refusals = models.PositiveSmallIntegerField(default=0)
    debug_id = models.CharField(max_length=64, blank=True)
    alarm = models.CharField(max_length=200, blank=True)  # what staff must look at

    class Meta:
        verbose_name = _("payment")
        verbose_name_plural = _("payments")
        ordering = ("created_at", "id")
        constraints = [
            # Rounded, because SQLite adds in binary fractions.
            models.CheckConstraint(
                condition=Q(amount=Round(F("base") + F("fee"), precision=2)), name="payment_amount"
            ),
            models.CheckConstraint(
                condition=Q(base__gte=0, fee__gte=0, received__gte=0), name="payment_money"
            ),
            models.CheckConstraint(condition=Q(currency="USD"), name="payment_currency"),
            models.UniqueConstraint(
                fields=["invoice_code", "kind"],
                condition=Q(method="PAYPAL", state__in=LIVE),
                name="payment_one_live_paypal",
            ),
            models.UniqueConstraint(
                fields=["invoice_code", "kind"],
                condition=Q(method="T/T", state="announced"),
                name="payment_one_announced_wire",
            ),
            models.CheckConstraint(
                condition=Q(method="T/T", state__in=WIRE_STATES)
                | Q(method="PAYPAL", state__in=PAYPAL_STATES)
                | Q(method="WALLET", state__in=WALLET_STATES),
                name="payment_state_of_method",
            ),
            models.CheckConstraint(
                condition=Q(received=0) | Q(state__in=BROUGHT_MONEY), name="payment_received_state"
            ),
        ]
        indexes = [
            models.Index(fields=["method", "state", "created_at"], name="payment_desk"),
            models.Index(
                fields=["next_check_at"],
                name="payment_next_check",
                condition=Q(next_check_at__isnull=False),
            ),
            models.Index(
                fields=["state", "created_at"], name="payment_alarm", condition=~Q(alarm="")
            ),
            models.Index(
                fields=["bank_credit"],
                name="payment_bank_credit",
                condition=Q(bank_credit__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return phrase(
            "%(order)s: %(kind)s by %(method)s",
            order=self.invoice_code,
            kind=self.get_kind_display(),
            method=self.get_method_display(),
        )

    @property
    def charged(self) -> Decimal:
        """Return what the buyer was charged, or will be: US dollars, the fee included."""
        charged: Decimal = self.amount if self.taken is None else self.taken
        return charged

    @property
    def kept(self) -> Decimal:
        """Return what of the money received is still its order's, in US dollars: neither moved away
        nor refunded.
        """
        moved = sum((move.amount for move in self.moves_away.all()), ZERO)
        refunded = sum((refund.amount for refund in self.wire_refunds.all()), ZERO)
        rest: Decimal = self.received - moved - refunded
        return rest

    @property
    def share(self) -> Decimal:
        """Return what of the charge is the order's, in US dollars: all but the surcharge."""
        share: Decimal = self.charged - self.fee
        return share


SOURCES = {
    "buyer": _("the buyer"),
    "return": _("the buyer, back from PayPal"),
    "webhook": "PayPal",
    "reconciler": _("the portal, by asking PayPal"),
    "admin": _("staff"),
}


class PaymentEvent(Event):
    """A step of a payment: from which state to which, on whose evidence."""

    payment = models.ForeignKey(Payment, models.PROTECT, related_name="events")
    from_state = models.CharField(max_length=20, blank=True, choices=PaymentState)
    to_state = models.CharField(max_length=20, choices=PaymentState)
    source = models.CharField(max_length=12, choices=SOURCES)
    note = models.CharField(max_length=500, blank=True)

    class Meta(Event.Meta):
        verbose_name = _("payment event")
        verbose_name_plural = _("payment events")
        # For figures by day: wires that staff have judged, refunds that were paid.
        indexes = [
            models.Index(
                fields=["at"], name="paymentevent_wires", condition=Q(from_state="announced")
            ),
            models.Index(
                fields=["at"],
                name="paymentevent_refunds",
                condition=Q(to_state__in=("partially_refunded", "refunded")),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.payment}: {self.to_state}"


class WireMove(AppendOnly):
    """Money of a booked wire that belongs to another order: the counter-entry to it. The wire
    itself stays as it was.

    `target` is the payment that it became, of the other order.
    """

    source = models.ForeignKey(Payment, models.PROTECT, related_name="moves_away")
    target = models.OneToOneField(Payment, models.PROTECT, related_name="moved_in")
    amount = money_field()
    reason = models.CharField(max_length=200)
    actor = person_field()
    at = models.DateTimeField()

    class Meta:
        verbose_name = _("wire move")
        verbose_name_plural = _("wire moves")
        ordering = ("at", "id")
        constraints = [
            models.CheckConstraint(condition=Q(amount__gt=0), name="wiremove_amount"),
            models.CheckConstraint(condition=~Q(source=F("target")), name="wiremove_other"),
        ]

    def __str__(self) -> str:
        return f"{self.source}: {self.amount}"


class WebhookEvent(models.Model):
    """A provider's verified event, as received."""

    event_id = models.CharField(max_length=80, unique=True)
    event_type = models.CharField(max_length=80)
    body = models.TextField()
    verified_at = models.DateTimeField()
    processed_at = moment_field()
    note = models.CharField(max_length=200, blank=True)

    class Meta:
        verbose_name = _("webhook event")
        verbose_name_plural = _("webhook events")
        indexes = [
            models.Index(
                fields=["id"], name="webhookevent_waiting", condition=Q(processed_at__isnull=True)
            )
        ]

    def __str__(self) -> str:
        return self.event_id


class Refund(models.Model):
    """Money sent back to the buyer's PayPal account."""

    class State(models.TextChoices):
        QUEUED = "queued", _("Queued")
        PENDING = "pending", _("Pending")
        COMPLETED = "completed", _("Completed")
        FAILED = "failed", _("Failed")

    payment = models.ForeignKey(Payment, models.PROTECT, related_name="refunds")
    key = models.UUIDField(unique=True, default=uuid.uuid4)
    amount = money_field()
    state = models.CharField(max_length=10, choices=State, default=State.QUEUED)
    reason = models.CharField(max_length=200)
    failure = models.CharField(max_length=200, blank=True)  # why PayPal refused it
    debug_id = models.CharField(max_length=64, blank=True)
    refund_id = models.CharField(max_length=64, null=True, blank=True, unique=True)
    actor = person_field(null=True, blank=True)
    created_at = models.DateTimeField()
    next_check_at = moment_field()
    checks = models.PositiveIntegerField(default=0)

    class Meta:
        verbose_name = _("refund")
        verbose_name_plural = _("refunds")
        ordering = ("created_at", "id")
        constraints = [models.CheckConstraint(condition=Q(amount__gt=0), name="refund_amount")]
        indexes = [
            models.Index(
                fields=["next_check_at"],
                name="refund_next_check",
                condition=Q(next_check_at__isnull=False),
            )
        ]

    def __str__(self) -> str:
        return f"{self.payment}: {self.amount}"

    @property
    def invoice_number(self) -> str:
        """Return the number that PayPal keeps with the refund, by which it is known again."""
        return f"{self.payment.invoice_number}-R{self.pk}"


class WalletEntry(AppendOnly):
    """A line of a company's ledger: credit positive, use negative. Never edited."""

    class Kind(models.TextChoices):
        CANCELLATION = "cancellation", _("Cancellation")
        OVERPAYMENT = "overpayment", _("Received beyond the order")
        USE = "use", _("Used for a balance")
        REFUND = "refund", _("Refund of a wire")
        CORRECTION = "correction", _("Correction")
        PAID_OUT = "paid_out", _("Sent back by bank")
        OPENING = "opening", _("Opening balance")

    company = models.ForeignKey(Company, models.PROTECT, related_name="wallet_entries")
    order = models.ForeignKey(
        Order, models.PROTECT, null=True, blank=True, related_name="wallet_entries"
    )
    kind = models.CharField(max_length=12, choices=Kind)
    amount = money_field()
    note = models.CharField(max_length=300, blank=True)
    actor = person_field(null=True, blank=True)
    at = models.DateTimeField()

    class Meta:
        verbose_name = _("wallet entry")
        verbose_name_plural = _("wallet entries")
        ordering = ("at", "id")
        constraints = [
            models.UniqueConstraint(
                fields=["order", "kind"],
                condition=Q(kind__in=["cancellation", "overpayment"]),
                name="walletentry_once",
            ),
            models.UniqueConstraint(
                fields=["company"], condition=Q(kind="opening"), name="walletentry_one_opening"
            ),
            models.CheckConstraint(condition=~Q(amount=0), name="walletentry_amount"),
        ]

    def __str__(self) -> str:
        return f"{self.company}: {self.amount}"


class WireRefund(AppendOnly):
    """Money of a booked wire that went back to the buyer: to the company's wallet by `entry`, else
    by the bank.

    The wire itself stays as it was.
    """

    payment = models.ForeignKey(Payment, models.PROTECT, related_name="wire_refunds")
    entry = models.OneToOneField(
        WalletEntry, models.PROTECT, null=True, blank=True, related_name="wire_refund"
    )
    amount = money_field()
    reason = models.CharField(max_length=200)
    actor = person_field()
    at = models.DateTimeField()

    class Meta:
        verbose_name = _("wire refund")
        verbose_name_plural = _("wire refunds")
        ordering = ("at", "id")
        constraints = [models.CheckConstraint(condition=Q(amount__gt=0), name="wirerefund_amount")]

    def __str__(self) -> str:
        return f"{self.payment}: {self.amount}"

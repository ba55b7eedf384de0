"""Bodies and answers of the checkout calls (api.md)."""

from datetime import date, datetime
from decimal import Decimal
from typing import Annotated, Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apps.accounts.api.serializers import AddressEntry, PrintedField, ShipFields, Shipping
from apps.common.http.serializers import (
    WRONG_TYPE,
    Answer,
    FlagField,
    MoneyField,
    Success,
    TextField,
)
from apps.orders.api.serializers import MAX_MEMO, GivenFile, InvoiceCode
from apps.orders.models import MAX_PO_NUMBER
from apps.payments.models import WalletEntry as Ledger

MAX_DEPOSITOR = 120
MAX_RETURNED = 100
Kind = Ledger.Kind


class CheckoutBody(Shipping, InvoiceCode):
    """What both deposit checkouts send; `email` gives no rights and is not read."""

    uuid = serializers.CharField(max_length=64)
    type = serializers.ChoiceField(choices=["ORDER"])
    export_report = FlagField()
    ship_memo = TextField(max_length=MAX_MEMO, lines=True, default="")
    po_number = PrintedField(max_length=MAX_PO_NUMBER)
    amount = MoneyField()


class WireCheckoutRequest(CheckoutBody):
    """A deposit checkout by bank wire; `payer_id` is the depositor."""

    payment_type = serializers.ChoiceField(choices=["T/T"])
    payer_id = PrintedField(max_length=MAX_DEPOSITOR)


class PayPalCheckoutRequest(CheckoutBody):
    """A deposit checkout by PayPal."""

    payment_type = serializers.ChoiceField(choices=["PAYPAL"])


@extend_schema_field({"type": ["string", "number"]})
class ReturnedAmountField(serializers.Field):
    """What a PayPal return names as the amount: text or number, judged by `paypal_amount`."""

    def to_internal_value(self, data: Any) -> str | int | float:
        """Return it as it is."""
        if type(data) not in (str, int, float):
            raise serializers.ValidationError(WRONG_TYPE)
        return data  # type: ignore[no-any-return]


class PayPalReturnRequest(InvoiceCode):
    """What the browser brings back from PayPal; `payment_id` is empty where the API has none."""

    payment_type = TextField(max_length=MAX_RETURNED)
    payment_id = TextField(max_length=MAX_RETURNED, default="")
    token = TextField(max_length=MAX_RETURNED)
    payer_id = TextField(max_length=MAX_RETURNED, default="")
    amount = ReturnedAmountField()


class PayPalCancelRequest(InvoiceCode):
    """What the browser brings back from PayPal when the buyer has cancelled there."""

    token = TextField(max_length=MAX_RETURNED)


class PayPalLink(Success):
    """Where the buyer pays."""

    link: str


class PayPalConfirmation(Success):
    """1 with the order and its status, or 0 alone while the payment is still being confirmed."""

    invoice_code = serializers.CharField(required=False)
    status_id = serializers.IntegerField(required=False)


class PayPalEvent(Answer):
    """An event of PayPal."""

    id: str
    event_type: str


class WalletEntry(Answer):
    """A line of the ledger: credit positive, use negative; `after` is the credit that it left."""

    at: datetime
    kind = serializers.ChoiceField(choices=Kind.values)
    amount: Decimal
    after: Decimal
    invoice_code: str


class Wallet(Success):
    """The company's credit."""

    balance: Decimal
    entries: list[WalletEntry]


class WalletPayment(Success):
    """What was paid from the wallet, and where the order stands now."""

    amount: Decimal
    status_id: int


class BalanceWireRequest(InvoiceCode):
    """A balance wire that is announced."""

    depositor_name = PrintedField(max_length=MAX_DEPOSITOR)
    amount = MoneyField(required=False, help_text="**+** what the popup showed as due")


class TemporaryOrder(ShipFields):
    """A temporary order with what its checkout costs."""

    invoice_code: str
    total: Decimal
    count: int
    weight: int
    weight_kg: float
    deposit: Decimal
    paypal_fee = MoneyField(required=False)
    paypal_total = MoneyField(required=False)
    payment_pending: bool
    expires_at: datetime
    prices_until: Annotated[str, "**+** until when its prices are held, in the seller's time"]


class TemporaryOrderLine(Answer):
    """A line of a temporary order, with what can be promised of it now."""

    sku: str
    eng_name: str
    image: str
    usd_price: Decimal
    usd_supply: Decimal
    count: int
    order_price: Decimal
    weight: int
    minimum: int
    qty: int
    expect_qty: int
    moq: int
    step: int


class TemporaryOrderResult(Answer):
    """What the deposit screen shows."""

    temp_order: TemporaryOrder
    temp_order_details: list[TemporaryOrderLine]
    country: list[AddressEntry]
    state: list[AddressEntry]


class TemporaryOrderInfo(Success):
    """A temporary order."""

    result: TemporaryOrderResult


class Withdrawal(serializers.Serializer):
    """Why an order is withdrawn."""

    to_change = FlagField(default=False)


class Withdrawn(Success):
    """What became of a withdrawal."""

    withdrawn: Annotated[FlagField, "0: money was received, and sales were asked to cancel it"]


class BalanceInfo(ShipFields):
    """What the balance popup shows."""

    invoice_code: str
    type: str
    export_report: FlagField
    country: str
    state: str
    total: Decimal
    real_total: Decimal
    shipping_fee: Decimal
    deposit: Decimal
    amount: Decimal
    paypal_fee = MoneyField(required=False)
    paypal_total = MoneyField(required=False)
    status_id: int


class BalanceCheckout(Success):
    """A confirmed order with a balance due."""

    info: BalanceInfo


class Proof(GivenFile):
    """A proof of payment: the seller's day on which it was attached, and that on which staff opened
    it first.
    """

    on: date
    seen_on: date | None


class WireUnderWay(Answer):
    """A wire that the company announced and that has not come; `amount` is US dollars."""

    kind = serializers.ChoiceField(choices=["deposit", "balance"])
    amount: Decimal
    depositor: str
    on: date
    proof: Proof | None


class AnnouncedWire(Success):
    """The announced wire of an order; null where there is none."""

    wire: WireUnderWay | None

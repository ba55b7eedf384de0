"""Bodies and answers of the checkout calls (api.md)."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apps.accounts.api.serializers import AddressEntry, PrintedField, ShipFields, Shipping
from apps.common.http.serializers import WRONG_TYPE, FlagField, MoneyField, TextField
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
    ship_memo = TextField(max_length=MAX_MEMO, lines=True, required=False, default="")
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
    payment_id = TextField(max_length=MAX_RETURNED, required=False, default="")
    token = TextField(max_length=MAX_RETURNED)
    payer_id = TextField(max_length=MAX_RETURNED, required=False, default="")
    amount = ReturnedAmountField()


class PayPalCancelRequest(InvoiceCode):
    """What the browser brings back from PayPal when the buyer has cancelled there."""

    token = TextField(max_length=MAX_RETURNED)


class PayPalLink(serializers.Serializer):
    """Where the buyer pays."""

    success = serializers.IntegerField()
    link = serializers.CharField()


class PayPalConfirmation(serializers.Serializer):
    """1 with the order and its status, or 0 alone while the payment is still being confirmed."""

    success = serializers.IntegerField()
    invoice_code = serializers.CharField(required=False)
    status_id = serializers.IntegerField(required=False)


class PayPalEvent(serializers.Serializer):
    """An event of PayPal."""

    id = serializers.CharField()
    event_type = serializers.CharField()


class WalletEntry(serializers.Serializer):
    """A line of the ledger: credit positive, use negative; `after` is the credit that it left."""

    at = serializers.DateTimeField()
    kind = serializers.ChoiceField(choices=Kind.values)
    amount = MoneyField()
    after = MoneyField()
    invoice_code = serializers.CharField()


class Wallet(serializers.Serializer):
    """The company's credit."""

    success = serializers.IntegerField()
    balance = MoneyField()
    entries = WalletEntry(many=True)


class WalletPayment(serializers.Serializer):
    """What was paid from the wallet, and where the order stands now."""

    success = serializers.IntegerField()
    amount = MoneyField()
    status_id = serializers.IntegerField()


class BalanceWireRequest(InvoiceCode):
    """A balance wire that is announced."""

    depositor_name = PrintedField(max_length=MAX_DEPOSITOR)
    amount = MoneyField(required=False, help_text="**+** what the popup showed as due")


class TemporaryOrder(ShipFields):
    """A temporary order with what its checkout costs."""

    invoice_code = serializers.CharField()
    total = MoneyField()
    count = serializers.IntegerField()
    weight = serializers.IntegerField()
    weight_kg = serializers.FloatField()
    deposit = MoneyField()
    paypal_fee = MoneyField(required=False)
    paypal_total = MoneyField(required=False)
    payment_pending = serializers.BooleanField()
    expires_at = serializers.DateTimeField()
    prices_until = serializers.CharField(
        help_text="**+** until when its prices are held, in the seller's time"
    )


class TemporaryOrderLine(serializers.Serializer):
    """A line of a temporary order, with what can be promised of it now."""

    sku = serializers.CharField()
    eng_name = serializers.CharField()
    image = serializers.CharField()
    usd_price = MoneyField()
    usd_supply = MoneyField()
    count = serializers.IntegerField()
    order_price = MoneyField()
    weight = serializers.IntegerField()
    minimum = serializers.IntegerField()
    qty = serializers.IntegerField()
    expect_qty = serializers.IntegerField()
    moq = serializers.IntegerField()
    step = serializers.IntegerField()


class TemporaryOrderResult(serializers.Serializer):
    """What the deposit screen shows."""

    temp_order = TemporaryOrder()
    temp_order_details = TemporaryOrderLine(many=True)
    country = AddressEntry(many=True)
    state = AddressEntry(many=True)


class TemporaryOrderInfo(serializers.Serializer):
    """A temporary order."""

    success = serializers.IntegerField()
    result = TemporaryOrderResult()


class Withdrawal(serializers.Serializer):
    """Why an order is withdrawn."""

    to_change = FlagField(required=False, default=False)


class Withdrawn(serializers.Serializer):
    """What became of a withdrawal."""

    success = serializers.IntegerField()
    withdrawn = FlagField(help_text="0: money was received, and sales were asked to cancel it")


class BalanceInfo(ShipFields):
    """What the balance popup shows."""

    invoice_code = serializers.CharField()
    type = serializers.CharField()
    export_report = FlagField()
    country = serializers.CharField()
    state = serializers.CharField()
    total = MoneyField()
    real_total = MoneyField()
    shipping_fee = MoneyField()
    deposit = MoneyField()
    amount = MoneyField()
    paypal_fee = MoneyField(required=False)
    paypal_total = MoneyField(required=False)
    status_id = serializers.IntegerField()


class BalanceCheckout(serializers.Serializer):
    """A confirmed order with a balance due."""

    success = serializers.IntegerField()
    info = BalanceInfo()


class Proof(GivenFile):
    """A proof of payment: the seller's day on which it was attached, and that on which staff opened
    it first.
    """

    on = serializers.DateField()
    seen_on = serializers.DateField(allow_null=True)


class WireUnderWay(serializers.Serializer):
    """A wire that the company announced and that has not come; `amount` is US dollars."""

    kind = serializers.ChoiceField(choices=["deposit", "balance"])
    amount = MoneyField()
    depositor = serializers.CharField()
    on = serializers.DateField()
    proof = Proof(allow_null=True)


class AnnouncedWire(serializers.Serializer):
    """The announced wire of an order; null where there is none."""

    success = serializers.IntegerField()
    wire = WireUnderWay(allow_null=True)

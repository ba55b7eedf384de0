"""The checkout calls: parse, call one service or selector, answer."""

from typing import Any, ClassVar

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter, extend_schema_view
from rest_framework.permissions import AllowAny

from apps.accounts.api.identity import BuyerRequest, own_uuid_or_404
from apps.accounts.shipping import Shipping
from apps.common.http.api import PortalView
from apps.common.http.renderers import json_response, ok
from apps.common.http.schema import call
from apps.common.http.serializers import Success
from apps.common.http.throttles import MINUTE, Limit, SignedInLimit
from apps.orders.api.files import BuyerFileParser
from apps.orders.api.requests import BuyerFileLimit, CheckoutLimit, code_or_404, repeat_of
from apps.orders.api.serializers import BuyerFileUpload, CodeAnswer, InvoiceCode
from apps.orders.api.views import IDEMPOTENCY_KEY
from apps.orders.services.documents import FIELD
from apps.payments import selectors
from apps.payments.api import serializers as wire
from apps.payments.models import Payment
from apps.payments.services.cancel import withdraw_order
from apps.payments.services.confirm import Return, cancel_link, confirm_return
from apps.payments.services.deposit import (
    Checkout,
    WireCheckout,
    checkout_deposit_by_wire,
    link_balance,
    link_deposit,
)
from apps.payments.services.reconcile import receive_event
from apps.payments.services.wallet import pay_from_wallet
from apps.payments.services.wire import announce_balance_wire, attach_proof, remove_proof

SEND = OpenApiParameter("send", int, description="accepted, changes nothing")


class WebhookLimit(Limit):
    """Events of PayPal: 600 a minute from one address."""

    name, uses, seconds = "webhook", 600, MINUTE


class CheckoutView(PortalView):
    """Base of the checkout calls."""

    throttle_classes = (SignedInLimit, CheckoutLimit)


class TemporaryOrderInfoView(PortalView):
    """GET /temp-order-info/stock/{invoice_code}."""

    throttle_classes = (SignedInLimit,)

    @call(
        "temporary_order",
        answer=wire.TemporaryOrderInfo,
    )
    def get(self, request: BuyerRequest, invoice_code: str) -> HttpResponse:
        """Return a temporary order with its quote and what can be promised of it now."""
        result = selectors.deposit_quote(
            buyer=request.user, invoice_code=code_or_404(invoice_code), now=timezone.now()
        )
        return ok(result=result)


def _checkout(fields: dict[str, Any]) -> dict[str, Any]:
    """Return what both deposit checkouts have in common."""
    return {
        "invoice_code": code_or_404(fields["invoice_code"]),
        "shipping": Shipping.from_fields(fields),
        "export_declared": fields["export_report"],
        **{name: fields[name] for name in ("ship_memo", "po_number", "amount")},
    }


class WireDepositView(CheckoutView):
    """POST /order/checkout-deposit/tt."""

    @call(
        "checkout_deposit_by_wire",
        request=wire.WireCheckoutRequest,
        answer=CodeAnswer,
        parameters=[SEND, IDEMPOTENCY_KEY],
    )
    def post(self, request: BuyerRequest) -> HttpResponse:
        """Make the order; its deposit comes by bank wire."""
        fields = self.validated(wire.WireCheckoutRequest)
        own_uuid_or_404(buyer=request.user, uuid=fields["uuid"])
        form = WireCheckout(
            **_checkout(fields),
            depositor=fields["payer_id"],
            **repeat_of(request, self.data),
        )
        order = checkout_deposit_by_wire(buyer=request.user, form=form, now=timezone.now())
        return ok(invoice_code=order.invoice_code)


class PayPalDepositView(CheckoutView):
    """POST /order/checkout-deposit/paypal."""

    @call(
        "checkout_deposit_by_paypal",
        request=wire.PayPalCheckoutRequest,
        answer=wire.PayPalLink,
        refusals=[502],
        parameters=[SEND],
    )
    def post(self, request: BuyerRequest) -> HttpResponse:
        """Hold the pieces and return where the deposit is paid."""
        fields = self.validated(wire.PayPalCheckoutRequest)
        own_uuid_or_404(buyer=request.user, uuid=fields["uuid"])
        form = Checkout(**_checkout(fields))
        link = link_deposit(buyer=request.user, form=form, now=timezone.now())
        return ok(link=link)


class PayPalBalanceView(CheckoutView):
    """POST /order/paypal."""

    @call(
        "pay_balance_by_paypal",
        request=InvoiceCode,
        answer=wire.PayPalLink,
        refusals=[502],
    )
    def post(self, request: BuyerRequest) -> HttpResponse:
        """Return where the balance is paid."""
        code = code_or_404(self.validated(InvoiceCode)["invoice_code"])
        link = link_balance(buyer=request.user, invoice_code=code, now=timezone.now())
        return ok(link=link)


class PayPalReturnView(CheckoutView):
    """Base of both confirmations: the buyer is back from PayPal."""

    kind: ClassVar[Payment.Kind]

    def post(self, request: BuyerRequest) -> HttpResponse:
        """Confirm the payment; 0 while it is still being confirmed."""
        fields = self.validated(wire.PayPalReturnRequest)
        code = code_or_404(fields["invoice_code"])
        form = Return(kind=self.kind, **fields)
        status = confirm_return(buyer=request.user, form=form, now=timezone.now())
        if status is None:
            return json_response({"success": 0})
        return ok(invoice_code=code, status_id=status)


def _confirmation(operation: str) -> Any:
    answer = wire.PayPalConfirmation
    return extend_schema_view(post=call(operation, request=wire.PayPalReturnRequest, answer=answer))


@_confirmation("confirm_deposit_by_paypal")
class PayPalDepositReturnView(PayPalReturnView):
    """POST /order/checkout-deposit/paypal/success."""

    kind = Payment.Kind.DEPOSIT


@_confirmation("confirm_balance_by_paypal")
class PayPalBalanceReturnView(PayPalReturnView):
    """POST /order/paypal/success."""

    kind = Payment.Kind.BALANCE


class PayPalCancelView(CheckoutView):
    """Base of both ways back without paying."""

    kind: ClassVar[Payment.Kind]

    def post(self, request: BuyerRequest) -> HttpResponse:
        """Note that the buyer cancelled at PayPal: the link ends, with what was held for it."""
        fields = self.validated(wire.PayPalCancelRequest)
        code_or_404(fields["invoice_code"])
        cancel_link(buyer=request.user, kind=self.kind, now=timezone.now(), **fields)
        return ok()


def _cancellation(operation: str) -> Any:
    return extend_schema_view(
        post=call(operation, request=wire.PayPalCancelRequest, answer=Success)
    )


@_cancellation("cancel_deposit_by_paypal")
class PayPalDepositCancelView(PayPalCancelView):
    """POST /order/checkout-deposit/paypal/failure."""

    kind = Payment.Kind.DEPOSIT


@_cancellation("cancel_balance_by_paypal")
class PayPalBalanceCancelView(PayPalCancelView):
    """POST /order/paypal/failure."""

    kind = Payment.Kind.BALANCE


class PayPalWebhookView(PortalView):
    """POST /paypal/webhook."""

    authentication_classes = ()
    permission_classes = (AllowAny,)
    throttle_classes = (WebhookLimit,)

    @call("paypal_webhook", request=wire.PayPalEvent, answer=Success, public=True)
    def post(self, request: HttpRequest) -> HttpResponse:
        """**+** Keep an event that PayPal signed."""
        raw = request.body  # before a parser reads it
        receive_event(headers=request.headers, event=self.data, raw=raw, now=timezone.now())
        return ok()


class WalletView(PortalView):
    """GET /wallet."""

    throttle_classes = (SignedInLimit,)

    @call("wallet", answer=wire.Wallet)
    def get(self, request: BuyerRequest) -> HttpResponse:
        """**+** Return the company's credit and what made it."""
        return ok(**selectors.wallet(buyer=request.user))


class WalletPaymentView(CheckoutView):
    """POST /order/wallet."""

    @call("pay_balance_from_wallet", request=InvoiceCode, answer=wire.WalletPayment)
    def post(self, request: BuyerRequest) -> HttpResponse:
        """**+** Pay the balance as far as the credit goes."""
        code = code_or_404(self.validated(InvoiceCode)["invoice_code"])
        payment = pay_from_wallet(buyer=request.user, invoice_code=code, now=timezone.now())
        assert payment.order is not None
        return ok(amount=payment.amount, status_id=payment.order.status)


class WithdrawView(CheckoutView):
    """POST /order/withdraw/{invoice_code}."""

    @call(
        "withdraw_order",
        request=wire.Withdrawal,
        answer=wire.Withdrawn,
    )
    def post(self, request: BuyerRequest, invoice_code: str) -> HttpResponse:
        """**+** Withdraw an order that nobody has begun to prepare."""
        withdrawn = withdraw_order(
            buyer=request.user,
            invoice_code=code_or_404(invoice_code),
            to_change=self.validated(wire.Withdrawal)["to_change"],
            now=timezone.now(),
        )
        return ok(withdrawn=int(withdrawn))


class BalanceCheckoutView(CheckoutView):
    """POST /order/checkout/."""

    @call("balance_checkout", request=InvoiceCode, answer=wire.BalanceCheckout)
    def post(self, request: BuyerRequest) -> HttpResponse:
        """Return a confirmed order with what is due of it."""
        code = code_or_404(self.validated(InvoiceCode)["invoice_code"])
        return ok(info=selectors.balance_quote(buyer=request.user, invoice_code=code))


class BalanceWireView(CheckoutView):
    """POST /order/tt."""

    @call("announce_balance_wire", request=wire.BalanceWireRequest, answer=Success)
    def post(self, request: BuyerRequest) -> HttpResponse:
        """Announce a bank wire for the balance."""
        fields = self.validated(wire.BalanceWireRequest)
        announce_balance_wire(
            buyer=request.user,
            invoice_code=code_or_404(fields["invoice_code"]),
            depositor=fields["depositor_name"],
            seen=fields.get("amount"),
            now=timezone.now(),
        )
        return ok()


class WireView(PortalView):
    """GET /order/wire/{invoice_code}."""

    @call("announced_wire", answer=wire.AnnouncedWire)
    def get(self, request: BuyerRequest, invoice_code: str) -> HttpResponse:
        """**+** Return the announced wire of an order with its proof."""
        code = code_or_404(invoice_code)
        under_way = selectors.wire_under_way(
            buyer=request.user, invoice_code=code, now=timezone.now()
        )
        return ok(wire=under_way)


class WireProofView(PortalView):
    """POST and DELETE /order/wire-proof/{invoice_code}."""

    parser_classes = (BuyerFileParser,)
    throttle_classes = (SignedInLimit, BuyerFileLimit)

    @call(
        "attach_proof",
        request=BuyerFileUpload,
        media_type=BuyerFileParser.media_type,
        answer=Success,
    )
    def post(self, request: BuyerRequest, invoice_code: str) -> HttpResponse:
        """**+** Attach a proof of payment to the announced wire, in place of the one before."""
        code = code_or_404(invoice_code)
        file = self.validated(BuyerFileUpload)[FIELD]
        attach_proof(buyer=request.user, invoice_code=code, file=file, now=timezone.now())
        return ok()

    @call("remove_proof", answer=Success)
    def delete(self, request: BuyerRequest, invoice_code: str) -> HttpResponse:
        """**+** Take the proof of the announced wire away."""
        remove_proof(buyer=request.user, invoice_code=code_or_404(invoice_code), now=timezone.now())
        return ok()

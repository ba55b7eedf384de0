"""Refusals of the payments app; the texts are the specification's (section 5, Checkout)."""

from apps.common.errors import PortalError

DECLINED = (
    "PayPal declined this payment, and nothing was charged. Try another card at PayPal, or pay by "
    "bank wire instead."
)


class DepositorRequired(PortalError):
    """A deposit wire without the depositor's name."""

    message = "Depositor's name is required."


class DeclarationRequired(PortalError):
    """A deposit wire of goods that are not declared for export."""

    message = "Agreement to export declaration is required for T/T payment."


class BalanceDepositorRequired(PortalError):
    """A balance wire without the depositor's name; the popup's text has no full stop."""

    message = "Depositor's name is required"


class BalanceDeclarationRequired(PortalError):
    """A balance wire for an order that is not declared for export; the popup's text names the sales
    mailbox.
    """

    message = "Export Declaration is required for T/T payment. Please Contact to {sales_email}"

    def __init__(self, *, sales_email: str) -> None:
        super().__init__()
        self.text = self.message.format(sales_email=sales_email)

    def __str__(self) -> str:
        return self.text


class PaymentPending(PortalError):
    """A payment of this order is under way already."""

    code = "payment_pending"
    http_status = 409


class PaymentUnderWay(PaymentPending):
    """An order that PayPal may take money for is not withdrawn."""

    message = "A payment of this order is under way. Please wait until it is settled."


class PaymentRefused(PortalError):
    """PayPal declined, or the payment's data are not those of an attempt (api.md, Deposit
    checkout).
    """

    code = "payment_refused"
    http_status = 409


class PaymentDeclined(PaymentRefused):
    """PayPal did not take the money; `errors` says so, beside the specification's text."""

    def __init__(self) -> None:
        super().__init__(payment_type=DECLINED)


class TooManyLinks(PaymentRefused):
    """The company has had as many PayPal links of deposits without paying as it may in a week."""

    message = (
        "PayPal was opened 10 times in a week and nothing was paid. "
        "Please pay by bank wire, or ask us."
    )


class WireOnly(PortalError):
    """PayPal is switched off: no new link is made; payments under way are settled."""

    code = "wire_only"
    http_status = 409
    message = "We take bank wires only. Nothing was charged. Please pay by bank wire."


class VerifierUnavailable(PortalError):
    """The payment provider does not say whether an event is its own; it will send it again."""

    code = "provider_unavailable"
    http_status = 503

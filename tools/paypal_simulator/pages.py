"""What a buyer's browser sees: the page that approves a payment, and plain messages. No script is
needed or allowed.
"""

from html import escape
from pathlib import Path
from string import Template
from urllib.parse import urlencode, urlsplit

from tools.paypal_simulator.bank import BUYERS, Bank
from tools.paypal_simulator.errors import Refused
from tools.paypal_simulator.events import Shapes
from tools.paypal_simulator.http import Answer, Request
from tools.paypal_simulator.records import Checkout

FOLDER = Path(__file__).parent / "assets"
PATHS = ("/checkoutnow", "/cgi-bin/webscr")
STYLE = "/_assets/page.css"
LABELS = {
    "subtotal": "Subtotal",
    "item_total": "Subtotal",
    "handling_fee": "Payment fee",
    "handling": "Payment fee",
    "tax": "Tax",
    "tax_total": "Tax",
    "shipping": "Shipping",
    "shipping_discount": "Shipping discount",
    "insurance": "Insurance",
}
SOURCES = {
    "normal": ("PayPal balance", "Pays at once"),
    "declined": ("Declined card", "The funding source is declined"),
    "review": ("Payment under review", "PayPal decides later"),
    "echeck": ("eCheck", "Clears after some days"),
}


class Pages:
    """The pages. The token in the address is the key to a payment, as at PayPal."""

    def __init__(self, bank: Bank, shapes: Shapes) -> None:
        self.bank = bank
        self.shapes = shapes

    def answer(self, request: Request) -> Answer | None:
        """Return a page, or None where the address is none of ours."""
        if request.path == STYLE:
            return Answer(
                200, (FOLDER / "page.css").read_text(), {"Content-Type": "text/css; charset=utf-8"}
            )
        if request.path == "/favicon.ico":
            return Answer(204)
        if request.path == "/":
            return message(
                "PayPal simulator",
                "It stands in for PayPal while the portal is tried out and tested.",
            )
        if request.path not in PATHS:
            return None
        checkout = self._checkout(request.query.get("token", ""))
        if checkout is None:
            return message(
                "This payment does not exist", "Go back to the shop and start again.", status=404
            )
        return (
            self._act(checkout, request)
            if request.method == "POST"
            else self._show(checkout, request)
        )

    def _checkout(self, token: str) -> Checkout | None:
        return next((one for one in self.bank.store.all(Checkout) if one.token == token), None)

    def _show(self, checkout: Checkout, request: Request) -> Answer:
        if not self.bank.payable(checkout):
            return closed(self.bank.expired(checkout))
        rows = [(LABELS[name], amount) for name, amount in checkout.details.items()]
        html = template("payment").substitute(
            merchant=escape(checkout.brand or "the merchant"),
            description=escape(checkout.description),
            rows="\n".join(
                f"<div><dt>{label}</dt><dd>{money(amount, checkout)}</dd></div>"
                for label, amount in rows
            ),
            total=money(checkout.total, checkout),
            action=escape(f"{request.path}?{urlencode(request.query)}"),
            buyers="\n".join(map(choice, BUYERS)),
        )
        return page(html, form_targets=(origin(checkout.return_url), origin(checkout.cancel_url)))

    def _act(self, checkout: Checkout, request: Request) -> Answer:
        form = request.form()
        if form.get("act") == "cancel":
            return Answer(303, headers={"Location": cancelled(checkout)})
        events = []
        with self.bank.store.locked(checkout.id):
            # A second press of the button, while the first is under way, leads where the first did.
            if not checkout.approved or checkout.declined or checkout.capture:
                try:
                    self.bank.approve(checkout, form.get("buyer", ""))
                except Refused as refused:
                    if refused.reason == "invalid":
                        return message(
                            "Choose how to pay",
                            "Go back and choose one of the ways to pay.",
                            status=400,
                        )
                    return closed(self.bank.expired(checkout))
                events = self.shapes(checkout).approval_events(checkout)
        return Answer(303, headers={"Location": approved(checkout)}, events=events)


def template(name: str) -> Template:
    """Return a page's text with its gaps."""
    return Template((FOLDER / f"{name}.html").read_text())


def page(html: str, *, status: int = 200, form_targets: tuple[str, ...] = ()) -> Answer:
    """Return a page with a policy of its own; browsers apply `form-action` to where a form's answer
    leads, too.
    """
    targets = " ".join(dict.fromkeys(("'self'", *form_targets)))
    policy = (
        "default-src 'none'; style-src 'self'; base-uri 'none'; frame-ancestors 'none'; "
        f"form-action {targets}"
    )
    headers = {
        "Content-Type": "text/html; charset=utf-8",
        "Content-Security-Policy": policy,
        "Cache-Control": "no-store",
        "Referrer-Policy": "no-referrer",
        "X-Content-Type-Options": "nosniff",
    }
    return Answer(status, html, headers)


def message(title: str, text: str, *, status: int = 200) -> Answer:
    """Return a page that says one thing."""
    return page(
        template("message").substitute(title=escape(title), text=escape(text)), status=status
    )


def closed(expired: bool) -> Answer:
    """Return the page of a payment that can no longer be approved."""
    title = "This payment link has expired" if expired else "This payment link has been used"
    return message(title, "Go back to the shop and look at your order there.", status=410)


def choice(buyer: str) -> str:
    """Return a choice of the form; the first is chosen."""
    title, hint = SOURCES[buyer]
    checked = " checked" if buyer == BUYERS[0] else ""
    field = f'<input type="radio" name="buyer" value="{buyer}" required{checked}>'
    return f'<label class="buyer">{field}<span>{title}<small>{hint}</small></span></label>'


def money(amount: str, checkout: Checkout) -> str:
    """Return an amount as the page shows it."""
    whole, _, cents = amount.partition(".")
    return f"{int(whole):,}.{cents} {checkout.currency}"


def origin(url: str) -> str:
    """Return scheme and host of an address."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


def extended(url: str, parameters: dict[str, str]) -> str:
    """Return an address with parameters added behind those it has."""
    return f"{url}{'&' if '?' in url else '?'}{urlencode(parameters)}"


def approved(checkout: Checkout) -> str:
    """Return where the buyer goes after Pay Now; v2 names no payment."""
    payment = {"paymentId": checkout.id} if checkout.api == "v1" else {}
    return extended(
        checkout.return_url, payment | {"token": checkout.token, "PayerID": checkout.payer_id}
    )


def cancelled(checkout: Checkout) -> str:
    """Return where the buyer goes after Cancel."""
    return extended(checkout.cancel_url, {"token": checkout.token})

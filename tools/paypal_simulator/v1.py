"""Payments v1: payments, sales and refunds, as paypalrestsdk reads them."""

from decimal import Decimal

from tools.paypal_simulator import identifiers
from tools.paypal_simulator.api import Route
from tools.paypal_simulator.bank import Bank
from tools.paypal_simulator.clock import rfc3339
from tools.paypal_simulator.errors import Refused
from tools.paypal_simulator.events import EventBook
from tools.paypal_simulator.faults import Call
from tools.paypal_simulator.http import Answer
from tools.paypal_simulator.records import Capture, Checkout, Event, Json, Refund
from tools.paypal_simulator.validation import SUMMANDS, Check

PAYMENT_MODES = {"ECHECK": "ECHECK"}


class PaymentsV1:
    """The calls. `url` is the simulator's own address, for links."""

    def __init__(self, bank: Bank, book: EventBook, url: str, public_url: str) -> None:
        self.bank = bank
        self.book = book
        self.url = f"{url}/v1/payments"
        self.public_url = public_url

    def routes(self) -> list[Route]:
        """Return the table of calls."""
        base = "/v1/payments"
        return [
            Route("POST", f"{base}/payment", "create", self.create, self.replay),
            Route("GET", f"{base}/payment/{{id}}", "get", self.show),
            Route("POST", f"{base}/payment/{{id}}/execute", "execute", self.execute, self.replay),
            Route("GET", f"{base}/sale/{{id}}", "sale", self.show_sale),
            Route("POST", f"{base}/sale/{{id}}/refund", "refund", self.refund, self.replay),
            Route("GET", f"{base}/refund/{{id}}", "refund_get", self.show_refund),
        ]

    def create(self, call: Call) -> Answer:
        """POST /v1/payments/payment."""
        now, token = self.bank.clock.now(), identifiers.payment_token()
        checkout = read_payment(call.body, account=call.account, token=token, now=now)
        self.bank.store.save(checkout)
        return Answer(201, self.payment(checkout), kind="payment", subject=checkout.id)

    def show(self, call: Call) -> Answer:
        """GET /v1/payments/payment/{id}."""
        return Answer(200, self.payment(self._payment(call)))

    def execute(self, call: Call) -> Answer:
        """POST /v1/payments/payment/{id}/execute."""
        checkout = self._payment(call)
        check = Check()
        body = check.mapping(call.body, "body")
        payer = body.get("payer_id")
        if not isinstance(payer, str) or not payer:
            check.wrong("payer_id", "Required field is missing")
        check.done()
        capture = self.bank.execute(checkout, payer_id=str(payer), effect=call.effect(checkout))
        events = [self.capture_event(capture)]
        return Answer(
            200, self.payment(checkout), events=events, kind="payment", subject=checkout.id
        )

    def show_sale(self, call: Call) -> Answer:
        """GET /v1/payments/sale/{id}."""
        return Answer(200, self.sale(self.bank.capture_of(call.identifier, call.account)))

    def refund(self, call: Call) -> Answer:
        """POST /v1/payments/sale/{id}/refund."""
        capture = self.bank.capture_of(call.identifier, call.account)
        check = Check()
        body = check.mapping(call.body if call.body is not None else {}, "body")
        amount = None
        if "amount" in body:
            amount_body = check.mapping(body["amount"], "amount")
            amount = Decimal(check.amount(amount_body.get("total"), "amount.total", positive=True))
            if amount_body.get("currency") != capture.currency:
                check.wrong("amount.currency", "Must be the sale's currency")
        invoice = check.text(body.get("invoice_number"), "invoice_number", 127)
        note = check.text(body.get("description"), "description", 255)
        reason = check.text(body.get("reason"), "reason", 30)
        check.done()
        refund = self.bank.refund(capture, amount=amount, invoice=invoice, note=note, reason=reason)
        events = [self.refund_event(refund)]
        return Answer(
            201, self.refund_body(refund), events=events, kind="refund", subject=refund.id
        )

    def show_refund(self, call: Call) -> Answer:
        """GET /v1/payments/refund/{id}."""
        return Answer(200, self.refund_body(self.bank.refund_of(call.identifier, call.account)))

    def replay(self, kind: str, subject: str, account: str) -> Answer:
        """Return what a repeated call made, as it is now."""
        if kind == "refund":
            return Answer(200, self.refund_body(self.bank.refund_of(subject, account)))
        return Answer(200, self.payment(self.bank.checkout(subject, account)))

    def capture_event(self, capture: Capture) -> Event:
        """Return the event of a sale's present state."""
        kind = f"PAYMENT.SALE.{capture.state.upper()}"
        summary = f"Payment {capture.state} for $ {capture.amount} {capture.currency}"
        about = [capture.checkout, capture.id]
        return self.book.write(capture.account, kind, "sale", summary, self.sale(capture), about)

    def refund_event(self, refund: Refund) -> Event:
        """Return the event of a refund, whose amount is negative here."""
        body = self.refund_body(refund)
        body["amount"] = {"total": f"-{refund.amount}", "currency": refund.currency}
        summary = f"A $ {refund.amount} {refund.currency} sale payment was refunded"
        about = [body["parent_payment"], refund.capture, refund.id]
        return self.book.write(
            refund.account, "PAYMENT.SALE.REFUNDED", "refund", summary, body, about
        )

    def approval_events(self, checkout: Checkout) -> list[Event]:
        """Return nothing: v1 does not tell that a buyer approved."""
        return []

    def _payment(self, call: Call) -> Checkout:
        checkout = self.bank.checkout(call.identifier, call.account)
        if checkout.api != "v1":
            raise Refused("missing")
        return checkout

    def payment(self, checkout: Checkout) -> Json:
        """Return a payment as PayPal shows it: `created` until it is executed, even
        when approved.
        """
        capture = self.bank.store.get(Capture, checkout.capture)
        body: Json = {
            **checkout.request,
            "id": checkout.id,
            "state": "failed" if checkout.failed else "approved" if capture else "created",
            "create_time": rfc3339(checkout.created),
        }
        if checkout.failed:
            body["failure_reason"] = "UNABLE_TO_COMPLETE_TRANSACTION"
        body["payer"] = dict(checkout.request["payer"])
        if checkout.approved:
            body["payer"] |= {"status": "VERIFIED", "payer_info": payer_info(checkout)}
            body["update_time"] = rfc3339(checkout.updated)
        transaction = dict(checkout.request["transactions"][0])
        transaction["related_resources"] = []
        if capture:
            body["cart"] = checkout.cart
            refunds = [self.bank.refund_of(name, checkout.account) for name in capture.refunds]
            transaction["related_resources"] = [
                {"sale": self.sale(capture)},
                *({"refund": self.refund_body(refund)} for refund in refunds),
            ]
        body["transactions"] = [transaction]
        links = [{"href": f"{self.url}/payment/{checkout.id}", "rel": "self", "method": "GET"}]
        if not capture and not checkout.failed:
            page = f"{self.public_url}/cgi-bin/webscr?cmd=_express-checkout&token={checkout.token}"
            links.append({"href": page, "rel": "approval_url", "method": "REDIRECT"})
            links.append(
                {
                    "href": f"{self.url}/payment/{checkout.id}/execute",
                    "rel": "execute",
                    "method": "POST",
                }
            )
        body["links"] = links
        return body

    def sale(self, capture: Capture) -> Json:
        """Return a capture as a sale."""
        body: Json = {
            "id": capture.id,
            "state": capture.state,
            "amount": {"total": capture.amount, "currency": capture.currency},
            "payment_mode": PAYMENT_MODES.get(capture.reason, "INSTANT_TRANSFER"),
            "protection_eligibility": "ELIGIBLE",
            "parent_payment": capture.checkout,
            "create_time": rfc3339(capture.created),
            "update_time": rfc3339(capture.updated),
            "links": [
                {"href": f"{self.url}/sale/{capture.id}", "rel": "self", "method": "GET"},
                {"href": f"{self.url}/sale/{capture.id}/refund", "rel": "refund", "method": "POST"},
                {
                    "href": f"{self.url}/payment/{capture.checkout}",
                    "rel": "parent_payment",
                    "method": "GET",
                },
            ],
        }
        checkout = self.bank.store.get(Checkout, capture.checkout)
        if checkout is not None:
            body |= {"invoice_number": checkout.invoice, "custom": checkout.custom}
        if capture.state == "pending":
            body["reason_code"] = capture.reason
            if capture.reason == "ECHECK":
                body["clearing_time"] = rfc3339(capture.created + 4 * 24 * 3600)
        elif capture.state != "denied":
            body["transaction_fee"] = {"value": str(capture.fee), "currency": capture.currency}
        return body

    def refund_body(self, refund: Refund) -> Json:
        """Return a refund."""
        capture = self.bank.capture_of(refund.capture, refund.account)
        currency = refund.currency
        body: Json = {
            "id": refund.id,
            "state": "completed",
            "amount": {"total": refund.amount, "currency": currency},
            "total_refunded_amount": {"value": refund.total, "currency": currency},
            "refund_from_transaction_fee": {"value": "0.00", "currency": currency},
            "refund_from_received_amount": {"value": refund.amount, "currency": currency},
            "sale_id": refund.capture,
            "parent_payment": capture.checkout,
            "create_time": rfc3339(refund.created),
            "update_time": rfc3339(refund.created),
            "links": [
                {"href": f"{self.url}/refund/{refund.id}", "rel": "self", "method": "GET"},
                {"href": f"{self.url}/sale/{refund.capture}", "rel": "sale", "method": "GET"},
                {
                    "href": f"{self.url}/payment/{capture.checkout}",
                    "rel": "parent_payment",
                    "method": "GET",
                },
            ],
        }
        optional = {
            "invoice_number": refund.invoice,
            "description": refund.note,
            "reason": refund.reason,
        }
        return body | {name: value for name, value in optional.items() if value}


def payer_info(checkout: Checkout) -> Json:
    """Return who pays."""
    return {
        "email": "buyer@paypal.test",
        "first_name": "Zoë",
        "last_name": "Buyer",
        "payer_id": checkout.payer_id,
        "country_code": "US",
    }


def read_payment(body: object, *, account: str, token: str, now: float) -> Checkout:
    """Return the checkout that a create call describes.

    Raises:
        Refused: invalid, with every field that is.
    """
    check = Check()
    payment = check.mapping(body, "body")
    check.choice(payment.get("intent"), "intent", ("sale",))
    payer = check.mapping(payment.get("payer"), "payer")
    check.choice(payer.get("payment_method"), "payer.payment_method", ("paypal",))
    urls = check.mapping(payment.get("redirect_urls"), "redirect_urls")
    return_url = check.url(urls.get("return_url"), "redirect_urls.return_url")
    cancel_url = check.url(urls.get("cancel_url"), "redirect_urls.cancel_url")
    check.text(payment.get("note_to_payer"), "note_to_payer", 165)
    context = check.mapping(payment.get("application_context", {}), "application_context")
    transaction = check.single(payment.get("transactions"), "transactions")
    place = "transactions[0]"
    amount = check.mapping(transaction.get("amount"), f"{place}.amount")
    total = check.amount(amount.get("total"), f"{place}.amount.total", positive=True)
    details = check.mapping(amount.get("details", {}), f"{place}.amount.details")
    parts = {
        name: check.amount(details[name], f"{place}.amount.details.{name}")
        for name in SUMMANDS
        if name in details
    }
    check.total(total, parts, f"{place}.amount.total")
    _check_items(check, transaction, parts)
    checkout = Checkout(
        id=identifiers.payment_id(),
        account=account,
        api="v1",
        token=token,
        request=payment,
        total=total,
        currency=check.currency(amount.get("currency"), f"{place}.amount.currency"),
        details=parts,
        description=check.text(transaction.get("description"), f"{place}.description", 127),
        custom=check.text(transaction.get("custom"), f"{place}.custom", 127),
        invoice=check.text(transaction.get("invoice_number"), f"{place}.invoice_number", 127),
        brand=check.text(context.get("brand_name"), "application_context.brand_name", 127),
        return_url=return_url,
        cancel_url=cancel_url,
        created=now,
        updated=now,
    )
    check.done()
    return checkout


def _check_items(check: Check, transaction: Json, parts: dict[str, str]) -> None:
    """Note items whose prices do not make the subtotal."""
    if "item_list" not in transaction:
        return
    items = check.mapping(transaction["item_list"], "transactions[0].item_list").get("items", [])
    try:
        worth = sum(Decimal(item["price"]) * int(item["quantity"]) for item in items)
    except (ArithmeticError, KeyError, TypeError, ValueError):
        check.wrong("transactions[0].item_list.items", "Each needs price and quantity")
        return
    if items and worth != Decimal(parts.get("subtotal", "0.00")):
        check.wrong(
            "transactions[0].item_list.items",
            "Item amount must add up to specified amount subtotal",
        )

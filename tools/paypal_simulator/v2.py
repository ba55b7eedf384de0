"""Orders v2 and its payments: orders, captures and refunds, as paypal-server-sdk reads them."""

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
from tools.paypal_simulator.validation import Check

STATUSES = {"denied": "DECLINED"}
REVIEW_REASONS = {"PAYMENT_REVIEW": "PENDING_REVIEW"}
PARTS = ("item_total", "shipping", "handling", "tax_total", "insurance")
CONTEXTS = ("return_url", "cancel_url")


class OrdersV2:
    """The calls. `url` is the simulator's own address, `public_url` what a buyer's browser can
    open.
    """

    def __init__(self, bank: Bank, book: EventBook, url: str, public_url: str) -> None:
        self.bank = bank
        self.book = book
        self.url = f"{url}/v2"
        self.public_url = public_url

    def routes(self) -> list[Route]:
        """Return the table of calls."""
        orders, payments = "/v2/checkout/orders", "/v2/payments"
        return [
            Route("POST", orders, "create", self.create, self.replay),
            Route("GET", f"{orders}/{{id}}", "get", self.show),
            Route("POST", f"{orders}/{{id}}/capture", "execute", self.capture_order, self.replay),
            Route("GET", f"{payments}/captures/{{id}}", "sale", self.show_capture),
            Route("POST", f"{payments}/captures/{{id}}/refund", "refund", self.refund, self.replay),
            Route("GET", f"{payments}/refunds/{{id}}", "refund_get", self.show_refund),
        ]

    def create(self, call: Call) -> Answer:
        """POST /v2/checkout/orders."""
        checkout = read_order(call.body, account=call.account, now=self.bank.clock.now())
        self.bank.store.save(checkout)
        body = self.order(checkout)
        if not wants_all(call):
            body = {
                name: body[name]
                for name in ("id", "status", "payment_source", "links")
                if name in body
            }
        return Answer(201, body, kind="order", subject=checkout.id)

    def show(self, call: Call) -> Answer:
        """GET /v2/checkout/orders/{id}."""
        return Answer(200, self.order(self._order(call)))

    def capture_order(self, call: Call) -> Answer:
        """POST /v2/checkout/orders/{id}/capture."""
        checkout = self._order(call)
        capture = self.bank.execute(checkout, effect=call.effect(checkout))
        body = self.order(checkout)
        if not wants_all(call):
            unit = body["purchase_units"][0]
            body["purchase_units"] = [{name: unit[name] for name in ("reference_id", "payments")}]
        events = [self.capture_event(capture)]
        return Answer(201, body, events=events, kind="order", subject=checkout.id)

    def show_capture(self, call: Call) -> Answer:
        """GET /v2/payments/captures/{id}."""
        return Answer(200, self.capture(self.bank.capture_of(call.identifier, call.account)))

    def refund(self, call: Call) -> Answer:
        """POST /v2/payments/captures/{id}/refund. Without an amount, what is left goes back."""
        capture = self.bank.capture_of(call.identifier, call.account)
        check = Check(v2=True)
        body = check.mapping(call.body or {}, "")
        amount = (
            Decimal(capture.amount) - Decimal(capture.refunded)
            if Decimal(capture.refunded)
            else None
        )
        if "amount" in body:
            amount_body = check.mapping(body["amount"], "amount")
            amount = Decimal(check.amount(amount_body.get("value"), "amount.value", positive=True))
            if amount_body.get("currency_code") != capture.currency:
                check.wrong("amount.currency_code", "Must be the capture's currency")
        invoice = check.text(body.get("invoice_id"), "invoice_id", 127)
        note = check.text(body.get("note_to_payer"), "note_to_payer", 255)
        check.done()
        refund = self.bank.refund(capture, amount=amount, invoice=invoice, note=note, reason="")
        answer = self.refund_body(refund)
        if not wants_all(call):
            answer = {name: answer[name] for name in ("id", "status", "links")}
        return Answer(
            201,
            answer,
            events=[self.refund_event(refund)],
            kind="capture_refund",
            subject=refund.id,
        )

    def show_refund(self, call: Call) -> Answer:
        """GET /v2/payments/refunds/{id}."""
        return Answer(200, self.refund_body(self.bank.refund_of(call.identifier, call.account)))

    def replay(self, kind: str, subject: str, account: str) -> Answer:
        """Return what a repeated call made, as it is now."""
        if kind == "capture_refund":
            return Answer(200, self.refund_body(self.bank.refund_of(subject, account)))
        return Answer(200, self.order(self.bank.checkout(subject, account)))

    def capture_event(self, capture: Capture) -> Event:
        """Return the event of a capture's present state."""
        # What is refused at once was declined; what is refused after a review was denied.
        ending = (
            "DECLINED"
            if capture.state == "denied" and not capture.reason
            else capture.state.upper()
        )
        summary = f"Payment {capture.state} for $ {capture.amount} {capture.currency}"
        about = [capture.checkout, capture.id]
        kind = f"PAYMENT.CAPTURE.{ending}"
        return self.book.write(
            capture.account,
            kind,
            "capture",
            summary,
            self.capture(capture),
            about,
            resource_version="2.0",
        )

    def refund_event(self, refund: Refund) -> Event:
        """Return the event of a refund."""
        capture = self.bank.capture_of(refund.capture, refund.account)
        summary = f"A $ {refund.amount} {refund.currency} capture payment was refunded"
        about = [capture.checkout, capture.id, refund.id]
        body = self.refund_body(refund)
        return self.book.write(
            refund.account,
            "PAYMENT.CAPTURE.REFUNDED",
            "refund",
            summary,
            body,
            about,
            resource_version="2.0",
        )

    def approval_events(self, checkout: Checkout) -> list[Event]:
        """Return the event that the buyer approved."""
        kind, summary = "CHECKOUT.ORDER.APPROVED", "An order has been approved by buyer"
        body = self.order(checkout)
        return [
            self.book.write(
                checkout.account,
                kind,
                "checkout-order",
                summary,
                body,
                [checkout.id],
                resource_version="2.0",
            )
        ]

    def _order(self, call: Call) -> Checkout:
        checkout = self.bank.checkout(call.identifier, call.account)
        if checkout.api != "v2" or (self.bank.expired(checkout) and not checkout.capture):
            raise Refused("missing")
        return checkout

    def order(self, checkout: Checkout) -> Json:
        """Return an order; here APPROVED does mean that the buyer approved."""
        capture = self.bank.store.get(Capture, checkout.capture)
        by_source = "payment_source" in checkout.request
        waiting = "PAYER_ACTION_REQUIRED" if by_source else "CREATED"
        unit = {"reference_id": "default", **checkout.request["purchase_units"][0]}
        unit["payee"] = {"email_address": "merchant@paypal.test", "merchant_id": "SIMULATEDPAYEE"}
        body: Json = {
            "id": checkout.id,
            "intent": "CAPTURE",
            "status": "COMPLETED" if capture else "APPROVED" if checkout.approved else waiting,
            "create_time": rfc3339(checkout.created),
            "update_time": rfc3339(checkout.updated),
        }
        if by_source:
            body["payment_source"] = {"paypal": {}}
        if checkout.approved:
            body["payer"] = payer(checkout)
            account = {"account_id": checkout.payer_id, "account_status": "VERIFIED"}
            body["payment_source"] = {
                "paypal": {
                    **account,
                    **{name: body["payer"][name] for name in ("email_address", "name", "address")},
                }
            }
        if capture:
            unit["payments"] = self._payments(capture, checkout.account)
        body["purchase_units"] = [unit]
        links = [link(f"{self.url}/checkout/orders/{checkout.id}", "self")]
        if not capture:
            page = f"{self.public_url}/checkoutnow?token={checkout.token}"
            links.append(link(page, "payer-action" if by_source else "approve"))
            links.append(
                link(f"{self.url}/checkout/orders/{checkout.id}/capture", "capture", "POST")
            )
        body["links"] = links
        return body

    def _payments(self, capture: Capture, account: str) -> Json:
        payments: Json = {"captures": [self.capture(capture)]}
        if capture.refunds:
            payments["refunds"] = [
                self.refund_body(self.bank.refund_of(name, account)) for name in capture.refunds
            ]
        return payments

    def capture(self, capture: Capture) -> Json:
        """Return a capture."""
        money = Money(capture.currency)
        body: Json = {
            "id": capture.id,
            "status": STATUSES.get(capture.state, capture.state.upper()),
            "amount": money(capture.amount),
            "final_capture": True,
            "seller_protection": {
                "status": "ELIGIBLE",
                "dispute_categories": ["ITEM_NOT_RECEIVED"],
            },
            "create_time": rfc3339(capture.created),
            "update_time": rfc3339(capture.updated),
            "supplementary_data": {"related_ids": {"order_id": capture.checkout}},
            "links": [
                link(f"{self.url}/payments/captures/{capture.id}", "self"),
                link(f"{self.url}/payments/captures/{capture.id}/refund", "refund", "POST"),
                link(f"{self.url}/checkout/orders/{capture.checkout}", "up"),
            ],
        }
        checkout = self.bank.store.get(Checkout, capture.checkout)
        if checkout is not None:
            own = {"invoice_id": checkout.invoice, "custom_id": checkout.custom}
            body |= {name: value for name, value in own.items() if value}
        if capture.state == "pending":
            body["status_details"] = {"reason": REVIEW_REASONS.get(capture.reason, capture.reason)}
        elif capture.state != "denied":
            body["seller_receivable_breakdown"] = {
                "gross_amount": money(capture.amount),
                "paypal_fee": money(capture.fee),
                "net_amount": money(Decimal(capture.amount) - capture.fee),
            }
        return body

    def refund_body(self, refund: Refund) -> Json:
        """Return a refund."""
        money = Money(refund.currency)
        body: Json = {
            "id": refund.id,
            "status": "COMPLETED",
            "amount": money(refund.amount),
            "seller_payable_breakdown": {
                "gross_amount": money(refund.amount),
                "paypal_fee": money("0.00"),
                "net_amount": money(refund.amount),
                "total_refunded_amount": money(refund.total),
            },
            "create_time": rfc3339(refund.created),
            "update_time": rfc3339(refund.created),
            "links": [
                link(f"{self.url}/payments/refunds/{refund.id}", "self"),
                link(f"{self.url}/payments/captures/{refund.capture}", "up"),
            ],
        }
        optional = {"invoice_id": refund.invoice, "note_to_payer": refund.note}
        return body | {name: value for name, value in optional.items() if value}


class Money:
    """Makes amounts of one currency."""

    def __init__(self, currency: str) -> None:
        self.currency = currency

    def __call__(self, value: str | Decimal) -> Json:
        """Return an amount."""
        return {"currency_code": self.currency, "value": str(value)}


def link(href: str, rel: str, method: str = "GET") -> Json:
    """Return a link."""
    return {"href": href, "rel": rel, "method": method}


def payer(checkout: Checkout) -> Json:
    """Return who pays."""
    return {
        "name": {"given_name": "Zoë", "surname": "Buyer"},
        "email_address": "buyer@paypal.test",
        "payer_id": checkout.payer_id,
        "address": {"country_code": "US"},
    }


def wants_all(call: Call) -> bool:
    """Return whether the caller asked for the whole resource."""
    return "return=representation" in call.request.headers.get("prefer", "")


def read_order(body: object, *, account: str, now: float) -> Checkout:
    """Return the checkout that a create call describes.

    Raises:
        Refused: invalid, with every field that is; the amount is not the sum of its parts.
    """
    check = Check(v2=True)
    order = check.mapping(body, "")
    check.choice(order.get("intent"), "intent", ("CAPTURE",))
    unit = check.single(order.get("purchase_units"), "purchase_units")
    place = "purchase_units.0"
    amount = check.mapping(unit.get("amount"), f"{place}.amount")
    total = check.amount(amount.get("value"), f"{place}.amount.value", positive=True)
    currency = check.currency(amount.get("currency_code"), f"{place}.amount.currency_code")
    parts = {}
    breakdown = check.mapping(amount.get("breakdown", {}), f"{place}.amount.breakdown")
    for name in [name for name in PARTS if name in breakdown]:
        part = check.mapping(breakdown[name], f"{place}.amount.breakdown.{name}")
        parts[name] = check.amount(part.get("value"), f"{place}.amount.breakdown.{name}.value")
    if "payment_source" in order:
        source = check.mapping(order["payment_source"], "payment_source")
        wallet = check.mapping(source.get("paypal"), "payment_source.paypal")
        context, where = (
            wallet.get("experience_context", {}),
            "payment_source.paypal.experience_context",
        )
    else:
        context, where = order.get("application_context", {}), "application_context"
    context = check.mapping(context, where)
    return_url, cancel_url = (check.url(context.get(name), f"{where}.{name}") for name in CONTEXTS)
    identifier = identifiers.transaction_id()
    checkout = Checkout(
        id=identifier,
        account=account,
        api="v2",
        token=identifier,
        request=order,
        total=total,
        currency=currency,
        details=parts,
        description=check.text(unit.get("description"), f"{place}.description", 127),
        custom=check.text(unit.get("custom_id"), f"{place}.custom_id", 255),
        invoice=check.text(unit.get("invoice_id"), f"{place}.invoice_id", 127),
        brand=check.text(context.get("brand_name"), f"{where}.brand_name", 127),
        return_url=return_url,
        cancel_url=cancel_url,
        created=now,
        updated=now,
    )
    check.done()
    if parts and sum(map(Decimal, parts.values())) != Decimal(total):
        raise Refused("sum")
    return checkout

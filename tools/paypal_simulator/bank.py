"""What happens to money: a buyer approves, a merchant captures and refunds, PayPal reviews."""

from dataclasses import dataclass
from decimal import Decimal

from tools.paypal_simulator import identifiers
from tools.paypal_simulator.clock import Clock
from tools.paypal_simulator.errors import Refused
from tools.paypal_simulator.records import Capture, Checkout, Refund
from tools.paypal_simulator.store import Store

LINK_SECONDS = 3 * 3600
UNFINISHED_SECONDS = 24 * 3600
REFUND_SECONDS = 180 * 24 * 3600
BUYERS = ("normal", "declined", "review", "echeck")
REVIEWS = {"review": "PAYMENT_REVIEW", "echeck": "ECHECK"}
TAKEN = ("completed", "pending", "partially_refunded")
ZERO = Decimal("0.00")


@dataclass(frozen=True)
class Effect:
    """What a fault makes of a capture: a review, another sum, a decline, once or for good, a denial
    on record.
    """

    pending: str = ""
    amount: str = ""
    decline: bool = False
    final: bool = False
    denied: bool = False


class Bank:
    """The moves. Each takes the checkout's lock."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self.store = store
        self.clock = clock

    def checkout(self, identifier: str, account: str) -> Checkout:
        """Return a merchant's checkout.

        Raises:
            Refused: missing; another's, or never finished and gone since.
        """
        checkout = self.store.get(Checkout, identifier)
        if checkout is None or checkout.account != account:
            raise Refused("missing")
        if not checkout.capture and self.clock.now() - checkout.created > UNFINISHED_SECONDS:
            raise Refused("missing")
        return checkout

    def capture_of(self, identifier: str, account: str) -> Capture:
        """Return a merchant's sale or capture.

        Raises:
            Refused: missing.
        """
        capture = self.store.get(Capture, identifier)
        if capture is None or capture.account != account:
            raise Refused("missing")
        return capture

    def refund_of(self, identifier: str, account: str) -> Refund:
        """Return a merchant's refund.

        Raises:
            Refused: missing.
        """
        refund = self.store.get(Refund, identifier)
        if refund is None or refund.account != account:
            raise Refused("missing")
        return refund

    def payable(self, checkout: Checkout) -> bool:
        """Return whether the buyer's page is open: not paid, not expired, not approved unless that
        was declined.
        """
        if checkout.capture or checkout.failed or self.expired(checkout):
            return False
        return checkout.declined or not checkout.approved

    def expired(self, checkout: Checkout) -> bool:
        """Return whether three hours are over."""
        return self.clock.now() - checkout.created > LINK_SECONDS

    def approve(self, checkout: Checkout, buyer: str = "normal") -> None:
        """Let the buyer press Pay Now.

        Raises:
            Refused: the page is closed, or there is no such buyer.
        """
        if buyer not in BUYERS:
            raise Refused("invalid")
        with self.store.locked(checkout.id):
            if not self.payable(checkout):
                raise Refused("expired" if self.expired(checkout) else "wrong_state")
            checkout.approved, checkout.declined, checkout.buyer = True, False, buyer
            checkout.payer_id = checkout.payer_id or identifiers.payer_id()
            checkout.updated = self.clock.now()
            self.store.save(checkout)

    def execute(
        self, checkout: Checkout, *, payer_id: str | None = None, effect: Effect | None = None
    ) -> Capture:
        """Take the money, once.

        Raises:
            Refused: why not.
        """
        effect = effect or Effect()
        with self.store.locked(checkout.id):
            self._check_executable(checkout, payer_id)
            now = self.clock.now()
            if effect.decline or checkout.buyer == "declined":
                # The buyer may choose another source on the same page, unless it is final.
                checkout.declined, checkout.failed, checkout.updated = True, effect.final, now
                self.store.save(checkout)
                raise Refused("decline")
            reason = effect.pending or REVIEWS.get(checkout.buyer, "")
            capture = Capture(
                id=identifiers.transaction_id(),
                account=checkout.account,
                checkout=checkout.id,
                amount=effect.amount or checkout.total,
                currency=checkout.currency,
                state="denied" if effect.denied else "pending" if reason else "completed",
                reason=reason,
                created=now,
                updated=now,
            )
            self.store.save(capture)
            checkout.capture, checkout.cart, checkout.updated = (
                capture.id,
                identifiers.transaction_id(),
                now,
            )
            self.store.save(checkout)
            return capture

    def _check_executable(self, checkout: Checkout, payer_id: str | None) -> None:
        if checkout.capture:
            raise Refused("already_done")
        if checkout.failed:
            raise Refused("wrong_state")
        if self.expired(checkout):
            raise Refused("expired")
        if not checkout.approved:
            raise Refused("not_approved")
        if payer_id is not None and payer_id != checkout.payer_id:
            raise Refused("wrong_payer")
        if checkout.invoice and self._invoice_taken(checkout):
            raise Refused("duplicate")

    def _invoice_taken(self, checkout: Checkout) -> bool:
        """Return whether another checkout of this merchant took money for the same
        invoice number.
        """
        return any(
            other.invoice == checkout.invoice
            and other.account == checkout.account
            and (capture := self.store.get(Capture, other.capture)) is not None
            and capture.state in TAKEN
            for other in self.store.all(Checkout)
            if other.capture
        )

    def refund(
        self, capture: Capture, *, amount: Decimal | None, invoice: str, note: str, reason: str
    ) -> Refund:
        """Give money back: a sum, or everything when None.

        Raises:
            Refused: why not.
        """
        with self.store.locked(capture.checkout):
            refunded, whole = Decimal(capture.refunded), Decimal(capture.amount)
            if capture.state == "refunded":
                raise Refused("already_refunded")
            if capture.state not in ("completed", "partially_refunded"):
                raise Refused("refuse")
            if self.clock.now() - capture.created > REFUND_SECONDS:
                raise Refused("refund_too_late")
            if amount is None and refunded > ZERO:
                raise Refused("full_after_partial")
            amount = whole if amount is None else amount
            if refunded + amount > whole:
                raise Refused("refund_too_large")
            total = refunded + amount
            refund = Refund(
                id=identifiers.transaction_id(),
                account=capture.account,
                capture=capture.id,
                amount=str(amount),
                total=str(total),
                currency=capture.currency,
                invoice=invoice,
                note=note,
                reason=reason,
                created=self.clock.now(),
            )
            self.store.save(refund)
            capture.refunded, capture.state = (
                str(total),
                "refunded" if total == whole else "partially_refunded",
            )
            capture.refunds.append(refund.id)
            capture.updated = refund.created
            self.store.save(capture)
            return refund

    def decide(self, capture: Capture, state: str) -> None:
        """End a review (completed, denied) or take the money back from the merchant (reversed).

        Raises:
            Refused: it has ended, or there is no such state.
        """
        allowed = {
            "completed": ("pending",),
            "denied": ("pending",),
            "reversed": ("completed", "partially_refunded"),
        }
        with self.store.locked(capture.checkout):
            if capture.state not in allowed.get(state, ()):
                raise Refused("wrong_state")
            capture.state, capture.updated = state, self.clock.now()
            if state == "completed":
                capture.reason = ""
            self.store.save(capture)

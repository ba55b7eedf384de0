"""A payment's life: its states, its moves, and what a state means for its money (design/paypal.md,
B2).
"""

from django.db.models import TextChoices
from django.utils.translation import gettext, gettext_lazy as _, pgettext_lazy

from apps.common.errors import WrongStatus
from apps.common.texts import phrase


class PaymentState(TextChoices):
    """The states, with the words that staff read."""

    ANNOUNCED = "announced", _("Announced")
    CREATED = "created", _("Link issued")
    APPROVED = "approved", pgettext_lazy("payment", "Approved")
    EXECUTING = "executing", _("Executing")
    UNKNOWN = "unknown", _("Unknown")
    PENDING = "pending", _("Pending")
    CAPTURED = "captured", pgettext_lazy("payment", "Received")
    HELD = "held", _("Held")
    FAILED = "failed", _("Failed")
    EXPIRED = "expired", _("Expired")
    REFUSED = "refused", _("Refused")
    PARTIALLY_REFUNDED = "partially_refunded", _("Partially refunded")
    REFUNDED = "refunded", _("Refunded")
    REVERSED = "reversed", _("Reversed")


S = PaymentState
OPEN = (S.CREATED, S.APPROVED)  # the buyer has a link
# PayPal was asked to take the money and has not said what became of it.
IN_FLIGHT = (
    S.EXECUTING,
    S.UNKNOWN,
)
UNSETTLED = (*IN_FLIGHT, S.PENDING)
PAID = (S.CAPTURED, S.PARTIALLY_REFUNDED)
# One PayPal attempt at most of an order's deposit, and one of its balance.
LIVE = (
    *UNSETTLED,
    *PAID,
)
BROUGHT_MONEY = (*PAID, S.REFUNDED, S.REVERSED)  # to its order, which may have given it back
CHARGED = (*BROUGHT_MONEY, S.HELD)  # PayPal took the money
REFUNDABLE = (*PAID, S.HELD)
WIRE_STATES = (S.ANNOUNCED, S.CAPTURED, S.REFUSED)
WALLET_STATES = (S.CAPTURED,)
PAYPAL_STATES = tuple(state for state in S if state not in (S.ANNOUNCED, S.REFUSED))

# Somebody, or PayPal, has decided: the move says when and who.
DECIDED = (S.CAPTURED, S.HELD, S.FAILED, S.EXPIRED, S.REFUSED)

# Whatever the portal thinks of an attempt, what PayPal says of its money decides.
EVIDENCE = frozenset({S.PENDING, S.CAPTURED, S.HELD, S.REVERSED})
NOTHING_TAKEN = frozenset({S.FAILED, S.EXPIRED})

# A wire begins announced, without an event; a link begins CREATED; a wire that nobody announced and
# a use of the wallet are received at once.
FIRST = frozenset({S.CREATED, S.CAPTURED})
MOVES: dict[PaymentState, frozenset[PaymentState]] = {
    S.ANNOUNCED: frozenset({S.CAPTURED, S.REFUSED}),
    S.CREATED: frozenset({S.APPROVED}) | NOTHING_TAKEN | EVIDENCE,
    S.APPROVED: frozenset({S.EXECUTING}) | NOTHING_TAKEN | EVIDENCE,
    S.EXECUTING: frozenset({S.UNKNOWN, S.CREATED}) | NOTHING_TAKEN | EVIDENCE,
    S.UNKNOWN: frozenset({S.CREATED}) | NOTHING_TAKEN | EVIDENCE,
    S.PENDING: frozenset({S.CAPTURED, S.HELD, S.REVERSED, S.FAILED}),
    S.CAPTURED: frozenset({S.PARTIALLY_REFUNDED, S.REFUNDED, S.REVERSED}),
    S.PARTIALLY_REFUNDED: frozenset({S.PARTIALLY_REFUNDED, S.REFUNDED, S.REVERSED}),
    S.HELD: frozenset({S.CAPTURED, S.REFUNDED, S.REVERSED}),
    S.FAILED: EVIDENCE,
    S.EXPIRED: EVIDENCE,
    S.REVERSED: frozenset({S.REFUNDED}),
    S.REFUNDED: frozenset(),
    S.REFUSED: frozenset(),
}


def check_move(current: PaymentState | None, target: PaymentState) -> None:
    """Raise WrongStatus unless a payment's life has the move; `current` is None for a new one."""
    if target not in (FIRST if current is None else MOVES[current]):
        before = gettext("New") if current is None else current.label
        text = phrase("%(before)s to %(after)s", before=before, after=target.label)
        raise WrongStatus(state=text)

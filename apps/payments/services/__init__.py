"""Writes of the payments app: each function is one use case and one transaction."""

from apps.payments.services.cancel import CancellationFigures, cancel_order, cancellation_figures
from apps.payments.services.confirm import Confirmation, Return, cancel_link, confirm_return
from apps.payments.services.deposit import WireCheckout, checkout_deposit_by_wire
from apps.payments.services.held import HeldFigures, book_held, held_figures
from apps.payments.services.link import PayPalCheckout, link_balance, link_deposit
from apps.payments.services.move_wire import move_figures, move_wire
from apps.payments.services.proof import attach_proof, remove_proof
from apps.payments.services.reconcile import check_attempt
from apps.payments.services.refund_wire import Way, refund_figures, refund_wire
from apps.payments.services.refunds import refund_payment, refundable
from apps.payments.services.wallet import pay_from_wallet, pay_out_wallet
from apps.payments.services.webhook import receive_event
from apps.payments.services.wire import announce_balance_wire, book_wire, confirm_wire, refuse_wire
from apps.payments.services.withdraw import withdraw_order

__all__ = [
    "CancellationFigures",
    "Confirmation",
    "HeldFigures",
    "PayPalCheckout",
    "Return",
    "Way",
    "WireCheckout",
    "announce_balance_wire",
    "attach_proof",
    "book_held",
    "book_wire",
    "cancel_link",
    "cancel_order",
    "cancellation_figures",
    "check_attempt",
    "checkout_deposit_by_wire",
    "confirm_return",
    "confirm_wire",
    "held_figures",
    "link_balance",
    "link_deposit",
    "move_figures",
    "move_wire",
    "pay_from_wallet",
    "pay_out_wallet",
    "receive_event",
    "refund_figures",
    "refund_payment",
    "refund_wire",
    "refundable",
    "refuse_wire",
    "remove_proof",
    "withdraw_order",
]

"""The order's life: its states, its moves and what each state allows. The only place that compares
a status.
"""

from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from apps.common.errors import WrongStatus
from apps.common.texts import pgettext_lazy, phrase


class OrderStatus(IntEnum):
    """The states (section 4, Order status); `label` is the text the server sends."""

    CANCELLED = 0
    RECEIVED = 1
    PREPARING = 2
    CONFIRMED = 3
    PAID = 4
    SHIPPED = 5

    @property
    def label(self) -> str:
        """Return the status text (readings, Order life)."""
        return LABELS[self]

    @property
    def staff_label(self) -> str:
        """Return the status in the language of a staff page."""
        return str(STAFF_LABELS[self])

    @property
    def is_priced(self) -> bool:
        """Return whether the final invoice stands: confirmed lines and shipping fee are set."""
        return self >= OrderStatus.CONFIRMED


S = OrderStatus
LABELS: dict[int, str] = {
    S.CANCELLED: "Cancelled",
    S.RECEIVED: "Received",
    S.PREPARING: "Preparing",
    S.CONFIRMED: "Confirmed",
    S.PAID: "Completed Payment",
    S.SHIPPED: "Shipment Completed",
}
STAFF_LABELS = {
    S.CANCELLED: pgettext_lazy("order", "Cancelled"),
    S.RECEIVED: pgettext_lazy("order", "Received"),
    S.PREPARING: pgettext_lazy("order", "Preparing"),
    S.CONFIRMED: pgettext_lazy("order", "Confirmed"),
    S.PAID: pgettext_lazy("order", "Completed Payment"),
    S.SHIPPED: pgettext_lazy("order", "Shipment Completed"),
}
CHOICES = [(int(status), label) for status, label in LABELS.items()]
OPEN = (S.RECEIVED, S.PREPARING, S.CONFIRMED, S.PAID)
LIVE = (*OPEN, S.SHIPPED)

MOVES: dict[OrderStatus, frozenset[OrderStatus]] = {
    S.RECEIVED: frozenset({S.PREPARING, S.CANCELLED}),
    S.PREPARING: frozenset({S.CONFIRMED, S.CANCELLED}),
    S.CONFIRMED: frozenset({S.PAID, S.CANCELLED}),
    S.PAID: frozenset({S.SHIPPED, S.CANCELLED}),
    S.SHIPPED: frozenset(),
    S.CANCELLED: frozenset(),
}

PACKING_COMPLETE = 2
PACKED_AT = (S.PREPARING, S.CONFIRMED, S.PAID)


def check_move(current: OrderStatus, target: OrderStatus) -> None:
    """Raise WrongStatus unless the life cycle (section 4) has the move."""
    if target not in MOVES[current]:
        if target is current:
            raise WrongStatus(status=phrase("it is %(now)s already", now=current.staff_label))
        move = phrase("%(now)s to %(next)s", now=current.staff_label, next=target.staff_label)
        raise WrongStatus(status=move)


def is_packable(status: OrderStatus) -> bool:
    """Return whether an order is packed at this status (readings, Order life)."""
    return status in PACKED_AT


def check_packable(status: OrderStatus) -> None:
    """Raise WrongStatus unless an order is packed at this status."""
    if not is_packable(status):
        text = phrase("%(status)s: packed from Preparing until it ships", status=status.staff_label)
        raise WrongStatus(status=text)


@dataclass(frozen=True)
class Allowed:
    """What a buyer may do or see on an order now (section 4, Rules by status)."""

    edit_address: bool
    edit_ship_memo: bool
    message: bool
    documents: bool
    packing_list: bool
    tracking: bool
    checkout: bool
    edit_po_number: bool
    withdraw: bool
    ask_to_cancel: bool


def allowed(order: Any, *, balance_due: bool = False) -> Allowed:
    """Return what the status, the packing and the payments of an order allow its buyer (section 4;
    readings).
    """
    status, is_paid = order.status, bool(order.received)
    is_pending = order.payment_pending or order.wire_announced
    return Allowed(
        edit_address=S.RECEIVED <= status <= S.PREPARING,
        edit_ship_memo=S.RECEIVED <= status <= S.CONFIRMED,
        message=S.RECEIVED <= status <= S.PAID,
        documents=status >= S.CONFIRMED,
        packing_list=status >= S.CONFIRMED and order.packing_status == PACKING_COMPLETE,
        tracking=status == S.SHIPPED,
        checkout=status == S.CONFIRMED and balance_due and not is_pending,
        edit_po_number=status != S.CANCELLED,
        withdraw=status == S.RECEIVED and not is_paid,
        ask_to_cancel=status == S.RECEIVED and is_paid,
    )

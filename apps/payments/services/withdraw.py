"""A buyer takes an order back that nobody has begun to prepare."""

from datetime import datetime

from apps.accounts.models import User
from apps.accounts.selectors import Buyer
from apps.common.db.transactions import one_transaction
from apps.common.errors import WrongStatus
from apps.common.mail import queue
from apps.common.money import ZERO
from apps.common.texts import Text
from apps.orders.mail import queue_buyers_text
from apps.orders.models import Order, OrderEvent
from apps.orders.selectors import get_order
from apps.orders.services import keep_message, move_order
from apps.orders.status import OrderStatus
from apps.payments import mail
from apps.payments.errors import PaymentUnderWay
from apps.payments.services.attempts import is_unsettled
from apps.payments.services.cancel import give_back

WITHDRAWN, REOPENED = "Withdrawn by the buyer.", "Withdrawn by the buyer to change it."
ASKED = "Please cancel this order."


@one_transaction
def withdraw_order(*, buyer: Buyer, invoice_code: str, to_change: bool, now: datetime) -> bool:
    """Cancel an order at Received for its buyer: its pieces are free again, an announced wire is
    closed, sales and who ordered get a mail.

    Returns False where money was received for it: then it is a message that asks sales to cancel
    it. `to_change` says why in its history; what the buyer puts back into the basket is read of
    the cancelled order. A repeat changes nothing.

    Raises:
        NotFound: unknown, or another company's.
        WrongStatus: staff prepare it already, or have cancelled it.
        PaymentUnderWay: PayPal may take the money for it.
    """
    order = get_order(buyer=buyer, invoice_code=invoice_code, lock=True)
    if order.cancel_reason in (WITHDRAWN, REOPENED):
        return True
    if order.status != OrderStatus.RECEIVED:
        raise WrongStatus
    if is_unsettled(invoice_code):
        raise PaymentUnderWay
    if order.received:
        _ask(order, buyer=buyer, now=now)
        return False
    actor, reason = User.objects.get(pk=buyer.id), REOPENED if to_change else WITHDRAWN
    give_back(order, reason=reason, source="buyer", actor=actor, now=now)
    move_order(order=order, target=OrderStatus.CANCELLED, actor=actor, note=reason, now=now)
    queue([mail.cancelled(order, credited=ZERO)])
    queue_buyers_text(
        order,
        Text("Order withdrawn"),
        company=buyer.company,
        deed=Text("%(company)s has withdrawn an order to change it.")
        if to_change
        else Text("%(company)s has withdrawn an order."),
        text="",
    )
    return True


def _ask(order: Order, *, buyer: Buyer, now: datetime) -> None:
    """Leave the message that asks sales to cancel a locked order, once."""
    if OrderEvent.objects.filter(order=order, key="cancel").exists():
        return
    kind = OrderEvent.Kind.MESSAGE
    keep_message(order, kind, text=ASKED, actor_id=buyer.id, now=now, key="cancel")
    queue_buyers_text(
        order,
        Text("Request to cancel"),
        company=buyer.company,
        deed=Text("%(company)s asks to cancel an order."),
        text=ASKED,
    )

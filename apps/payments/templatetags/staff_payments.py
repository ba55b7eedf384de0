"""The payments of an order as a card on its staff page: the page brings the two apps together."""

from django import template

from apps.common.money import ZERO
from apps.common.staff import Context
from apps.orders.models import Order
from apps.orders.status import OrderStatus
from apps.payments.admin.trace import given_back_rows, ledger_of, open_rows, received_rows
from apps.payments.services.wire import takes_wires

register = template.Library()


@register.inclusion_tag("staff/payments_card.html", takes_context=True)
def payments_card(context: Context, order: Order) -> Context:
    """Return what the card shows: every entry that makes the order's money, and what may be done.
    Six statements.
    """
    user = context["request"].user
    may_act = user.has_perm("payments.change_payment")
    received = list(received_rows(order))
    return {
        "order": order,
        "rows": [*received, *given_back_rows(order), *open_rows(order)],
        "limit": sum((row.limit for row in received), ZERO),
        "kept": order.received - order.credited,
        "ledger": ledger_of(order.company_id) if user.has_perm("payments.view_walletentry") else "",
        "may_act": may_act,
        "may_book": may_act and takes_wires(order),
        "may_move": may_act and order.status != OrderStatus.CANCELLED,
        "may_cancel": may_act and OrderStatus.RECEIVED <= order.status <= OrderStatus.PAID,
    }

"""The mails of an order as a card on its staff page: the page brings the order and the portal's
mails together.
"""

from django import template

from apps.common.staff import Context
from apps.orders.models import Order
from portal.staff.mails import AGAIN
from portal.staff.visible import mail_rows, mails_of_order

register = template.Library()
SHOWN = 3


@register.inclusion_tag("staff/mails_card.html", takes_context=True)
def mails_card(context: Context, order: Order) -> Context:
    """Return the last mails about an order to the people of its company. One statement."""
    user = context["request"].user
    return {
        "order": order,
        "rows": mail_rows(mails_of_order(user, order)[:SHOWN]),
        "may_send": user.has_perm(AGAIN),
    }

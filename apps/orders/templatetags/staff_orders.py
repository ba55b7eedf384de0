"""The orders of a person as a card on the person's staff page: the page brings the two apps
together.
"""

from typing import Any

from django import template
from django.db.models import Count, Q

from apps.accounts.models import User
from apps.orders.models import Order
from apps.orders.status import OPEN

register = template.Library()


@register.inclusion_tag("staff/orders_of_user.html")
def orders_of_user(user: User) -> dict[str, Any]:
    """Return how many orders somebody placed, how many of them are open, and the last one. Two
    statements.
    """
    # The company's index: the user has none.
    orders = Order.objects.filter(company=user.company, user=user)
    counts = orders.order_by().aggregate(
        all=Count("pk"), open=Count("pk", filter=Q(status__in=OPEN))
    )
    return {"counts": counts, "last": orders.order_by("-pk").first(), "email": user.email}

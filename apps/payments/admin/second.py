"""The second question: money far above what is asked for is booked only when staff have read where
it goes.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from django.http import HttpRequest

from apps.common.money import ZERO
from apps.orders.models import Order
from apps.orders.status import OrderStatus
from apps.payments.rules import WRITE_OFF_LIMIT
from apps.payments.selectors import surplus_of
from apps.payments.services.receive import WirePart


@dataclass(frozen=True)
class Question:
    """What is asked, and the sum that the answer agrees to."""

    text: str
    agreed: Decimal


def surplus_question(request: HttpRequest, parts: Sequence[WirePart]) -> Question | None:
    """Return the question that money far above what orders ask for raises; none once its very sum
    was agreed to.
    """
    orders = Order.objects.select_related("company").in_bulk([part.order_id for part in parts])
    sentences, total = [], ZERO
    for part in parts:
        order = orders.get(part.order_id)
        surplus = surplus_of(order, amount=part.amount) if order else ZERO
        if order is None or surplus <= WRITE_OFF_LIMIT:
            continue
        total += surplus
        if OrderStatus(order.status).is_priced:
            sentences.append(f"{surplus:,.2f} USD go to the wallet of {order.company.name}")
        else:
            sentences.append(
                f"{surplus:,.2f} USD stay with {order} until it is confirmed, then go to the wallet"
            )
    if not sentences or request.POST.get("agreed") == str(total):
        return None
    return Question(
        f"This is far more than is asked for. Is it right that {'; '.join(sentences)}?", total
    )

"""What every decision of staff about money is checked for, in words for them."""

from decimal import Decimal

from django.utils.translation import gettext as _

from apps.common.money import ZERO, dollars, usd
from apps.orders.errors import StaffRefusal
from apps.orders.models import Order
from apps.orders.selectors import get_order_for_staff
from apps.payments.models import Payment
from apps.payments.selectors import get_payment

MAX_REASON = 200


def reason_of(text: str, *, missing: str, longest: int = MAX_REASON) -> str:
    """Return a reason on one line, cut.

    Raises:
        StaffRefusal: there is none; its field says what is `missing`.
    """
    reason = " ".join(text.split())[:longest]
    if not reason:
        raise StaffRefusal(_("A reason is needed."), errors={"reason": [missing]})
    return reason


def check_amount(amount: Decimal, *, limit: Decimal, seen: Decimal | None, other: str) -> None:
    """Check US dollars that leave: whole cents, at most the limit, which is what staff have `seen`;
    an`other` limit is refused in these words. A second press would do it once more.

    Raises:
        StaffRefusal: another limit than the one seen, or a wrong amount.
    """
    if seen not in (None, limit):
        raise StaffRefusal(other % {"limit": dollars(limit), "seen": dollars(seen or ZERO)})
    if not ZERO < amount <= limit or usd(amount) != amount:
        raise StaffRefusal(
            _("The amount is wrong."),
            errors={
                "amount": [_("More than 0.00, at most %(limit)s.") % {"limit": dollars(limit)}]
            },
        )


def lock_payment(payment_id: int, *also: int) -> tuple[Order, Payment]:
    """Return a payment of an order and that order, locked in turn: orders (`also` others), then the
    payment.

    Raises:
        NotFound: there is no such payment or order.
    """
    own = get_payment(payment_id=payment_id).order_id
    assert own is not None
    orders = {pk: get_order_for_staff(order_id=pk, lock=True) for pk in sorted({own, *also})}
    payment = Payment.objects.select_for_update().get(pk=payment_id)
    payment.order = orders[own]
    return orders[own], payment

"""What a word finds among orders and their events, of millions too."""

from django.db.models import Q, QuerySet

from apps.accounts.models import Company, User
from apps.common.lists import any_of
from apps.common.names import named
from apps.orders.models import FormerTracking, Order, OrderEvent, OrderLine


def orders_found(orders: QuerySet[Order], term: str) -> QuerySet[Order]:
    """Return the orders found by invoice code, company, e-mail, SKU, depositor, PO or tracking
    number.
    """
    people = User.objects.filter(email__startswith=term)
    return any_of(
        orders,
        Q(invoice_code__startswith=term.upper()),
        Q(tracking_number__startswith=term) & ~Q(tracking_number=""),  # as it is indexed
        Q(po_number__startswith=term) & ~Q(po_number=""),
        Q(former_number=term) & ~Q(former_number=""),
        Q(company__in=Company.objects.filter(named(term, "name"))),
        Q(
            company__in=people.values("company"), user__in=people
        ),  # by who ordered there is no index
        Q(pk__in=OrderLine.objects.filter(product__sku=term.upper()).values("order")),
        Q(pk__in=Order.objects.filter(payments__depositor__icontains=term).values("pk")),
        Q(pk__in=FormerTracking.objects.filter(tracking_number=term).values("order")),
    )


def events_found(events: QuerySet[OrderEvent], term: str) -> QuerySet[OrderEvent]:
    """Return the events found by their order's invoice code or company, or by the e-mail address of
    who did it.
    """
    return any_of(
        events,
        Q(order__invoice_code=term.upper()),
        Q(order__company__in=Company.objects.filter(named(term, "name"))),
        Q(actor__in=User.objects.filter(email__icontains=term)),
    )

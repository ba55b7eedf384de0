"""Which companies are customers."""

from django.db.models import Exists, OuterRef, Q

from apps.accounts.models import User
from apps.orders.models import Order


def is_customer() -> Q:
    """Return which companies are customers: all but those of which nobody was let in and nothing
    was ordered.
    """
    people = User.objects.filter(company=OuterRef("pk"))
    let_in = Exists(people.filter(approval=User.Approval.APPROVED))
    return Q(let_in) | Q(Exists(Order.objects.filter(company=OuterRef("pk")))) | ~Q(Exists(people))

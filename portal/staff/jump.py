"""The jump box: an exact code goes straight to its page, anything else lists a few hits of each
kind.
"""

from collections.abc import Callable, Iterator
from difflib import get_close_matches
from typing import Any

from django.db.models import Q, QuerySet
from django.db.models.functions import Lower
from django.urls import reverse

from apps.accounts.models import Company, Registration, User
from apps.catalog.models import Product
from apps.catalog.selectors import products_with
from apps.orders.models import Order
from apps.payments.models import Payment
from portal.staff.customers.kind import is_customer

HITS = 8
MOST_COMPARED = 500
ALIKE = 0.85
Hit = tuple[Any, str, str]  # the object's id, its title, and what stands beside it


def exact_page(*, user: User, term: str) -> str | None:
    """Return the page that an invoice code, tracking number, e-mail address or SKU names, if the
    user may view it.
    """
    undecided = Registration.objects.filter(~Q(approval=User.Approval.APPROVED), is_staff=False)
    lookups: tuple[tuple[str, QuerySet, str, dict[str, Any]], ...] = (
        ("orders.view_order", Order.objects.all(), "orders_order", {"invoice_code": term.upper()}),
        ("orders.view_order", Order.objects.all(), "orders_order", {"tracking_number": term}),
        ("orders.view_order", Order.objects.all(), "orders_order", {"po_number": term}),
        (
            "orders.view_order",
            Order.objects.all(),
            "orders_order",
            {"former_trackings__tracking_number": term},
        ),
        (
            "accounts.change_user",
            undecided,
            "accounts_registration",
            {"email": term},
        ),
        (
            "accounts.view_user",
            User.objects.all(),
            "accounts_user",
            {"email": term},
        ),
        (
            "accounts.view_company",
            Company.objects.all(),
            "accounts_company",
            {"users__email": term},
        ),
        ("catalog.view_product", Product.objects.all(), "catalog_product", {"sku": term.upper()}),
    )
    for permission, queryset, name, lookup in lookups:
        if not user.has_perm(permission):
            continue
        found = list(queryset.order_by().filter(**lookup).values_list("pk", flat=True)[:2])
        if len(found) == 1:
            return reverse(f"admin:{name}_change", args=found)
    return None


def nearest_order(*, user: User, term: str) -> Order | None:
    """Return the order of the same day whose code is most like a mistyped one, if the user may view
    orders.
    """
    if not user.has_perm("orders.view_order"):
        return None
    code = term.strip().upper()
    of_the_day = Order.objects.filter(
        invoice_code__startswith=f"{code.rpartition('-')[0]}-"
    ).select_related("company")
    by_code = {order.invoice_code: order for order in of_the_day.order_by("-id")[:MOST_COMPARED]}
    alike = get_close_matches(code, by_code, n=1, cutoff=ALIKE)
    return by_code[alike[0]] if alike else None


def hits(*, user: User, term: str) -> Iterator[dict[str, Any]]:
    """Yield, for each kind that the user may view, its name and at most eight hits that begin with
    the term.
    """
    for name, permission, model, find in KINDS:
        if user.has_perm(permission):
            links = [
                {
                    "url": reverse(f"admin:{model}_change", args=[pk]),
                    "title": title,
                    "context": context,
                }
                for pk, title, context in find(term)
            ]
            yield {"name": name, "rows": links}


def _orders(term: str) -> list[Hit]:
    orders = Order.objects.filter(invoice_code__startswith=term.upper()).select_related("company")[
        :HITS
    ]
    return [(order.pk, order.invoice_code, order.company.name) for order in orders]


def _depositors(term: str) -> list[Hit]:
    wires = Payment.objects.filter(method="T/T", order__isnull=False, depositor__istartswith=term)
    wires = wires.select_related("company").order_by("-id")[:HITS]
    return [
        (wire.order_id, wire.depositor, f"{wire.invoice_code}, {wire.company.name}")
        for wire in wires
    ]


def _registrations(term: str) -> list[Hit]:
    waiting = Registration.objects.filter(is_staff=False, approval=User.Approval.PENDING)
    waiting = waiting.alias(low=Lower("company__name"))
    waiting = waiting.filter(Q(email__startswith=term) | Q(low__startswith=term.lower()))
    waiting = waiting.select_related("company").order_by("registered_at", "id")[:HITS]
    return [(one.pk, str(one.company), f"{one.manager}, {one.email}") for one in waiting]


def _companies(term: str) -> list[Hit]:
    companies = (
        Company.objects.filter(is_customer())
        .annotate(low=Lower("name"))
        .filter(low__startswith=term.lower())
    )
    companies = companies.select_related("country")[:HITS]
    return [(company.pk, company.name, str(company.country or "")) for company in companies]


def _users(term: str) -> list[Hit]:
    users = User.objects.filter(email__startswith=term).select_related("company")[:HITS]
    return [(one.pk, one.email, f"{one.manager}, {one.company}") for one in users]


def _products(term: str) -> list[Hit]:
    products = Product.objects.filter(products_with(term)).select_related("brand")[:HITS]
    return [
        (product.pk, product.eng_name, f"{product.sku}, {product.brand}") for product in products
    ]


# What is looked for: its name, who may view it, the model whose page opens, and how it is found.
KINDS: tuple[tuple[str, str, str, Callable[[str], list[Hit]]], ...] = (
    ("Orders", "orders.view_order", "orders_order", _orders),
    ("Depositors", "payments.view_payment", "orders_order", _depositors),
    ("Registrations", "accounts.change_user", "accounts_registration", _registrations),
    ("Customers", "accounts.view_company", "accounts_company", _companies),
    ("Users", "accounts.view_user", "accounts_user", _users),
    ("Products", "catalog.view_product", "catalog_product", _products),
)

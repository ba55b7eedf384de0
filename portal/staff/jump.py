"""The jump box: an exact code goes straight to its page, anything else lists a few hits of each
kind.
"""

from collections.abc import Callable, Iterator
from difflib import get_close_matches
from typing import Any

from django.db.models import Q, QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _, gettext_lazy

from apps.accounts.models import Company, Registration, User
from apps.catalog.models import Product
from apps.catalog.selectors import products_with
from apps.common.names import bare, bare_name, by_initials, name_condition
from apps.common.types import Label
from apps.orders.models import Order
from apps.payments.models import Payment
from portal.staff.customers.figures import is_customer

HITS = 8
LAST_ORDERS = 5_000  # among these an order is found by the last digits of its code
MOST_COMPARED = 500
ALIKE = 0.85
Hit = tuple[Any, str, str]  # the object's id, its title, and what stands beside it


def exact_page(*, user: User, term: str) -> str | None:
    """Return the page that an invoice code, tracking number, e-mail address, SKU or EAN names, if
    the user may view it.
    """
    undecided = Registration.objects.filter(~Q(approval=User.Approval.APPROVED), is_staff=False)
    orders, products = Order.objects.all(), Product.objects.all()
    lookups: tuple[tuple[str, QuerySet, str, tuple[dict[str, Any], ...]], ...] = (
        (
            "orders.view_order",
            orders,
            "orders_order",
            (
                {"invoice_code": term.upper()},
                {"tracking_number": term},
                {"po_number": term},
                {"former_number__iexact": term},
                {"former_trackings__tracking_number": term},
            ),
        ),
        ("accounts.change_user", undecided, "accounts_registration", ({"email": term},)),
        ("accounts.view_user", _people(user), "accounts_user", ({"email": term},)),
        (
            "accounts.view_company",
            Company.objects.all(),
            "accounts_company",
            ({"users__email": term},),
        ),
        (
            "catalog.view_product",
            products,
            "catalog_product",
            ({"sku": term.upper()}, {"ean": term}),
        ),
    )
    for permission, rows, name, ways in lookups:
        for lookup in ways if user.has_perm(permission) else ():
            ids = list(rows.order_by().filter(**lookup).values_list("pk", flat=True)[:2])
            if len(ids) == 1:
                return reverse(f"admin:{name}_change", args=ids)
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
    """Yield, for each kind that the user may view and that has any, its name and at most eight
    hits: codes and companies that begin with the term, people whose name has it; names also by
    initial consonants.
    """
    for name, permission, model, find in KINDS:
        if user.has_perm(permission):
            links = [
                {
                    "url": reverse(f"admin:{model}_change", args=[pk]),
                    "title": title,
                    "context": context,
                }
                for pk, title, context in find(term, user)
            ]
            if links:
                yield {"name": name, "rows": links}


def _orders(term: str, _: User) -> list[Hit]:
    formerly = Q(former_number__istartswith=term) & ~Q(former_number="")
    by_code = Q(invoice_code__startswith=term.upper())
    if term.isdecimal():
        last = Order.objects.order_by("-id").values("pk")[:LAST_ORDERS]
        by_code = Q(pk__in=last, invoice_code__endswith=f"-{term}")
    return [
        (order.pk, order.invoice_code, order.company.name)
        for order in Order.objects.filter(by_code | formerly).select_related("company")[:HITS]
    ]


def _depositors(term: str, _: User) -> list[Hit]:
    wires = Payment.objects.filter(method="T/T", order__isnull=False, depositor__istartswith=term)
    wires = wires.select_related("company").order_by("-id")[:HITS]
    return [
        (wire.order_id, wire.depositor, f"{wire.invoice_code}, {wire.company.name}")
        for wire in wires
    ]


def _registrations(term: str, _: User) -> list[Hit]:
    waiting = Registration.objects.filter(is_staff=False, approval=User.Approval.PENDING)
    waiting = waiting.alias(bare=bare_name("company__name")).filter(
        Q(email__startswith=term) | _begins(term, "company__name") | name_condition(term, "manager")
    )
    waiting = waiting.select_related("company").order_by("registered_at", "id")[:HITS]
    return [(one.pk, str(one.company), f"{one.manager}, {one.email}") for one in waiting]


def _companies(term: str, _: User) -> list[Hit]:
    people = User.objects.filter(name_condition(term, "manager"), company__isnull=False)
    companies = Company.objects.filter(is_customer()).alias(bare=bare_name("name"))
    companies = companies.filter(
        _begins(term, "name") | Q(pk__in=people.values("company"))
    ).select_related("country")
    return [(company.pk, company.name, str(company.country or "")) for company in companies[:HITS]]


def _begins(term: str, field: str) -> Q:
    """Return the condition that a company's name begins with the term, or has its initial
    consonants; `bare` is its name without the legal form.
    """
    return name_condition(term, field) if by_initials(term) else Q(bare__startswith=bare(term))


def _users(term: str, user: User) -> list[Hit]:
    users = _people(user).filter(Q(email__startswith=term) | name_condition(term, "manager"))
    return [
        (one.pk, one.manager or one.email, f"{one.email}, {one.company or _('staff')}")
        for one in users.select_related("company")[:HITS]
    ]


def _people(user: User) -> QuerySet[User]:
    """Return the people whose pages a member of staff may open: colleagues are a superuser's."""
    people = User.objects.all()
    return people if user.is_superuser else people.filter(is_staff=False, is_superuser=False)


def _products(term: str, _: User) -> list[Hit]:
    condition = name_condition(term, "eng_name") if by_initials(term) else products_with(term)
    products = Product.objects.filter(condition).select_related("brand")[:HITS]
    return [
        (product.pk, product.eng_name, f"{product.sku}, {product.brand}") for product in products
    ]


# What is looked for: its name, who may view it, the model whose page opens, and how it is found.
KINDS: tuple[tuple[Label, str, str, Callable[[str, User], list[Hit]]], ...] = (
    (gettext_lazy("Orders"), "orders.view_order", "orders_order", _orders),
    (gettext_lazy("Customers"), "accounts.view_company", "accounts_company", _companies),
    (
        gettext_lazy("Registrations"),
        "accounts.change_user",
        "accounts_registration",
        _registrations,
    ),
    (gettext_lazy("Users"), "accounts.view_user", "accounts_user", _users),
    (gettext_lazy("Products"), "catalog.view_product", "catalog_product", _products),
    (gettext_lazy("Depositors"), "payments.view_payment", "orders_order", _depositors),
)

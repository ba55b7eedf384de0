"""The jump box: an exact code goes straight to its page, anything else lists a few hits of each
kind.
"""

from collections.abc import Callable, Iterator
from difflib import get_close_matches
from typing import Any

from django.db.models import Model, Q, QuerySet
from django.utils.translation import gettext as _, gettext_lazy

from apps.accounts.models import Company, Registration, User
from apps.catalog.models import Product
from apps.catalog.selectors import products_with
from apps.common.names import bare, bare_name, by_initials, name_condition
from apps.common.staff import Context, page_of
from apps.common.types import Label
from apps.orders.models import Order
from apps.payments.models import Payment
from portal.staff.customers.figures import is_customer

HITS = 8
LAST_ORDERS = 5_000  # among these an order is found by the last digits of its code
MOST_COMPARED = 500
ALIKE = 0.85
Hit = tuple[Model, str, str]  # the object, its title, and what stands beside it


def exact_page(*, user: User, term: str) -> str | None:
    """Return the page that an invoice code, tracking number, e-mail address, SKU or EAN names, if
    the user may view it.
    """
    undecided = Registration.objects.filter(~Q(approval=User.Approval.APPROVED), is_staff=False)
    lookups: tuple[tuple[Any, ...], ...] = (
        (
            "orders.view_order",
            Order.objects,
            {"invoice_code": term.upper()},
            {"tracking_number": term},
            {"po_number": term},
            {"former_number__iexact": term},
            {"former_trackings__tracking_number": term},
        ),
        ("accounts.change_user", undecided, {"email": term}),
        ("accounts.view_user", _people(user), {"email": term}),
        ("accounts.view_company", Company.objects, {"users__email": term}),
        ("catalog.view_product", Product.objects, {"sku": term.upper()}, {"ean": term}),
    )
    for permission, rows, *ways in lookups:
        for lookup in ways if user.has_perm(permission) else ():
            hits_found = rows.order_by().filter(**lookup).only("pk")[:2]
            if len(hits_found) == 1:
                return page_of(hits_found[0])
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


def hits(*, user: User, term: str) -> Iterator[Context]:
    """Yield, for each kind that the user may view and that has any, its name and at most eight
    hits: codes and companies that begin with the term, people whose name has it; names also by
    initial consonants.
    """
    for name, permission, find in KINDS:
        links = [
            {"url": page_of(thing), "title": title, "context": context}
            for thing, title, context in (find(term, user) if user.has_perm(permission) else ())
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
        (order, order.invoice_code, order.company.name)
        for order in Order.objects.filter(by_code | formerly).select_related("company")[:HITS]
    ]


def _depositors(term: str, _: User) -> list[Hit]:
    wires: Any = Payment.objects.filter(
        method="T/T", order__isnull=False, depositor__istartswith=term
    )
    return [
        (wire.order, wire.depositor, f"{wire.invoice_code}, {wire.company.name}")
        for wire in wires.select_related("company", "order").order_by("-id")[:HITS]
    ]


def _registrations(term: str, _: User) -> list[Hit]:
    waiting = Registration.objects.filter(is_staff=False, approval=User.Approval.PENDING)
    waiting = waiting.alias(bare=bare_name("company__name")).filter(
        Q(email__startswith=term) | _begins(term, "company__name") | name_condition(term, "manager")
    )
    waiting = waiting.select_related("company").order_by("registered_at", "id")[:HITS]
    return [(one, str(one.company), f"{one.manager}, {one.email}") for one in waiting]


def _companies(term: str, _: User) -> list[Hit]:
    people = User.objects.filter(name_condition(term, "manager"), company__isnull=False)
    companies = Company.objects.filter(is_customer()).alias(bare=bare_name("name"))
    companies = companies.filter(
        _begins(term, "name") | Q(pk__in=people.values("company"))
    ).select_related("country")
    return [(company, company.name, str(company.country or "")) for company in companies[:HITS]]


def _begins(term: str, field: str) -> Q:
    """Return the condition that a company's name begins with the term, or has its initial
    consonants; `bare` is its name without the legal form.
    """
    return name_condition(term, field) if by_initials(term) else Q(bare__startswith=bare(term))


def _users(term: str, user: User) -> list[Hit]:
    users = _people(user).filter(Q(email__startswith=term) | name_condition(term, "manager"))
    return [
        (one, one.manager or one.email, f"{one.email}, {one.company or _('staff')}")
        for one in users.select_related("company")[:HITS]
    ]


def _people(user: User) -> QuerySet[User]:
    """Return the people whose pages a member of staff may open: colleagues are a superuser's."""
    people = User.objects.all()
    return people if user.is_superuser else people.filter(is_staff=False, is_superuser=False)


def _products(term: str, _: User) -> list[Hit]:
    condition = name_condition(term, "eng_name") if by_initials(term) else products_with(term)
    products = Product.objects.filter(condition).select_related("brand")[:HITS]
    return [(product, product.eng_name, f"{product.sku}, {product.brand}") for product in products]


# What is looked for: its name, who may view it, and how it is found.
KINDS: tuple[tuple[Label, str, Callable[[str, User], list[Hit]]], ...] = (
    (gettext_lazy("Orders"), "orders.view_order", _orders),
    (gettext_lazy("Customers"), "accounts.view_company", _companies),
    (
        gettext_lazy("Registrations"),
        "accounts.change_user",
        _registrations,
    ),
    (gettext_lazy("Users"), "accounts.view_user", _users),
    (gettext_lazy("Products"), "catalog.view_product", _products),
    (gettext_lazy("Depositors"), "payments.view_payment", _depositors),
)

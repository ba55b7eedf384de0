"""Customers: the list with what is open and overdue, one page for each, its terms and notes."""

from collections.abc import Iterator
from functools import cached_property
from typing import Any, ClassVar

from django.contrib import admin
from django.db.models import Count, F, Q, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.html import format_html
from django.utils.translation import gettext as _, gettext_lazy, pgettext

from apps.accounts.admin import CompanyAdmin
from apps.accounts.models import Company, PriceGroup, Registration, User
from apps.catalog.admin.products import BrandAccessInline
from apps.common.filters import (
    ChoiceFilter,
    Choices,
    Countries,
    CountriesFilter,
    count_choices,
    once,
)
from apps.common.money import ZERO, usd
from apps.common.names import bare_name
from apps.common.staff import Context, has_any_perm, list_of, page_of, staff_of
from apps.common.staff_lists import PhoneRow, day_of, figure_text, tag, two_lines
from apps.common.tables.download import MOST_ROWS, Cell
from apps.common.texts import phrase
from portal.staff.customers.figures import (
    QUIET,
    customers,
    in_credit,
    is_customer,
    overdue,
    owing,
    sums_of,
    sums_of_figures,
    with_figures,
)
from portal.staff.customers.page import customer_page
from portal.staff.customers.terms import PASTE, SHARE
from portal.staff.registrations.filters import TO_DECIDE


class CustomerCounts:
    """What each choice of each filter means, for those who may see it, and how many customers it
    leaves.
    """

    def __init__(self, request: HttpRequest) -> None:
        now = timezone.now()
        since = now - QUIET
        self.state: Choices = {
            "open": (pgettext("customer", "Open"), Q(is_open=True)),
            "closed": (_("Closed"), Q(is_open=False)),
        }
        groups = PriceGroup.objects.values_list("pk", "name")
        self.group: Choices = {str(pk): (name, Q(price_group=pk)) for pk, name in groups}
        if self.group:
            self.group = {"none": (_("No group"), Q(price_group=None)), **self.group}
        self.terms: Choices = {
            "share": (_("Own deposit share"), Q(deposit_rate__isnull=False)),
            "brands": (_("Some brands only"), Q(brands_restricted=True)),
            "free": (
                _("May order beyond stock"),
                Q(pk__in=User.objects.filter(stock_free=True).values("company")),
            ),
        }
        self.money: Choices = {}
        self.last: Choices = {}
        if has_any_perm(request, "orders.view_order"):
            wallet = {"wallet": (_("Wallet balance"), in_credit())}
            sees_wallets = has_any_perm(request, "payments.view_walletentry")
            self.money = {
                "open": (_("Outstanding"), owing()),
                "overdue": (_("Overdue"), overdue(now)),
                **(wallet if sees_wallets else {}),
            }
            self.last = {
                "recent": (_("In 90 days"), Q(last_order__gte=since)),
                "quiet": (_("Over 90 days ago"), Q(last_order__lt=since)),
                "never": (_("Never ordered"), Q(last_order__isnull=True)),
            }

    @cached_property
    def counts(self) -> dict[str, int]:
        """Return how many customers there are, and of each choice: `money_overdue`. One
        statement.
        """
        names = ("state", "group", "terms", "money", "last")
        filters: dict[str, Choices] = {name: getattr(self, name) for name in names}
        return count_choices(customers(), filters)

    @cached_property
    def countries(self) -> Countries:
        """Return the countries of customers by name. One statement."""
        rows = Company.objects.filter(is_customer(), country__isnull=False).order_by(
            "country__content"
        )
        return list(
            rows.values_list("country_id", "country__content").annotate(customers=Count("pk"))
        )


class StateFilter(ChoiceFilter):
    title = gettext_lazy("state")
    parameter_name = "state"
    of = CustomerCounts


class MoneyFilter(ChoiceFilter):
    title = gettext_lazy("money")
    parameter_name = "money"
    late = "overdue"
    of = CustomerCounts


class LastOrderFilter(ChoiceFilter):
    title = gettext_lazy("last order")
    parameter_name = "last"
    of = CustomerCounts


class PriceGroupFilter(ChoiceFilter):
    title = gettext_lazy("price group")
    parameter_name = "group"
    of = CustomerCounts


class TermsFilter(ChoiceFilter):
    title = gettext_lazy("terms")
    parameter_name = "terms"
    of = CustomerCounts


class CountryFilter(CountriesFilter):
    of = CustomerCounts


LISTS = ("accounts_company_changelist", "accounts_company_export")
MOST_OVERDUE_FIRST = (
    F("overdue").desc(nulls_last=True),
    F("open_money").desc(nulls_last=True),
    bare_name("name"),
)


@admin.register(Company)
class CustomerAdmin(CompanyAdmin):
    """Customers: those who see orders see their money too; who may change companies changes them by
    a form.
    """

    list_title = gettext_lazy("Customers")
    export_permission = "accounts.view_company"
    list_display: Any = (
        "customer",
        "country",
        "price_group",
        "state_tag",
        "open_orders_count",
        "money_open",
        "overdue_usd",
        "last_order_on",
        "twelve_months_usd",
    )
    phone_row = PhoneRow(
        right="overdue_usd",
        next="money_open",
        third="state_tag",
        labelled=("overdue_usd", "money_open"),
    )
    list_filter: ClassVar[Any] = (
        StateFilter,
        MoneyFilter,
        LastOrderFilter,
        PriceGroupFilter,
        TermsFilter,
        CountryFilter,
    )
    ordering = (bare_name("name"),)
    inlines = (BrandAccessInline,)  # accounts knows no brands

    def get_list_display(self, request: HttpRequest) -> tuple[str, ...]:
        """Return the columns: no money and no orders for those who may not see orders, no price
        group where there is none.
        """
        columns = self.list_display[: None if has_any_perm(request, "orders.view_order") else 4]
        has_groups = bool(once(request, CustomerCounts).group)
        return tuple(name for name in columns if has_groups or name != "price_group")

    def get_ordering(self, request: HttpRequest) -> tuple[Any, ...]:
        """Return the most overdue first in the list, where money may be seen."""
        is_list = request.resolver_match is not None and request.resolver_match.url_name in LISTS
        return (
            MOST_OVERDUE_FIRST
            if is_list and has_any_perm(request, "orders.view_order")
            else self.ordering
        )

    def get_queryset(self, request: HttpRequest) -> QuerySet:
        """Return the customers with their figures for the list; for other pages every company."""
        if request.resolver_match is None or request.resolver_match.url_name not in LISTS:
            return super().get_queryset(request)
        return with_figures(customers(), now=timezone.now())

    def about_list(self, request: HttpRequest, listed: Any) -> Context:
        """Return the sums of all that the list found, and how many wait to become customers."""
        about: Context = {}
        if has_any_perm(request, "orders.view_order"):
            about["sums"] = (
                sums_of_figures(listed.queryset)
                if LastOrderFilter.parameter_name in request.GET
                else sums_of(listed.queryset, now=timezone.now())
            )
        if has_any_perm(request, "accounts.change_user"):
            waiting = Company.objects.filter(users__in=Registration.objects.filter(TO_DECIDE))
            about["waiting"] = waiting.distinct().count()
        return about

    @admin.display(description=gettext_lazy("Customer"), ordering=bare_name("name"))
    def customer(self, company: Any) -> str:
        """Return the name, with the person who signed in last and how many more there are."""
        people = getattr(company, "people", None)
        if not people or not company.person:
            return str(company.name)
        more = phrase(", %(count)s more", count=people - 1) if people > 1 else ""
        return format_html('{}<span class="second">{}{}</span>', company.name, company.person, more)

    @admin.display(description=gettext_lazy("State"), ordering="is_open")
    def state_tag(self, company: Company) -> str:
        return tag(_state(company), "ok" if company.is_open else "")

    @admin.display(description=gettext_lazy("Open orders"), ordering="open_orders")
    def open_orders_count(self, company: Any) -> str:
        if not company.open_orders:
            return _none()
        return two_lines(company.open_orders, figure_text(company.open_total))

    @admin.display(description=gettext_lazy("Outstanding $"), ordering="open_money")
    def money_open(self, company: Any) -> str:
        return (
            format_html("<b>{}</b>", figure_text(company.open_money))
            if company.open_money
            else _none()
        )

    @admin.display(description=gettext_lazy("Overdue $"), ordering="overdue")
    def overdue_usd(self, company: Any) -> str:
        return (
            format_html('<b class="late">{}</b>', figure_text(company.overdue))
            if company.overdue
            else _none()
        )

    @admin.display(description=gettext_lazy("Last order"), ordering="last_order")
    def last_order_on(self, company: Any) -> str:
        if company.last_order is None:
            return _none(_("never"))
        is_quiet = company.last_order < timezone.now() - QUIET
        day = day_of(company.last_order)
        return format_html('<span class="{}">{}</span>', "soon" if is_quiet else "", day)

    @admin.display(description=gettext_lazy("12 months $"), ordering="twelve_months")
    def twelve_months_usd(self, company: Any) -> str:
        return figure_text(company.twelve_months) if company.twelve_months else _none()

    def export_rows(self, request: HttpRequest, queryset: Any) -> Iterator[tuple[Cell, ...]]:
        """Yield the headings, then a row for each customer; figures of orders for those who see
        orders alone.
        """
        headings = [_("Customer"), _("Country"), _("Price group"), _("State")]
        of_orders = [_("Open orders"), _("Their total $"), _("Outstanding $"), _("Overdue $")]
        of_orders += [_("Last order"), _("12 months $")]
        sees_orders = has_any_perm(request, "orders.view_order")
        yield (*headings, *(of_orders if sees_orders else ()))
        queryset = queryset.select_related("country", "price_group")[:MOST_ROWS]
        for row in queryset.iterator(chunk_size=2000):
            who = (row.name, str(row.country or ""), str(row.price_group or ""), _state(row))
            if not sees_orders:
                yield who
                continue
            last = day_of(row.last_order) if row.last_order else ""
            amounts = (row.open_total, row.open_money, row.overdue, row.twelve_months)
            total, open_, overdue, twelve = (usd(amount or ZERO) for amount in amounts)
            yield (*who, row.open_orders or 0, total, open_, overdue, last, twelve)

    def own_page(self, request: HttpRequest, obj: Company) -> HttpResponse | None:
        """Show a customer; with `edit`, the form that changes the company."""
        if request.method != "GET" or "edit" in request.GET:
            return None
        return self.page(
            request,
            "staff/customer.html",
            title=obj.name,
            trail=[list_of(Company)],
            may_change=self.has_change_permission(request, obj),
            may_set_share=has_any_perm(request, SHARE),
            may_paste=has_any_perm(request, PASTE),
            **customer_page(obj, user=staff_of(request), now=timezone.now()),
        )

    def response_post_save_change(self, request: HttpRequest, obj: Company) -> HttpResponseRedirect:
        """Lead back to the customer's page."""
        return redirect(page_of(obj))


def _state(company: Company) -> str:
    return pgettext("customer", "Open") if company.is_open else _("Closed")


def _none(text: str = "–") -> str:
    return format_html('<span class="none">{}</span>', text)

"""The filters of the customers' list, with the counts beside them: of all customers, whatever else
is chosen.
"""

from functools import cached_property

from django.db.models import Count, Q
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _, gettext_lazy, pgettext

from apps.accounts.models import Company, PriceGroup, User
from apps.common.filters import ChoiceFilter, Choices, Countries, CountriesFilter, count_choices
from apps.common.staff import has_any_perm
from portal.staff.customers.figures import (
    QUIET,
    customers,
    in_credit,
    is_customer,
    overdue,
    owing,
)


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

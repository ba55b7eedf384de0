"""The filters of the customers' list, with their counts."""

from django.utils.translation import gettext_lazy as _

from apps.common.filters import ChoiceFilter, Choices, Countries, CountriesFilter
from portal.staff.customers.counts import counts_of


class CustomerFilter(ChoiceFilter):
    """A filter of the customers' list, with the request's counts."""

    def conditions(self) -> Choices:
        choices: Choices = getattr(counts_of(self.request), str(self.parameter_name))
        return choices

    def counted(self) -> dict[str, int]:
        return counts_of(self.request).counts


class StateFilter(CustomerFilter):
    title = _("state")
    parameter_name = "state"


class MoneyFilter(CustomerFilter):
    title = _("money")
    parameter_name = "money"
    late = "overdue"


class LastOrderFilter(CustomerFilter):
    title = _("last order")
    parameter_name = "last"


class PriceGroupFilter(CustomerFilter):
    title = _("price group")
    parameter_name = "group"


class TermsFilter(CustomerFilter):
    title = _("terms")
    parameter_name = "terms"


class CountryFilter(CountriesFilter):
    def counted_countries(self) -> tuple[int, Countries]:
        found = counts_of(self.request)
        return found.counts["all"], found.countries

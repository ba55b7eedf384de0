"""The filters of the registrations' list: those to decide unless somebody asks for others, with
counts.
"""

from datetime import timedelta
from functools import cached_property
from typing import Any

from django.contrib import admin
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _, pgettext_lazy

from apps.accounts.models import Registration, RegistrationEvent, User
from apps.accounts.registrations import with_doubles
from apps.common.filters import (
    ChoiceFilter,
    Choices,
    Countries,
    CountriesFilter,
    count_choices,
    count_countries,
)
from apps.common.promises import APPROVAL_WARNING, Promise, late_start, term_of

PENDING = Q(approval=User.Approval.PENDING, is_staff=False)
TO_DECIDE = PENDING & Q(asked_at__isnull=True)


def was_asked() -> Exists:
    """Return the condition that staff have asked a registration for more; one to decide has
    answered since.
    """
    return Exists(
        RegistrationEvent.objects.filter(user=OuterRef("pk"), kind=RegistrationEvent.Kind.ASKED)
    )


def is_colleague() -> Exists:
    """Return the condition that a buyer asked for this person of his company."""
    by_buyer = RegistrationEvent.objects.filter(
        user=OuterRef("pk"), kind=RegistrationEvent.Kind.SENT, actor__isnull=False
    )
    return Exists(by_buyer)


class Figures:
    """What each choice of each filter means, and the counts beside them, taken once for a page in
    three statements.
    """

    def __init__(self, request: HttpRequest) -> None:
        now = timezone.now()
        self.decision: Choices = {
            "asked": (_("More information requested"), PENDING & Q(asked_at__isnull=False)),
            "approved": (_("Approved"), Q(approval=User.Approval.APPROVED)),
            "rejected": (_("Rejected"), Q(approval=User.Approval.REJECTED)),
            "all": (_("All"), Q()),
        }
        self.age: Choices = {
            "late": (
                format_lazy(_("Over {term}"), term=term_of(Promise.APPROVAL)),
                Q(registered_at__lte=late_start(Promise.APPROVAL, now=now)),
            ),
            "48": (_("Over 48 h"), Q(registered_at__lte=now - APPROVAL_WARNING)),
            "24": (_("Over 24 h"), Q(registered_at__lte=now - timedelta(hours=24))),
        }
        self.hint: Choices = {
            "double": (_("Possible duplicate"), Q(is_double=True)),
            "answered": (pgettext_lazy("registration", "Answered"), Q(was_asked=True)),
            "new": (_("Nothing requested"), Q(was_asked=False)),
            "none": (_("No duplicate"), Q(is_double=False)),
        }

    @cached_property
    def counts(self) -> dict[str, int]:
        """Return how many are to decide (`all`), and of each choice: by age and hint of those to
        decide, by decision of everybody.
        """
        people = Registration.objects.filter(is_staff=False).order_by()
        to_decide = with_doubles(people.filter(TO_DECIDE).annotate(was_asked=was_asked()))
        return {
            **count_choices(people, {"decision": self.decision}),
            **count_choices(to_decide, {"age": self.age, "hint": self.hint}),
        }

    @cached_property
    def countries(self) -> Countries:
        """Return the countries that most registrations to decide come from."""
        return count_countries(Registration.objects.filter(TO_DECIDE), "company__country")


class DecisionFilter(ChoiceFilter):
    """To decide, asked for more, decided."""

    title = _("decision")
    parameter_name = "decision"
    any_label = _("To decide")
    of = Figures

    def queryset(self, request: HttpRequest, queryset: QuerySet) -> QuerySet:
        """Return the chosen ones."""
        has_choice = self.value() in self.conditions()
        return super().queryset(request, queryset) if has_choice else queryset.filter(TO_DECIDE)


class AgeFilter(ChoiceFilter):
    """How long they have waited."""

    title = _("age")
    parameter_name = "age"
    of = Figures


class HintFilter(ChoiceFilter):
    """Whether another company may be the same one, and whether it has answered a question."""

    title = _("hint")
    parameter_name = "hint"
    of = Figures

    def lookups(self, request: HttpRequest, model_admin: admin.ModelAdmin) -> list[Any]:
        """Return the choices; that nothing was requested only where the home page led there."""
        choices = super().lookups(request, model_admin)
        return [one for one in choices if one[0] != "new" or self.value() == "new"]

    def queryset(self, request: HttpRequest, queryset: QuerySet) -> QuerySet:
        """Return the chosen ones."""
        if self.value() in ("double", "none"):
            queryset = with_doubles(queryset)
        return super().queryset(request, queryset)


class CountryFilter(CountriesFilter):
    """Where the companies are."""

    path = "company__country"
    of = Figures

"""The filters of the registrations' list: those to decide unless somebody asks for others, with
counts.
"""

from collections.abc import Callable
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any

from django.contrib import admin
from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from apps.accounts.models import Registration, RegistrationEvent, User
from apps.accounts.registrations import with_doubles
from apps.common.filters import CountedFilter, Countries, CountriesFilter, count_countries, once
from apps.common.promises import APPROVAL_WARNING, Promise, late_start, term_of
from apps.common.types import Label

PENDING = Q(approval=User.Approval.PENDING, is_staff=False)
TO_DECIDE = PENDING & Q(asked_at__isnull=True)
DECISIONS: dict[str, tuple[Label, Q]] = {
    "asked": (_("More information requested"), PENDING & Q(asked_at__isnull=False)),
    "approved": (_("Approved"), Q(approval=User.Approval.APPROVED)),
    "rejected": (_("Rejected"), Q(approval=User.Approval.REJECTED)),
    "all": (_("All"), Q()),
}
AGES: dict[str, tuple[Label, Callable[[datetime], datetime]]] = {
    "late": (
        format_lazy(_("Over {term}"), term=term_of(Promise.APPROVAL)),
        lambda now: late_start(Promise.APPROVAL, now=now),
    ),
    "48": (_("Over 48 h"), lambda now: now - APPROVAL_WARNING),
    "24": (_("Over 24 h"), lambda now: now - timedelta(hours=24)),
}


def was_asked() -> Exists:
    """Return the condition that staff have asked a registration for more; one to decide has
    answered since.
    """
    return Exists(
        RegistrationEvent.objects.filter(user=OuterRef("pk"), kind=RegistrationEvent.Kind.ASKED)
    )


def is_colleague() -> Exists:
    """Return the condition that a buyer asked for this person of his company."""
    sent = RegistrationEvent.objects.filter(
        user=OuterRef("pk"), kind=RegistrationEvent.Kind.SENT, actor__isnull=False
    )
    return Exists(sent)


class Figures:
    """The counts beside the filters' choices, taken once for a page in three statements."""

    def __init__(self, request: HttpRequest) -> None:
        self.now = timezone.now()

    @cached_property
    def decided(self) -> dict[str, int]:
        """Return the number of registrations by approval."""
        rows = (
            Registration.objects.filter(is_staff=False)
            .order_by()
            .values_list("approval")
            .annotate(Count("id"))
        )
        return dict(rows)

    @cached_property
    def waiting(self) -> dict[str, int]:
        """Return the numbers of those to decide by age and hint, and of those that wait for the
        company.
        """
        to_decide = Q(asked_at__isnull=True)
        counts = {
            "all": Count("id", filter=to_decide),
            "asked": Count("id", filter=~to_decide),
            "double": Count("id", filter=to_decide & Q(is_double=True)),
            "answered": Count("id", filter=to_decide & Q(is_answer=True)),
            **{key: Count("id", filter=to_decide & self.older_than(key)) for key in AGES},
        }
        pending = Registration.objects.filter(PENDING).annotate(is_answer=was_asked())
        return with_doubles(pending).order_by().aggregate(**counts)

    @cached_property
    def countries(self) -> Countries:
        """Return the countries that most registrations to decide come from."""
        return count_countries(Registration.objects.filter(TO_DECIDE), "company__country")

    def older_than(self, age: str) -> Q:
        """Return what was sent so long ago."""
        return Q(registered_at__lte=AGES[age][1](self.now))


def figures(request: HttpRequest) -> Figures:
    """Return the request's figures."""
    return once(request, Figures)


class RegistrationFilter(CountedFilter):
    """A filter of the registrations' list, with the request's figures."""

    @property
    def figures(self) -> Figures:
        """Return the request's figures."""
        return figures(self.request)


class DecisionFilter(RegistrationFilter):
    """To decide, asked for more, decided."""

    title = _("decision")
    parameter_name = "decision"
    any_label = _("To decide")

    def lookups(self, request: HttpRequest, model_admin: admin.ModelAdmin) -> list[Any]:
        """Return the choices."""
        return [(key, label) for key, (label, _) in DECISIONS.items()]

    def counts(self) -> dict[str, int]:
        """Return the counts by choice."""
        by_approval, waiting = self.figures.decided, self.figures.waiting
        return {
            **by_approval,
            "": waiting["all"],
            "asked": waiting["asked"],
            "all": sum(by_approval.values()),
        }

    def queryset(self, request: HttpRequest, queryset: QuerySet) -> QuerySet:
        """Return the chosen ones."""
        chosen = DECISIONS.get(self.value() or "")
        return queryset.filter(chosen[1] if chosen else TO_DECIDE)


class AgeFilter(RegistrationFilter):
    """How long they have waited."""

    title = _("age")
    parameter_name = "age"

    def lookups(self, request: HttpRequest, model_admin: admin.ModelAdmin) -> list[Any]:
        """Return the choices."""
        return [(key, label) for key, (label, _) in AGES.items()]

    def counts(self) -> dict[str, int]:
        """Return the counts by choice."""
        waiting = self.figures.waiting
        return {"": waiting["all"], **{key: waiting[key] for key in AGES}}

    def queryset(self, request: HttpRequest, queryset: QuerySet) -> QuerySet:
        """Return the chosen ones."""
        value = self.value() or ""
        return queryset.filter(self.figures.older_than(value)) if value in AGES else queryset


class HintFilter(RegistrationFilter):
    """Whether another company may be the same one, and whether it has answered a question."""

    title = _("hint")
    parameter_name = "hint"

    def lookups(self, request: HttpRequest, model_admin: admin.ModelAdmin) -> list[Any]:
        """Return the choices."""
        new = [("new", _("Nothing requested"))] if self.value() == "new" else []
        return [
            ("double", _("Possible duplicate")),
            ("answered", pgettext_lazy("registration", "Answered")),
            *new,
            ("none", _("No duplicate")),
        ]

    def counts(self) -> dict[str, int]:
        """Return the counts by choice."""
        waiting = self.figures.waiting
        found = {name: waiting[name] for name in ("double", "answered")}
        others = {
            "new": waiting["all"] - waiting["answered"],
            "none": waiting["all"] - waiting["double"],
        }
        return {"": waiting["all"], **found, **others}

    def queryset(self, request: HttpRequest, queryset: QuerySet) -> QuerySet:
        """Return the chosen ones."""
        if self.value() in ("answered", "new"):
            return queryset.filter(was_asked() if self.value() == "answered" else ~was_asked())
        if self.value() not in ("double", "none"):
            return queryset
        return with_doubles(queryset).filter(is_double=self.value() == "double")


class CountryFilter(CountriesFilter):
    """Where the companies are."""

    path = "company__country"

    def counted_countries(self) -> tuple[int, Countries]:
        """Return how many wait for a decision, and from which countries."""
        found = figures(self.request)
        return found.waiting["all"], found.countries

"""Staff pages of the records that no app owns: the work in the background, the staff's
own actions.
"""

from django.contrib import admin
from django.contrib.admin.models import ADDITION, CHANGE, DELETION, LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db.models import Case, Q, QuerySet, Value, When
from django.http import HttpRequest
from django.utils import timezone
from django.utils.html import format_html
from django.utils.text import Truncator
from django.utils.translation import gettext as _, gettext_lazy, pgettext, pgettext_lazy

from apps.common.filters import Choices, ConditionFilter
from apps.common.staff import Context, StaffAdmin
from apps.common.staff_lists import PhoneRow, column, moment_text, tag, two_lines
from portal.models import SweepRun
from portal.ops.sweeps import SWEEPS, sweep_state, sweep_states
from portal.staff.customers.admin import CustomerAdmin  # noqa: F401 - registers itself
from portal.staff.mail_texts import MailTextAdmin  # noqa: F401 - registers itself
from portal.staff.mails import MailAdmin  # noqa: F401 - registers itself
from portal.staff.policy import PolicyAdmin  # noqa: F401 - registers itself
from portal.staff.products import ProductPages  # noqa: F401 - registers itself
from portal.staff.registrations.admin import RegistrationAdmin  # noqa: F401 - registers itself
from portal.staff.visible import OwnRowsAdmin, actions_for

MAX_WHAT = 300  # characters; the thing's own history has the rest


class StateFilter(ConditionFilter):
    title = gettext_lazy("state")
    parameter_name = "state"

    def conditions(self) -> Choices:
        states = sweep_states(timezone.now())
        failing = [one.name for one in states if one.failure]
        late = [one.name for one in states if one.is_late]
        return {
            "failing": (pgettext_lazy("task", "Failing"), Q(name__in=failing)),
            "overdue": (pgettext_lazy("task", "Overdue"), Q(name__in=late)),
        }


@admin.register(SweepRun)
class SweepAdmin(StaffAdmin):
    """How the background tasks fare, for superusers."""

    is_record = True
    list_display_links = None
    list_title = gettext_lazy("Background tasks")
    words = (gettext_lazy("task"), gettext_lazy("tasks"))
    list_display = ("task", "state", "started", "succeeded", "trouble")
    phone_row = PhoneRow(under="started", right="state", third="trouble")
    ordering = (
        Case(When(failure="", then=Value(1)), default=Value(0)).asc(),
        "succeeded_at",
        "name",
    )
    fields = readonly_fields = list_display
    sortable_by = ()  # those in trouble first, always
    started = column("started_at", gettext_lazy("Started"))
    succeeded = column("succeeded_at", gettext_lazy("Succeeded"))
    trouble = column("failure", gettext_lazy("Failure"))
    list_filter = (StateFilter,)

    def about(self, request: HttpRequest, obj: SweepRun) -> Context:
        return {"title": SWEEPS[obj.name].title if obj.name in SWEEPS else obj.name}

    @admin.display(description=gettext_lazy("Task"), ordering="name")
    def task(self, run: SweepRun) -> str:
        title = SWEEPS[run.name].title if run.name in SWEEPS else ""
        return two_lines(title, run.name)

    @admin.display(description=gettext_lazy("State"))
    def state(self, run: SweepRun) -> str:
        now, tone = timezone.now(), "bad"
        if run.name not in SWEEPS:
            word, tone = _("No longer run"), ""
        elif run.is_held:
            word, tone = pgettext("task", "Held"), "warn"
        elif run.failure:
            word = pgettext("task", "Failing")
        elif sweep_state(run, new_at=now, now=now).is_late:
            word = pgettext("task", "Overdue")
        else:
            word, tone = _("Well"), "ok"
        return tag(word, tone)


def _word_of(kind: ContentType) -> str:
    """Return what the trade calls things of a kind; the model's own name where they
    have no page.
    """
    model = kind.model_class()
    page = admin.site._registry.get(model) if model else None
    return getattr(page, "one", kind.name)


class ActionFilter(ConditionFilter):
    title = gettext_lazy("deed")
    parameter_name = "action_flag__exact"

    def conditions(self) -> Choices:
        names = {ADDITION: _("Added"), CHANGE: _("Changed"), DELETION: _("Deleted")}
        return {str(flag): (name, Q(action_flag=flag)) for flag, name in names.items()}


class KindFilter(admin.SimpleListFilter):
    title = gettext_lazy("kind")
    parameter_name = "kind"

    def lookups(self, request: HttpRequest, model_admin: admin.ModelAdmin) -> list[tuple[str, str]]:
        kinds = ContentType.objects.filter(
            pk__in=actions_for(request).order_by().values("content_type")
        )
        return sorted(
            ((str(kind.pk), _word_of(kind).capitalize()) for kind in kinds),
            key=lambda pair: pair[1],
        )

    def queryset(self, request: HttpRequest, queryset: QuerySet) -> QuerySet:
        return (
            queryset.filter(content_type=self.value())
            if str(self.value() or "").isdecimal()
            else queryset
        )


@admin.register(LogEntry)
class StaffActionsAdmin(OwnRowsAdmin):
    """Who did what in admin."""

    list_title = gettext_lazy("Staff actions")
    words = (gettext_lazy("action"), gettext_lazy("actions"))
    list_display = ("thing", "when", "what", "kind", "who")
    fields = readonly_fields = list_display
    phone_row = PhoneRow(under="who", right="when", third="what")
    list_filter = (ActionFilter, KindFilter)
    list_select_related = ("user", "content_type")
    search_fields = ("object_repr", "user__email")
    search_help_text = gettext_lazy("Order, product, customer… or who did it")
    ordering = ("-id",)

    def get_queryset(self, request: HttpRequest) -> QuerySet:
        """Return the actions on what the member of staff may open."""
        return actions_for(request).order_by(*self.ordering)

    @admin.display(description=gettext_lazy("When"), ordering="action_time")
    def when(self, entry: LogEntry) -> str:
        return format_html('<span class="keep">{}</span>', moment_text(entry.action_time))

    @admin.display(description=gettext_lazy("Who"), ordering="user__manager")
    def who(self, entry: LogEntry) -> str:
        return entry.user.get_short_name() or entry.user.email

    @admin.display(description=gettext_lazy("Kind"), ordering="content_type")
    def kind(self, entry: LogEntry) -> str:
        return _word_of(entry.content_type).capitalize() if entry.content_type else "–"

    @admin.display(description=gettext_lazy("On what"))
    def thing(self, entry: LogEntry) -> str:
        url = entry.get_admin_url()
        return (
            format_html('<a href="{}">{}</a>', url, entry.object_repr) if url else entry.object_repr
        )

    @admin.display(description=pgettext_lazy("column", "What"))
    def what(self, entry: LogEntry) -> str:
        return Truncator(entry.get_change_message()).chars(MAX_WHAT)

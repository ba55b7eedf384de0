"""Staff pages of the records that no app owns: the mail log, the work in the background, the staff's own actions."""

from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.db.models import Case, IntegerField, QuerySet, Value, When
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.urls import URLPattern, reverse
from django.utils import timezone
from post_office.models import STATUS, Email

from apps.common.mail import write_texts
from apps.common.staff import RecordAdmin, has_any_perm, run_action, run_action_on_all
from portal.models import SweepRun
from portal.ops.sweeps import SWEEPS, sweep_state
from portal.staff.registrations.admin import RegistrationAdmin  # noqa: F401 - registers itself

STATES = {
    "failed": ("Failed", (STATUS.failed,)),
    "queued": ("Waiting", (STATUS.queued, STATUS.requeued)),
    "sent": ("Sent", (STATUS.sent,)),
}

PRIVATE = "This mail holds a private link and is not shown."
FAILED_FIRST = Case(When(status=STATUS.failed, then=Value(0)), default=Value(1), output_field=IntegerField())


class MailStateFilter(admin.SimpleListFilter):
    title = "state"
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: admin.ModelAdmin) -> list[tuple[str, str]]:
        return [(key, label) for key, (label, _) in STATES.items()]

    def queryset(self, request: HttpRequest, queryset: QuerySet) -> QuerySet:
        if self.value() in STATES:
            return queryset.filter(status__in=STATES[str(self.value())][1])
        return queryset


def resend(email: Email) -> None:
    """Put a mail back into the queue; the sweep delivers it."""
    email.status, email.number_of_retries, email.scheduled_time = STATUS.queued, None, None
    email.save(update_fields=["status", "number_of_retries", "scheduled_time", "last_updated"])


@admin.register(Email)
class MailAdmin(RecordAdmin):
    """The mails of the portal, the failed ones first, with a button that sends one again."""

    list_title = "Mail"
    list_display = ("recipient", "subject", "state", "created", "last_updated")
    list_display_links = ("recipient",)
    list_filter = (MailStateFilter,)
    search_fields = ("to", "subject")
    search_help_text = "Address or subject"
    ordering = (FAILED_FIRST.asc(), "-id")
    actions = ("send_again",)
    fields = ("recipient", "subject", "state", "answer", "created", "last_updated", "text")
    readonly_fields = fields
    change_form_template = "staff/mail.html"

    @admin.display(description="To")
    def recipient(self, email: Email) -> str:
        return ", ".join(email.to)

    @admin.display(description="State")
    def state(self, email: Email) -> str:
        return next((label for label, states in STATES.values() if email.status in states), "New")

    @admin.display(description="Last answer")
    def answer(self, email: Email) -> str:
        return email.logs.order_by("-id").values_list("message", flat=True).first() or ""

    @admin.display(description="Text")
    def text(self, email: Email) -> str:
        return PRIVATE if (email.context or {}).get("private") else write_texts(email).message

    def has_resend_permission(self, request: HttpRequest) -> bool:
        return has_any_perm(request, "post_office.change_email")

    @admin.action(description="Send again", permissions=["resend"])
    def send_again(self, request: HttpRequest, queryset: QuerySet) -> None:
        run_action_on_all(request, queryset, "Sent again", resend)

    def get_urls(self) -> list[URLPattern]:
        again = self.address("<int:pk>/again/", self.again, name="again", permission="post_office.change_email")
        return [again, *super().get_urls()]

    def again(self, request: HttpRequest, pk: int) -> HttpResponse:
        if request.method != "POST":
            return HttpResponseNotAllowed(["POST"])
        email = get_object_or_404(Email, pk=pk)
        run_action(request, email, "Sent again", lambda: resend(email))
        return HttpResponseRedirect(reverse("admin:post_office_email_change", args=[pk]))


@admin.register(SweepRun)
class SweepAdmin(RecordAdmin):
    """How the work in the background fares; for all staff, as it names nobody."""

    list_title = "Work in the background"
    list_display = ("name", "state", "started_at", "succeeded_at", "failure")
    ordering = (Case(When(failure="", then=Value(1)), default=Value(0)).asc(), "succeeded_at", "name")
    fields = list_display
    readonly_fields = ("state",)

    @admin.display(description="State")
    def state(self, run: SweepRun) -> str:
        if run.name not in SWEEPS:
            return "No longer run"
        now = timezone.now()
        late = sweep_state(run, new_at=now, now=now).is_late
        return "Held" if run.is_held else "Failing" if run.failure else "Late" if late else "Well"

    def has_view_permission(self, request: HttpRequest, obj: SweepRun | None = None) -> bool:
        return True


@admin.register(LogEntry)
class StaffActionsAdmin(RecordAdmin):
    """Who did what in admin."""

    list_title = "Staff actions"
    list_display = ("action_time", "user", "content_type", "object_repr", "what")
    list_filter = ("action_flag", ("content_type", admin.RelatedOnlyFieldListFilter))
    list_select_related = ("user", "content_type")
    search_fields = ("object_repr", "user__email")
    ordering = ("-id",)

    @admin.display(description="What")
    def what(self, entry: LogEntry) -> str:
        return entry.get_change_message()

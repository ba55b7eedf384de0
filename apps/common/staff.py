"""What the staff's pages share (design/admin.md): guarded model admins, named permissions, refusals as messages."""

from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from functools import wraps
from typing import Any, ClassVar

from django.contrib import admin, messages
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.admin.widgets import AdminSplitDateTime, RelatedFieldWidgetWrapper
from django.core.cache import cache
from django.core.exceptions import PermissionDenied
from django.db.models import DecimalField, Model
from django.forms import BaseForm, BaseInlineFormSet
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.template.response import TemplateResponse
from django.urls import URLPattern, path

from apps.common.errors import SOMETHING_WENT_WRONG, PortalError
from apps.common.promises import business_days_over

WAITING_KEY = "staff-waiting:{group}"
WAITING_GROUPS = ("all", "sales", "approvers")
REFUSALS = {"wrong_status": "The order's status does not allow it", "not_found": "It does not exist any more"}
UNNAMED = ("status", "body", "version", "non_field_errors")
View = Callable[..., HttpResponseBase]


def refusal_text(error: PortalError) -> str:
    """Return a refusal in words for staff: the service's sentence, and what is at fault."""
    text, errors = str(error), error.errors or {}
    if text != error.message:
        return text
    if text == SOMETHING_WENT_WRONG:
        text = ""
    if "version" not in errors:  # somebody was quicker: who and when is all there is to say
        text = REFUSALS.get(error.code, text)
    faults = [_fault(error, name, fault) for name, texts in errors.items() for fault in texts]
    return ": ".join(part for part in (text.rstrip("."), "; ".join(faults)) if part) + "."


def _fault(error: PortalError, name: str, fault: str) -> str:
    """Return what is wrong with a field, after its name where it has one for staff."""
    if fault == error.message:
        return name
    return fault.rstrip(".") if name in UNNAMED else f"{name}: {fault.rstrip('.')}"


def staff_of(request: HttpRequest) -> Any:
    """Return the member of staff who asks: staff pages are shown to nobody else."""
    return request.user


def has_any_perm(request: HttpRequest, *permissions: str) -> bool:
    """Return whether the member of staff who asks has any of the permissions."""
    return any(staff_of(request).has_perm(permission) for permission in permissions)


def log_action(request: HttpRequest, obj: Model, text: str) -> None:
    """Write who did what to an object into admin's history, and let the counts be taken afresh."""
    LogEntry.objects.log_actions(staff_of(request).pk, [obj], CHANGE, text, single_object=True)
    cache.delete_many([WAITING_KEY.format(group=group) for group in WAITING_GROUPS])


def run_action(
    request: HttpRequest, obj: Model, done: str, service: Callable[[], object], *, form: BaseForm | None = None
) -> bool:
    """Call a service for an object: history and a message when it is done, the refusal as a message when not.

    What the refusal says of a field of the form stands at that field too.
    """
    try:
        service()
    except PortalError as error:
        messages.error(request, f"{obj}: {refusal_text(error)}")
        for name, texts in (error.errors or {}).items():
            if form is not None and name in form.fields:
                form.add_error(name, list(texts))
        return False
    log_action(request, obj, done)
    messages.success(request, f"{obj}: {done}.")
    return True


def run_action_on_all(
    request: HttpRequest,
    objects: Iterable[Model],
    done: str,
    service: Callable[[Any], object],
    *,
    skips: tuple[type[PortalError], ...] = (),
) -> None:
    """Call a service for each object; report how many were done, skipped and failed, and why each of the latter two.

    `skips` are the refusals of an object for which there is nothing to do.
    """
    finished, skipped, refused = 0, 0, []
    for obj in objects:
        try:
            service(obj)
        except PortalError as error:
            skipped += isinstance(error, skips)
            refused.append(f"{obj}: {refusal_text(error)}")
            continue
        log_action(request, obj, done)
        finished += 1
    level = messages.WARNING if refused else messages.SUCCESS
    failed = len(refused) - skipped
    messages.add_message(request, level, f"{done}: {finished} done, {skipped} skipped, {failed} failed.")
    for text in refused:
        messages.error(request, text)


def humanize(length: timedelta) -> str:
    """Return a length of time in at most two units: `3 d`, `1 d 4 h`, `20 h`, `12 min`."""
    minutes = max(0, int(length.total_seconds() // 60))
    days, hours = minutes // 1440, minutes // 60 % 24
    if days >= 3:
        return f"{days} d"
    if days:
        return f"{days} d {hours} h" if hours else f"{days} d"
    return f"{hours} h" if hours else f"{minutes} min"


def overdue(*, due_at: datetime | None, now: datetime, short: bool = False) -> str:
    """Return how late a step is (`4 h over`, `2 business days over`), or nothing while it is in time."""
    if due_at is None or due_at > now:
        return ""
    days = business_days_over(due_at=due_at, now=now)
    if not days:
        return f"{humanize(now - due_at)} over"
    return f"{days} {'bus. d' if short else 'business day' if days == 1 else 'business days'} over"


def requires(permission: str, view: View) -> View:
    """Return the view for staff with a named permission; for others the page does not exist (403)."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if not has_any_perm(request, permission):
            raise PermissionDenied
        return view(request, *args, **kwargs)

    return guarded


class StaffFields:
    """Form fields of staff pages: related objects are chosen, not changed beside the field; every input has a name.

    An amount is never below zero.
    """

    def formfield_for_dbfield(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        """Return the form field without the icons around it, the halves of a moment named."""
        if isinstance(db_field, DecimalField):
            kwargs["min_value"] = 0
        field = super().formfield_for_dbfield(db_field, request, **kwargs)  # type: ignore[misc]
        if field is None:
            return None
        if isinstance(field.widget, RelatedFieldWidgetWrapper):
            field.widget = field.widget.widget
        if isinstance(field.widget, AdminSplitDateTime):
            for part, widget in zip(("date", "time"), field.widget.widgets, strict=True):
                widget.attrs["aria-label"] = f"{field.label}, {part}"
        return field


class NamedRows(BaseInlineFormSet):
    """Rows whose tick for deletion has a name."""

    def add_fields(self, form: Any, index: int | None) -> None:
        """Add the formset's own fields to a row."""
        super().add_fields(form, index)
        if "DELETE" in form.fields:
            form.fields["DELETE"].widget.attrs["aria-label"] = "Delete"


class StaffInline(StaffFields, admin.TabularInline):
    """Rows of another model on an object's page; a cell is named after its column."""

    formset = NamedRows

    def formfield_for_dbfield(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        """Return the form field with its column as its name."""
        field = super().formfield_for_dbfield(db_field, request, **kwargs)
        if field is not None:
            field.widget.attrs.setdefault("aria-label", str(field.label).capitalize())
        return field


class StaffAdmin(StaffFields, admin.ModelAdmin):
    """A model admin as this portal's staff use it: no deleting, no full counts, plain titles."""

    list_per_page = 50
    empty_value_display = "–"
    show_full_result_count = False
    show_facets = admin.ShowFacets.NEVER
    actions: Any = None
    delete_allowed: ClassVar[bool] = False
    list_title: ClassVar[str] = ""
    default_chip: ClassVar[dict[str, str] | None] = None

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Refuse, superusers included, unless a subclass allows it."""
        return self.delete_allowed and super().has_delete_permission(request, obj)

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> Any:
        """Show the list under its plain name."""
        title = self.list_title or str(self.opts.verbose_name_plural).capitalize()
        return super().changelist_view(request, {"title": title, **(extra_context or {})})

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> Any:
        """Show the form under the object's own name."""
        obj = self.get_object(request, object_id) if object_id else None
        title = str(obj) if obj else f"Add {self.opts.verbose_name}"
        context = {"title": title, "subtitle": None, **(extra_context or {})}
        return super().changeform_view(request, object_id, form_url, context)

    def address(self, route: str, view: View, *, name: str, permission: str) -> URLPattern:
        """Return a page of this model: staff only, with a named permission, called `app_model_name`."""
        guarded = self.admin_site.admin_view(requires(permission, view))
        return path(route, guarded, name=f"{self.opts.app_label}_{self.opts.model_name}_{name}")

    def page(self, request: HttpRequest, template: str, status: int = 200, **context: Any) -> TemplateResponse:
        """Return a page in admin's frame."""
        request.current_app = self.admin_site.name
        frame = {**self.admin_site.each_context(request), "opts": self.opts, **context}
        return TemplateResponse(request, template, frame, status=status)


class RecordAdmin(StaffAdmin):
    """Rows that are written by the portal alone: listed and read, never added, changed or deleted."""

    list_display_links: Any = None

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Refuse, superusers included."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Refuse, superusers included."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Refuse, superusers included."""
        return False

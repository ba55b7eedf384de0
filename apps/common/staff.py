"""What the staff's pages share (design/admin.md): guarded model admins, named permissions, refusals
as messages.
"""

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any, ClassVar, NoReturn
from unicodedata import normalize

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.helpers import ActionForm
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.admin.options import IncorrectLookupParameters, get_content_type_for_model
from django.contrib.admin.templatetags.admin_urls import admin_urlname
from django.contrib.admin.widgets import AdminSplitDateTime, RelatedFieldWidgetWrapper
from django.contrib.auth.decorators import permission_required
from django.core.cache import cache
from django.db import transaction
from django.db.models import DecimalField, Model, QuerySet
from django.forms import BaseForm, BaseInlineFormSet, BaseModelForm
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.translation import gettext as _, gettext_lazy, gettext_noop, ngettext

from apps.common.days import business_days_between
from apps.common.db.transactions import one_transaction
from apps.common.errors import SOMETHING_WENT_WRONG, PortalError
from apps.common.lists import CappedPaginator
from apps.common.names import by_initials, name_condition
from apps.common.staff_fields import moment
from apps.common.staff_history import changes_text
from apps.common.staff_lists import PhoneRow, SortedWhileCounted
from apps.common.tables.download import MOST_ROWS, Rows, table_file
from apps.common.texts import Text, in_english, phrase, stored
from apps.common.types import Label

WAITING_KEY = "staff-waiting:{group}"
WAITING_GROUPS = ("all", "sales", "approvers")
REFUSALS = {
    "wrong_status": gettext_lazy("The order's status does not allow it"),
    "not_found": gettext_lazy("It no longer exists"),
}
OURS = (gettext_noop("Change history: %s"),)  # what Django says, in the words of our Korean
HISTORY_SHOWN = 5
OF_FILTERS = ("exact", "isnull", "gte", "lt")
UNNAMED = ("status", "subject", "body", "text", "reason", "version", "non_field_errors")
View = Callable[..., HttpResponseBase]
Context = dict[str, Any]  # what a page shows, by the names in its template


def refusal_text(error: PortalError) -> str:
    """Return a refusal in words for staff: the service's sentence, and what is at fault."""
    text, errors = str(error), error.errors or {}
    if text != error.message:
        return text
    if text == SOMETHING_WENT_WRONG:
        text = ""
    text = _(text) if text else ""
    if "version" not in errors:  # somebody was quicker: who and when is all there is to say
        text = str(REFUSALS.get(error.code, text))
    faults = []
    for name, fault in ((name, fault) for name, texts in errors.items() for fault in texts):
        if fault == error.message:
            faults.append(name)
        else:
            label = "" if name in UNNAMED else f"{name}: "
            faults.append(label + fault.rstrip("."))
    return ": ".join(part for part in (text.rstrip("."), "; ".join(faults)) if part) + "."


def staff_of(request: HttpRequest) -> Any:
    """Return the member of staff who asks: staff pages are shown to nobody else."""
    return request.user


def has_any_perm(request: HttpRequest, *permissions: str) -> bool:
    """Return whether the member of staff who asks has any of the permissions."""
    return any(staff_of(request).has_perm(permission) for permission in permissions)


def log_action(request: HttpRequest, obj: Model, text: Label | Text) -> None:
    """Write who did what to an object into admin's history, and let the counts be taken afresh."""
    actor, message = staff_of(request).pk, stored(text)
    with in_english():  # the object's name is kept with it
        LogEntry.objects.log_actions(actor, [obj], CHANGE, message, single_object=True)
    keys = [WAITING_KEY.format(group=group) for group in WAITING_GROUPS]
    transaction.on_commit(lambda: cache.delete_many(keys), robust=True)


def actions_on(obj: Model) -> QuerySet[LogEntry]:
    """Return what staff did to a thing, the newest first."""
    kind = get_content_type_for_model(obj)
    return LogEntry.objects.filter(content_type=kind, object_id=str(obj.pk))


def run_action(
    request: HttpRequest,
    obj: Model,
    done: Label | Text | Callable[[Any], Label | Text],
    service: Callable[..., object],
    *,
    form: BaseForm | None = None,
    is_linked: bool = False,
    also: Iterable[Model] = (),
    outward: bool = False,
    of_made: bool = False,
    is_dated: bool = True,
    refused: Callable[[PortalError], None] | None = None,
    **fields: Any,
) -> bool:
    """Call a service with these fields, who asks and the time: history and a message when it is
    done, the refusal as a message when not.

    What is `done` is a text, or made of what the service returns: from what to what it changed
    something. It and its history are one transaction; the history of what `also` changed too. A
    service that asks PayPal or writes a file is `outward`: its history follows it. What the refusal
    says of a field of the form stands at that field too; a sheet takes it by `refused`. Where
    the deed leads elsewhere, the object's name `is_linked`. `of_made` writes the history of what
    the service returns, not of the object: it is for other eyes than the object's. A service that
    does not ask the time is not `is_dated`.
    """

    def deed() -> Label | Text:
        when = {"now": timezone.now()} if is_dated else {}
        result = service(actor=staff_of(request), **when, **fields)
        text = done(result) if callable(done) else done
        for changed in (result,) if of_made and isinstance(result, Model) else (obj, *also):
            log_action(request, changed, text)
        return text

    try:
        text = (deed if outward else one_transaction(deed))()
    except PortalError as error:
        messages.error(request, f"{obj}: {refusal_text(error)}")
        if refused:
            refused(error)
        for name, texts in (error.errors or {}).items():
            if form is not None and name in form.fields:
                form.add_error(name, list(texts))
        return False
    name = link_to(obj) if is_linked else str(obj)
    messages.success(request, format_html(_("{name}: {done}."), name=name, done=text))
    return True


def run_action_on_all(
    request: HttpRequest,
    objects: Iterable[Model],
    done: Label | Text,
    service: Callable[..., object],
    *,
    skips: tuple[type[PortalError], ...] = (),
) -> None:
    """Call a service for each object, with who asks and the time; report how many were done,
    skipped and failed, and why each of the latter two.

    `skips` are the refusals of an object for which there is nothing to do.
    """
    finished, skipped, refused = 0, 0, []

    @one_transaction
    def deed(obj: Model) -> None:
        service(obj, actor=staff_of(request), now=timezone.now())
        log_action(request, obj, done)

    for obj in objects:
        try:
            deed(obj)
        except PortalError as error:
            skipped += isinstance(error, skips)
            refused.append(f"{obj}: {refusal_text(error)}")
            continue
        finished += 1
    level = messages.WARNING if refused else messages.SUCCESS
    failed = len(refused) - skipped
    counts = {"done": done, "finished": finished, "skipped": skipped, "failed": failed}
    summary = _("%(done)s: %(finished)s done, %(skipped)s skipped, %(failed)s failed.") % counts
    messages.add_message(request, level, summary)
    for text in refused:
        messages.error(request, text)


def humanize(length: timedelta) -> str:
    """Return a length of time in at most two units: `3 d`, `1 d 4 h`, `20 h`, `12 min`."""
    minutes = max(0, int(length.total_seconds() // 60))
    days, hours = minutes // 1440, minutes // 60 % 24
    figures = {"days": days, "hours": hours, "minutes": minutes}
    if days >= 3 or (days and not hours):
        return _("%(days)s d") % figures
    if days:
        return _("%(days)s d %(hours)s h") % figures
    return (_("%(hours)s h") if hours else _("%(minutes)s min")) % figures


def overdue(*, due_at: datetime | None, now: datetime, short: bool = False) -> str:
    """Return how late a step is (`4 h late`, `2 business days late`), or nothing while it is in
    time.
    """
    if due_at is None or due_at > now:
        return ""
    days = business_days_between(due_at, now)
    if short or not days:
        return phrase("%(time)s late", time=late_by(due_at=due_at, now=now))
    late = ngettext("%(days)s business day late", "%(days)s business days late", days)
    return late % {"days": days}


def late_by(*, due_at: datetime, now: datetime) -> str:
    """Return by how much a step is late: `4 h`, `2 bus. d`."""
    days = business_days_between(due_at, now)
    return phrase("%(days)s bus. d", days=days) if days else humanize(now - due_at)


def page_of(obj: Any) -> str:
    """Return the address of a thing's own page."""
    return reverse(admin_urlname(obj._meta, "change"), args=[obj.pk])  # type: ignore[arg-type]


def link_to(obj: Any) -> str:
    """Return a thing's name as a link to its page."""
    return format_html('<a href="{}">{}</a>', page_of(obj), obj)


def list_of(model: Any) -> tuple[str, str]:
    """Return the name and the address of a list: where the trails of pages begin."""
    pages: Any = admin.site.get_model_admin(model)
    return pages.many, reverse(admin_urlname(model._meta, "changelist"))  # type: ignore[arg-type]


def trail_to(obj: Any, name: str = "") -> list[tuple[str, str]]:
    """Return the way to a page below that of a thing."""
    return [list_of(type(obj)), (name or str(obj), page_of(obj))]


def staff_path(route: str, view: View, permission: str, name: str) -> URLPattern:
    """Return the address of an own page, for staff with the named permission."""
    guarded = admin.site.admin_view(permission_required(permission, raise_exception=True)(view))
    return path(route, guarded, name=name)


def staff_paths(
    model: str, pages: Iterable[tuple[Any, ...]], *, of_one: bool = True
) -> list[URLPattern]:
    """Return the addresses of the own pages of a model (`orders/order`), for staff with the named
    permission: each by its route, view and permission, and its name where that is not its view's;
    below one row of the model, or (not `of_one`) below the model.
    """
    below = f"{model}/<int:pk>/" if of_one else f"{model}/"
    stem = model.replace("/", "_")
    return [
        staff_path(f"{below}{route}", view, permission, f"{stem}_{(*name, view.__name__)[0]}")
        for route, view, permission, *name in pages
    ]


def staff_page(
    request: HttpRequest, template: str, *, status: int = 200, trail: Any = (), **context: Any
) -> TemplateResponse:
    """Return a page in the staff's frame; `back` leads to the last page of its `trail`."""
    request.current_app = admin.site.name
    way = {"trail": trail, "back": trail[-1][1]} if trail else {}
    return TemplateResponse(
        request, template, {**admin.site.each_context(request), **way, **context}, status=status
    )


def show_now(form: forms.Form, **figures: object) -> None:
    """Give a refused form the figures of now that its page shows; what was typed stays."""
    typed: Any = form.data
    data = typed.copy()
    for name, figure in figures.items():
        data[name] = str(figure)
    form.data = data


def decide(
    request: HttpRequest,
    obj: Model,
    form: forms.Form,
    done: Label | Text | Callable[[Any], Label | Text],
    service: Callable[..., object],
    *,
    then: Label,
    page: Callable[[], Context],
    template: str = "staff/decide.html",
    **options: Any,
) -> HttpResponse:
    """Show a form with what it will do (GET); call the service with its fields (POST).

    A refusal shows the `page` with the figures of now, those `seen` in the form too. `options` are
    those of `run_action`, among them what else the service gets.
    """
    if is_sent := form.is_valid():
        fields = form.cleaned_data
        if run_action(request, obj, done, service, form=form, **options, **fields):
            return redirect(then)
    context = page()
    if is_sent:
        show_now(form, **context.get("seen", {}))
    return staff_page(request, template, form=form, **context)


def staff_field(
    make: Callable[..., Any], db_field: Any, request: HttpRequest, **kwargs: Any
) -> Any:
    """Return the form field that Django would `make` of a column, without the icons around it: an
    amount is never below zero, a moment is a day and a time.
    """
    if isinstance(db_field, DecimalField):
        kwargs["min_value"] = 0
    field = make(db_field, request, **kwargs)
    if field is not None and isinstance(field.widget, RelatedFieldWidgetWrapper):
        field.widget = field.widget.widget
    if field is not None and isinstance(field.widget, AdminSplitDateTime):
        return moment(field.label or "", required=field.required)
    return field


class NamedRows(BaseInlineFormSet):
    """Rows whose tick for deletion has a name."""

    def add_fields(self, form: Any, index: int | None) -> None:
        """Add the formset's own fields to a row."""
        super().add_fields(form, index)
        if "DELETE" in form.fields:
            form.fields["DELETE"].widget.attrs["aria-label"] = _("Delete")


class StaffInline(admin.TabularInline):
    """Rows of another model on an object's page; a cell is named after its column."""

    formset = NamedRows
    template = "staff/inline.html"

    def formfield_for_dbfield(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        """Return the form field with its column as its name."""
        field = staff_field(super().formfield_for_dbfield, db_field, request, **kwargs)
        if field is not None:
            field.widget.attrs.setdefault("aria-label", str(field.label).capitalize())
        return field


class StaffActionForm(ActionForm):
    """What to do with the ticked rows."""

    action = forms.ChoiceField(label=gettext_lazy("Action"))


class StaffAdmin(admin.ModelAdmin):
    """A model admin as this portal's staff use it: no deleting, no full counts, the trade's words
    for titles, and for the fields in `field_labels`.
    """

    field_labels: ClassVar[Mapping[str, Label]] = {}
    list_per_page = 50
    paginator = CappedPaginator
    empty_value_display = "–"
    show_full_result_count = False
    show_facets = admin.ShowFacets.NEVER
    actions: Any = None
    action_form = StaffActionForm
    is_record: ClassVar[bool] = False  # written by the portal alone: listed and read, no more
    add_allowed: ClassVar[bool] = True
    delete_allowed: ClassVar[bool] = False
    export_permission: ClassVar[str] = ""  # for its rows as XLSX or CSV; without one, no export
    list_title: ClassVar[Label] = ""
    words: ClassVar[tuple[Label, Label] | None] = None
    names: ClassVar[tuple[str, ...]] = ()  # what is looked for by initial consonants
    phone_row: ClassVar[PhoneRow] = PhoneRow()
    default_chip: ClassVar[Mapping[str, Label] | None] = None
    # The names of things are kept in English, whoever does something to them.
    log_addition = in_english()(admin.ModelAdmin.log_addition)
    log_change = in_english()(admin.ModelAdmin.log_change)
    log_deletions = in_english()(admin.ModelAdmin.log_deletions)

    def formfield_for_dbfield(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        """Return the form field with the trade's word for it."""
        field = staff_field(super().formfield_for_dbfield, db_field, request, **kwargs)
        if db_field.name in self.field_labels and field is not None:
            field.label = self.field_labels[db_field.name]
        return field

    @property
    def many(self) -> str:
        """Return what the list is called, with a capital."""
        return str(self.list_title) or str(self.opts.verbose_name_plural).capitalize()

    @property
    def one(self) -> str:
        """Return what the trade calls one of them."""
        return str(self.words[0] if self.words else self.opts.verbose_name)

    @property
    def counted(self) -> str:
        """Return what the trade calls several of them, after their number."""
        return str(self.words[1]) if self.words else self.many.lower()

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[SortedWhileCounted]:
        """Return the list's kind: sorted as long as it is counted."""
        return SortedWhileCounted

    def _get_obj_does_not_exist_redirect(
        self, request: HttpRequest, opts: Any, object_id: str
    ) -> NoReturn:
        """Say that there is nothing here, in the page's own words: Django would name the model, on
        the home page.
        """
        raise Http404

    def get_object(
        self, request: HttpRequest, object_id: str, from_field: str | None = None
    ) -> Any:
        """Return what an address names; None for nothing, and for a number that no database has."""
        try:
            return super().get_object(request, object_id, from_field)
        except OverflowError:
            return None

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        """Allow the conditions that filters of lists write into addresses.

        Raises:
            IncorrectLookupParameters: it is another one, which somebody made up.
        """
        path, condition = lookup.rpartition("__")[::2]
        if path and condition not in OF_FILTERS:
            raise IncorrectLookupParameters
        return super().lookup_allowed(lookup, value, request)

    def get_search_results(
        self, request: HttpRequest, queryset: Any, search_term: str
    ) -> tuple[Any, bool]:
        """Return the rows that a search finds, all of them where nothing is searched for."""
        term = normalize("NFC", search_term.strip())  # as names are stored
        if not term:
            return queryset, False
        results = self.find(queryset, term)
        if results is None:
            return super().get_search_results(request, queryset, term)
        return results, False

    def find(self, queryset: Any, term: str) -> Any:
        """Return the rows that a word finds, each once; None leaves it to `search_fields`."""
        is_by_initials = self.names and by_initials(term)
        return queryset.filter(name_condition(term, *self.names)) if is_by_initials else None

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, Any]:
        """Fill no new form from its address: what stands there is nobody's word."""
        return {}

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Refuse, superusers included, for records and where a subclass does not allow it."""
        is_allowed = self.add_allowed and not self.is_record
        return is_allowed and super().has_add_permission(request)

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Refuse for records, superusers included."""
        return not self.is_record and super().has_change_permission(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Refuse, superusers included, unless a subclass allows it."""
        return self.delete_allowed and super().has_delete_permission(request, obj)

    def changelist_view(self, request: HttpRequest, extra_context: Context | None = None) -> Any:
        """Show the list under its plain name."""
        context = {"title": self.many, "module_name": self.counted, **(extra_context or {})}
        answer = super().changelist_view(request, context)
        shown = getattr(answer, "context_data", None) or {}
        if "cl" in shown:
            shown.update(self.about_list(request, shown["cl"]))
        return answer

    def about_list(self, request: HttpRequest, listed: Any) -> Context:
        """Return what the page of the list shows beside its rows."""
        return {}

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: Context | None = None,
    ) -> Any:
        """Show one thing under its own name, with what was done to it last."""
        obj = self.get_object(request, object_id) if object_id else None
        may_view = obj and self.has_view_permission(request, obj)
        if may_view and (page := self.own_page(request, obj)):
            return page
        new = {"title": phrase("Add %(name)s", name=self.one)}
        about = self.about(request, obj) if obj else new
        context = {
            "title": str(obj),
            "subtitle": None,
            "list_title": self.many,
            **about,
            **(extra_context or {}),
        }
        if obj is not None:
            context["history"] = self.last_actions(obj)
        return super().changeform_view(request, object_id, form_url, context)

    def own_page(self, request: HttpRequest, obj: Any) -> HttpResponseBase | None:
        """Return the page of one thing where it is none of Django's forms."""
        return None

    def about(self, request: HttpRequest, obj: Any) -> Context:
        """Return what the page of one thing shows above and beside its form.

        `title`, `subtitle`, `tag` (word, tone), `figures` (label, value, hint, url, tone), and what
        its template names.
        """
        return {}

    def construct_change_message(
        self, request: HttpRequest, form: Any, formsets: Any, add: bool = False
    ) -> Any:
        """Return what the history says of a form: each field, old → new."""
        if isinstance(form, BaseModelForm):
            return changes_text(form, formsets or (), is_new=add).stored()
        return super().construct_change_message(request, form, formsets, add)

    def last_actions(self, obj: Model) -> list[LogEntry]:
        """Return what was done to one thing last, with who did it."""
        return list(actions_on(obj).select_related("user")[:HISTORY_SHOWN])

    def history_view(
        self, request: HttpRequest, object_id: str, extra_context: Context | None = None
    ) -> Any:
        """Show what was done to one thing."""
        return super().history_view(
            request, object_id, {"list_title": self.many, **(extra_context or {})}
        )

    def get_paginator(self, request: HttpRequest, queryset: Any, *args: Any, **kwargs: Any) -> Any:
        """Return the pages of a list; a history begins with the newest."""
        if queryset.model is LogEntry and self.model is not LogEntry:
            queryset = queryset.order_by("-action_time", "-pk")
        return super().get_paginator(request, queryset, *args, **kwargs)

    def delete_view(
        self, request: HttpRequest, object_id: str, extra_context: Context | None = None
    ) -> Any:
        """Ask before one thing is deleted."""
        context = {"list_title": self.many, "kind": self.one.capitalize(), **(extra_context or {})}
        return super().delete_view(request, object_id, context)

    def render_delete_form(self, request: HttpRequest, context: Context) -> HttpResponse:
        """Ask by the thing's own name, and count what goes with it."""
        own = str(self.opts.verbose_name_plural)
        beside = [(name, count) for name, count in context["model_count"] if count and name != own]
        title = phrase("Delete %(name)s?", name=context["object"])
        return super().render_delete_form(request, {**context, "title": title, "beside": beside})

    def response_add(
        self, request: HttpRequest, obj: Any, post_url_continue: Any = None
    ) -> HttpResponse:
        """Go on after something was added, and say so."""
        text = self._saying(request, obj, _("{name} is added."))
        return super().response_add(text, obj, post_url_continue)

    def response_change(self, request: HttpRequest, obj: Any) -> HttpResponse:
        """Go on after something was changed, and say so."""
        return super().response_change(self._saying(request, obj, _("{name} is saved.")), obj)

    def response_delete(self, request: HttpRequest, obj_display: str, obj_id: int) -> HttpResponse:
        """Go on after something was deleted, and say so."""
        request.staff_sentence = phrase("%(name)s is deleted.", name=obj_display)  # type: ignore[attr-defined]
        return super().response_delete(request, obj_display, obj_id)

    def _saying(self, request: HttpRequest, obj: Any, done: str) -> HttpRequest:
        """Return the request with what is said of a thing; its name leads back to it."""
        name = link_to(obj) if self.has_change_permission(request, obj) else str(obj)
        request.staff_sentence = format_html(done, name=name)  # type: ignore[attr-defined]
        return request

    def message_user(self, request: HttpRequest, message: Any, *args: Any, **kwargs: Any) -> None:
        """Say the portal's own sentence where it has one; Django's names the model and calls it a
        success.
        """
        super().message_user(request, getattr(request, "staff_sentence", message), *args, **kwargs)

    def get_urls(self) -> list[URLPattern]:
        """Return the addresses of Django's pages, and that of the export."""
        urls: list[URLPattern] = super().get_urls()
        if permission := self.export_permission:
            export = self.address(
                "export.<str:kind>", self.export, name="export", permission=permission
            )
            return [export, *urls]
        return urls

    def export_rows(self, request: HttpRequest, queryset: Any) -> Rows:
        """Return the headings and the rows of an export."""
        raise NotImplementedError

    def export(self, request: HttpRequest, kind: str) -> HttpResponse:
        """Send everything that the list's filters and search find; too much of it leads back with a
        word.
        """
        _name, listed = list_of(self.model)
        try:
            queryset = self.get_changelist_instance(request).queryset
        except IncorrectLookupParameters:
            return redirect(listed)
        if queryset.order_by()[: MOST_ROWS + 1].count() > MOST_ROWS:
            most = _("More than %(most)s %(names)s: narrow the filters, then export.")
            messages.warning(request, most % {"most": f"{MOST_ROWS:,}", "names": self.counted})
            return redirect(f"{listed}?{request.GET.urlencode()}")
        rows, format_ = self.export_rows(request, queryset), "csv" if kind == "csv" else "xlsx"
        return table_file(rows, name=self.many, format_=format_)

    def address(self, route: str, view: View, *, name: str, permission: str) -> URLPattern:
        """Return a page of this model: staff only, with a named permission, called
        `app_model_name`.
        """
        whole = f"{self.opts.app_label}_{self.opts.model_name}_{name}"
        return staff_path(route, view, permission, whole)

    def page(self, request: HttpRequest, template: str, **context: Any) -> TemplateResponse:
        """Return a page of this model in the staff's frame."""
        return staff_page(request, template, opts=self.opts, **context)

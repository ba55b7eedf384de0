"""Notices: their list, and the page of one, shown as a buyer sees it and saved by its service; its
readers and files.
"""

from datetime import datetime
from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.db.models import Count, Min, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy as _, pgettext_lazy
from django.views.decorators.http import require_POST

from apps.common.errors import PortalError
from apps.common.ids import id_in
from apps.common.rich_text import sanitised
from apps.common.staff import (
    Context,
    StaffAdmin,
    has_any_perm,
    list_of,
    log_action,
    staff_of,
    staff_page,
    trail_to,
)
from apps.common.staff_fields import CITY
from apps.common.staff_lists import PhoneRow, column, tag, two_lines
from apps.common.storage.private import send_private
from apps.common.texts import Text, phrase
from apps.notices.admin.forms import ALL, AUDIENCES, OFFERED_BY, OWN, NoticeForm
from apps.notices.errors import StaleNotice
from apps.notices.models import Notice, NoticeFile
from apps.notices.selectors import EVERYBODY, Audience, audience_of, reach_of, read_by, readers_of
from apps.notices.services.writing import save_notice


def moment_text(at: datetime | None) -> str:
    """Return a moment as the seller's clock shows it."""
    return f"{timezone.localtime(at):%Y-%m-%d %H:%M:%S}".removesuffix(":00") if at else "–"


def state_of(notice: Notice, now: datetime) -> tuple[str, str]:
    """Return a notice's state in words, and the tone of its tag."""
    if notice.published_at is None:
        return gettext("Draft"), ""
    if notice.published_at > now:
        text, tone = gettext("Publishes %(moment)s"), "info"
    else:
        text, tone = gettext("Published %(moment)s"), "ok"
    return text % {"moment": moment_text(notice.published_at)}, tone


@admin.register(Notice)
class NoticeAdmin(StaffAdmin):
    """Notices. What the form holds is saved by `save_notice` alone."""

    list_display = ("title", "state", "popup", "meant_for", "read_count", "last_change")
    phone_row = PhoneRow(
        under="meant_for", right="read_count", third="state", labelled=("read_count",)
    )
    list_select_related = ("changed_by",)
    search_fields = ("title",)
    search_help_text = _("Title")
    delete_allowed = True

    last_change = column("changed_by__manager", _("Changed by"), ordering="changed_at")

    @admin.display(description=_("Read by"))
    def read_count(self, notice: Any) -> int:
        return int(notice.readers_count)

    def get_queryset(self, request: HttpRequest) -> QuerySet:
        notices = super().get_queryset(request)
        if (
            request.resolver_match
            and request.resolver_match.url_name == "notices_notice_changelist"
        ):
            notices = notices.defer("content").annotate(
                readers_count=Count("readers", distinct=True), audience_kind=Min("audience__kind")
            )
        return notices

    @admin.display(description=_("State"), ordering="published_at")
    def state(self, notice: Notice) -> str:
        return tag(*state_of(notice, timezone.now()))

    @admin.display(description=_("Popup"), ordering="popup_from")
    def popup(self, notice: Notice) -> str:
        if notice.popup_from is None:
            return "–"
        until = phrase("to %(end)s", end=moment_text(notice.popup_until))
        return two_lines(moment_text(notice.popup_from), until)

    @admin.display(description=pgettext_lazy("audience", "For"))
    def meant_for(self, notice: Any) -> str:
        kind = ALL if notice.for_everybody else notice.audience_kind
        return str(dict(AUDIENCES).get(kind, gettext("Nobody")))

    def get_deleted_objects(
        self, objs: Any, request: HttpRequest
    ) -> tuple[list[Any], dict[str, int], set[str], Any]:
        """Say what goes with a notice in numbers, however many have read it."""
        pks = [notice.pk for notice in objs]
        figures = Notice.objects.filter(pk__in=pks).aggregate(
            files=Count("files", distinct=True), readers=Count("readers", distinct=True)
        )
        counts = {
            gettext("notices"): len(pks),
            gettext("files"): figures["files"],
            gettext("readers"): figures["readers"],
        }
        return [], counts, set(), []


VIEW, ADD, CHANGE = "notices.view_notice", "notices.add_notice", "notices.change_notice"
MAX_IDS = 1_000
READERS_SHOWN = 100


def notice_page(request: HttpRequest, pk: int | None = None) -> HttpResponse:
    """Show a notice, or save it; without `pk` a new one.

    Raises:
        Http404: there is none, and nothing was written that could be lost.
    """
    notice = Notice.objects.filter(pk=pk).first() if pk else None
    if request.method != "POST":
        if pk and notice is None:
            raise Http404
        return _page(request, NoticeForm(notice))
    if pk and not has_any_perm(request, CHANGE):
        raise PermissionDenied
    form = NoticeForm(notice, request.POST, request.FILES)
    is_right = form.is_valid()
    if pk and notice is None:  # what was written is kept
        form.add_error(None, _("This notice was deleted meanwhile. Saving makes a new one."))
        return _page(request, form, status=409)
    if not is_right:
        return _page(request, form)
    now = timezone.now()
    try:
        saved = save_notice(
            actor=staff_of(request),
            now=now,
            fields={name: form.cleaned_data[name] for name in OWN},
            audience=form.selected_audience,
            notice_id=pk,
            version=form.cleaned_data["version"] or 0,
            added=form.cleaned_data["added"],
            removed=form.cleaned_data["remove"],
        )
    except StaleNotice as error:
        form.refuse(error)
        theirs = Notice.objects.filter(pk=pk or 0).first()
        form.renew(theirs)
        return _page(request, form, status=409, saved=theirs and _as_saved(theirs))
    except PortalError as error:
        form.refuse(error)
        return _page(request, form)
    log_action(request, saved, Text("Changed") if notice else Text("Added"))
    messages.success(
        request,
        phrase("%(notice)s: saved. %(state)s.", notice=saved, state=state_of(saved, now)[0]),
    )
    if "_addanother" in request.POST:
        return redirect("admin:notices_notice_add")
    if "_continue" in request.POST:
        return redirect("admin:notices_notice_change", saved.pk)
    return redirect("admin:notices_notice_changelist")


def _page(
    request: HttpRequest, form: NoticeForm, status: int = 200, **context: Any
) -> HttpResponse:
    notice, now = form.notice, timezone.now()
    may_change = has_any_perm(request, CHANGE) if notice else True
    if not may_change:
        for field in form.fields.values():
            field.disabled = True
    state, tone = state_of(notice, now) if notice else (_("Draft"), "")
    return staff_page(
        request,
        "staff/notice.html",
        status=status,
        opts=Notice._meta,
        title=notice.title if notice else _("Add notice"),
        trail=[list_of(Notice)],
        bar=may_change,
        form=form,
        notice=notice,
        state=state,
        tag=(state, tone),
        day=f"{timezone.localdate((notice and notice.published_at) or now)}",
        city=CITY,
        kinds=[(kind.value, form[kind.value]) for kind in OFFERED_BY],
        reach=reach_of(form.selected_audience),
        sent_files=bool(request.FILES),
        preview=_preview(form["title"].value(), form["content"].value()),
        **context,
    )


def _as_saved(notice: Notice) -> Context:
    """Return a notice as it is now, for whoever wrote meanwhile; its text was sanitised when it was
    saved.
    """
    audience = audience_of(notice)
    return {
        "notice": notice,
        "popup": [moment_text(at) for at in (notice.popup_from, notice.popup_until) if at],
        "audience": f"{dict(AUDIENCES)[audience.kind or ALL]}: {reach_of(audience)}",
    }


@require_POST
def preview(request: HttpRequest) -> HttpResponse:
    """Answer a text as buyers would get it."""
    return JsonResponse(_preview(request.POST.get("title"), request.POST.get("content")))


def _preview(title: Any, content: Any) -> dict[str, str]:
    return {"title": str(title or ""), "html": sanitised(str(content or ""))}


def reach(request: HttpRequest) -> HttpResponse:
    """Answer how many an audience holds now."""
    kind = request.GET.get("kind", ALL)
    ids = [id_in(text) for text in request.GET.get("ids", "").split(",") if text]
    if kind not in (ALL, *OFFERED_BY) or len(ids) > MAX_IDS or None in ids:
        raise Http404
    reach = reach_of(Audience(EVERYBODY if kind == ALL else kind, frozenset(filter(None, ids))))
    return JsonResponse({"companies": reach.companies, "buyers": reach.buyers, "text": str(reach)})


def readers(request: HttpRequest, pk: int) -> HttpResponse:
    """Show who has opened a notice, and when first."""
    notice = get_object_or_404(Notice, pk=pk)
    return staff_page(
        request,
        "staff/notice_readers.html",
        opts=Notice._meta,
        title=_("Who has read it"),
        subtitle=notice.title,
        trail=trail_to(notice),
        notice=notice,
        rows=Paginator(readers_of(notice), READERS_SHOWN).get_page(request.GET.get("page")),
        read=read_by(notice),
        reached=reach_of(audience_of(notice)),
    )


def open_file(request: HttpRequest, pk: int, file: int) -> HttpResponseBase:
    """Send an attachment to staff."""
    row = get_object_or_404(NoticeFile, pk=file, notice_id=pk)
    return send_private(
        row.path, title=row.title, storage_name=row.storage_name, content_type=row.content_type
    )

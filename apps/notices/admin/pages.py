"""The notices' list and the page of one notice: written, shown as a buyer sees it, saved by its
service.
"""

from datetime import datetime
from functools import partial
from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.core.files.storage import storages
from django.core.paginator import Paginator
from django.db.models import Count, Q, QuerySet
from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponseNotAllowed,
    HttpResponseRedirect,
    JsonResponse,
)
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.urls import URLPattern, reverse
from django.utils import timezone
from django.utils.html import format_html

from apps.common.errors import PortalError
from apps.common.ids import id_in
from apps.common.staff import StaffAdmin, log_action, staff_of
from apps.common.staff_lists import PhoneRow
from apps.common.staff_moments import CITY
from apps.common.storage.files import download, unavailable
from apps.notices.admin.forms import ALL, AUDIENCES, OFFERED_BY, NoticeForm
from apps.notices.errors import StaleNotice
from apps.notices.models import Notice, NoticeAudience, NoticeFile
from apps.notices.rules import sanitised
from apps.notices.selectors import (
    EVERYBODY,
    Audience,
    audience_of,
    day_of,
    reach_of,
    read_by,
    readers_of,
)
from apps.notices.services import save_notice

VIEW, CHANGE = "notices.view_notice", "notices.change_notice"
MAX_IDS = 1_000
READERS_SHOWN = 100


def moment_text(at: datetime | None) -> str:
    """Return a moment as the seller's clock shows it."""
    return f"{timezone.localtime(at):%Y-%m-%d %H:%M:%S}".removesuffix(":00") if at else "–"


def state_of(notice: Notice, now: datetime) -> tuple[str, str]:
    """Return a notice's state in words, and the tone of its tag."""
    if notice.published_at is None:
        return "Draft", ""
    if notice.published_at > now:
        return f"Publishes {moment_text(notice.published_at)}", "info"
    return f"Published {moment_text(notice.published_at)}", "ok"


class StateFilter(admin.SimpleListFilter):
    title = "state"
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: admin.ModelAdmin) -> list[tuple[str, str]]:
        return [
            ("draft", "Draft"),
            ("coming", "To be published"),
            ("published", "Published"),
            ("popup", "Popup open"),
        ]

    def queryset(self, request: HttpRequest, queryset: QuerySet) -> QuerySet:
        now = timezone.now()
        match self.value():
            case "draft":
                return queryset.filter(published_at__isnull=True)
            case "coming":
                return queryset.filter(published_at__gt=now)
            case "published":
                return queryset.filter(published_at__lte=now)
            case "popup":
                second = now.replace(microsecond=0)
                return queryset.filter(
                    published_at__lte=now, popup_from__lte=second, popup_until__gte=second
                )
        return queryset


class AudienceFilter(admin.SimpleListFilter):
    title = "audience"
    parameter_name = "audience"

    def lookups(self, request: HttpRequest, model_admin: admin.ModelAdmin) -> list[tuple[str, str]]:
        return [(str(kind), label) for kind, label in AUDIENCES]

    def queryset(self, request: HttpRequest, queryset: QuerySet) -> QuerySet:
        if self.value() == ALL:
            return queryset.filter(for_everybody=True)
        if self.value() in NoticeAudience.Kind.values:
            chosen = NoticeAudience.objects.filter(kind=self.value())
            return queryset.filter(pk__in=chosen.values("notice_id"))
        return queryset


@admin.register(Notice)
class NoticeAdmin(StaffAdmin):
    """Notices. What the form holds is saved by `save_notice` alone."""

    list_display = ("title", "state", "popup", "meant_for", "read_count", "last_change")
    phone_row = PhoneRow(
        under="meant_for", right="read_count", third="state", labelled=("read_count",)
    )
    list_filter = (StateFilter, AudienceFilter)
    list_select_related = ("changed_by",)
    search_fields = ("title",)
    search_help_text = "Title"
    delete_allowed = True

    def get_queryset(self, request: HttpRequest) -> QuerySet:
        notices = super().get_queryset(request)
        if (
            request.resolver_match
            and request.resolver_match.url_name == "notices_notice_changelist"
        ):
            kinds = {
                f"{kind}_count": Count("audience", filter=Q(audience__kind=kind), distinct=True)
                for kind in NoticeAudience.Kind.values
            }
            notices = notices.defer("content").annotate(
                readers_count=Count("readers", distinct=True), **kinds
            )
        return notices

    @admin.display(description="State", ordering="published_at")
    def state(self, notice: Notice) -> str:
        text, tone = state_of(notice, timezone.now())
        return format_html('<span class="tag {}">{}</span>', tone, text)

    @admin.display(description="Popup", ordering="popup_from")
    def popup(self, notice: Notice) -> str:
        if notice.popup_from is None:
            return "–"
        return f"{moment_text(notice.popup_from)} to {moment_text(notice.popup_until)}"

    @admin.display(description="For")
    def meant_for(self, notice: Any) -> str:
        if notice.for_everybody:
            return "Everybody"
        counts = {
            ("1 country", "{} countries"): notice.country_count,
            ("1 company", "{} companies"): notice.company_count,
            ("buyers of 1 brand", "buyers of {} brands"): notice.brand_count,
        }
        parts = [
            one if count == 1 else many.format(count)
            for (one, many), count in counts.items()
            if count
        ]
        return ", ".join(parts) or "Nobody"

    @admin.display(description="Read by")
    def read_count(self, notice: Any) -> int:
        return int(notice.readers_count)

    @admin.display(description="Changed by", ordering="changed_at")
    def last_change(self, notice: Notice) -> str:
        return notice.changed_by.manager if notice.changed_by else "–"

    def get_urls(self) -> list[URLPattern]:
        page = partial(self.address, permission=VIEW)
        return [
            self.address("preview/", self.preview, name="preview", permission=CHANGE),
            self.address("reach/", self.reach, name="reach", permission=CHANGE),
            page("<int:pk>/readers/", self.readers, name="readers"),
            page("<int:pk>/files/<int:file>/", self.open_file, name="file"),
            *super().get_urls(),
        ]

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """Show an empty page, or make a notice."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        return self._notice_page(request, None)

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """Show a notice, or save it.

        Raises:
            Http404: there is none, and nothing was written that could be lost.
        """
        notice = self.get_object(request, object_id)
        if not self.has_view_permission(request, notice):
            raise PermissionDenied
        if request.method == "POST" and not self.has_change_permission(request, notice):
            raise PermissionDenied
        if notice is None and request.method != "POST":
            raise Http404
        return self._notice_page(request, notice, is_gone=notice is None)

    def _notice_page(
        self, request: HttpRequest, notice: Notice | None, *, is_gone: bool = False
    ) -> HttpResponse:
        if request.method != "POST":
            return self._shown(request, NoticeForm(notice))
        form = NoticeForm(notice, request.POST, request.FILES)
        if is_gone:  # what was written is kept
            form.is_valid()
            form.add_error(None, "This notice was deleted meanwhile. Saving makes a new one.")
            return self._shown(request, form, status=409)
        if not form.is_valid():
            return self._shown(request, form)
        try:
            saved = save_notice(
                actor=staff_of(request),
                now=timezone.now(),
                fields=form.values(),
                notice_id=notice.pk if notice else None,
                version=form.cleaned_data["version"] or 0,
                added=form.cleaned_data["added"],
                removed=form.cleaned_data["remove"],
            )
        except StaleNotice as error:
            return self._stale(request, form, error)
        except PortalError as error:
            form.refuse(error)
            return self._shown(request, form)
        log_action(request, saved, "Changed" if notice else "Added")
        messages.success(request, f"{saved}: saved. {state_of(saved, timezone.now())[0]}.")
        return HttpResponseRedirect(self._next(request, saved))

    def _next(self, request: HttpRequest, notice: Notice) -> str:
        if "_addanother" in request.POST and self.has_add_permission(request):
            return reverse("admin:notices_notice_add")
        if "_continue" in request.POST:
            return reverse("admin:notices_notice_change", args=[notice.pk])
        return reverse("admin:notices_notice_changelist")

    def _stale(self, request: HttpRequest, form: NoticeForm, error: StaleNotice) -> HttpResponse:
        saved = Notice.objects.filter(pk=form.notice.pk).first() if form.notice else None
        differences = form.differences(saved, moment_text) if saved else []
        form.notice = saved
        form.refuse(error)
        if saved:
            form.submit_as(saved.version)
        return self._shown(request, form, status=409, differences=differences)

    def _shown(
        self, request: HttpRequest, form: NoticeForm, status: int = 200, **context: Any
    ) -> HttpResponse:
        notice = form.notice
        may_change = self.has_change_permission(request, notice) if notice else True
        if not may_change:
            for field in form.fields.values():
                field.disabled = True
        return self.page(
            request,
            "staff/notice.html",
            status=status,
            trail=[("Notices", reverse("admin:notices_notice_changelist"))],
            bar=may_change,
            form=form,
            notice=notice,
            media=form.media,
            city=CITY,
            kinds=[(kind.value, form[kind.value]) for kind in OFFERED_BY],
            reach=reach_of(form.chosen),
            removed=form["remove"].value() or [],
            sent_files=bool(request.FILES),
            preview=_preview(form["title"].value(), form["content"].value()),
            **self._about(request, notice),
            **context,
        )

    def _about(self, request: HttpRequest, notice: Notice | None) -> dict[str, Any]:
        now = timezone.now()
        if notice is None:
            new = {"title": "Add notice", "here": "Add notice", "state": "Draft", "tone": ""}
            return {**new, "files": [], "day": day_of(now), "may_delete": False}
        state, tone = state_of(notice, now)
        return {
            "title": "Change notice",
            "here": notice.title,
            "state": state,
            "tone": tone,
            "files": notice.files.all(),
            "day": day_of(notice.published_at or now),
            "may_delete": self.has_delete_permission(request, notice),
        }

    def preview(self, request: HttpRequest) -> HttpResponse:
        """Answer a text as buyers would get it."""
        if request.method != "POST":
            return HttpResponseNotAllowed(["POST"])
        return JsonResponse(_preview(request.POST.get("title"), request.POST.get("content")))

    def reach(self, request: HttpRequest) -> HttpResponse:
        """Answer how many an audience holds now."""
        kind = request.GET.get("kind", ALL)
        ids = [id_in(text) for text in request.GET.get("ids", "").split(",") if text]
        if kind not in (ALL, *OFFERED_BY) or len(ids) > MAX_IDS:
            raise Http404
        if None in ids:
            raise Http404
        reach = reach_of(Audience(EVERYBODY if kind == ALL else kind, frozenset(filter(None, ids))))
        return JsonResponse(
            {"companies": reach.companies, "buyers": reach.buyers, "text": str(reach)}
        )

    def readers(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Show who has opened a notice, and when first."""
        notice = get_object_or_404(Notice, pk=pk)
        rows = Paginator(readers_of(notice), READERS_SHOWN).get_page(request.GET.get("page"))
        return self.page(
            request,
            "staff/notice_readers.html",
            title="Who has read it",
            subtitle=notice.title,
            trail=[
                ("Notices", reverse("admin:notices_notice_changelist")),
                (notice.title, reverse("admin:notices_notice_change", args=[pk])),
            ],
            here="Who has read it",
            notice=notice,
            rows=rows,
            read=read_by(notice),
            reached=reach_of(audience_of(notice)),
        )

    def open_file(self, request: HttpRequest, pk: int, file: int) -> HttpResponseBase:
        """Send an attachment to staff."""
        found = get_object_or_404(NoticeFile, pk=file, notice_id=pk)
        try:
            content = storages["private"].open(found.path)
        except FileNotFoundError as error:
            raise Http404 from error
        except OSError:
            return unavailable()
        return download(
            content,
            title=found.title,
            storage_name=found.storage_name,
            content_type=found.content_type,
        )

    def get_deleted_objects(
        self, objs: Any, request: HttpRequest
    ) -> tuple[list[Any], dict[str, int], set[str], Any]:
        """Say what goes with a notice in numbers, however many have read it."""
        pks = [notice.pk for notice in objs]
        chosen = Notice.objects.filter(pk__in=pks)
        figures = chosen.aggregate(
            files=Count("files", distinct=True), readers=Count("readers", distinct=True)
        )
        files, readers = figures["files"], figures["readers"]
        lines = [str(notice) for notice in objs]
        lines.append("1 file" if files == 1 else f"{files} files")
        lines.append(
            "the record of 1 reader" if readers == 1 else f"the record of {readers} readers"
        )
        return lines, {"notices": len(pks), "files": files, "readers": readers}, set(), []


def _preview(title: Any, content: Any) -> dict[str, str]:
    return {"title": str(title or ""), "html": sanitised(str(content or ""))}

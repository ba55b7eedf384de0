"""The list of notices; the page of one is in `pages`."""

from datetime import datetime
from typing import Any

from django.contrib import admin
from django.db.models import Count, Min, QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext, ngettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from apps.common.staff import StaffAdmin
from apps.common.staff_lists import PhoneRow, tag
from apps.notices.admin.forms import ALL, AUDIENCES
from apps.notices.models import Notice


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
        return gettext("%(start)s to %(end)s") % {
            "start": moment_text(notice.popup_from),
            "end": moment_text(notice.popup_until),
        }

    @admin.display(description=pgettext_lazy("audience", "For"))
    def meant_for(self, notice: Any) -> str:
        kind = ALL if notice.for_everybody else notice.audience_kind
        return str(dict(AUDIENCES).get(kind, gettext("Nobody")))

    @admin.display(description=_("Read by"))
    def read_count(self, notice: Any) -> int:
        return int(notice.readers_count)

    @admin.display(description=_("Changed by"), ordering="changed_at")
    def last_change(self, notice: Notice) -> str:
        return notice.changed_by.manager if notice.changed_by else "–"

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
        for count, text in (
            (files, ngettext("%(count)s file", "%(count)s files", files)),
            (
                readers,
                ngettext(
                    "the record of %(count)s reader", "the record of %(count)s readers", readers
                ),
            ),
        ):
            lines.append(text % {"count": count})
        counts = {gettext("notices"): len(pks), gettext("files"): files}
        return lines, {**counts, gettext("readers"): readers}, set(), []

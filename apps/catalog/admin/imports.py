"""The list of imports; what happens to one is in `import_pages`."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from apps.catalog.admin.import_review import STATE_TAGS
from apps.catalog.models import Import
from apps.catalog.services.import_kinds import kinds_seen_by
from apps.common.staff import RecordAdmin, staff_of
from apps.common.staff_lists import PhoneRow, column, moment_text, tag, two_lines


@admin.register(Import)
class ImportAdmin(RecordAdmin):
    """Imports, the newest first; one opens as its review."""

    list_display = ("name", "state_tag", "what", "changes", "sent", "decided")
    list_display_links = ("name",)
    phone_row = PhoneRow(
        under="what", right="state_tag", next="changes", third="sent", labelled=("changes",)
    )
    list_filter = ("state", "kind")
    list_select_related = ("created_by", "applied_by", "undone_by")
    search_fields = ("name",)
    search_help_text = _("Name of the file")
    change_list_template = "staff/imports.html"
    list_title = _("Imports")
    what = column("get_kind_display", _("Kind"), ordering=None)

    def get_search_results(
        self, request: HttpRequest, queryset: Any, search_term: str
    ) -> tuple[Any, bool]:
        """Return the imports of the kinds that the reader may see."""
        seen = queryset.filter(kind__in=kinds_seen_by(staff_of(request)))
        return super().get_search_results(request, seen, search_term)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Show who may see its kind an import."""
        is_seen = obj is None or obj.kind in kinds_seen_by(staff_of(request))
        return is_seen and super().has_view_permission(request, obj)

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Refuse the form of the model: a file is sent on a page of its own."""
        return False

    @admin.display(description=_("Status"))
    def state_tag(self, source: Import) -> str:
        return tag(source.get_state_display(), STATE_TAGS[source.state])

    @admin.display(description=_("Changes"))
    def changes(self, source: Import) -> str:
        return f"{source.counts['changes']:,}" if "changes" in source.counts else "–"

    @admin.display(description=pgettext_lazy("file", "Sent"))
    def sent(self, source: Import) -> str:
        return _by(source.created_by, source.created_at)

    @admin.display(description=_("Applied"))
    def decided(self, source: Import) -> str:
        return _by(source.applied_by, source.applied_at) if source.applied_at else "–"


def _by(who: Any, moment: Any) -> str:
    return two_lines(moment_text(moment), who.manager if who else "")

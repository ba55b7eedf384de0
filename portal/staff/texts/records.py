"""Records whose pages are plain views."""

from typing import Any

from django.http import HttpRequest, HttpResponseRedirect
from django.urls import reverse

from apps.common.staff import RecordAdmin, has_any_perm


class PageAdmin(RecordAdmin):
    """Rows that have a page of their own, for whoever has its permission."""

    permission: str
    shown_at: str  # the name of a page that is named by `named_by`
    named_by: str

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Allow whoever may open the page."""
        return has_any_perm(request, self.permission)

    def changeform_view(self, request: HttpRequest, object_id: Any = None, *_: Any) -> Any:
        """Lead to the row's page."""
        row = self.get_object(request, object_id)
        if row is None or not self.has_view_permission(request):
            return super().changeform_view(request, object_id)
        return HttpResponseRedirect(reverse(self.shown_at, args=[getattr(row, self.named_by)]))

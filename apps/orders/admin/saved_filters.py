"""The saved filters of a person above a list: chips that are addresses, a name to keep the filters of now."""

from typing import Any, ClassVar

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, HttpResponseRedirect
from django.urls import URLPattern, reverse

from apps.common.staff import StaffAdmin, refusal_text, staff_of
from apps.orders.errors import StaffRefusal
from apps.orders.models import SavedFilter
from apps.orders.services.saved_filters import MAY_SEE, MOST_NAME, filter_query, remove_filter, save_filter


class SavedFilterPages(StaffAdmin):
    """Buttons of a list that keep and remove a person's own filters."""

    saved_page: ClassVar[SavedFilter.Page] = SavedFilter.Page.ORDERS

    def saved_filter_urls(self) -> list[URLPattern]:
        """Return the addresses of the two buttons."""
        may_see = MAY_SEE[self.saved_page]
        return [
            self.address("filters/save/", self.save_filter, name="save_filter", permission=may_see),
            self.address("filters/<int:pk>/remove/", self.remove_filter, name="remove_filter", permission=may_see),
        ]

    def saved_filters(self, request: HttpRequest) -> dict[str, Any]:
        """Return what the list shows of them. One statement."""
        now = filter_query(request.GET.urlencode())
        kept = SavedFilter.objects.filter(owner=staff_of(request), page=self.saved_page)
        chips = [(one, one.query == now) for one in kept]
        may_save = bool(now) and not any(is_shown for _, is_shown in chips)
        return {"saved": chips, "may_save": may_save, "query_now": now, "most_name": MOST_NAME}

    def save_filter(self, request: HttpRequest) -> HttpResponse:
        """Keep the filters of the list under a name."""
        if request.method != "POST":
            return HttpResponseNotAllowed(["POST"])
        query, name = filter_query(request.POST.get("query", "")), request.POST.get("name", "")
        try:
            kept = save_filter(page=self.saved_page, name=name, query=query, actor=staff_of(request))
        except StaffRefusal as error:
            messages.error(request, refusal_text(error))
        else:
            messages.success(request, f"“{kept.name}” is kept for you.")
        return HttpResponseRedirect(f"{self._list()}?{query}")

    def remove_filter(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Remove a filter of one's own."""
        if request.method != "POST":
            return HttpResponseNotAllowed(["POST"])
        remove_filter(page=self.saved_page, filter_id=pk, actor=staff_of(request))
        return HttpResponseRedirect(self._list())

    def _list(self) -> str:
        return reverse(f"admin:{self.opts.app_label}_{self.opts.model_name}_changelist")

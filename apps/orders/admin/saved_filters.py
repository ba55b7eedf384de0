"""The saved filters of a person above the orders' list: chips that are addresses, a name to keep the filters of now."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, HttpResponseRedirect
from django.urls import URLPattern, reverse

from apps.common.staff import StaffAdmin, refusal_text, staff_of
from apps.orders.errors import StaffRefusal
from apps.orders.models import SavedFilter
from apps.orders.services.saved_filters import MOST_NAME, filter_query, remove_filter, save_filter

VIEW = "orders.view_order"


class SavedFilterPages(StaffAdmin):
    """Buttons of the orders' list that keep and remove a person's own filters."""

    def saved_filter_urls(self) -> list[URLPattern]:
        """Return the addresses of the two buttons."""
        return [
            self.address("filters/save/", self.save_filter, name="save_filter", permission=VIEW),
            self.address("filters/<int:pk>/remove/", self.remove_filter, name="remove_filter", permission=VIEW),
        ]

    def saved_filters(self, request: HttpRequest) -> dict[str, Any]:
        """Return what the list shows of them. One statement."""
        now = filter_query(request.GET.urlencode())
        kept = SavedFilter.objects.filter(owner=staff_of(request))
        chips = [(one, one.query == now) for one in kept]
        may_save = bool(now) and not any(is_shown for _, is_shown in chips)
        return {"saved": chips, "may_save": may_save, "query_now": now, "most_name": MOST_NAME}

    def save_filter(self, request: HttpRequest) -> HttpResponse:
        """Keep the filters of the list under a name."""
        if request.method != "POST":
            return HttpResponseNotAllowed(["POST"])
        query = filter_query(request.POST.get("query", ""))
        try:
            kept = save_filter(name=request.POST.get("name", ""), query=query, actor=staff_of(request))
        except StaffRefusal as error:
            messages.error(request, refusal_text(error))
        else:
            messages.success(request, f"“{kept.name}” is kept for you.")
        return HttpResponseRedirect(f"{reverse('admin:orders_order_changelist')}?{query}")

    def remove_filter(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Remove a filter of one's own."""
        if request.method != "POST":
            return HttpResponseNotAllowed(["POST"])
        remove_filter(filter_id=pk, actor=staff_of(request))
        return HttpResponseRedirect(reverse("admin:orders_order_changelist"))

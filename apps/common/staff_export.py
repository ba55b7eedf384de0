"""A list of staff as it is filtered and searched, sent as a spreadsheet or as CSV."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.contrib.admin.options import IncorrectLookupParameters
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext as _

from apps.common.staff import StaffAdmin
from apps.common.tables.download import MOST_ROWS, Rows, table_file


def export_list(
    page: StaffAdmin,
    request: HttpRequest,
    rows: Callable[[QuerySet[Any]], Rows],
    *,
    name: str,
    kind: str,
) -> HttpResponse:
    """Return a file of everything that a list's filters and search find; too much of it leads back
    with a word.
    """
    listed = reverse(f"admin:{page.opts.app_label}_{page.opts.model_name}_changelist")
    try:
        found = page.get_changelist_instance(request).queryset
    except IncorrectLookupParameters:
        return HttpResponseRedirect(listed)
    if found.order_by()[: MOST_ROWS + 1].count() > MOST_ROWS:
        most = _("More than %(most)s %(names)s: narrow the filters, then export.")
        messages.warning(request, most % {"most": f"{MOST_ROWS:,}", "names": page.counted})
        return HttpResponseRedirect(f"{listed}?{request.GET.urlencode()}")
    return table_file(rows(found), name=name, format_="csv" if kind == "csv" else "xlsx")

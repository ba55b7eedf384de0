"""Staff pages of imports: a file is sent, its progress shown, its differences looked at, applied or
undone.
"""

import tempfile
from pathlib import Path
from typing import Any

from django import forms
from django.contrib import messages
from django.http import FileResponse, HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils import timezone
from django.utils.text import format_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from apps.catalog.admin.import_review import STATE_TAGS, TABS, Review, write_diff
from apps.catalog.models import Import
from apps.catalog.services.imports import apply_import, discard_import, send_import, undo_import
from apps.catalog.sheet import COLUMNS
from apps.common.errors import PortalError
from apps.common.staff import log_action, refusal_text, run_action, staff_of, staff_page
from apps.common.storage.files import HEADERS, XLSX
from apps.common.tables.spreadsheets import MAX_BYTES, MAX_ROWS
from apps.common.texts import Text, read

VIEW, ADD, CHANGE = "catalog.view_import", "catalog.add_import", "catalog.change_import"
LIST = "admin:catalog_import_changelist"


class ImportForm(forms.Form):
    """A file of products, prices and stock, or of pictures."""

    file = forms.FileField(
        label=gettext_lazy("File"),
        help_text=format_lazy(
            gettext_lazy("XLSX or CSV, at most {size} MB and {rows} rows; or a ZIP of pictures."),
            size=MAX_BYTES // 1024 // 1024,
            rows=f"{MAX_ROWS:,}",
        ),
        widget=forms.FileInput(attrs={"accept": ".xlsx,.xlsm,.csv,.txt,.tsv,.zip"}),
    )


def send(request: HttpRequest) -> HttpResponse:
    """Take in a file."""
    form = ImportForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        file, actor = form.cleaned_data["file"], staff_of(request)
        try:
            source = send_import(file=file, name=file.name, actor=actor, now=timezone.now())
        except PortalError as error:
            form.add_error("file", refusal_text(error))
        else:
            log_action(request, source, Text("File sent"))
            return HttpResponseRedirect(_page_of(source))
    return staff_page(
        request,
        "staff/import_send.html",
        title=_("Import a file"),
        trail=[(_("Imports"), reverse(LIST))],
        form=form,
        columns=[(_(column.title), ", ".join(column.also)) for column in COLUMNS.values()],
    )


def review(request: HttpRequest, pk: int) -> HttpResponse:
    """Show where an import stands: its progress, or what it would change, or did."""
    source = get_object_or_404(
        Import.objects.select_related("created_by", "applied_by", "undone_by"), pk=pk
    )
    review = Review(source, request.GET)
    earlier = Import.objects.filter(state__in=(Import.State.APPLIED, Import.State.UNDONE)).exclude(
        pk=pk
    )
    return staff_page(
        request,
        "staff/import.html",
        title=_("Import: %(name)s") % {"name": source},
        trail=[(_("Imports"), reverse(LIST))],
        here=str(source),
        source=source,
        remark=read(source.remark),
        state_tag=STATE_TAGS[source.state],
        context_line=review.context_line(),
        review=review,
        tabs=TABS,
        earlier=earlier.select_related("applied_by").order_by("-applied_at")[:5],
        has_rows=bool(source.storage_name) or source.rows.exists(),
        may_change=request.user.has_perm(CHANGE),
        bar=source.state in (Import.State.REVIEW, Import.State.APPLIED),
    )


def progress(request: HttpRequest, pk: int) -> HttpResponse:
    """Answer how far it is, for the bar."""
    source = get_object_or_404(Import, pk=pk)
    if source.state == Import.State.READING:
        read, expected = source.rows_read, source.rows_expected
    else:
        read, expected = source.rows_written, source.counts.get("changes", 0)
    return JsonResponse({"state": source.state, "read": read, "expected": expected})


def diff(request: HttpRequest, pk: int) -> HttpResponse | FileResponse:
    """Answer the differences as a workbook."""
    source = get_object_or_404(Import, pk=pk)
    file = tempfile.NamedTemporaryFile(suffix=".xlsx")  # noqa: SIM115 - the answer closes it
    write_diff(source, Path(file.name))
    name = _("%(name)s-differences.xlsx") % {"name": source.name.rpartition(".")[0] or source.name}
    answer = FileResponse(file, as_attachment=True, filename=name, content_type=XLSX)
    for header, value in HEADERS.items():
        answer[header] = value
    return answer


def apply(request: HttpRequest, pk: int) -> HttpResponse:
    """Have it applied, with the guards that were ticked."""
    source = get_object_or_404(Import, pk=pk)
    if request.method == "POST":
        ticked = request.POST.getlist("guard")
        _decide(
            request,
            source,
            lambda: apply_import(import_id=pk, ticked=ticked, actor=staff_of(request)),
        )
    return HttpResponseRedirect(_page_of(source))


def undo(request: HttpRequest, pk: int) -> HttpResponse:
    """Ask, then have it undone."""
    source = get_object_or_404(Import, pk=pk)
    if request.method == "POST":
        _decide(request, source, lambda: undo_import(import_id=pk, actor=staff_of(request)))
        return HttpResponseRedirect(_page_of(source))
    return staff_page(
        request,
        "staff/import_undo.html",
        title=_("Undo: %(name)s") % {"name": source},
        trail=[(_("Imports"), reverse(LIST)), (str(source), _page_of(source))],
        here=_("Undo"),
        source=source,
    )


def discard(request: HttpRequest, pk: int) -> HttpResponse:
    """Discard it."""
    source = get_object_or_404(Import, pk=pk)
    if request.method == "POST":
        run_action(
            request,
            source,
            Text("Discarded"),
            lambda: discard_import(import_id=pk, actor=staff_of(request)),
        )
        return HttpResponseRedirect(reverse(LIST))
    return HttpResponseRedirect(_page_of(source))


def _decide(request: HttpRequest, source: Import, service: Any) -> None:
    """Have the sweep do something: it writes the history when it is done, or says why it is
    not.
    """
    try:
        service()
    except PortalError as error:
        messages.error(request, f"{source}: {refusal_text(error)}")


def _page_of(source: Import) -> str:
    return reverse("admin:catalog_import_change", args=[source.pk])

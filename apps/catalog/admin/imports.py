"""Staff pages of imports: a file is sent, its progress shown, its differences looked at, applied or
undone.
"""

import tempfile
from pathlib import Path
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.http import FileResponse, HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import get_object_or_404
from django.urls import URLPattern, reverse
from django.utils import timezone
from django.utils.html import format_html

from apps.catalog.admin.import_review import STATE_TAGS, TABS, Review, write_diff
from apps.catalog.models import Import
from apps.catalog.services.imports import apply_import, discard_import, send_import, undo_import
from apps.catalog.sheet import COLUMNS
from apps.common.errors import PortalError
from apps.common.staff import RecordAdmin, log_action, refusal_text, run_action, staff_of
from apps.common.staff_lists import PhoneRow
from apps.common.storage.files import HEADERS, XLSX
from apps.common.tables.spreadsheets import MAX_BYTES, MAX_ROWS

VIEW, ADD, CHANGE = "catalog.view_import", "catalog.add_import", "catalog.change_import"
LIST = "admin:catalog_import_changelist"


class ImportForm(forms.Form):
    """A file of products, prices and stock, or of pictures."""

    file = forms.FileField(
        label="File",
        help_text=f"XLSX or CSV, at most {MAX_BYTES // 1024 // 1024} MB and {MAX_ROWS:,} rows; or a ZIP of pictures.",
        widget=forms.FileInput(attrs={"accept": ".xlsx,.csv,.txt,.tsv,.zip"}),
    )


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
    search_help_text = "Name of the file"
    change_list_template = "staff/imports.html"
    list_title = "Imports"

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Refuse the form of the model: a file is sent on a page of its own."""
        return False

    @admin.display(description="Status")
    def state_tag(self, source: Import) -> str:
        return format_html(
            '<span class="tag {}">{}</span>', STATE_TAGS[source.state], source.get_state_display()
        )

    @admin.display(description="Kind")
    def what(self, source: Import) -> str:
        return source.get_kind_display()

    @admin.display(description="Changes")
    def changes(self, source: Import) -> str:
        return f"{source.counts['changes']:,}" if source.counts else "–"

    @admin.display(description="Sent")
    def sent(self, source: Import) -> str:
        return _by(source.created_by, source.created_at)

    @admin.display(description="Applied")
    def decided(self, source: Import) -> str:
        return _by(source.applied_by, source.applied_at) if source.applied_at else "–"

    def get_urls(self) -> list[URLPattern]:
        return [
            self.address("send/", self.send, name="send", permission=ADD),
            self.address("<int:pk>/change/", self.review, name="change", permission=VIEW),
            self.address("<int:pk>/progress/", self.progress, name="progress", permission=VIEW),
            self.address("<int:pk>/diff/", self.diff, name="diff", permission=VIEW),
            self.address("<int:pk>/apply/", self.apply, name="apply", permission=CHANGE),
            self.address("<int:pk>/undo/", self.undo, name="undo", permission=CHANGE),
            self.address("<int:pk>/discard/", self.discard, name="discard", permission=CHANGE),
            *super().get_urls(),
        ]

    def send(self, request: HttpRequest) -> HttpResponse:
        """Take in a file."""
        form = ImportForm(request.POST or None, request.FILES or None)
        if request.method == "POST" and form.is_valid() and (source := self._take(request, form)):
            return HttpResponseRedirect(_page_of(source))
        return self.page(
            request,
            "staff/import_send.html",
            title="Import a file",
            trail=[("Imports", reverse(LIST))],
            form=form,
            columns=[(column.title, ", ".join(column.also)) for column in COLUMNS.values()],
        )

    def _take(self, request: HttpRequest, form: ImportForm) -> Import | None:
        file = form.cleaned_data["file"]
        try:
            source = send_import(
                file=file, name=file.name, actor=staff_of(request), now=timezone.now()
            )
        except PortalError as error:
            form.add_error("file", refusal_text(error))
            return None
        log_action(request, source, "Sent")
        return source

    def review(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Show where an import stands: its progress, or what it would change, or did."""
        source = get_object_or_404(
            Import.objects.select_related("created_by", "applied_by", "undone_by"), pk=pk
        )
        review = Review(source, request.GET)
        earlier = Import.objects.filter(
            state__in=(Import.State.APPLIED, Import.State.UNDONE)
        ).exclude(pk=pk)
        return self.page(
            request,
            "staff/import.html",
            title=f"Import: {source}",
            trail=[("Imports", reverse(LIST))],
            here=str(source),
            source=source,
            state_tag=STATE_TAGS[source.state],
            context_line=review.context_line(),
            review=review,
            tabs=TABS,
            earlier=earlier.select_related("applied_by").order_by("-applied_at")[:5],
            has_rows=bool(source.storage_name) or source.rows.exists(),
            may_change=request.user.has_perm(CHANGE),
            bar=source.state in (Import.State.REVIEW, Import.State.APPLIED),
        )

    def progress(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Answer how far it is, for the bar."""
        source = get_object_or_404(Import, pk=pk)
        if source.state == Import.State.READING:
            read, expected = source.rows_read, source.rows_expected
        else:
            read, expected = source.rows_written, source.counts.get("changes", 0)
        return JsonResponse({"state": source.state, "read": read, "expected": expected})

    def diff(self, request: HttpRequest, pk: int) -> HttpResponse | FileResponse:
        """Answer the differences as a workbook."""
        source = get_object_or_404(Import, pk=pk)
        file = tempfile.NamedTemporaryFile(suffix=".xlsx")  # noqa: SIM115 - the answer closes it
        write_diff(source, Path(file.name))
        name = f"{source.name.rpartition('.')[0] or source.name}-differences.xlsx"
        answer = FileResponse(file, as_attachment=True, filename=name, content_type=XLSX)
        for header, value in HEADERS.items():
            answer[header] = value
        return answer

    def apply(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Have it applied, with the guards that were ticked."""
        source = get_object_or_404(Import, pk=pk)
        if request.method == "POST":
            ticked = request.POST.getlist("guard")
            self._decide(
                request,
                source,
                lambda: apply_import(import_id=pk, ticked=ticked, actor=staff_of(request)),
            )
        return HttpResponseRedirect(_page_of(source))

    def undo(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Ask, then have it undone."""
        source = get_object_or_404(Import, pk=pk)
        if request.method == "POST":
            self._decide(
                request, source, lambda: undo_import(import_id=pk, actor=staff_of(request))
            )
            return HttpResponseRedirect(_page_of(source))
        return self.page(
            request,
            "staff/import_undo.html",
            title=f"Undo: {source}",
            trail=[("Imports", reverse(LIST)), (str(source), _page_of(source))],
            here="Undo",
            source=source,
        )

    def discard(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Throw it away."""
        source = get_object_or_404(Import, pk=pk)
        if request.method == "POST":
            run_action(
                request,
                source,
                "Thrown away",
                lambda: discard_import(import_id=pk, actor=staff_of(request)),
            )
            return HttpResponseRedirect(reverse(LIST))
        return HttpResponseRedirect(_page_of(source))

    def _decide(self, request: HttpRequest, source: Import, service: Any) -> None:
        """Have the sweep do something: it writes the history when it is done, or says why it is
        not.
        """
        try:
            service()
        except PortalError as error:
            messages.error(request, f"{source}: {refusal_text(error)}")


def _page_of(source: Import) -> str:
    return reverse("admin:catalog_import_change", args=[source.pk])


def _by(who: Any, moment: Any) -> str:
    at = f"{timezone.localtime(moment):%Y-%m-%d %H:%M}"
    return format_html('{}<span class="second">{}</span>', at, who.manager if who else "")

"""Staff pages of imports: a file is sent, its progress shown, its differences looked at, applied or
undone.
"""

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any

from django import forms
from django.conf import settings
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.utils.http import content_disposition_header
from django.utils.text import format_lazy
from django.utils.translation import gettext as _, gettext_lazy, override

from apps.catalog.admin.import_review import STATE_TAGS, Review, differences
from apps.catalog.models import Import
from apps.catalog.services.import_kinds import ImportKind, kind_of, kinds_for, kinds_seen_by
from apps.catalog.services.import_tables import TableKind
from apps.catalog.services.imports import (
    answer_import,
    apply_import,
    discard_import,
    questions_of,
    send_import,
    undo_import,
)
from apps.common.errors import PortalError
from apps.common.staff import (
    list_of,
    log_action,
    refusal_text,
    run_action,
    staff_of,
    staff_page,
    trail_to,
)
from apps.common.storage.files import HEADERS, XLSX
from apps.common.tables.download import table_file
from apps.common.tables.spreadsheets import MAX_BYTES, MAX_ROWS
from apps.common.texts import Text, phrase, read

VIEW, ADD, CHANGE = "catalog.view_import", "catalog.add_import", "catalog.change_import"
LIST, PAGE = "admin:catalog_import_changelist", "admin:catalog_import_change"


class ImportForm(forms.Form):
    """A file, and what it is of."""

    kind = forms.ChoiceField(
        label=gettext_lazy("What it holds"),
    )
    file = forms.FileField(
        label=gettext_lazy("File"),
        help_text=format_lazy(
            gettext_lazy("XLSX or CSV, at most {size} MB and {rows} rows; or a ZIP of pictures."),
            size=MAX_BYTES // 1024 // 1024,
            rows=f"{MAX_ROWS:,}",
        ),
        widget=forms.FileInput({"accept": ".xlsx,.xlsm,.csv,.txt,.tsv,.zip"}),
    )

    def __init__(self, kinds: Sequence[ImportKind], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choices = [(kind.key, kind.label) for kind in kinds]
        self.fields["kind"].choices = [("", _("Choose…")), *choices]  # type: ignore[attr-defined]


def send(request: HttpRequest) -> HttpResponse:
    """Take in a file."""
    actor = staff_of(request)
    kinds = kinds_for(actor)
    initial = {"kind": request.GET.get("kind", "")}
    form = ImportForm(kinds, request.POST or None, request.FILES or None, initial=initial)
    if form.is_valid():
        file, kind = form.cleaned_data["file"], form.cleaned_data["kind"]
        try:
            source = send_import(
                file=file, name=file.name, actor=actor, now=timezone.now(), kind=kind
            )
        except PortalError as error:
            form.add_error("file", refusal_text(error))
        else:
            log_action(request, source, Text("File sent"))
            return redirect(PAGE, source.pk)
    return staff_page(
        request,
        "staff/import_send.html",
        title=_("Import a file"),
        trail=[list_of(Import)],
        form=form,
        tables=[kind for kind in kinds if isinstance(kind, TableKind)],
        languages=settings.LANGUAGES,
    )


def template(request: HttpRequest, kind: str, language: str) -> HttpResponse:
    """Answer an empty table of a kind, in a language."""
    import_kind = next((one for one in kinds_for(staff_of(request)) if one.key == kind), None)
    if not isinstance(import_kind, TableKind) or language not in dict(settings.LANGUAGES):
        raise Http404
    with override(language):
        content = import_kind.template()
    answer = HttpResponse(content, content_type=XLSX, headers=HEADERS)
    name = f"{kind}-{language}.xlsx"
    answer["Content-Disposition"] = content_disposition_header(True, name)
    return answer


def _import(request: HttpRequest, pk: int) -> Import:
    """Return an import; whoever may not import its kind may not see it."""
    sources = Import.objects.select_related("created_by", "applied_by", "undone_by")
    source = get_object_or_404(sources, pk=pk)
    if source.kind not in kinds_seen_by(staff_of(request)):
        raise PermissionDenied
    return source


def review(request: HttpRequest, pk: int) -> HttpResponse:
    """Show where an import stands: its progress, or what it would change, or did."""
    source = _import(request, pk)
    review = Review(source, request.GET)
    ended = (Import.State.APPLIED, Import.State.UNDONE)
    earlier = Import.objects.filter(state__in=ended, kind=source.kind).exclude(pk=pk)
    return staff_page(
        request,
        "staff/import.html",
        title=source,
        trail=[list_of(Import)],
        source=source,
        remark=read(source.remark),
        state_tag=STATE_TAGS[source.state],
        review=review,
        kind=review.kind,
        figures=review.kind.figures(source.counts) if "rows" in source.counts else (),
        advice=review.kind.advice(source),
        earlier=earlier.select_related("applied_by").order_by("-applied_at")[:5],
        has_rows=bool(source.storage_name) or source.rows.exists(),
        may_change=request.user.has_perm(CHANGE),
    )


def progress(request: HttpRequest, pk: int) -> HttpResponse:
    """Answer how far it is, for the bar."""
    source = _import(request, pk)
    if source.state == Import.State.READING:
        count, expected = source.rows_read, source.rows_expected
    else:
        count, expected = source.rows_written, source.counts.get("changes", 0)
    return JsonResponse({"state": source.state, "read": count, "expected": expected})


def diff(request: HttpRequest, pk: int) -> HttpResponse:
    """Answer the differences as a workbook."""
    source = _import(request, pk)
    name = phrase("%(name)s-differences", name=source.name.rpartition(".")[0] or source.name)
    return table_file(differences(source), name=name, title=_("Differences"), format_="xlsx")


def decision(view: Callable[[HttpRequest, Import], HttpResponse]) -> Callable[..., HttpResponse]:
    """Return the view of a decision on an import: a POST alone takes it, all else is led to the
    import's page, as whoever had to sign in anew in between.
    """

    @wraps(view)
    def decide(request: HttpRequest, pk: int) -> HttpResponse:
        source = _import(request, pk)
        return view(request, source) if request.method == "POST" else redirect(PAGE, pk)

    return decide


@decision
def apply(request: HttpRequest, source: Import) -> HttpResponse:
    """Have it applied, with the guards that were ticked."""
    return _decide(request, source, apply_import, ticked=request.POST.getlist("guard"))


@decision
def answer(request: HttpRequest, source: Import) -> HttpResponse:
    """Keep what was chosen for questions, and have the file read anew."""
    answers = {key: request.POST[key] for key in questions_of(source) if request.POST.get(key)}
    return _decide(request, source, answer_import, answers=answers)


def undo(request: HttpRequest, pk: int) -> HttpResponse:
    """Ask, then have it undone."""
    source = _import(request, pk)
    if request.method == "POST":
        return _decide(request, source, undo_import)
    return staff_page(
        request,
        "staff/import_undo.html",
        title=phrase("Undo: %(name)s", name=source),
        trail=trail_to(source),
        here=_("Undo"),
        source=source,
        figures=kind_of(source).undoing(source.counts),
        undo_note=kind_of(source).undo_note,
    )


@decision
def discard(request: HttpRequest, source: Import) -> HttpResponse:
    """Discard it."""
    history = Text("Discarded")
    run_action(request, source, history, discard_import, is_dated=False, import_id=source.pk)
    return redirect(LIST)


def _decide(request: HttpRequest, source: Import, service: Any, **fields: Any) -> HttpResponse:
    """Have the sweep do something: it writes the history when it is done, or says why it is
    not.
    """
    try:
        service(import_id=source.pk, actor=staff_of(request), **fields)
    except PortalError as error:
        messages.error(request, f"{source}: {refusal_text(error)}")
    return redirect(PAGE, source.pk)

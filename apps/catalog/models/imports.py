"""Imports and their rows. What they can be of, apps register (`services/import_kinds.py`)."""

from typing import Any

from django.db import models
from django.utils.translation import gettext_lazy as _, pgettext_lazy

from apps.catalog.models.products import Product
from apps.common.db.columns import moment_field, person_field
from apps.common.types import Label

IMPORT_FOLDER = "imports"
KINDS: dict[str, Any] = {}  # by their keys


def stored_path(storage_name: str) -> str:
    """Return where the file of an import lies in the private storage."""
    return f"{IMPORT_FOLDER}/{storage_name}"


def rows_path(storage_name: str) -> str:
    """Return where the rows of a table lie while it is read, unpacked once for all its slices."""
    return f"{IMPORT_FOLDER}/{storage_name}.rows"


def kind_choices() -> list[tuple[str, Label]]:
    """Return what an import can be of."""
    return [(key, kind.label) for key, kind in KINDS.items()]


class Import(models.Model):
    """A file that staff sent: read, looked at, applied, undone."""

    class State(models.TextChoices):
        """Where it stands; the sweep works on what is being read, applied or undone."""

        READING = "reading", pgettext_lazy("import", "Reading")
        REVIEW = "review", _("To review")
        APPLYING = "applying", _("Applying")
        APPLIED = "applied", _("Applied")
        UNDOING = "undoing", _("Undoing")
        UNDONE = "undone", _("Undone")
        REFUSED = "refused", pgettext_lazy("import", "Refused")
        DISCARDED = "discarded", _("Discarded")

    name = models.CharField(_("file"), max_length=200)
    kind = models.CharField(_("kind"), max_length=10, choices=kind_choices)
    storage_name = models.CharField(max_length=40)
    state = models.CharField(
        _("state"), max_length=10, choices=State, default=State.READING, db_index=True
    )
    remark = models.TextField(
        blank=True, help_text="why it was refused, or has to be looked at again"
    )
    unread = models.CharField(
        max_length=200, blank=True, help_text="headings of columns that are not read"
    )
    sheets: Any = models.JSONField(null=True, help_text="their names, where all of them are read")
    rows_read = models.PositiveIntegerField(default=0)
    rows_written = models.PositiveIntegerField(default=0, help_text="applied, or put back, so far")
    rows_expected = models.PositiveIntegerField(default=0, help_text="an estimate, for the bar")
    counts = models.JSONField(default=dict)
    answers: Any = models.JSONField(null=True, help_text="to what was asked of it, by question")
    tries = models.PositiveSmallIntegerField(default=0)
    created_by = person_field()
    created_at = models.DateTimeField()
    read_at = moment_field()
    applied_by = person_field(null=True, blank=True)
    applied_at = moment_field()
    undone_by = person_field(null=True, blank=True)
    undone_at = moment_field()

    class Meta:
        ordering = ("-id",)
        verbose_name = _("import")
        verbose_name_plural = _("imports")

    def __str__(self) -> str:
        return self.name

    @property
    def is_undoing(self) -> bool:
        """Return whether its rows are put back, not written."""
        return self.state == self.State.UNDOING

    @property
    def doer(self) -> Any:
        """Return who asked for what is done with it now."""
        return self.undone_by if self.is_undoing else self.applied_by


class ImportRow(models.Model):
    """A row of an import: what it would change, or did. `old` and `new` hold the fields that
    differ, by name.

    Where all sheets of a workbook are read, the numbers of each begin a million later.
    """

    PER_SHEET = 1_000_000

    class Result(models.TextChoices):
        """What applying does with the row."""

        SAME = "same", _("Same")
        CHANGED = "changed", _("Changed")
        NEW = "new", _("New product")
        UNKNOWN = "unknown", _("Unknown SKU")
        TWICE = "twice", _("Twice")
        FAULTY = "faulty", _("Cannot be read")
        LEFT = "left", _("Left out")

    source = models.ForeignKey(Import, models.CASCADE, related_name="rows", verbose_name="import")
    number = models.PositiveIntegerField(help_text="in the file")
    sku = models.CharField(
        "SKU", max_length=60, blank=True, help_text="or what else a row of its kind is named by"
    )
    product = models.ForeignKey(Product, models.SET_NULL, null=True, blank=True, related_name="+")
    result = models.CharField(max_length=10, choices=Result)
    old = models.JSONField(default=dict)
    new = models.JSONField(default=dict)
    remark = models.TextField(blank=True)
    guards: Any = models.JSONField(
        default=dict, help_text="those that hold it back, each with its measure, 1 without one"
    )
    made: Any = models.JSONField(null=True, help_text="what it is about or made: ids by model")
    is_twice = models.BooleanField(default=False, help_text="the last of the rows with its SKU")
    is_touched = models.BooleanField(default=False, help_text="changed by somebody else since")
    is_done = models.BooleanField(default=False, help_text="written, and not put back")

    class Meta:
        ordering = ("number",)
        verbose_name = _("import row")
        verbose_name_plural = _("import rows")
        constraints = [models.UniqueConstraint(fields=["source", "number"], name="importrow_once")]
        indexes = [
            models.Index(fields=["source", "sku", "number"], name="importrow_sku"),
            models.Index(fields=["source", "result", "number"], name="importrow_result"),
            models.Index(fields=["source", "product"], name="importrow_product"),
        ]

    def __str__(self) -> str:
        return f"{self.source}, row {self.number}"

    @property
    def place(self) -> str:
        """Return its number, after its sheet's name where there are several."""
        sheet, number = divmod(self.number, self.PER_SHEET)
        sheets = self.source.sheets or ()
        return f"{sheets[sheet]} {number}" if len(sheets) > 1 else str(number)

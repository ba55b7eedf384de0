"""The documents of an order: those that the portal issues, the files that its buyer can open, and
those he gave.
"""

from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from apps.common.db.columns import moment_field, person_field
from apps.orders.models.orders import Order


class IssuedDocument(models.Model):
    """A document that the portal issued for an order: what it says, as of that moment. Never
    edited.

    `content` is a `documents.content.Content`; its files are made from it and from nothing else. It
    may be issued again, as its next revision: a proforma when a confirmation is corrected, a
    receipt when an order is paid once more.
    """

    class Kind(models.TextChoices):
        PROFORMA = "proforma", "Proforma invoice"
        RECEIPT = "receipt", "Receipt"
        COMMERCIAL = "commercial", "Commercial invoice"

    order = models.ForeignKey(Order, models.PROTECT, related_name="issued_documents")
    kind = models.CharField(max_length=12, choices=Kind)
    revision = models.PositiveSmallIntegerField(default=1)
    content = models.JSONField()
    issued_at = models.DateTimeField()

    class Meta:
        db_table = "orders_orderpaper"
        ordering = ("issued_at", "id")
        verbose_name = _("issued document")
        verbose_name_plural = _("issued documents")
        constraints = [
            models.UniqueConstraint(fields=["order", "kind", "revision"], name="orderpaper_once"),
        ]

    def __str__(self) -> str:
        return f"{self.order}: {self.get_kind_display()}"


class StoredFile(models.Model):
    """A private file of an order, known by a random stored name."""

    FOLDER: ClassVar[str]  # of the private storage

    storage_name = models.CharField(max_length=80, unique=True)
    content_type = models.CharField(max_length=100)
    size = models.PositiveIntegerField(help_text="bytes")
    uploaded_at = models.DateTimeField()

    class Meta:
        abstract = True

    @property
    def path(self) -> str:
        """Return where the private storage has it."""
        return f"{self.FOLDER}/{self.storage_name}"


class OrderDocument(StoredFile):
    """A file for the buyer of an order; private, known by a random stored name.

    One of an `issued` document is made by the portal: listed at once, its file made after the
    commit. One that a later revision replaced is there for staff alone.
    """

    FOLDER = "documents"

    order = models.ForeignKey(Order, models.PROTECT, related_name="documents")
    issued = models.ForeignKey(
        IssuedDocument,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="files",
        db_column="paper_id",
    )
    title = models.CharField(max_length=200)
    uploaded_by = person_field(null=True, blank=True)
    rendered_at = moment_field(help_text="when the file of an issued document was made")
    replaced_at = moment_field(help_text="when a later revision took its place")

    class Meta:
        verbose_name = _("order document")
        verbose_name_plural = _("order documents")
        ordering = ("uploaded_at", "id")
        constraints = [
            models.UniqueConstraint(fields=["issued", "content_type"], name="orderdocument_once"),
            models.CheckConstraint(
                condition=Q(issued__isnull=False) | Q(rendered_at__isnull=True),
                name="orderdocument_rendered",
            ),
        ]
        indexes = [
            models.Index(
                fields=["id"],
                name="orderdocument_waiting",
                condition=Q(issued__isnull=False, rendered_at__isnull=True),
            )
        ]

    def __str__(self) -> str:
        return f"{self.order}: {self.title}"


class BuyerFile(StoredFile):
    """A file that the buyer gave with an order, for his company and the staff; private, under a
    random stored name.
    """

    FOLDER = "buyer-files"

    class Kind(models.TextChoices):
        PO = "po", _("PO file")
        PROOF = "proof", _("Proof of payment")

    order = models.ForeignKey(Order, models.PROTECT, related_name="buyer_files")
    kind = models.CharField(max_length=10, choices=Kind)
    given_name = models.CharField(max_length=200)
    uploaded_by = person_field(db_index=False)
    seen_at = moment_field(help_text="when staff opened it first")

    class Meta:
        ordering = ("id",)
        verbose_name = _("buyer file")
        verbose_name_plural = _("buyer files")
        constraints = [
            models.UniqueConstraint(
                fields=["order"], condition=Q(kind="po"), name="buyerfile_one_po"
            )
        ]

    def __str__(self) -> str:
        return f"{self.order}: {self.given_name}"

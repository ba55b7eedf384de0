"""Layouts of a company's own sheets."""

from typing import ClassVar

from django.conf import settings
from django.db import models

from apps.accounts.models import Company

MAX_HEADINGS = 200


class ListLayout(models.Model):
    """What the columns of a company's sheets hold, by their headings; settled by one of its buyers,
    once.
    """

    company = models.ForeignKey(
        Company, models.CASCADE, related_name="list_layouts", db_index=False
    )
    fingerprint = models.CharField(
        max_length=64, help_text="of the headings, else of what stands in the columns"
    )
    headings = models.CharField(
        max_length=MAX_HEADINGS, blank=True, help_text="as the sheet has them; empty: none"
    )
    kinds = models.JSONField(
        help_text="by column what it holds; all “ignore”: such a tab is no order"
    )
    carton = models.PositiveIntegerField(
        default=0, help_text="pieces in a carton; 0: it is asked at each row"
    )
    settled_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        db_index=False,
    )
    settled_at = models.DateTimeField()

    class Meta:
        ordering = ("-settled_at",)
        verbose_name = "layout of a list"
        verbose_name_plural = "layouts of lists"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["company", "fingerprint"], name="listlayout_once"),
        ]

    def __str__(self) -> str:
        return f"{self.company}: {self.headings or 'without headings'}"

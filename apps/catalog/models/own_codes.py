"""A company's own codes of products."""

from typing import ClassVar

from django.conf import settings
from django.db import models

from apps.accounts.models import Company
from apps.catalog.models.products import Product

MAX_OWN_CODE = 60


class OwnCode(models.Model):
    """What a company calls a product in its own lists; learned when one of its buyers says which
    product is meant.

    Or, with `pieces`, a carton of a product, and how many pieces it holds.
    """

    company = models.ForeignKey(Company, models.CASCADE, related_name="own_codes", db_index=False)
    code = models.CharField(max_length=MAX_OWN_CODE, help_text="in capitals, as lists are read")
    product = models.ForeignKey(Product, models.CASCADE, related_name="own_codes")
    pieces = models.PositiveIntegerField(
        null=True, blank=True, help_text="in a carton; empty: a code of a product"
    )
    learned_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        db_index=False,
    )
    learned_at = models.DateTimeField()

    class Meta:
        ordering = ("code",)
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["company", "code"], name="owncode_once"),
            models.CheckConstraint(condition=~models.Q(code=""), name="owncode_named"),
        ]

    def __str__(self) -> str:
        return f"{self.company}: {self.code}"

"""Running figures of companies, and who has ordered which brand."""

from typing import ClassVar

from django.db import models

from apps.accounts.models import Company
from apps.catalog.models import Brand
from apps.common.money import ZERO


def status_bucket(status: int) -> str:
    """Return the tally bucket of a status."""
    return f"status:{int(status)}"


def month_bucket(month: str) -> str:
    """Return the tally bucket of a month (`2026-11`)."""
    return f"month:{month}"


class OrderTally(models.Model):
    """Running figures of a company, kept by the one writer of statuses: orders by status, sums by
    month.

    `bucket` is `status:1` … `status:5`, or `month:2026-11` (without cancelled orders).
    """

    company = models.ForeignKey(Company, models.CASCADE, related_name="order_tallies")
    bucket = models.CharField(max_length=16)
    count = models.IntegerField(default=0)
    total = models.DecimalField(max_digits=16, decimal_places=2, default=ZERO)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["company", "bucket"], name="ordertally_once")
        ]

    def __str__(self) -> str:
        return f"{self.company}: {self.bucket}"


class BrandBuyer(models.Model):
    """A company that has ordered a product of a brand. Filled by a sweep, so that no order waits
    for it.
    """

    brand = models.ForeignKey(Brand, models.CASCADE, related_name="+", db_index=False)
    company = models.ForeignKey(Company, models.CASCADE, related_name="+")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["brand", "company"], name="brandbuyer_once")
        ]

    def __str__(self) -> str:
        return f"{self.company}: {self.brand}"


class BrandBuyerMark(models.Model):
    """How far the orders were searched for buyers of brands: one row."""

    order_id = models.PositiveBigIntegerField(
        help_text="every order up to this one has been searched"
    )

    def __str__(self) -> str:
        return str(self.order_id)

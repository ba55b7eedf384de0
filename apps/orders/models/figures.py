"""Running figures of companies."""

from typing import ClassVar

from django.db import models

from apps.accounts.models import Company
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

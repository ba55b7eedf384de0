"""The tallied sales: what was confirmed, by month and by day, product, brand and company, for
staff's reports.
"""

from typing import ClassVar

from django.db import models

from apps.accounts.models import Company
from apps.catalog.models import Brand, Product
from apps.common.money import ZERO


class SalesTally(models.Model):
    """Confirmed sales of a month, counted by the one writer of statuses; cancelled orders are taken
    out again.

    A row belongs to one `grain`, and names what that grain tells apart; 0 stands for all of a kind.
    """

    class Grain(models.IntegerChoices):
        COMPANY = 1, "company"
        BRAND = 2, "brand and company"
        PRODUCT = 3, "product"
        PRODUCT_COMPANY = 4, "product and company"
        BRAND_ALONE = 5, "brand"

    grain = models.PositiveSmallIntegerField(choices=Grain)
    product = models.ForeignKey(
        Product, models.DO_NOTHING, related_name="+", db_constraint=False, db_index=False
    )
    month = models.CharField(max_length=7, help_text="of confirmation, in the seller's time zone")
    brand = models.ForeignKey(
        Brand, models.DO_NOTHING, related_name="+", db_constraint=False, db_index=False
    )
    company = models.ForeignKey(
        Company, models.DO_NOTHING, related_name="+", db_constraint=False, db_index=False
    )
    orders = models.IntegerField(default=0, help_text="orders with something of this row in them")
    pieces = models.BigIntegerField(default=0)
    total = models.DecimalField(
        max_digits=16, decimal_places=2, default=ZERO, help_text="confirmed lines"
    )

    class Meta:
        verbose_name_plural = "sales tally"
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["grain", "product", "month", "brand", "company"], name="salestally_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.month}: {self.get_grain_display()}"


class SalesDay(models.Model):
    """Confirmed sales of a product to a company on a day of the seller: what the reports read of a
    month that is cut.

    Days are counted one after another, so that those of a range lie side by side.
    """

    day = models.DateField(help_text="of confirmation, in the seller's time zone")
    product = models.ForeignKey(
        Product, models.DO_NOTHING, related_name="+", db_constraint=False, db_index=False
    )
    brand = models.ForeignKey(
        Brand, models.DO_NOTHING, related_name="+", db_constraint=False, db_index=False
    )
    company = models.ForeignKey(
        Company, models.DO_NOTHING, related_name="+", db_constraint=False, db_index=False
    )
    pieces = models.BigIntegerField(default=0)
    total = models.DecimalField(
        max_digits=16, decimal_places=2, default=ZERO, help_text="confirmed lines"
    )

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["day", "product", "company"], name="salesday_once")
        ]

    def __str__(self) -> str:
        return f"{self.day}: {self.product_id}"

"""Filters of staff's lists that a member of staff keeps under a name."""

from typing import ClassVar

from django.db import models
from django.db.models.functions import Lower

from apps.accounts.models import User


class SavedFilter(models.Model):
    """The filters and the search of a list, as its address has them, of one member of staff."""

    class Page(models.TextChoices):
        ORDERS = "orders", "Orders"
        CUSTOMERS = "customers", "Customers"

    owner = models.ForeignKey(User, models.CASCADE, related_name="saved_filters", db_index=False)
    page = models.CharField(
        max_length=20,
        choices=Page,
        default=Page.ORDERS,
        db_default=Page.ORDERS,
        help_text="whose list it filters",
    )
    name = models.CharField(max_length=40)
    query = models.CharField(max_length=500, help_text="of the list's address")

    class Meta:
        ordering = ("id",)
        constraints: ClassVar = [
            models.UniqueConstraint("owner", "page", Lower("name"), name="savedfilter_page_name")
        ]

    def __str__(self) -> str:
        return self.name

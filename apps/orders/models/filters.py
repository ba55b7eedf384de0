"""Filters of the orders' list that a member of staff keeps under a name."""

from typing import ClassVar

from django.db import models
from django.db.models.functions import Lower

from apps.accounts.models import User


class SavedFilter(models.Model):
    """The filters and the search of an orders' list, as its address has them, of one member of staff."""

    owner = models.ForeignKey(User, models.CASCADE, related_name="saved_filters", db_index=False)
    name = models.CharField(max_length=40)
    query = models.CharField(max_length=500, help_text="of the list's address")

    class Meta:
        ordering = ("id",)
        constraints: ClassVar = [models.UniqueConstraint("owner", Lower("name"), name="savedfilter_name")]

    def __str__(self) -> str:
        return self.name

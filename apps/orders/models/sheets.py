"""Sheets that buyers ordered from, kept to be given back with their answers."""

from typing import ClassVar, TypedDict

from django.db import models

from apps.accounts.models import User


class SheetAnswer(TypedDict):
    """What rows of a sheet became: a SKU, its pieces in the basket, and why there are none or
    others.

    `asked` is the pieces that each of the `rows` asks for, in their order.
    """

    rows: list[int]
    asked: list[int]
    sku: str
    count: int
    why: str


class SentSheet(models.Model):
    """A sheet that a buyer put into the basket, as he sent it; private, under a random stored name.

    It belongs to the first order that its buyer places after it.
    """

    user = models.ForeignKey(User, models.CASCADE, related_name="sent_sheets", db_index=False)
    storage_name = models.CharField(max_length=80, unique=True)
    given_name = models.CharField(max_length=200)
    content_type = models.CharField(max_length=100)
    heads = models.JSONField(help_text="by tab its name and the row of its headings (0: none)")
    answers = models.JSONField()
    sent_at = models.DateTimeField(db_index=True)

    class Meta:
        indexes: ClassVar = [models.Index(fields=["user", "sent_at"], name="sentsheet_user")]

    def __str__(self) -> str:
        return f"{self.user}: {self.given_name}"

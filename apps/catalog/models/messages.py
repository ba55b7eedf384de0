"""Messages that staff paste for buyers."""

from typing import ClassVar
from uuid import uuid4

from django.conf import settings
from django.db import models

from apps.accounts.models import User


class PastedMessage(models.Model):
    """A buyer's message that staff pasted; the buyer alone opens its review, by a link. Nothing is
    ordered by it.

    Its text is kept until the lines are in the basket, or the link is too old.
    """

    uuid = models.UUIDField(unique=True, default=uuid4, editable=False)
    user = models.ForeignKey(User, models.CASCADE, related_name="pasted_messages")
    text = models.TextField(blank=True)
    pasted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        db_index=False,
    )
    pasted_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True, blank=True)
    used_key = models.UUIDField(
        null=True, blank=True, editable=False
    )  # of the review that has used it

    class Meta:
        indexes: ClassVar = [
            models.Index(
                fields=["pasted_at"], name="pastedmessage_kept", condition=~models.Q(text="")
            ),
        ]
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=models.Q(used_at=None) | models.Q(text=""),
                name="pastedmessage_used_has_no_text",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user}: {self.pasted_at:%Y-%m-%d %H:%M}"

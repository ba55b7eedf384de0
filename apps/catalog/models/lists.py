"""Lists that a buyer has sent and not put into the basket yet."""

from typing import ClassVar

from django.db import models

from apps.accounts.models import User

LIST_FOLDER = "lists-in-hand"


def list_path(storage_name: str) -> str:
    """Return where the private storage keeps a list in hand."""
    return f"{LIST_FOLDER}/{storage_name}"


class ListInHand(models.Model):
    """A list as its buyer sent it, how far its reading is, and what he has decided in its review so
    far.
    """

    class State(models.TextChoices):
        WAITING = "waiting"
        READING = "reading"  # its rows
        LOOKING_UP = "looking_up"  # its products
        READY = "ready"
        REFUSED = "refused"

    uuid = models.UUIDField()  # the sender's: a list that is sent again is the same one
    user = models.ForeignKey(User, models.CASCADE, related_name="lists_in_hand", db_index=False)
    name = models.CharField(max_length=200)
    storage_name = models.CharField(max_length=80, unique=True)
    said = models.JSONField(default=list, help_text="what the buyer says of its columns")
    state = models.CharField(max_length=10, choices=State)
    rows_read = models.PositiveIntegerField(default=0)
    rows = models.PositiveIntegerField(default=0, help_text="about how many there are")
    tries = models.PositiveSmallIntegerField(default=0)
    remark = models.CharField(
        max_length=300, blank=True, help_text="why it cannot be read, or not as it was said last"
    )
    read = models.JSONField(
        null=True, help_text="what was read of a long list; a short one is read when it is opened"
    )
    decisions = models.JSONField(default=list)
    decided = models.PositiveIntegerField(default=0, help_text="lines with a decision")
    sent_at = models.DateTimeField()
    touched_at = models.DateTimeField(db_index=True)
    used_at = models.DateTimeField(null=True, help_text="since when its lines are in the basket")
    used_key = models.UUIDField(
        null=True, help_text="the review that put them there, which may repeat that it does"
    )

    class Meta:
        indexes: ClassVar = [
            models.Index(
                fields=["tries", "id"],
                name="listinhand_pending",
                condition=models.Q(state__in=("waiting", "reading", "looking_up")),
            ),
        ]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["user", "uuid"], name="listinhand_of_user"),
        ]

    def __str__(self) -> str:
        return f"{self.user}: {self.name}"

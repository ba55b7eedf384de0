"""History rows: what each app's history has in common."""

from typing import Any

from django.db import models

from apps.common.db.columns import person_field


class AppendOnly(models.Model):
    """A row that is written once: neither changed nor deleted."""

    class Meta:
        abstract = True

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Insert.

        Raises:
            TypeError: the row is stored already.
        """
        if self.pk is not None and not kwargs.get("force_insert"):
            raise TypeError(f"{type(self).__name__} rows are never edited")
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> tuple[int, dict[str, int]]:
        """Refuse.

        Raises:
            TypeError: always.
        """
        raise TypeError(f"{type(self).__name__} rows are never deleted")


class Event(AppendOnly):
    """One step in the history of an object: who did it (empty: the buyer or the portal), when, and
    a note.

    A child names the object and the step. It may define `actor` or `note` anew where its column
    differs.
    """

    actor = person_field(null=True, blank=True)
    note = models.TextField(blank=True)
    at = models.DateTimeField()

    class Meta:
        abstract = True
        ordering = ("at", "id")

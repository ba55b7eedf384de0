"""What the portal as a whole remembers: how each sweep ran, what operators were told, which
promises were kept.
"""

from typing import ClassVar

from django.db import models


class SweepRun(models.Model):
    """The last runs of one sweep, and on SQLite the lease under which it runs."""

    name = models.CharField(max_length=60, primary_key=True)
    started_at = models.DateTimeField(null=True, blank=True)
    succeeded_at = models.DateTimeField(null=True, blank=True)
    failure = models.CharField(
        max_length=300, blank=True, help_text="of the last run; empty when it went well"
    )
    holder = models.CharField(max_length=100, blank=True, editable=False)
    is_held = models.BooleanField(
        default=False,
        db_default=False,
        editable=False,
        help_text="does not run, as after a restore",
    )
    lease_until = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta:
        ordering = ("name",)

    def __str__(self) -> str:
        return self.name


class Alert(models.Model):
    """What operators were mailed about and is still over its limit; gone as soon as it is well."""

    key = models.CharField(max_length=80, primary_key=True)
    since = models.DateTimeField()

    class Meta:
        ordering = ("since", "key")

    def __str__(self) -> str:
        return self.key


class PromiseTally(models.Model):
    """How many promises of a kind were kept, or broken, on a day of the seller, by how many hours
    they took.
    """

    promise = models.CharField(max_length=10)
    day = models.DateField(help_text="when it was done")
    is_kept = models.BooleanField()
    hours = models.PositiveIntegerField(help_text="whole hours that it took")
    count = models.PositiveIntegerField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["day", "promise", "is_kept", "hours"], name="promisetally_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.day}: {self.promise}"

"""What the portal as a whole remembers: how each sweep ran, what operators were told."""

from django.db import models
from django.utils.translation import gettext_lazy as _


class SweepRun(models.Model):
    """The last runs of one sweep."""

    name = models.CharField(max_length=60, primary_key=True)
    started_at = models.DateTimeField(null=True, blank=True)
    succeeded_at = models.DateTimeField(null=True, blank=True)
    failure = models.CharField(
        max_length=300, blank=True, help_text="of the last run; empty when it went well"
    )
    is_held = models.BooleanField(
        default=False,
        db_default=False,
        editable=False,
        help_text="does not run, as after a restore",
    )

    class Meta:
        ordering = ("name",)
        verbose_name = _("task")
        verbose_name_plural = _("tasks")

    def __str__(self) -> str:
        return self.name


class Alert(models.Model):
    """What operators were mailed about and is still over its limit; gone as soon as it is well."""

    key = models.CharField(max_length=80, primary_key=True)
    since = models.DateTimeField()

    class Meta:
        ordering = ("since", "key")
        verbose_name = _("alert")
        verbose_name_plural = _("alerts")

    def __str__(self) -> str:
        return self.key

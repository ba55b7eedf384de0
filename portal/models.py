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
    # Of `alerts`: keys of what operators were mailed about and is still over its limit
    open_alerts = models.JSONField(default=list, db_default=[], editable=False)

    class Meta:
        ordering = ("name",)
        verbose_name = _("task")
        verbose_name_plural = _("tasks")

    def __str__(self) -> str:
        return self.name

"""What the seller says instead of the portal's own words, and the policy that buyers accept."""

from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from apps.common.db.columns import person_field
from apps.common.texts import phrase
from apps.common.types import Label

MAX_SUBJECT, MAX_BODY = 150, 8000  # characters


class MailText(models.Model):
    """What a mail says since staff changed it; blank says what the portal does."""

    names: ClassVar[dict[str, Label]] = {}  # of each mail, by its key (`MailKind`)

    key = models.CharField(max_length=60, unique=True)
    subject = models.CharField(_("subject"), max_length=MAX_SUBJECT, blank=True)
    body = models.TextField(_("mail"), max_length=MAX_BODY, blank=True)
    changed_at = models.DateTimeField()
    changed_by = person_field(db_index=False)

    class Meta:
        verbose_name = _("mail text")
        verbose_name_plural = _("mail texts")
        constraints = [
            models.CheckConstraint(
                condition=Q(subject="", body="") | (~Q(subject="") & ~Q(body="")),
                name="mailtext_whole",
            )
        ]

    def __str__(self) -> str:
        return str(self.names.get(self.key, self.key))


class Policy(models.Model):
    """A version of privacy policy and terms of use; published, it never changes."""

    number = models.PositiveIntegerField(unique=True)
    html = models.TextField(_("text"))
    holds_from = models.DateField(_("holds from"))
    published_at = models.DateTimeField()
    published_by = person_field(db_index=False)

    class Meta:
        verbose_name = _("policy")
        verbose_name_plural = _("policies")
        ordering = ("-number",)
        constraints = [
            models.CheckConstraint(condition=Q(number__gte=1) & ~Q(html=""), name="policy_whole")
        ]

    def __str__(self) -> str:
        return phrase("Version %(number)s", number=self.number)

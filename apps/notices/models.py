"""Notices and their files."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from apps.common.db.columns import moment_field, person_field

FOLDER = "notices"


def stored_path(storage_name: str) -> str:
    """Return where a notice's file lies in the private storage."""
    return f"{FOLDER}/{storage_name}"


class Notice(models.Model):
    """A text for buyers, with a publication time and, if wanted, a window in which it pops up."""

    title = models.CharField(_("title"), max_length=200)
    content = models.TextField(help_text="sanitised HTML")
    published_at = moment_field(help_text="empty: a draft")
    popup_from = moment_field()
    popup_until = moment_field()
    for_everybody = models.BooleanField(default=True)
    author = person_field(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    changed_by = person_field(null=True, blank=True)
    changed_at = moment_field()
    version = models.PositiveIntegerField(
        default=1, db_default=1, help_text="rises with every change"
    )

    class Meta:
        ordering = ("-published_at", "-id")
        verbose_name = _("notice")
        verbose_name_plural = _("notices")
        constraints = [
            models.CheckConstraint(
                condition=Q(popup_from__isnull=True, popup_until__isnull=True)
                | Q(popup_until__gt=F("popup_from")),
                name="notice_popup_window",
            )
        ]
        indexes = [
            # Every list of notices is read from this index alone, without their texts.
            models.Index(
                fields=["-published_at", "-id"],
                include=["title", "for_everybody"],
                name="notice_newest",
            ),
            models.Index(
                fields=["popup_until", "popup_from"],
                condition=Q(popup_until__isnull=False),
                include=["published_at", "for_everybody"],
                name="notice_popup",
            ),
        ]

    def __str__(self) -> str:
        return self.title


class NoticeAudience(models.Model):
    """One country, company or brand that a notice is meant for, by the row's id in its
    own table.
    """

    class Kind(models.TextChoices):
        COUNTRY = "country", _("Country")
        COMPANY = "company", _("Company")
        BRAND = "brand", _("Buyers of a brand")

    notice = models.ForeignKey(Notice, models.CASCADE, related_name="audience")
    kind = models.CharField(max_length=10, choices=Kind)
    object_id = models.PositiveBigIntegerField()

    class Meta:
        verbose_name = _("notice audience")
        verbose_name_plural = _("notice audiences")
        constraints = [
            models.UniqueConstraint(
                fields=["kind", "object_id", "notice"], name="noticeaudience_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.notice}: {self.kind} {self.object_id}"


class NoticeFile(models.Model):
    """A file attached to a notice; private, known by a random stored name. Its row takes it along
    (`signals.py`).
    """

    notice = models.ForeignKey(Notice, models.CASCADE, related_name="files")
    title = models.CharField(max_length=200)
    storage_name = models.CharField(max_length=80, unique=True)
    content_type = models.CharField(max_length=100)
    size = models.PositiveIntegerField(help_text="bytes")

    class Meta:
        verbose_name = _("notice file")
        verbose_name_plural = _("notice files")
        ordering = ("id",)

    def __str__(self) -> str:
        return self.title

    @property
    def path(self) -> str:
        """Return where it lies in the private storage."""
        return stored_path(self.storage_name)


class NoticeRead(models.Model):
    """When a buyer first opened a notice."""

    notice = models.ForeignKey(Notice, models.CASCADE, related_name="readers")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    at = models.DateTimeField()

    class Meta:
        verbose_name = _("notice read")
        verbose_name_plural = _("notice reads")
        ordering = ("at", "id")
        constraints = [models.UniqueConstraint(fields=["notice", "user"], name="noticeread_once")]

    def __str__(self) -> str:
        return f"{self.notice}: {self.user}"

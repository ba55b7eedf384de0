"""What staff do in admin, as a security event; admin's own history is the record of it."""

from typing import Any

from django.contrib.admin.models import LogEntry
from django.db.models.signals import post_save

from apps.common.security import log_event


def watch_actions() -> None:
    """Note every action that admin's history takes down one by one; an import's rows are in its own
    history.
    """
    post_save.connect(_note_action, sender=LogEntry)


def _note_action(instance: LogEntry, created: bool, **_: Any) -> None:
    if created:
        kind = instance.content_type.model if instance.content_type else ""
        log_event(
            "admin_action",
            actor=instance.user_id,
            object=f"{kind}:{instance.object_id}",
            action=instance.action_flag,
        )

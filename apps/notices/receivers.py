"""A notice's file leaves the storage with its row, whoever deletes it and by whatever cascade."""

from typing import Any

from django.core.files.storage import storages
from django.db import transaction
from django.db.models.signals import post_delete
from django.dispatch import receiver

from apps.notices.models import NoticeFile


@receiver(post_delete, sender=NoticeFile)
def take_file_away(instance: NoticeFile, **kwargs: Any) -> None:
    """Delete the file after the commit; should that fail, the sweep finds it."""
    path = instance.path
    transaction.on_commit(lambda: storages["private"].delete(path), robust=True)

"""Whether the storages of files answer, and that the private one is private."""

import os
from pathlib import Path

from django.conf import settings
from django.core.files.storage import Storage, storages


def storage_state() -> bool:
    """Return whether pictures and private files can be written; takes two seconds for each bucket
    at most.
    """
    return all(_answers(storages[alias]) for alias in ("private", "default"))


def _answers(storage: Storage) -> bool:
    if settings.S3_BUCKET:
        return bool(storage.answers())  # type: ignore[attr-defined]
    folder = Path(storage.base_location)  # type: ignore[attr-defined]
    existing = next(path for path in (folder, *folder.parents) if path.exists())
    return os.access(existing, os.W_OK)


def private_files_are_public() -> bool:
    """Return whether the bucket of private files answers people without a key.

    Raises:
        OSError: it does not answer at all.
    """
    if not settings.S3_BUCKET:
        return False
    return bool(storages["private"].is_public())  # type: ignore[attr-defined]

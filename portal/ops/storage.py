"""Whether the storages of files answer, and that the private one is private."""

import os
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.files.storage import storages


def storage_state() -> bool:
    """Return whether pictures and private files can be written; takes two seconds for each bucket
    at most.
    """
    both: Any = (storages["private"], storages["default"])
    if settings.S3_BUCKET:
        return all(storage.answers() for storage in both)
    folders = [Path(storage.base_location) for storage in both]
    existing = [next(one for one in (path, *path.parents) if one.exists()) for path in folders]
    return all(os.access(folder, os.W_OK) for folder in existing)


def private_files_are_public() -> bool:
    """Return whether the bucket of private files answers people without a key.

    Raises:
        OSError: it does not answer at all.
    """
    if not settings.S3_BUCKET:
        return False
    return bool(storages["private"].is_public())  # type: ignore[attr-defined]

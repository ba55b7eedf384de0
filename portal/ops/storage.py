"""Files in a folder of this machine, where no bucket is configured; whether the storages of files
answer, and that the private one is private.
"""

import os
from contextlib import suppress
from pathlib import Path
from typing import Any
from uuid import uuid4

from django.conf import settings
from django.core.files import File
from django.core.files.storage import FileSystemStorage, storages


class Folder(FileSystemStorage):
    """A folder that keeps whole files only: what a full disk cuts off is taken away again.

    Django would leave the beginning of a file, under a name that no row knows.
    """

    def _save(self, name: str, content: File) -> str:
        """Write the file under a name that nobody else can have, and link it to the asked one once
        it is whole.

        Whatever was there first, a file of somebody quicker too, is neither replaced nor taken
        away.
        """
        draft = f"{name}.{uuid4().hex}"
        try:
            super()._save(draft, content)  # type: ignore[misc]
            while True:
                try:
                    os.link(self.path(draft), self.path(name))
                except FileExistsError:
                    name = self.get_available_name(name)
                else:
                    return name
        finally:
            with suppress(OSError):
                self.delete(draft)


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

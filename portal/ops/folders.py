"""Files in a folder of this machine, where no bucket is configured."""

import os
from contextlib import suppress
from uuid import uuid4

from django.core.files import File
from django.core.files.storage import FileSystemStorage


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

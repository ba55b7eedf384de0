"""Files in a folder of this machine, where no bucket is configured."""

from contextlib import suppress

from django.core.files import File
from django.core.files.storage import FileSystemStorage


class Folder(FileSystemStorage):
    """A folder that keeps whole files only: what a full disk cuts off is taken away again.

    Django would leave the beginning of a file, under a name that no row knows and no sweep finds.
    """

    def _save(self, name: str, content: File) -> str:
        try:
            return str(super()._save(name, content))  # type: ignore[misc]
        except OSError:
            with suppress(OSError):
                self.delete(name)
            raise

"""Files in the private storage, which may be silent: whoever waits for one is told, and staff find
it in the log.
"""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, BinaryIO

from django.core.files.base import ContentFile, File
from django.core.files.storage import storages
from django.http import Http404
from django.http.response import HttpResponseBase

from apps.common.errors import NotFound, StorageUnavailable, Unavailable
from apps.common.storage.files import download, unavailable

logger = logging.getLogger("portal.storage")


def save_private(path: str, content: bytes | BinaryIO) -> None:
    """Keep a file in the private storage.

    Raises:
        Unavailable: the storage does not answer.
    """
    try:
        file = ContentFile(content) if isinstance(content, bytes) else File(content)
        storages["private"].save(path, file)
    except Exception as error:  # whatever the storage's driver raises
        logger.error(
            "The private storage does not answer: %s",
            type(error).__name__,
            extra={"event": "storage_failed"},
        )
        raise Unavailable from error


@contextmanager
def saved_private(path: str, content: bytes) -> Iterator[None]:
    """Keep a file in the private storage for the row that the block writes; a block that fails
    takes it away again.

    Raises:
        Unavailable: the storage does not answer.
    """
    save_private(path, content)
    try:
        yield
    except BaseException:
        storages["private"].delete(path)
        raise


def open_private(path: str) -> IO[bytes]:
    """Return a file of the private storage, open.

    Raises:
        NotFound: it is gone.
        StorageUnavailable: the storage does not answer.
    """
    with storage_errors(path):
        file: IO[bytes] = storages["private"].open(path)
        return file


def read_private(path: str) -> bytes:
    """Return the content of a file of the private storage.

    Raises:
        NotFound, StorageUnavailable: as `open_private`.
    """
    with storage_errors(path), storages["private"].open(path) as file:
        content: bytes = file.read()
        return content


def send_private(
    path: str, *, title: str, storage_name: str, content_type: str
) -> HttpResponseBase:
    """Return a file of the private storage as a download; 503 while the storage does not answer.

    Raises:
        Http404: it is gone.
    """
    try:
        file = open_private(path)
    except NotFound as error:
        raise Http404 from error
    except StorageUnavailable:
        return unavailable()
    return download(file, title=title, storage_name=storage_name, content_type=content_type)


@contextmanager
def storage_errors(path: str) -> Iterator[None]:
    """Log whatever the storage's driver raises in the block, and answer that it is down.

    Raises:
        NotFound, StorageUnavailable: as `open_private`.
    """
    try:
        yield
    except FileNotFoundError as error:
        raise NotFound from error
    except Exception as error:  # whatever the storage's driver raises
        logger.exception(
            "the storage does not answer for %s", path, extra={"event": "storage_failed"}
        )
        raise StorageUnavailable from error

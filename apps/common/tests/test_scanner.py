"""The virus scanner, by a clamd of our own that answers what the test says."""

import io
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from apps.common.errors import Unavailable
from apps.common.storage.files import PDF
from apps.common.storage.uploads import UnsafeFile, check_file, check_virus
from apps.common.testing import SMALL_PDF

CONTENT = bytes(range(256)) * 1000


@contextmanager
def clamd(folder: Path, answer: bytes | None) -> Iterator[tuple[str, list[bytes]]]:
    """Run a scanner that reads one file and answers; None hangs up."""
    path, heard = str(folder / "clamd.sock"), []
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    listener.bind(path)
    listener.listen(1)

    def serve() -> None:
        caller, _ = listener.accept()
        with caller, caller.makefile("rb") as received:
            assert received.read(10) == b"zINSTREAM\0"
            content = b""
            while size := int.from_bytes(received.read(4), "big"):
                content += received.read(size)
            heard.append(content)
            if answer is not None:
                caller.sendall(answer)

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    try:
        yield path, heard
        thread.join(timeout=10)
    finally:
        listener.close()


def test_the_scanner_is_sent_the_whole_file(settings: Any, tmp_path: Path) -> None:
    with clamd(tmp_path, b"stream: OK\0") as (settings.CLAMD_SOCKET, heard):
        check_virus(io.BytesIO(CONTENT))
    assert heard == [CONTENT]


@pytest.mark.parametrize(
    ("answer", "refusal"),
    [
        (b"stream: Eicar-Test-Signature FOUND\0", UnsafeFile),
        (None, Unavailable),
        (b"", Unavailable),
        (b"stream: ERROR\0", Unavailable),
        (b"INSTREAM size limit exceeded. ERROR\0", Unavailable),
        (b"OK\0", Unavailable),
    ],
)
def test_what_is_infected_or_has_no_verdict_is_refused(
    settings: Any, tmp_path: Path, answer: bytes | None, refusal: type[Exception]
) -> None:
    with clamd(tmp_path, answer) as (settings.CLAMD_SOCKET, _), pytest.raises(refusal):
        check_file(SMALL_PDF, given_name="a.pdf", kinds=(PDF,))


@pytest.mark.parametrize("address", ["/nowhere/clamd.sock", "127.0.0.1:1"])
def test_a_scanner_that_is_not_there_stops_the_upload(settings: Any, address: str) -> None:
    settings.CLAMD_SOCKET = address
    with pytest.raises(Unavailable):
        check_file(SMALL_PDF, given_name="a.pdf", kinds=(PDF,))

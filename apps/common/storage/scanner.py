"""The virus scanner, where one is configured: clamd, asked over its socket."""

import socket
from contextlib import closing
from typing import BinaryIO

from django.conf import settings

CHUNK = 64 * 1024
TIMEOUT_SECONDS = 30
MAX_ANSWER = 4096


class ScannerSilent(Exception):
    """The scanner is configured and gives no verdict; the file must be refused."""


def is_infected(file: BinaryIO) -> bool:
    """Return the scanner's verdict on a file, read from its beginning; False where none is
    configured (CLAMD_SOCKET).

    Raises:
        ScannerSilent: it cannot be reached, or answers neither that the file is clean nor that it
            is infected.
    """
    if not settings.CLAMD_SOCKET:
        return False
    try:
        # Each piece goes after its length in four bytes, a length of 0 at the end.
        with closing(_connect(settings.CLAMD_SOCKET)) as connection:
            connection.sendall(b"zINSTREAM\0")
            file.seek(0)
            while piece := file.read(CHUNK):
                connection.sendall(len(piece).to_bytes(4, "big") + piece)
            connection.sendall(bytes(4))
            content = b""
            while b"\0" not in content and len(content) < MAX_ANSWER:
                received = connection.recv(MAX_ANSWER)
                if not received:
                    break
                content += received
        answer = content.partition(b"\0")[0].decode("utf-8", "replace").strip()
    except OSError as error:
        raise ScannerSilent(type(error).__name__) from error
    if answer.endswith(" FOUND"):
        return True
    if answer.endswith(" OK"):
        return False
    raise ScannerSilent(answer[:100])


def _connect(address: str) -> socket.socket:
    """Return a connection to `/path/of/the.socket` or `host:port`."""
    host, _, port = address.rpartition(":")
    if host and port.isdigit():
        return socket.create_connection((host, int(port)), timeout=TIMEOUT_SECONDS)
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    connection.settimeout(TIMEOUT_SECONDS)
    try:
        connection.connect(address)
    except OSError:
        connection.close()
        raise
    return connection

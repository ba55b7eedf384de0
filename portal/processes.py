"""Processes that belong together: children that end with their parent, and where they listen."""

import ctypes
import signal
import sys
from urllib.parse import urlsplit

PR_SET_PDEATHSIG = 1
LOCAL_NAMES = ("127.0.0.1", "localhost", "::1")


def end_with_parent() -> None:
    """Let Linux send this process SIGTERM when the process that started it dies, however it dies."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


def local_port(address: str) -> int | None:
    """Return the port of this machine to which an http address leads, None if it leads elsewhere."""
    parts = urlsplit(address)
    if parts.scheme != "http" or parts.hostname not in LOCAL_NAMES:
        return None
    return parts.port or 80

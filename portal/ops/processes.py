"""Processes that belong together: children that end with their parent."""

import ctypes
import signal
import socket
import sys
import threading

from django.conf import settings

PR_SET_PDEATHSIG = 1


def end_with_parent(number: int = signal.SIGTERM) -> None:
    """Let Linux send this process a signal when the process that started it dies,
    however it dies.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, number)


def end_soon_after_parent(seconds: int) -> None:
    """As `end_with_parent`, with a worker's requests under way; the system ends it when these take
    longer.

    Granian's answer to SIGTERM may wait for a thread that waits for Python's lock, which it holds:
    6 of 200 workers whose parent was killed stayed for good.
    """

    def end(*_: object) -> None:
        signal.alarm(seconds)  # nothing of ours answers it
        signal.raise_signal(signal.SIGTERM)

    signal.signal(signal.SIGUSR1, end)
    end_with_parent(signal.SIGUSR1)


def note_alive() -> None:
    """Touch the file that the health check of a worker's or beat's container looks at."""
    folder = settings.DATA_DIR / "run"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "alive").touch()


def wake_at_signals() -> None:
    """Wake the main thread at every signal; called by it.

    The system may hand a signal to any thread, but Python acts on it in the main thread alone: one
    that waits for good, as the server's does, would never hear of it.
    """
    reader, writer = socket.socketpair()
    writer.setblocking(False)
    signal.signal(signal.SIGURG, lambda number, frame: None)
    signal.set_wakeup_fd(writer.detach(), warn_on_full_buffer=False)
    main = threading.get_ident()

    def wake() -> None:
        while numbers := reader.recv(64):
            if set(numbers) != {signal.SIGURG}:
                signal.pthread_kill(main, signal.SIGURG)

    threading.Thread(target=wake, name="signals", daemon=True).start()

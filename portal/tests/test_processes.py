"""Processes that belong together."""

import os
import signal
import subprocess
import sys
from pathlib import Path

from django.conf import settings

from portal.tests.serving import until

# A worker whose answer to SIGTERM waits for good, under a parent that waits for it.
STUCK = """
import os, signal, threading
from portal.ops.processes import end_soon_after_parent
if os.fork():
    os.wait()
signal.signal(signal.SIGTERM, lambda *_: threading.Lock().acquire() and threading.Event().wait())
end_soon_after_parent(1)
print(os.getpid(), flush=True)
threading.Event().wait()
"""


def test_a_worker_that_cannot_end_is_ended_after_its_parent() -> None:
    command = [sys.executable, "-c", STUCK]
    with subprocess.Popen(  # noqa: S603
        command, stdout=subprocess.PIPE, text=True, cwd=settings.BASE_DIR
    ) as parent:
        worker = int(parent.stdout.readline())

        parent.kill()

        try:
            until(lambda: not Path(f"/proc/{worker}").exists())
        except AssertionError:
            os.kill(worker, signal.SIGKILL)
            raise

"""The inspector with its libraries loaded, which divides itself for each file: loading them anew
took most of the time.
"""

import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

PROGRAM = """
import os, sys
sys.path.insert(0, sys.argv[1])
import inspector, pypdf
from PIL import Image
Image.init()
for line in sys.stdin:
    kind, given, written = line.split()
    reader, writer = os.pipe()
    if not (child := os.fork()):
        sys.stdin, sys.stdout = open(given), open(writer, "w")
        code = inspector.main(kind)
        sys.stdout.flush()
        os._exit(code)
    os.close(writer)
    with open(reader, "rb") as said, open(written, "wb") as file:
        file.write(said.read())
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""
Done = subprocess.CompletedProcess[bytes]
Run = Callable[..., Done]


@contextmanager
def warm_inspector(program: Path, folder: Path) -> Iterator[Run]:
    """Yield what stands for `subprocess.run` of the inspector."""
    before, after = folder / "given", folder / "written"
    command = [sys.executable, "-c", PROGRAM, str(program.parent)]
    with subprocess.Popen(  # noqa: S603 - our own program
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        assert process.stdin
        assert process.stdout

        def run(
            arguments: list[str], *, input: bytes, **_: Any
        ) -> "subprocess.CompletedProcess[bytes]":
            before.write_bytes(input)
            print(arguments[-1], before, after, file=process.stdin, flush=True)
            code = int(process.stdout.readline())
            return Done(arguments, code, after.read_bytes(), b"")

        yield run
        process.stdin.close()

"""What make calls. A Ctrl-C ends each of them with one line, wherever it was: the rest finds what
is done already.
"""

import sys
from types import TracebackType

MAKE = {"tools.run": "make run", "tools.test": "make test"}


def end_in_a_line(
    kind: type[BaseException], error: BaseException, trace: TracebackType | None
) -> None:
    """Say in one line what a person can do about: a Ctrl-C, or a file that the system refuses.

    It needs no module of ours, so that it stands before the first of them is read.
    """
    if issubclass(kind, KeyboardInterrupt):
        command = next((MAKE[word] for word in sys.orig_argv if word in MAKE), "the same command")
        sys.stdout.write(f"\nStopped; {command} goes on from here.\n")
    elif isinstance(error, OSError) and error.filename is not None:
        sys.stdout.write(f"\n{error.filename}: {error.strerror}.\n")
    else:
        sys.__excepthook__(kind, error, trace)


sys.excepthook = end_in_a_line

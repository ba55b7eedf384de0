"""The portal as the server calls it: a body is read whole, within its time, before a thread of the
portal is taken.

Reading a request and sending an answer wait on the event loop, where a thousand slow callers cost
next to nothing. In between, Django answers on a thread, as under any WSGI server.
"""

import asyncio
import io
import os
import sys
import tempfile
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager, closing, nullcontext
from typing import IO, Any, NamedTuple
from urllib.parse import unquote_to_bytes

from django.conf import settings
from django.db import DatabaseError, close_old_connections

from apps.common.errors import PortalError, TooSlow, Unavailable
from portal.ops.threads import Threads, portal_threads
from portal.web.bodies import REFUSAL, largest_body
from portal.wsgi import application as django

Message = dict[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

PIECE = 64 * 1024  # what must come within CLIENT_TIMEOUT; a longer body waits in a file
# Times as long for a piece that goes: the system takes none until a third of its own buffer is free
SENDING = 4
COMMON = {
    "SCRIPT_NAME": "",
    "wsgi.version": (1, 0),
    "wsgi.errors": sys.stderr,
    "wsgi.multithread": True,
    "wsgi.multiprocess": True,
    "wsgi.run_once": False,
}
# Whoever asks how the portal fares never waits for the threads that it asks about.
watch_threads = {path: Threads(1) for path in ("/healthz", "/readyz")}
# Where a password is hashed, PayPal is asked, or a list is read for seconds: each kind may take
# half of the threads, and waits for them without holding one.
HALF = max(1, settings.WEB_THREADS // 2)
STAFF = f"/{settings.ADMIN_PATH}"
HASHES = (
    *(
        f"/api/{call}"
        for call in ("login", "password/", "register/sign-up", "reset-password", "invitation")
    ),
    *(f"{STAFF}{page}" for page in ("login/", "second-factor/", "password_change/")),
)
OUTWARD = ("/api/order/checkout-deposit/paypal", "/api/order/paypal", "/api/paypal/")
LISTS = ("/api/basket/review", "/api/basket/list", "/api/basket/sheet")
slow_doors = [(paths, asyncio.Semaphore(HALF)) for paths in (HASHES, OUTWARD, LISTS)]


class CallerLeft(Exception):
    """The connection ended before the request did."""


class Body(tempfile.SpooledTemporaryFile[bytes]):
    """A body that comes in: the first 64 KiB in memory, the rest in a file. Its caller closes it.

    What all bodies of this process hold beyond that is limited. Written and closed on the event
    loop alone.
    """

    in_files = 0

    def __init__(self) -> None:
        super().__init__(max_size=PIECE)
        self._in_file = 0

    def write(self, data: Any) -> int:
        """Take the next part.

        Raises:
            Unavailable: there is no room for it now.
        """
        more = max(0, self.tell() + len(data) - PIECE) - self._in_file
        if Body.in_files + more > settings.MAX_HELD_BYTES:
            raise Unavailable
        Body.in_files += more
        self._in_file += more
        return super().write(data)

    def close(self) -> None:
        """Give up what was held."""
        Body.in_files -= self._in_file
        self._in_file = 0
        super().close()


class Answer(NamedTuple):
    """Django's answer, when its thread is free again."""

    status: int
    headers: list[tuple[bytes, bytes]]
    content: bytes | IO[bytes]


async def application(scope: Message, receive: Receive, send: Send) -> None:
    """Answer one request (ASGI 3)."""
    environ = environ_of(scope)
    with closing(Body()) as body:
        try:
            await read_body(receive, body, await expected_length(environ))
            environ["wsgi.input"] = body
        except PortalError as refusal:
            # Without its frames, which would hold the connection open until garbage is collected.
            environ |= {REFUSAL: type(refusal)(), "wsgi.input": io.BytesIO()}
        except CallerLeft:
            return
        async with slow_door(environ["PATH_INFO"]):
            threads = watch_threads.get(environ["PATH_INFO"], portal_threads)
            answered = await threads.run(answer, environ)
    await send_answer(send, answered, head=scope["method"] == "HEAD")


def slow_door(path: str) -> AbstractAsyncContextManager[None]:
    """Return what a request waits for before it takes a thread."""
    return next((door for paths, door in slow_doors if path.startswith(paths)), nullcontext())


def environ_of(scope: Message) -> dict[str, Any]:
    """Return a request's head as WSGI has it, without names with `_`, which would pass for those
    with `-`.
    """
    environ: dict[str, Any] = {
        **COMMON,
        "REQUEST_METHOD": scope["method"],
        "PATH_INFO": unquote_to_bytes(scope["raw_path"]).decode("latin-1"),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "SERVER_NAME": scope["server"][0],
        "SERVER_PORT": scope["server"][1],
        "REMOTE_ADDR": scope["client"][0],
        "wsgi.url_scheme": scope["scheme"],
    }
    for name, value in scope["headers"]:
        if b"_" in name:
            continue
        key = name.decode("latin-1").upper().replace("-", "_")
        if key not in ("CONTENT_TYPE", "CONTENT_LENGTH"):
            key = f"HTTP_{key}"
        text = value.decode("latin-1")
        environ[key] = f"{environ[key]},{text}" if key in environ else text
    return environ


async def expected_length(environ: dict[str, Any]) -> int:
    """Return how many bytes of the body to read: none of one that Django refuses by its length, or
    lack of it.
    """
    length = int(environ.get("CONTENT_LENGTH") or 0)
    if length <= PIECE:
        return length
    try:
        largest = await portal_threads.run(largest_body_now, environ)
    except DatabaseError:
        return 0  # Django comes to the same end, and says so
    return length if length <= largest else 0


def largest_body_now(environ: dict[str, Any]) -> int:
    """Return how long a body may be; who is calling may be asked of the database."""
    close_old_connections()  # as at the beginning of each request
    return largest_body(environ)


async def read_body(receive: Receive, body: Body, length: int) -> None:
    """Read a body until it has come whole.

    Raises:
        TooSlow: it, or the next piece of it, did not come in time.
        Unavailable: too much is held already.
        CallerLeft: it will never come.
    """
    due = PIECE
    try:
        async with asyncio.timeout(settings.CLIENT_TIMEOUT) as deadline:
            while body.tell() < length:
                message = await receive()
                if message["type"] == "http.disconnect":
                    raise CallerLeft
                body.write(message["body"])
                if body.tell() >= due:
                    due = body.tell() + PIECE
                    deadline.reschedule(asyncio.get_running_loop().time() + settings.CLIENT_TIMEOUT)
    except TimeoutError:
        raise TooSlow from None
    body.seek(0)


def answer(environ: dict[str, Any]) -> Answer:
    """Let Django answer, on a thread; what it streams becomes a file, for a thread never waits for
    who reads.
    """
    headers: list[tuple[bytes, bytes]] = []

    def start(
        _: str, header_pairs: list[tuple[str, str]], *__: object
    ) -> Callable[[bytes], object]:
        headers.extend(
            (name.encode("latin-1"), value.encode("latin-1")) for name, value in header_pairs
        )
        return lambda _: None

    response: Any = django(environ, start)
    try:
        content = file_of(response) if response.streaming else response.content
    finally:
        response.close()
    if response.streaming and "Content-Length" not in response:
        headers.append((b"Content-Length", str(os.fstat(content.fileno()).st_size).encode()))
    return Answer(response.status_code, headers, content)


def file_of(response: Any) -> IO[bytes]:
    """Return a file that a response sends, as its own opening of it, else a copy of what it
    streams.
    """
    try:
        source = response.file_to_stream
        file: IO[bytes] = os.fdopen(os.dup(source.fileno()), "rb")
        file.seek(source.tell())
    except (AttributeError, io.UnsupportedOperation):
        file = tempfile.TemporaryFile()  # noqa: SIM115 - whoever sends it closes it
        file.writelines(response)
        file.seek(0)
    return file


async def send_answer(send: Send, answer: Answer, *, head: bool) -> None:
    """Send an answer; who does not take the next piece of a file in time gets no more of it."""
    status, headers, content = answer
    await send({"type": "http.response.start", "status": status, "headers": headers})
    if isinstance(content, bytes):
        await send({"type": "http.response.body", "body": content})
        return
    with content:
        while not head and (piece := content.read(PIECE)):
            try:
                async with asyncio.timeout(SENDING * settings.CLIENT_TIMEOUT):
                    await send({"type": "http.response.body", "body": piece, "more_body": True})
            except TimeoutError:
                return  # the server closes a connection whose answer is not whole
    await send({"type": "http.response.body", "body": b""})

"""What the server hands over becomes a request to Django, and Django's answer what the server
sends.
"""

import asyncio
import gc
import threading
import weakref
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import FileResponse, HttpResponse, StreamingHttpResponse
from django.test import Client

from apps.accounts.tests.factories import make_user
from apps.accounts.tests.staff import signed_in, staff_client
from apps.common.errors import Unavailable
from portal import asgi
from portal.asgi import Message, application, environ_of
from portal.ops import threads
from portal.ops.threads import Threads, portal_threads

HEAD: Message = {
    "method": "GET",
    "raw_path": b"/",
    "query_string": b"",
    "http_version": "1.1",
    "server": ("127.0.0.1", "8000"),
    "client": ("203.0.113.7", "50000"),
    "scheme": "http",
    "headers": [],
}
BODY = {"type": "http.request", "body": b"{}", "more_body": False}
LEFT = {"type": "http.disconnect"}


def ask(*received: Message, **scope: Any) -> list[Message]:
    """Return what is sent to a client that sends this."""
    messages, sent_messages = iter(received), []

    async def receive() -> Message:
        return next(messages)

    async def send(message: Message) -> None:
        sent_messages.append(message)

    asyncio.run(application({**HEAD, **scope}, receive, send))
    return sent_messages


def content(messages: list[Message]) -> bytes:
    return b"".join(message["body"] for message in messages[1:])


def answered(monkeypatch: pytest.MonkeyPatch, response: Any) -> None:
    """Let Django answer this."""

    def django(environ: dict[str, Any], start: Any) -> Any:
        start("200 OK", list(response.items()))
        return response

    monkeypatch.setattr(asgi, "django", django)


def test_a_head_becomes_an_environ() -> None:
    headers = [
        (b"content-type", b"text/plain"),
        (b"content-length", b"2"),
        (b"x-forwarded-for", b"10.9.8.7"),
        (b"x-forwarded-for", b"203.0.113.9"),
        (b"x_forwarded_for", b"127.0.0.1"),
        (b"x-name", b"\xc3\xa9"),
    ]
    environ = environ_of(
        {**HEAD, "raw_path": b"/a%20b/%E2%82%AC/%FF", "query_string": b"q=%20", "headers": headers}
    )
    assert environ["PATH_INFO"] == b"/a b/\xe2\x82\xac/\xff".decode("latin-1")
    assert environ["QUERY_STRING"] == "q=%20"
    assert (environ["CONTENT_TYPE"], environ["CONTENT_LENGTH"]) == ("text/plain", "2")
    assert environ["HTTP_X_FORWARDED_FOR"] == "10.9.8.7,203.0.113.9"
    assert environ["HTTP_X_NAME"] == b"\xc3\xa9".decode("latin-1")
    assert environ["REMOTE_ADDR"] == "203.0.113.7"


def test_a_client_who_leaves_in_the_middle_is_answered_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(asgi, "answer", lambda environ: pytest.fail("a thread was taken"))
    headers = [(b"content-length", b"3")]
    assert ask({**BODY, "more_body": True}, LEFT, method="POST", headers=headers) == []


def test_the_connection_of_a_slow_client_is_let_go_with_the_answer(
    monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    """What holds it any longer keeps it open."""
    settings.CLIENT_TIMEOUT = 0.01
    monkeypatch.setattr(asgi, "answer", lambda environ: asgi.Answer(408, [], b""))

    class Connection:
        async def receive(self) -> Message:
            await asyncio.sleep(60)
            return BODY

        async def send(self, message: Message) -> None:
            pass

    connection = Connection()
    reference = weakref.ref(connection)
    scope = {**HEAD, "headers": [(b"content-length", b"2")]}
    gc.disable()
    try:
        asyncio.run(application(scope, connection.receive, connection.send))
        del connection
        assert reference() is None
    finally:
        gc.enable()


@pytest.mark.django_db
def test_only_staff_send_files_to_staffs_pages(settings: Any) -> None:
    buyer = signed_in(make_user())
    for client, status in ((Client(), 413), (buyer, 413), (staff_client(), 404)):
        upload = SimpleUploadedFile("a.csv", b"x" * settings.MAX_FORM_BYTES)
        assert client.post("/admin/nothing/", {"file": upload}).status_code == status
    assert Client().post("/admin/login/", {"username": "x" * 60_000}).status_code == 200


def send(pieces: int) -> int:
    """Send a body of so many pieces to no call, and return the answer's status."""
    length = str(pieces * asgi.PIECE).encode()
    answers = ask(
        *[{**BODY, "body": b" " * asgi.PIECE}] * pieces,
        method="POST",
        raw_path=b"/api/nothing",
        headers=[(b"content-length", length), (b"host", b"127.0.0.1")],
    )
    return int(answers[0]["status"])


def test_bodies_hold_no_more_together_than_there_is_room_for(settings: Any) -> None:
    settings.MAX_HELD_BYTES = 3 * asgi.PIECE
    with closing(asgi.Body()) as another:
        another.write(b"x" * 2 * asgi.PIECE)
        another.write(b"x" * asgi.PIECE)
        assert [send(pieces) for pieces in (1, 2, 3, 2)] == [404, 404, 503, 404]
        with pytest.raises(Unavailable):
            another.write(b"x" * 2 * asgi.PIECE)
    assert [send(pieces) for pieces in (4, 5)] == [404, 503]
    assert asgi.Body.in_files == 0


@pytest.mark.parametrize(
    "doors", [asgi.HASHES, asgi.OUTWARD, asgi.LISTS], ids=["hashes", "outward", "lists"]
)
def test_a_slow_door_takes_half_of_the_threads_at_most(
    monkeypatch: pytest.MonkeyPatch, doors: tuple[str, ...]
) -> None:
    free, begun = threading.Event(), threading.Semaphore(0)
    monkeypatch.setattr(asgi, "slow_doors", [(doors, asyncio.Semaphore(asgi.HALF))])
    monkeypatch.setattr(asgi, "portal_threads", Threads(2 * asgi.HALF))

    def slow(environ: dict[str, Any]) -> asgi.Answer:
        if environ["PATH_INFO"].startswith(doors):
            begun.release()
            free.wait()
        return asgi.Answer(200, [], b"")

    monkeypatch.setattr(asgi, "answer", slow)

    async def ask_all() -> None:
        async def one(path: str) -> None:
            async def sent(_: Message) -> None:
                pass

            head = {**HEAD, "raw_path": path.encode()}
            await application(head, None, sent)  # type: ignore[arg-type]

        waiting = [asyncio.create_task(one(path)) for path in doors * 5]
        try:
            await asyncio.to_thread(begun.acquire)
            async with asyncio.timeout(60):  # only against hanging
                await one("/anything")
            assert not any(task.done() for task in waiting)
        finally:
            free.set()
        await asyncio.gather(*waiting)

    asyncio.run(ask_all())


def test_a_short_answer_goes_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    answered(monkeypatch, HttpResponse(b"short", content_type="text/plain"))
    start, body = ask()
    assert (start["status"], start["headers"]) == (200, [(b"Content-Type", b"text/plain")])
    assert body == {"type": "http.response.body", "body": b"short"}


def test_what_is_streamed_is_made_on_one_thread_and_sent_with_its_length(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made_on: set[int] = set()

    def parts() -> Iterator[bytes]:
        for _ in range(3):
            made_on.add(threading.get_ident())
            yield b"x" * asgi.PIECE

    answered(monkeypatch, StreamingHttpResponse(parts()))
    answers = ask()
    assert content(answers) == b"x" * 3 * asgi.PIECE
    assert (b"Content-Length", str(3 * asgi.PIECE).encode()) in answers[0]["headers"]
    assert max(len(message["body"]) for message in answers[1:]) == asgi.PIECE
    assert len(made_on) == 1


def test_a_file_is_sent_from_where_it_stands(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = tmp_path / "list.csv"
    path.write_bytes(b"0123456789")
    file = path.open("rb")
    file.read(4)
    answered(monkeypatch, FileResponse(file))
    assert content(ask()) == b"456789"
    assert file.closed


def test_only_the_head_of_a_file_is_sent_to_whoever_asks_for_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = tmp_path / "list.csv"
    path.write_bytes(b"0123456789")
    answered(monkeypatch, FileResponse(path.open("rb")))
    start, *_ = answers = ask(method="HEAD")
    assert (b"Content-Length", b"10") in start["headers"]
    assert content(answers) == b""


def test_health_is_red_while_every_thread_hangs(monkeypatch: pytest.MonkeyPatch) -> None:
    one, free = Threads(1), Event()
    monkeypatch.setattr(portal_threads, "hang", one.hang)
    monkeypatch.setattr(threads, "HANG_SECONDS", 0)

    async def health() -> list[tuple[int, Any]]:
        def ask() -> tuple[int, Any]:
            answer = Client().get("/healthz")
            return answer.status_code, answer.json()

        answers = [ask()]
        hanging = asyncio.create_task(one.run(free.wait))
        while not one.hang():
            await asyncio.sleep(0.01)
        answers.append(ask())
        free.set()
        await hanging
        return [*answers, ask()]

    assert asyncio.run(health()) == [
        (200, {"status": "ok"}),
        (503, {"status": "failed"}),
        (200, {"status": "ok"}),
    ]

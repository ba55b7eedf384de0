"""What the logs say: a line for each request, security events by name, slow statements, and the id
of it all.
"""

import json
import logging
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.contrib.admin.models import CHANGE, LogEntry
from django.db import OperationalError, connection
from django.test import Client
from django.utils.module_loading import import_string

from apps.accounts.models import User
from apps.accounts.selectors import Buyer
from apps.accounts.tests.factories import PASSWORD, make_staff
from apps.accounts.tests.staff import signed_in
from apps.common.cache import SurvivingRedisCache
from apps.common.logs import JsonFormatter, MaskingFilter, PlainFormatter, new_trace, traced
from apps.common.testing import ContractClient

Lines = list[dict[str, Any]]


class Listener(logging.Handler):
    """Keeps what production would write."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: Lines = []
        for name in settings.LOGGING["handlers"]["console"]["filters"]:
            self.addFilter(import_string(settings.LOGGING["filters"][name]["()"])())
        self.setFormatter(JsonFormatter())

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(json.loads(self.format(record)))


@pytest.fixture
def lines(caplog: pytest.LogCaptureFixture) -> Iterator[Lines]:
    listener = Listener()
    logging.getLogger().addHandler(listener)
    with caplog.at_level("INFO"):
        yield listener.lines
    logging.getLogger().removeHandler(listener)


def events(lines: Lines) -> list[str]:
    return [line["event"] for line in lines if "event" in line]


def test_a_call_leaves_a_line_with_who_what_and_how_long(
    api: ContractClient, buyer: Buyer, lines: Lines
) -> None:
    api.get(f"/api/brand/{buyer.uuid}", headers={"X-Request-ID": "abcdefgh-1234"})
    (line,) = (line for line in lines if line["logger"] == "portal.request")
    assert line["ms"] >= 0
    assert line["queries"] >= 1
    lines_by_event = {
        "level": "INFO",
        "request_id": "abcdefgh-1234",
        "user": str(buyer.uuid),
        "company": str(buyer.company_id),
        "route": "api/brand/<str:uuid>",
        "status": 200,
        "message": "GET api/brand/<str:uuid> 200",
    }
    assert line | lines_by_event == line


def test_a_staff_page_names_its_route_and_the_member_of_staff(db: None, lines: Lines) -> None:
    staff = make_staff()
    signed_in(staff).get("/admin/")
    line = lines[-1]
    assert (line["route"], line["user"], line["status"]) == ("admin:index", str(staff.uuid), 200)
    assert "company" not in line


@pytest.mark.parametrize(
    "request_id", ["short", "with space and more", "x" * 65, "line\nbreak-00000"]
)
def test_an_odd_request_id_is_not_taken(client: Client, request_id: str, lines: Lines) -> None:
    answer = client.get("/healthz", headers={"X-Request-ID": request_id})
    assert len(answer["X-Request-ID"]) == 36
    assert lines[-1]["request_id"] == answer["X-Request-ID"]


def test_everything_in_a_failing_request_carries_the_id_of_its_answer(
    api: ContractClient, buyer: Buyer, lines: Lines, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(**_: object) -> None:
        raise ZeroDivisionError("password=hunter22")

    monkeypatch.setattr("apps.catalog.selectors.brand_list", fail)
    client = Client(raise_request_exception=False)
    answer = client.get(f"/api/brand/{buyer.uuid}", headers={"x-access-token": api.token or ""})
    assert answer.status_code == 500
    assert {line["request_id"] for line in lines} == {answer.json()["request_id"]}
    assert {line["level"] for line in lines} == {"ERROR"}
    text = json.dumps(lines)
    assert "ZeroDivisionError" in text
    assert "hunter22" not in text


class Clock:
    """A clock of the logs that the test sets."""

    seconds = 1000.0

    def monotonic(self) -> float:
        return self.seconds

    def perf_counter(self) -> float:
        return self.seconds


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr("apps.common.logs.time", clock)
    return clock


def away(**_: object) -> int:
    raise OperationalError('connection to server at "db" failed\nIs the server running?')


def test_while_the_database_is_away_a_request_is_one_line_and_a_traceback_comes_once_a_minute(
    api: ContractClient, buyer: Buyer, lines: Lines, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("apps.catalog.selectors.brand_list", away)
    client = Client(raise_request_exception=False)

    def ask() -> tuple[int, list[str]]:
        """Return how many tracebacks a failing request wrote, and its other lines."""
        lines.clear()
        answer = client.get(f"/api/brand/{buyer.uuid}", headers={"x-access-token": api.token or ""})
        assert {line["request_id"] for line in lines} == {answer["X-Request-ID"]}
        assert {line["user"] for line in lines} == {str(buyer.uuid)}
        has_traceback = ["Traceback" in line.get("exception", "") for line in lines]
        return sum(has_traceback), [line["message"] for line in lines if "exception" not in line]

    expected = [
        'GET api/brand/<str:uuid> 503 OperationalError: connection to server at "db" failed'
    ]
    assert [ask(), ask(), ask()] == [(1, expected), (0, expected), (0, expected)]
    clock.seconds += 59.9
    assert ask() == (0, expected)
    clock.seconds += 0.1
    assert [ask(), ask()] == [(1, expected), (0, expected)]


def test_a_refusal_of_500_or_more_is_one_line(
    client: Client, settings: Any, tmp_path: Path, lines: Lines
) -> None:
    settings.FRONTEND_DIST = tmp_path  # nothing is built there
    assert client.get("/").status_code == 503
    assert [(line["logger"], line["route"]) for line in lines] == [("portal.request", "page")]


def test_a_slow_statement_is_logged_without_its_parameters(
    db: None, lines: Lines, settings: Any
) -> None:
    settings.SLOW_QUERY_MS = 0
    with traced(new_trace("report")) as trace, connection.cursor() as cursor:
        cursor.execute("SELECT  %s\n AS who", ["somebody@example.test"])
    line = next(line for line in lines if line["logger"] == "portal.slow")
    assert line["message"].endswith(" ms: SELECT %s AS who")
    told = {"level": "WARNING", "event": "slow_query", "route": "report", "request_id": trace.id}
    assert line | told == line
    assert trace.statements == 1
    assert "somebody" not in json.dumps(lines)
    settings.SLOW_QUERY_MS = 60_000
    lines.clear()
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    assert lines == []


def with_password(user: User) -> User:
    user.set_password(PASSWORD)
    user.save()
    return user


def test_signing_in_and_tokens_are_noted(
    api: ContractClient, buyer: Buyer, visitor: ContractClient, lines: Lines
) -> None:
    with_password(User.objects.get(uuid=buyer.uuid))
    visitor.send("post", "/api/login", {"email": buyer.email, "password": "wrong-password"})
    visitor.send("post", "/api/login", {"email": buyer.email, "password": PASSWORD})
    assert events(lines) == ["login_failed", "login_ok"]
    lines.clear()
    ContractClient().sign_in("nonsense").get(f"/api/brand/{buyer.uuid}")
    visitor.get(f"/api/brand/{buyer.uuid}")  # no token at all: nothing was rejected
    visitor.send("post", "/api/check", {"token": "nonsense"})
    assert events(lines) == ["token_rejected", "token_rejected"]


def test_what_is_not_the_callers_is_noted(
    api: ContractClient, visitor: ContractClient, lines: Lines
) -> None:
    api.get("/api/details/NOBODYS-1")
    Client().get("/files/NOBODYS-1/1.2.3")
    visitor.get("/api/no-such-call")
    assert events(lines) == ["denied_object", "denied_object"]
    assert not any("NOBODYS" in json.dumps(line) for line in lines)


def test_a_redis_that_does_not_answer_is_noted_once(lines: Lines) -> None:
    cache = SurvivingRedisCache("redis://127.0.0.1:1/0", {})
    for _ in range(3):
        cache.add("key", 1)
    assert events(lines) == ["redis_failed"]


def test_what_staff_do_is_noted(db: None, client: Client, lines: Lines) -> None:
    staff = with_password(make_staff(is_superuser=True))
    wrong = {"username": staff.email, "password": "wrong-password"}
    client.post("/admin/login/", wrong)
    client.post("/admin/login/", {**wrong, "password": PASSWORD})
    assert events(lines) == ["login_failed", "login_ok"]
    lines.clear()
    LogEntry.objects.log_actions(staff.pk, [staff], CHANGE, "Looked at", single_object=True)
    assert events(lines) == ["admin_action"]
    for _ in range(6):
        Client().post("/admin/login/", wrong)
    assert events(lines)[-1] == "locked"


@pytest.mark.parametrize("formatter", [JsonFormatter, PlainFormatter])
def test_no_secret_and_no_line_break_reaches_a_line(
    formatter: Callable[[], logging.Formatter],
) -> None:
    try:
        raise ValueError("token=abcdefgh eyJhbGciOi.eyJzdWIiOi.c2lnbmF0")
    except ValueError as error:
        failure = (ValueError, error, error.__traceback__)
    said = "password: %s\r\nforged \ud800 %s", ("hunter22", "0123456789abcdef" * 3)
    record = logging.LogRecord("x", 20, "", 1, *said, failure)
    MaskingFilter().filter(record)
    line = formatter().format(record)
    for secret in ("hunter22", "abcdefgh", "c2lnbmF0", "0123456789abcdef"):
        assert secret not in line
    assert "\\\\r" in line or "\\r\\n" in line
    assert "\nforged" not in line
    line.encode()

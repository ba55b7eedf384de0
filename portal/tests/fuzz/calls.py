"""Calls made of the contract and of what there is, sent to the application in process; what holds
of every answer.
"""

import json
import sys
import zipfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache as once
from io import BytesIO
from typing import Any

from django.conf import settings
from django.core.cache import cache
from django.core.signals import got_request_exception
from django.db import transaction
from hypothesis import strategies as st
from schemathesis import Case, GenerationMode, openapi
from schemathesis.checks import not_a_server_error
from schemathesis.core.transport import Response
from schemathesis.schemas import APIOperation
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from apps.common.http.throttles import USES
from apps.common.testing import SMALL_PDF
from portal.tests.fuzz.world import NOBODY, Facts, House, World
from portal.tests.test_paths import HOSTILE
from portal.wsgi import application

CONTRACT = settings.BASE_DIR / "frontend" / "contract" / "openapi.yaml"
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
TOKEN = "x-access-token"
OWN, FOREIGN, STRANGER, FORGER = "own", "foreign", "stranger", "forger"
CALLERS = st.sampled_from([OWN, OWN, OWN, OWN, OWN, FOREIGN, STRANGER, FORGER])
# Whose facts are named: the caller's own, the other's, of both and of nobody mixed, or none.
SOURCES = st.sampled_from(["own", "own", "foreign", "foreign", "mixed", "none"])
SAME_FACT = {"invoice_number": "invoice_code"}
# These answer to what the body brings, whoever calls.
SIGN_IN = ("/login", "/check")
# Whatever is no good token is an outcome of this one, not a fault of its body (api.md, Session).
TAKES_ANYTHING = "/check"

HEADERS: st.SearchStrategy[dict[str, str]] = st.just({}) | st.sampled_from(
    [
        {"X-Request-ID": "x" * 100_000},
        {"X-Forwarded-For": "10.0.0.1, ::1, " * 50},
        {"Accept": "text/html;q=0.1, nonsense"},
        {"Accept-Language": "\xff\xfe"},
        {"Authorization": "Bearer x"},
        {"Cookie": "sessionid=\x01; =;;"},
        {"Idempotency-Key": "3f0c4e3e-6a55-4d4c-9f70-5d8a1f3e2b10"},
        {"Idempotency-Key": "not a key"},
    ]
)
MEDIA_TYPES = st.sampled_from(
    [
        "application/json",
        "application/json",
        "application/json; charset=utf-16",
        "Application/JSON;",
        "application/xml",
        "application/x-www-form-urlencoded",
        "multipart/form-data",
        "multipart/form-data; boundary=x",
        "text/plain",
        "",
        "/",
    ]
)


@once
def operations() -> list[APIOperation]:
    """Return the calls of the contract, in its order."""
    schema = openapi.from_path(CONTRACT)
    schema.app = application
    schema.config.generation.with_security_parameters = False  # the caller decides on the token
    rejection = schema.config.checks.negative_data_rejection
    rejection.expected_statuses = [
        *(rejection.expected_statuses or []),
        "413",
    ]  # what is wrong may be too long, too
    return [result.ok() for result in schema.get_all_operations()]


def can_be_wrong(operation: APIOperation) -> bool:
    """Return whether the contract forbids anything of a call: any text is a good one in a path."""
    return bool(operation.body) or any(
        parameter.definition["schema"]["type"] != "string"
        for parameter in operation.iter_parameters()
    )


@st.composite
def broken_bodies(draw: st.DrawFn, body: bytes) -> bytes:
    """Draw bytes that are no body of the call, or hardly: hostile ones, noise, or a good one with
    an injury.
    """
    kind = draw(st.integers(0, 2))
    if kind == 0 or not body:
        return draw(st.sampled_from(list(HOSTILE.values())))
    if kind == 1:
        return draw(st.binary(max_size=500))
    start = draw(st.integers(0, len(body)))
    end = draw(st.integers(start, min(len(body), start + 12)))
    return (
        body[:start]
        + draw(st.binary(max_size=4) | st.sampled_from([b"null", b"[]", b'"\\u0000"', b"1e999"]))
        + body[end:]
    )


@dataclass
class Fuzzer:
    """Sends calls as somebody, each undone afterwards, and counts the answers."""

    world: World
    tally: Counter[str] = field(default_factory=Counter)

    def call(self, operation: APIOperation, data: st.DataObject, mode: GenerationMode) -> None:
        """Send a call that the contract allows (positive) or not (negative), and check
        its answer.
        """
        case: Case = data.draw(operation.as_strategy(generation_mode=mode))
        caller = data.draw(CALLERS)
        is_wrong = mode.is_negative and operation.path != TAKES_ANYTHING
        if data.draw(st.booleans()):
            is_wrong = False  # what is put in may put the case right
            self.feed(case, data, is_whole=mode.is_positive and data.draw(st.booleans()))
        checks = [*CHECKS, negative_data_rejection] if is_wrong else CHECKS
        self.send(case, caller, data.draw(HEADERS), checks)

    def break_in(self, operation: APIOperation, data: st.DataObject) -> None:
        """Send bytes that are no body of the call, under some media type, and check the answer."""
        case: Case = data.draw(operation.as_strategy())
        self.feed(case, data, is_whole=True)
        good = json.dumps(case.body, default=str).encode() if isinstance(case.body, dict) else b""
        headers = {"Content-Type": data.draw(MEDIA_TYPES)}
        self.send(case, data.draw(CALLERS), headers, CHECKS, data=data.draw(broken_bodies(good)))

    def feed(self, case: Case, data: st.DataObject, *, is_whole: bool) -> None:
        """Put what there is into a case: into the fields that it has, or (`is_whole`) into all that
        belong to it.
        """
        facts = self.facts(data)
        if not facts:
            return
        for name in case.path_parameters or {}:
            fact = facts.get(SAME_FACT.get(name, name))
            if fact is not None:
                case.path_parameters[name] = fact
        if isinstance(case.body, dict):
            body = replaced(case.body, facts)
            if is_whole and case.media_type == "multipart/form-data":
                body |= {
                    "email": facts["email"],
                    "token": facts["token"],
                    "certificate_files": SMALL_PDF,
                }
            elif is_whole:
                body |= facts
            case.body = body

    def facts(self, data: st.DataObject) -> Facts:
        """Draw what a call names."""
        own, foreign = (
            data.draw(st.sampled_from(house.scenes))
            for house in (self.world.own, self.world.foreign)
        )
        match data.draw(SOURCES):
            case "own":
                return own
            case "foreign":
                return foreign
            case "mixed":
                names = data.draw(st.lists(st.sampled_from(sorted(own)), max_size=4))
                others = {
                    name: data.draw(st.sampled_from([foreign[name], NOBODY.get(name, 0)]))
                    for name in names
                    if name in foreign
                }
                return Facts({**own, **others})
        return Facts()

    def send(
        self, case: Case, caller: str, headers: dict[str, str], checks: list[Any], **body: Any
    ) -> None:
        """Send a case as somebody and check its answer; what it changed is undone."""
        house = {OWN: self.world.own, FOREIGN: self.world.foreign}.get(caller)
        if house is not None:
            case.headers[TOKEN] = house.token
        elif caller == FORGER:
            case.headers[TOKEN] = self.world.own.token[:-4]
        cache.clear()
        USES.clear()
        with transaction.atomic(), failures_noted() as failures:
            response = case.call(headers=headers, **body)
            transaction.set_rollback(True)
        self.tally[str(response.status_code)] += 1
        if failures:
            raise AssertionError(f"{case.method} {case.formatted_path}: 500") from failures[0]
        case.validate_response(response, checks=checks)
        self.check_secrets(case, response, house)

    def check_secrets(self, case: Case, response: Response, caller: House | None) -> None:
        """Fail where an answer holds what belongs to a company that is not the caller's."""
        if case.operation.path in SIGN_IN:
            return
        text = read(response)
        for house in (self.world.own, self.world.foreign):
            if house is not caller:
                secrets_found = [secret for secret in house.secrets if secret in text]
                assert not secrets_found, (
                    f"{case.method} {case.formatted_path} gives {secrets_found} away: {text[:2000]}"
                )


def replaced(value: Any, facts: Facts) -> Any:
    """Return a body with the facts in the fields that it has."""
    if isinstance(value, dict):
        return {
            name: facts[name] if name in facts else replaced(inner, facts)
            for name, inner in value.items()
        }
    return [replaced(inner, facts) for inner in value] if isinstance(value, list) else value


def read(response: Response) -> str:
    """Return an answer's head and body as text, a spreadsheet unpacked."""
    content = response.content
    if content.startswith(b"PK"):
        with zipfile.ZipFile(BytesIO(content)) as archive:
            content = b"".join(archive.read(name) for name in archive.namelist())
    return f"{response.headers} {content.decode(errors='replace')}"


@contextmanager
def failures_noted() -> Iterator[list[BaseException]]:
    """Collect what the application failed of, for the report."""
    failures: list[BaseException] = []

    def note(sender: Any, request: Any, **_: Any) -> None:
        if error := sys.exception():
            failures.append(error)

    got_request_exception.connect(note)
    try:
        yield failures
    finally:
        got_request_exception.disconnect(note)

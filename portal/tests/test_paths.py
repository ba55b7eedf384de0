"""Every call by method, path and access, compared with the addresses that the portal resolves, both
ways.
"""

import re
from collections.abc import Iterator

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, resolve

from apps.common.testing import ContractClient, contract
from portal.tests.calls import (
    CALLS,
    EXPIRED,
    NOT_FOUND,
    OF_BUYERS,
    SPECIFIED,
    UNKNOWN,
    address,
    method_of,
)

NOBODYS = UNKNOWN | {"basket": "0b6c9d52-8d0e-4a55-9b1e-0d6a4f3f7a12"}
# What takes no body does not look at one, of whatever media type; an upload takes a form.
WRITING = [call for call in CALLS if method_of(call) in ("post", "put")]
UPLOADS = {call: 415 for call in WRITING if CALLS[call].file}
TAKES_BODY = [call for call in WRITING if CALLS[call].body is not None and call not in UPLOADS]
# An empty body carries no token, and no token is a forged one.
NEEDS_LINK = {"post register/sign-up": 409, "post reset-password": 409, **UPLOADS}
METHODS = ("get", "post", "put", "patch", "delete")
HOSTILE = {
    "nothing": b"",
    "not JSON": b"{",
    "not UTF-8": b'{"uuid": "\xff"}',
    "a list": b"[]",
    "a number": b"5",
    "null": b"null",
    "NaN": b'{"amount": NaN}',
    "deep brackets": b"[" * 100_000,
    "deep objects": b'{"a":' * 50_000 + b"1" + b"}" * 50_000,
    "a lone surrogate": b'{"uuid": "\\ud800"}',
    "NUL": (
        b'{"uuid": "\\u0000", "email": "\\u0000", "invoice_code": "\\u0000", '
        b'"skuData": [], "product": []}'
    ),
    "a huge number": b'{"address_id": 1e400, "uuid": 99999999999999999999999, "amount": 1e308}',
    "wrong types": (
        b'{"uuid": [], "email": {}, "password": 5, "invoice_code": true, '
        b'"skuData": 7, "address_id": "x"}'
    ),
    "nested wrong types": (
        b'{"uuid": "x", "skuData": [[], null, 5, {"sku": {}, "count": []}], "product": {"0": 1}}'
    ),
}


def routes(
    patterns: list[URLPattern | URLResolver], prefix: str = ""
) -> Iterator[tuple[str, URLPattern]]:
    for pattern in patterns:
        path = prefix + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from routes(pattern.url_patterns, path)
        else:
            yield path, pattern


def filled(call: str) -> str:
    """Return a call's address with identifiers of nobody, without a query."""
    return address(call, NOBODYS).partition("?")[0]


def described(call: str) -> tuple[str, str]:
    """Return a call's method and its path in the contract, `{}` for each of its names."""
    route = re.sub("<[^>]*>", "{}", resolve(filled(call)).route)
    return method_of(call), route.removeprefix("api")


def test_the_table_and_the_resolver_agree() -> None:
    paths = set()
    for path, pattern in routes(get_resolver().url_patterns):
        view = getattr(pattern.callback, "cls", None)
        if path.startswith("api/") and view is not None:
            paths |= {(method, path) for method in METHODS if hasattr(view, method)}
    assert paths == {(method_of(call), resolve(filled(call)).route) for call in CALLS}


def test_the_table_and_the_contract_agree() -> None:
    declared = {
        (method, re.sub("{[^}]*}", "{}", path.rstrip("/"))): operation
        for path, operations in contract()["paths"].items()
        for method, operation in operations.items()
    }
    assert set(declared) == {described(call) for call in CALLS}
    for call in CALLS:
        answers = declared[described(call)]["responses"]
        assert ("403" in answers) == (call in OF_BUYERS), call
    names = {operation["operationId"] for operation in declared.values()}
    assert len(names) == len(CALLS)
    unmarked = {
        call
        for call, operation in declared.items()
        if not operation["description"].startswith("**+** ")
    }
    assert unmarked == {described(call) for call in SPECIFIED}  # section 7


def test_a_stranger_is_sent_to_sign_in_and_nobody_else_is(
    db: None, visitor: ContractClient
) -> None:
    for call, about in CALLS.items():
        response = visitor.send(method_of(call), f"{filled(call)}/", {})
        if about.is_public:
            assert response.status_code in (200, 400, NEEDS_LINK.get(call)), call
        else:
            assert (response.status_code, response.json()) == EXPIRED, call


# The one call with its own answer for what it does not find, another's uuid included (readings,
# People and access).
QUICK_SEARCH = "get dashboard/quick/{uuid}/{order}"
# And those whose paths hold a secret: whatever opens no form answers alike.
LINKS = ("get register/init-info/{link}", "get invitation/{link}")
NOTHING_FOUND = (200, {"success": -1})


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_body_is_refused(db: None, api: ContractClient, name: str) -> None:
    for call in WRITING:
        response = api.generic(
            method_of(call).upper(), filled(call), HOSTILE[name], "application/json"
        )
        assert response.status_code in (200, 400, 404, NEEDS_LINK.get(call)), call
        if response.status_code == 200:
            # Only the renewal takes any object: what is no token is an outcome.
            assert (call, response.json()) == ("post check", {"success": -1})


@pytest.mark.parametrize(
    ("media_type", "body", "refused"),
    [
        *(
            (media_type, b'{"a": 1}', (415, "unsupported_media_type"))
            for media_type in (
                "text/plain",
                "application/x-www-form-urlencoded",
                "multipart/form-data; boundary=x",
                "",
            )
        ),
        ("application/json", b" " * (1024 * 1024 + 1), (413, "too_large")),
    ],
)
def test_other_media_types_and_too_large_a_body(
    db: None, api: ContractClient, media_type: str, body: bytes, refused: tuple[int, str]
) -> None:
    for call in TAKES_BODY:
        response = api.generic(method_of(call).upper(), filled(call), body, media_type)
        assert (response.status_code, response.json()["code"]) == refused, call


def test_other_methods_are_not_allowed(db: None, api: ContractClient) -> None:
    allowed: dict[str, set[str]] = {}
    for call in CALLS:
        allowed.setdefault(filled(call), set()).add(method_of(call))
    for path, methods in allowed.items():
        for method in set(METHODS) - methods:
            response = api.send(method, path)
            refused = response.status_code, response.json()["code"]
            assert refused == (405, "method_not_allowed"), path
            assert set(response["Allow"].lower().split(", ")) - {"options", "head"} == methods, path


HOSTILE_SEGMENTS = [
    *("%00", "..%2f..", "%F0%9F%98%80", "'--", "%25", "%0a", "%D9%A3", "a" * 3000, "9" * 30),
]


@pytest.mark.parametrize("segment", HOSTILE_SEGMENTS)
def test_a_hostile_path_is_not_found(db: None, api: ContractClient, segment: str) -> None:
    client = Client(headers={"x-access-token": api.token or ""})
    for call in CALLS:
        method, _, path = call.partition("?")[0].partition(" ")
        if "{" not in path:
            continue
        url = f"/api/{path.split('{')[0]}{segment}{'/0' * (path.count('{') - 1)}"
        response = client.generic(method.upper(), url, b"{}", "application/json")
        if call == QUICK_SEARCH or (call in LINKS and "%2f" not in segment):
            assert (response.status_code, response.json()) == NOTHING_FOUND
        else:
            assert response.status_code in (400, 404, UPLOADS.get(call)), call
            assert response.json()["success"] == 0, call


@pytest.mark.parametrize(
    "path", ["", "x", "loginx", "login/x", "LOGIN", "admin", "dashboard/quick", "order//"]
)
def test_an_unknown_call_is_not_found_in_json(path: str) -> None:
    for method in METHODS:
        response = Client().generic(method.upper(), f"/api/{path}")
        assert (response.status_code, response.json()) == NOT_FOUND


def test_a_body_without_a_length_is_refused(db: None) -> None:
    response = Client().generic(
        "POST", "/api/login", CONTENT_LENGTH="", HTTP_TRANSFER_ENCODING="chunked"
    )
    assert (response.status_code, response.json()["code"]) == (400, "invalid")

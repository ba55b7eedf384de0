"""Every call by method, path and access, compared with the addresses that the portal resolves, both
ways.
"""

from collections.abc import Iterator
from itertools import chain

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from apps.common.testing import ContractClient, contract

PUBLIC, BUYER = "public", "buyer"

# api.md, less the calls of later stages.
CALLS = {
    ("post", "login"): PUBLIC,
    ("post", "check"): PUBLIC,
    ("get", "config"): PUBLIC,
    ("get", "policy"): PUBLIC,
    ("post", "register/email-check"): PUBLIC,
    ("post", "register/find-state"): PUBLIC,
    ("get", "register/init-info/<token>"): PUBLIC,
    ("post", "fileupload"): PUBLIC,
    ("post", "register/sign-up"): PUBLIC,
    ("post", "reset-password"): PUBLIC,
    ("get", "invitation/<token>"): PUBLIC,
    ("post", "invitation"): PUBLIC,
    ("put", "password/<company_id>"): BUYER,
    ("post", "dashboard"): BUYER,
    ("post", "dashboard/notice/<notice_id>"): BUYER,
    ("get", "notice"): BUYER,
    ("post", "notice/detail/<notice_id>"): BUYER,
    ("get", "dashboard/quick/<uuid>/<invoice_number>"): BUYER,
    ("get", "brand/<uuid>"): BUYER,
    ("get", "product/stock/<uuid>/<brand_id>"): BUYER,
    ("get", "product/promotion/stock/<uuid>"): BUYER,
    ("get", "product/like/<uuid>"): BUYER,
    ("get", "product/suggest/<uuid>"): BUYER,
    ("post", "product/cart/stock"): BUYER,
    ("post", "basket/review"): BUYER,
    ("post", "basket/sheet"): BUYER,
    ("get", "basket/list"): BUYER,
    ("post", "basket/list"): BUYER,
    ("put", "basket/list"): BUYER,
    ("get", "recent/order/<uuid>/<n>"): BUYER,
    ("get", "excel/product-setting/<uuid>"): BUYER,
    ("get", "basket"): BUYER,
    ("post", "basket/edits"): BUYER,
    ("get", "order-again"): BUYER,
    ("get", "dashboard/due/<uuid>"): BUYER,
    ("get", "baskets"): BUYER,
    ("get", "baskets/<basket>"): BUYER,
    ("put", "baskets/<basket>"): BUYER,
    ("delete", "baskets/<basket>"): BUYER,
    ("put", "baskets/<basket>/name"): BUYER,
    ("post", "temp-order"): BUYER,
    ("get", "temp-orders"): BUYER,
    ("delete", "temp-order/<invoice_code>"): BUYER,
    ("get", "temp-order-info/stock/<invoice_code>"): BUYER,
    ("post", "order/check"): BUYER,
    ("post", "order/checkout-deposit/tt"): BUYER,
    ("post", "order/checkout-deposit/paypal"): BUYER,
    ("post", "order/checkout-deposit/paypal/success"): BUYER,
    ("post", "order/checkout-deposit/paypal/failure"): BUYER,
    ("post", "order/checkout"): BUYER,
    ("post", "order/tt"): BUYER,
    ("post", "order/paypal"): BUYER,
    ("post", "order/paypal/success"): BUYER,
    ("post", "order/paypal/failure"): BUYER,
    ("post", "order/withdraw/<invoice_code>"): BUYER,
    ("post", "order/wallet"): BUYER,
    ("get", "account"): BUYER,
    ("get", "account/counts"): BUYER,
    ("get", "account/statement"): BUYER,
    ("get", "account/documents"): BUYER,
    ("get", "account/colleagues"): BUYER,
    ("post", "account/colleagues"): BUYER,
    ("get", "account/addresses"): BUYER,
    ("post", "account/addresses"): BUYER,
    ("put", "account/addresses/<address_id>"): BUYER,
    ("delete", "account/addresses/<address_id>"): BUYER,
    ("put", "account/addresses/<address_id>/default"): BUYER,
    ("get", "account/wishes"): BUYER,
    ("post", "account/wishes"): BUYER,
    ("delete", "account/wishes/<wish_id>"): BUYER,
    ("get", "account/own-codes"): BUYER,
    ("post", "account/own-codes"): BUYER,
    ("delete", "account/own-codes/<own_code_id>"): BUYER,
    ("get", "wallet"): BUYER,
    ("post", "paypal/webhook"): PUBLIC,
    ("get", "order/<status_id>"): BUYER,
    ("get", "order-sums/<status_id>"): BUYER,
    ("get", "order/<status_id>/<invoice_code>"): BUYER,
    ("get", "details/<invoice_code>"): BUYER,
    ("post", "order/address"): BUYER,
    ("put", "order/edit/address"): BUYER,
    ("get", "order/customer/messages/<invoice_code>"): BUYER,
    ("post", "order/customer/read/<invoice_code>"): BUYER,
    ("put", "order/customer/memo/<invoice_code>"): BUYER,
    ("post", "order/customer/ship-memo/<invoice_code>"): BUYER,
    ("put", "order/po-number/<invoice_code>"): BUYER,
    ("get", "order/proposals/<invoice_code>"): BUYER,
    ("post", "order/proposals/<invoice_code>"): BUYER,
    ("post", "order/proposals/<invoice_code>/totals"): BUYER,
    ("post", "order/po-file/<invoice_code>"): BUYER,
    ("delete", "order/po-file/<invoice_code>"): BUYER,
    ("get", "order/wire/<invoice_code>"): BUYER,
    ("post", "order/wire-proof/<invoice_code>"): BUYER,
    ("delete", "order/wire-proof/<invoice_code>"): BUYER,
}
VALUES = {
    "<basket>": "0b6c9d52-8d0e-4a55-9b1e-0d6a4f3f7a12",
    "<list_uuid>": "0b6c9d52-8d0e-4a55-9b1e-0d6a4f3f7a14",
    "<message>": "0b6c9d52-8d0e-4a55-9b1e-0d6a4f3f7a13",
    "<uuid>": "0b6c9d52-8d0e-4a55-9b1e-0d6a4f3f7a11",
    "<invoice_code>": "MHW-260101-0001",
    "<invoice_number>": "MHW-260101-0001",
    "<brand_id>": "0",
    "<company_id>": "0",
    "<notice_id>": "0",
    "<address_id>": "0",
    "<own_code_id>": "0",
    "<status_id>": "0",
    "<n>": "5",
    "<token>": "0",
}
# What takes no body does not look at one, of whatever media type; an upload takes a form.
UPLOADS = {
    ("post", "fileupload"): 415,
    ("post", "basket/review"): 415,
    ("post", "basket/sheet"): 415,
    ("post", "order/po-file/<invoice_code>"): 415,
    ("post", "order/wire-proof/<invoice_code>"): 415,
}
NO_BODY = {key for key in CALLS if "notice/" in key[1] or key[1].endswith("/default")}
TAKES_BODY = [
    key for key in CALLS if key[0] in ("post", "put") and key not in NO_BODY and key not in UPLOADS
]
# An empty body carries no token, and no token is a forged one.
NEEDS_LINK = {("post", "register/sign-up"): 409, ("post", "reset-password"): 409, **UPLOADS}
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


def filled(path: str) -> str:
    for name, value in VALUES.items():
        path = path.replace(name, value)
    return f"/api/{path}"


def routes(
    patterns: list[URLPattern | URLResolver], prefix: str = ""
) -> Iterator[tuple[str, URLPattern]]:
    for pattern in patterns:
        path = prefix + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from routes(pattern.url_patterns, path)
        else:
            yield path, pattern


def test_the_table_and_the_resolver_agree() -> None:
    found = set()
    for path, pattern in routes(get_resolver().url_patterns):
        view = getattr(pattern.callback, "cls", None)
        if path.startswith("api/") and view is not None:
            plain = path.removeprefix("api/")
            for converter in ("str:", "int:", "path:"):
                plain = plain.replace(f"<{converter}", "<")
            found |= {(method, plain) for method in METHODS if hasattr(view, method)}
    assert found == set(CALLS)


def test_the_table_and_the_contract_agree() -> None:
    declared = {
        (method, path.strip("/").replace("{", "<").replace("}", ">"))
        for path, operations in contract()["paths"].items()
        for method in operations
    }
    assert declared == set(CALLS)
    for (method, path), access in CALLS.items():
        operation = contract()["paths"]["/" + path.replace("<", "{").replace(">", "}")][method]
        assert ("403" in operation["responses"]) == (access == BUYER), path


def test_a_stranger_is_sent_to_sign_in_and_nobody_else_is(
    db: None, visitor: ContractClient
) -> None:
    for (method, path), access in CALLS.items():
        response = visitor.send(method, f"{filled(path)}/", {})
        if access == BUYER:
            assert response.status_code == 403, path
            assert response.json() == {
                "message": "Your login information has expired. Please log in again."
            }
        else:
            assert response.status_code in (200, 400, NEEDS_LINK.get((method, path))), path


# The one call with its own answer for what it does not find, another's uuid included (readings,
# People and access).
QUICK_SEARCH = "dashboard/quick/<uuid>/<invoice_number>"
# And those whose paths hold a secret: whatever opens no form answers alike.
LINKS = ("register/init-info/<token>", "invitation/<token>")
NOTHING_FOUND = (200, {"success": -1})


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_body_is_refused(db: None, api: ContractClient, name: str) -> None:
    for method, path in CALLS:
        if method not in ("post", "put"):
            continue
        response = api.generic(method.upper(), filled(path), HOSTILE[name], "application/json")
        assert response.status_code in (200, 400, 404, NEEDS_LINK.get((method, path))), path
        if response.status_code == 200:
            # Only the renewal takes any object: what is no token is an outcome.
            assert (path, response.json()) == ("check", {"success": -1})


@pytest.mark.parametrize(
    "media_type",
    ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", ""],
)
def test_other_media_types(db: None, api: ContractClient, media_type: str) -> None:
    for method, path in TAKES_BODY:
        response = api.generic(method.upper(), filled(path), b'{"a": 1}', media_type)
        assert (response.status_code, response.json()["code"]) == (415, "unsupported_media_type"), (
            path
        )


def test_too_large_a_body(db: None, api: ContractClient) -> None:
    for method, path in TAKES_BODY:
        response = api.generic(
            method.upper(), filled(path), b" " * (1024 * 1024 + 1), "application/json"
        )
        assert (response.status_code, response.json()["code"]) == (413, "too_large"), path


def test_other_methods_are_not_allowed(db: None, api: ContractClient) -> None:
    for path in {path for _, path in CALLS}:
        allowed = {method for method, other in CALLS if other == path}
        for method in set(METHODS) - allowed:
            response = api.send(method, filled(path))
            assert (response.status_code, response.json()["code"]) == (405, "method_not_allowed"), (
                path
            )
            assert set(response["Allow"].lower().split(", ")) - {"options", "head"} == allowed, path


HOSTILE_SEGMENTS = [
    "%00",
    "..%2f..",
    "%F0%9F%98%80",
    "'--",
    "a" * 3000,
    "%25",
    "%0a",
    "9" * 30,
    "%D9%A3",
]


@pytest.mark.parametrize("segment", HOSTILE_SEGMENTS)
def test_a_hostile_path_is_not_found(db: None, api: ContractClient, segment: str) -> None:
    client = Client(headers={"x-access-token": api.token or ""})
    for method, path in CALLS:
        if "<" not in path:
            continue
        url = f"/api/{path.split('<')[0]}{segment}{'/0' * (path.count('<') - 1)}"
        response = client.generic(method.upper(), url, b"{}", "application/json")
        if path == QUICK_SEARCH or (path in LINKS and "%2f" not in segment):
            assert (response.status_code, response.json()) == NOTHING_FOUND
        else:
            assert response.status_code in (400, 404, UPLOADS.get((method, path))), path
            assert response.json()["success"] == 0, path


@pytest.mark.parametrize(
    "path", ["", "x", "loginx", "login/x", "LOGIN", "admin", "dashboard/quick", "order//"]
)
def test_an_unknown_call_is_not_found_in_json(path: str) -> None:
    for method in METHODS:
        response = Client().generic(method.upper(), f"/api/{path}")
        assert response.status_code == 404
        assert response.json() == {"success": 0, "code": "not_found", "message": "Not found."}


def test_a_body_without_a_length_is_refused(db: None) -> None:
    response = Client().generic(
        "POST", "/api/login", CONTENT_LENGTH="", HTTP_TRANSFER_ENCODING="chunked"
    )
    assert (response.status_code, response.json()["code"]) == (400, "invalid")


def test_no_call_is_described_twice() -> None:
    names = [
        operation["operationId"]
        for operation in chain(*(p.values() for p in contract()["paths"].values()))
    ]
    assert len(names) == len(set(names)) == len(CALLS)


def test_no_schema_names_a_type_twice() -> None:
    def types(schema: object) -> Iterator[list[str]]:
        if isinstance(schema, dict) and isinstance(schema.get("type"), list):
            yield schema["type"]
        inner = (
            schema.values()
            if isinstance(schema, dict)
            else schema
            if isinstance(schema, list)
            else ()
        )
        yield from chain.from_iterable(types(part) for part in inner)

    several = list(types(contract()))
    assert several
    assert [names for names in several if len(set(names)) < len(names)] == []

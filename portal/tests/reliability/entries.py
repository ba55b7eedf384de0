"""Each call with its identifiers, what it answers to its own, and to those that are not its own."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any, cast
from urllib.parse import quote

from django.db import transaction
from django.test.client import MULTIPART_CONTENT

from apps.accounts.selectors import Buyer
from apps.accounts.services.sessions import issue_token
from apps.accounts.tests.factories import PASSWORD, Link, make_form
from apps.accounts.tests.uploads import form
from apps.common.testing import SMALL_PDF, ContractClient
from apps.common.types import Json
from apps.orders.tests.factories import ship_body

Answer = tuple[int, Json]
EXPIRED: Answer = (403, {"message": "Your login information has expired. Please log in again."})
NOT_FOUND: Answer = (404, {"success": 0, "code": "not_found", "message": "Not found."})
NOTHING: Answer = (200, {"success": -1})
DONE: Answer = (200, {"success": 1})
UNAVAILABLE: Answer = (502, {"code": "provider_unavailable"})
REFUSED: Answer = (409, {"code": "payment_refused"})
INVALID: Answer = (400, {"code": "invalid"})
LINK_EXPIRED: Answer = (409, {"code": "expired"})

# A call's path and body, and its answer to the caller's own identifiers: the status, and what the
# body holds at least. {name} is an identifier of the caller's side.
DEVICE = "0b6c9d52-8d0e-4a55-9b1e-0d6a4f3f7a11"
SHIP, FORM = "ship fields", "registration form"
ENTRIES: dict[tuple[str, str], tuple[str, Json | None, Answer]] = {
    ("post", "login"): ("login", {"email": "{email}", "password": "wrong"}, NOTHING),
    ("post", "check"): ("check", {"token": "x"}, NOTHING),
    ("get", "config"): ("config", None, (200, {"title": "Maren & Holt"})),
    ("get", "policy"): ("policy", None, (200, {"number": 0, "holds_from": "2022-05-17"})),
    ("post", "register/email-check"): (
        "register/email-check",
        {"email": "somebody@portal.test"},
        DONE,
    ),
    ("post", "register/find-state"): ("register/find-state", {"address_id": 2**31 - 1}, DONE),
    ("get", "register/init-info/<token>"): ("register/init-info/{link}", None, DONE),
    ("post", "fileupload"): ("fileupload", {"email": "{address}", "token": "{link}"}, DONE),
    ("post", "register/sign-up"): (
        "register/sign-up",
        {FORM: True, "email": "{address}", "token": "{link}"},
        DONE,
    ),
    ("post", "reset-password"): (
        "reset-password",
        {"token": "x", "password": PASSWORD, "passwordConfirm": PASSWORD},
        LINK_EXPIRED,
    ),
    ("get", "invitation/<token>"): ("invitation/{link}", None, NOTHING),
    ("post", "invitation"): (
        "invitation",
        {"token": "x", "password": PASSWORD, "passwordConfirm": PASSWORD, "terms": True},
        LINK_EXPIRED,
    ),
    ("post", "paypal/webhook"): ("paypal/webhook", {"id": "WH-1"}, INVALID),
    ("put", "password/<company_id>"): (
        "password/{company}",
        {"company_id": "{company}", "password": PASSWORD, "passwordConfirm": PASSWORD},
        DONE,
    ),
    ("post", "dashboard"): ("dashboard", {"uuid": "{uuid}"}, DONE),
    ("post", "dashboard/notice/<notice_id>"): ("dashboard/notice/{notice}", None, DONE),
    ("get", "notice"): ("notice", None, DONE),
    ("post", "notice/detail/<notice_id>"): ("notice/detail/{notice}", None, DONE),
    ("get", "dashboard/quick/<uuid>/<invoice_number>"): (
        "dashboard/quick/{uuid}/{order}",
        None,
        DONE,
    ),
    ("get", "brand/<uuid>"): ("brand/{uuid}", None, DONE),
    ("get", "product/stock/<uuid>/<brand_id>"): ("product/stock/{uuid}/{brand}", None, DONE),
    ("get", "product/promotion/stock/<uuid>"): ("product/promotion/stock/{uuid}", None, DONE),
    ("get", "product/like/<uuid>"): ("product/like/{uuid}?search=serum", None, DONE),
    ("get", "product/suggest/<uuid>"): ("product/suggest/{uuid}?search=serum", None, DONE),
    ("post", "product/cart/stock"): (
        "product/cart/stock",
        {"uuid": "{uuid}", "skuData": [{"sku": "{sku}", "count": 10}]},
        DONE,
    ),
    ("post", "basket/review"): ("basket/review", {"list": "{sku}"}, DONE),
    ("post", "basket/sheet"): ("basket/sheet", {"list": "{sku}"}, (200, {})),
    ("get", "basket/list"): ("basket/list", None, DONE),
    ("post", "basket/list"): (
        "basket/list",
        {"uuid": "{list}", "key": "5b0f8f0e-6b1b-4a6b-9e0b-0d6a4f3f7a15"},
        DONE,
    ),
    ("put", "basket/list"): (
        "basket/list",
        {"uuid": "{list}", "decisions": [{"row": 2, "out": True}]},
        DONE,
    ),
    ("get", "baskets"): ("baskets", None, DONE),
    ("get", "baskets/<basket>"): ("baskets/{basket}", None, DONE),
    ("put", "baskets/<basket>"): (
        "baskets/{basket}",
        {"kind": "named", "name": "Christmas", "lines": [{"sku": "{sku}", "count": 10}]},
        DONE,
    ),
    ("delete", "baskets/<basket>"): ("baskets/{basket}", None, DONE),
    ("put", "baskets/<basket>/name"): (
        "baskets/{basket}/name",
        {"name": "Easter", "is_shared": 1},
        DONE,
    ),
    ("get", "basket"): ("basket", None, DONE),
    ("post", "basket/edits"): (
        "basket/edits",
        {"device": DEVICE, "sequence": 1, "revision": 0, "edits": [{"sku": "{sku}", "count": 10}]},
        DONE,
    ),
    ("get", "order-again"): ("order-again?invoice_code={order}", None, DONE),
    ("get", "dashboard/due/<uuid>"): ("dashboard/due/{uuid}", None, DONE),
    ("get", "recent/order/<uuid>/<n>"): ("recent/order/{uuid}/5", None, DONE),
    ("get", "excel/product-setting/<uuid>"): ("excel/product-setting/{uuid}", None, DONE),
    ("post", "temp-order"): (
        "temp-order",
        {"uuid": "{uuid}", "export_report": 0, "product": [{"sku": "{sku}", "count": 10}]},
        DONE,
    ),
    ("get", "temp-orders"): ("temp-orders", None, DONE),
    ("delete", "temp-order/<invoice_code>"): ("temp-order/{draft}", None, DONE),
    ("get", "temp-order-info/stock/<invoice_code>"): ("temp-order-info/stock/{draft}", None, DONE),
    ("post", "order/check"): ("order/check", {"invoice_code": "{draft}"}, (200, {"success": 0})),
    ("post", "order/checkout-deposit/tt"): (
        "order/checkout-deposit/tt",
        {
            "uuid": "{uuid}",
            "email": "{email}",
            "invoice_code": "{draft}",
            "type": "ORDER",
            "payment_type": "T/T",
            "export_report": 1,
            "payer_id": "Glow",
            "amount": 90,
            SHIP: True,
        },
        DONE,
    ),
    ("post", "order/checkout-deposit/paypal"): (
        "order/checkout-deposit/paypal",
        {
            "uuid": "{uuid}",
            "email": "{email}",
            "invoice_code": "{draft}",
            "type": "ORDER",
            "payment_type": "PAYPAL",
            "export_report": 1,
            "amount": 93.15,
            SHIP: True,
        },
        UNAVAILABLE,
    ),
    ("post", "order/checkout-deposit/paypal/success"): (
        "order/checkout-deposit/paypal/success",
        {
            "invoice_code": "{draft}",
            "token": "EC-1",
            "payment_id": "PAY-1",
            "payer_id": "P",
            "amount": 93.15,
            "payment_type": "PAYPAL",
        },
        REFUSED,
    ),
    ("post", "order/checkout-deposit/paypal/failure"): (
        "order/checkout-deposit/paypal/failure",
        {"invoice_code": "{draft}", "token": "EC-1"},
        REFUSED,
    ),
    ("post", "order/checkout"): ("order/checkout", {"invoice_code": "{confirmed}"}, DONE),
    ("post", "order/tt"): (
        "order/tt",
        {"invoice_code": "{confirmed}", "depositor_name": "Glow"},
        DONE,
    ),
    ("post", "order/paypal"): ("order/paypal", {"invoice_code": "{confirmed}"}, UNAVAILABLE),
    ("post", "order/paypal/success"): (
        "order/paypal/success",
        {
            "invoice_code": "{confirmed}",
            "token": "EC-1",
            "payment_id": "PAY-1",
            "payer_id": "P",
            "amount": 50,
            "payment_type": "PAYPAL",
        },
        REFUSED,
    ),
    ("post", "order/paypal/failure"): (
        "order/paypal/failure",
        {"invoice_code": "{confirmed}", "token": "EC-1"},
        REFUSED,
    ),
    ("post", "order/withdraw/<invoice_code>"): (
        "order/withdraw/{confirmed}",
        {},
        (409, {"code": "wrong_status"}),
    ),
    ("post", "order/wallet"): (
        "order/wallet",
        {"invoice_code": "{confirmed}"},
        (409, {"code": "wrong_status"}),
    ),
    ("get", "account"): ("account", None, DONE),
    ("get", "account/colleagues"): ("account/colleagues", None, DONE),
    ("post", "account/colleagues"): (
        "account/colleagues",
        {"manager": "Ada Nowak", "email": "ada@colleagues.test"},
        DONE,
    ),
    ("get", "account/counts"): ("account/counts", None, DONE),
    ("get", "account/statement"): ("account/statement", None, DONE),
    ("get", "account/documents"): ("account/documents", None, DONE),
    ("get", "account/addresses"): ("account/addresses", None, DONE),
    ("post", "account/addresses"): (
        "account/addresses",
        {"name": "Store Berlin", SHIP: True},
        DONE,
    ),
    ("put", "account/addresses/<address_id>"): (
        "account/addresses/{place}",
        {"name": "Store", SHIP: True},
        DONE,
    ),
    ("delete", "account/addresses/<address_id>"): ("account/addresses/{place}", None, DONE),
    ("put", "account/addresses/<address_id>/default"): (
        "account/addresses/{place}/default",
        None,
        DONE,
    ),
    ("get", "account/own-codes"): ("account/own-codes", None, DONE),
    ("post", "account/own-codes"): ("account/own-codes", {"code": "AC-40", "sku": "{sku}"}, DONE),
    ("delete", "account/own-codes/<own_code_id>"): ("account/own-codes/{code}", None, DONE),
    ("get", "account/wishes"): ("account/wishes", None, DONE),
    ("post", "account/wishes"): ("account/wishes", {"sku": "GONE-1", "count": 20}, DONE),
    ("delete", "account/wishes/<wish_id>"): ("account/wishes/{wish}", None, DONE),
    ("get", "wallet"): ("wallet", None, DONE),
    ("get", "order/<status_id>"): ("order/0", None, DONE),
    ("get", "order-sums/<status_id>"): ("order-sums/0", None, DONE),
    ("get", "order/<status_id>/<invoice_code>"): ("order/0/{order}", None, DONE),
    ("get", "details/<invoice_code>"): ("details/{confirmed}", None, DONE),
    ("post", "order/address"): ("order/address", {"invoice_code": "{order}"}, DONE),
    ("put", "order/edit/address"): (
        "order/edit/address",
        {"invoice_code": "{order}", SHIP: True},
        DONE,
    ),
    ("get", "order/customer/messages/<invoice_code>"): (
        "order/customer/messages/{order}",
        None,
        DONE,
    ),
    ("post", "order/customer/read/<invoice_code>"): (
        "order/customer/read/{order}",
        {"message_id": 1},
        DONE,
    ),
    ("put", "order/customer/memo/<invoice_code>"): (
        "order/customer/memo/{order}",
        {"customer_memo": "When?"},
        DONE,
    ),
    ("post", "order/customer/ship-memo/<invoice_code>"): (
        "order/customer/ship-memo/{order}",
        {"ship_memo": "Before noon"},
        DONE,
    ),
    ("put", "order/po-number/<invoice_code>"): (
        "order/po-number/{order}",
        {"po_number": "PO-7"},
        DONE,
    ),
    ("post", "order/po-file/<invoice_code>"): ("order/po-file/{order}", {}, DONE),
    ("delete", "order/po-file/<invoice_code>"): ("order/po-file/{order}", None, DONE),
    ("get", "order/proposals/<invoice_code>"): ("order/proposals/{order}", None, DONE),
    ("post", "order/proposals/<invoice_code>"): (
        "order/proposals/{order}",
        {"answers": [{"proposal_id": 0, "answer": "accept"}]},
        (409, {"code": "proposal_closed"}),
    ),
    ("post", "order/proposals/<invoice_code>/totals"): (
        "order/proposals/{order}/totals",
        {"answers": [{"proposal_id": 0, "answer": "accept"}]},
        DONE,
    ),
    ("get", "order/wire/<invoice_code>"): ("order/wire/{order}", None, DONE),
    ("post", "order/wire-proof/<invoice_code>"): ("order/wire-proof/{order}", {}, DONE),
    ("delete", "order/wire-proof/<invoice_code>"): ("order/wire-proof/{order}", None, DONE),
}
# The calls that take a PDF, and the field that it stands in.
PDF_FIELDS = {
    "fileupload": "certificate_files",
    "order/po-file/<invoice_code>": "file",
    "order/wire-proof/<invoice_code>": "file",
}
UNKNOWN = {
    "uuid": "0b6c9d52-8d0e-4a55-9b1e-0d6a4f3f7a11",
    "company": str(2**53),
    "brand": str(2**53),
    "sku": "NO-SUCH-SKU",
    "draft": "MHW-000101-9999",
    "order": "MHW-000101-9999",
    "confirmed": "MHW-000101-9999",
    "notice": str(2**53),
    "place": str(2**53),
    "code": str(2**53),
    "wish": str(2**53),
    "list": "0b6c9d52-8d0e-4a55-9b1e-0d6a4f3f7a11",
    "link": "x" * 43,
}
MALFORMED = {
    **dict.fromkeys(("uuid", "draft", "order", "confirmed", "basket", "list"), "'; DROP TABLE--"),
    **dict.fromkeys(("company", "brand", "notice", "place", "code", "wish"), "1e3"),
    "sku": "\u202e<script>",
    "link": "a.b.c",
}
# Identifiers that an entry names and that do not answer 404 (api.md), whatever is wrong with them.
OWN_ANSWERS: dict[tuple[str, str], Answer] = {
    ("dashboard/quick/<uuid>/<invoice_number>", "uuid"): NOTHING,
    ("dashboard/quick/<uuid>/<invoice_number>", "order"): NOTHING,
    ("register/init-info/<token>", "link"): NOTHING,
    ("invitation/<token>", "link"): NOTHING,
    ("fileupload", "link"): LINK_EXPIRED,
    ("register/sign-up", "link"): LINK_EXPIRED,
    ("product/cart/stock", "sku"): (200, {"success": 1, "result": []}),
    ("basket/review", "sku"): (200, {"success": 1}),
    ("basket/sheet", "sku"): (200, {}),
    ("baskets/<basket>", "sku"): (400, {"code": "invalid"}),  # nothing is left of it
    ("basket/edits", "sku"): DONE,  # left out, and named
    ("temp-order", "sku"): INVALID,
    ("account/own-codes", "sku"): INVALID,
}
# Another's link is no secret of the portal: whoever holds it was sent it. An address that is not
# its own is refused.
FOREIGN_ANSWERS = {
    ("register/init-info/<token>", "link"): DONE,
    ("invitation/<token>", "link"): NOTHING,
    ("fileupload", "link"): INVALID,
    ("register/sign-up", "link"): INVALID,
}


def token_of(buyer: Buyer, *, ago: timedelta = timedelta()) -> str:
    """Return a token of a sign-in so long ago."""
    now = datetime.now(UTC) - ago
    return issue_token(buyer=buyer, signed_in_at=now, now=now)


def answer_to(client: ContractClient, entry: tuple[str, str], ids: dict[str, str]) -> Any:
    """Make the call with these identifiers; whatever it changes is undone."""
    with transaction.atomic():
        response = answer_for_good(client, entry, ids)
        transaction.set_rollback(True)
    return response


def answer_for_good(client: ContractClient, entry: tuple[str, str], ids: dict[str, str]) -> Any:
    """Make the call with these identifiers."""
    path, body, _ = ENTRIES[entry]
    method, url = entry[0], "/api/" + "/".join(_segment(part, ids) for part in path.split("/"))
    if method == "post" and entry[1] in PDF_FIELDS:
        sent = form(_filled(body, ids), SMALL_PDF, "given.pdf", field=PDF_FIELDS[entry[1]])
        return client.generic("POST", url, sent, MULTIPART_CONTENT)
    if entry[1] in ("basket/review", "basket/sheet"):
        rows = f"SKU,Quantity\n{ids['sku']},10\n".encode()
        answers = {"answers": f'[{{"rows": [2], "sku": "{ids["sku"]}", "count": 10}}]'}
        sent = form(answers if entry[1] == "basket/sheet" else {}, rows, "list.csv", field="list")
        return client.generic("POST", url, sent, MULTIPART_CONTENT)
    return client.send(method, url, None if body is None else _filled(body, ids))


def _segment(part: str, ids: dict[str, str]) -> str:
    name, mark, query = part.partition("?")
    return quote(name.format(**ids), safe="") + mark + quote(query.format(**ids), safe="=")


def _filled(body: Json | None, ids: dict[str, str]) -> Json:
    filled = dict(body or {})
    if filled.pop(SHIP, False):
        filled |= ship_body()
    if filled.pop(FORM, False):
        filled = {**make_form(Link("", "")), **filled}

    def fill(value: Any) -> Any:
        if isinstance(value, dict):
            return {name: fill(inner) for name, inner in value.items()}
        if isinstance(value, list):
            return [fill(inner) for inner in value]
        if value == "{company}":
            return int(ids["company"]) if ids["company"].isdigit() else ids["company"]
        return value.format(**ids) if isinstance(value, str) and "{" in value else value

    return cast("Json", fill(filled))


def names_in(entry: tuple[str, str]) -> list[str]:
    """Return the identifiers that a call's path and body name."""
    path, body, _ = ENTRIES[entry]
    return [name for name in UNKNOWN if f"{{{name}}}" in path + json.dumps(body)]


def holds(response: Any, expected: Answer) -> bool:
    """Return whether an answer has the status, and a refusal all of the body that is expected of
    it.
    """
    status, body = expected
    if response.status_code != status:
        return False
    if not response["Content-Type"].startswith("application/json"):  # a file
        return not body
    found = json.loads(response.getvalue())
    if expected in (EXPIRED, NOT_FOUND, NOTHING):
        return bool(found == body)
    return all(found.get(name) == value for name, value in body.items())

"""Every call of a buyer: who may make it, what it answers to the caller's own identifiers and to
others, and what it costs.
"""

import json
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple, cast
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
ANSWERED: Answer = (200, {})
UNAVAILABLE: Answer = (502, {"code": "provider_unavailable"})
REFUSED: Answer = (409, {"code": "payment_refused"})
WRONG_STATUS: Answer = (409, {"code": "wrong_status"})
INVALID: Answer = (400, {"code": "invalid"})
LINK_EXPIRED: Answer = (409, {"code": "expired"})


class Call(NamedTuple):
    """What is sent, and what is answered: the status, and what the body holds at least."""

    body: Json | None = None
    answer: Answer = DONE
    is_public: bool = False
    reads: bool = False  # with a body: it answers as ever where the database takes no writes
    most: int = 0  # of a list: the statements that it may cost, the caller's identity included
    file: str = ""  # the field that its PDF or its list stands in


SHIP, FORM = "ship fields", "registration form"
DEVICE = "0b6c9d52-8d0e-4a55-9b1e-0d6a4f3f7a11"
KEY = "5b0f8f0e-6b1b-4a6b-9e0b-0d6a4f3f7a15"
NEW_PASSWORD: Json = {"password": PASSWORD, "passwordConfirm": PASSWORD}
LINES = [{"sku": "{sku}", "count": 10}]
ACCEPTED: Json = {"answers": [{"proposal_id": 0, "answer": "accept"}]}


def checkout(way: str, amount: float, **fields: str) -> Json:
    """Return the body of a deposit's checkout."""
    ids = {"uuid": "{uuid}", "email": "{email}", "invoice_code": "{draft}", "type": "ORDER"}
    return {**ids, "payment_type": way, "export_report": 1, "amount": amount, SHIP: True, **fields}


def returned(code: str, amount: float) -> Json:
    """Return what a browser brings back from PayPal."""
    paid = {"token": "EC-1", "payment_id": "PAY-1", "payer_id": "P", "payment_type": "PAYPAL"}
    return {"invoice_code": code, **paid, "amount": amount}


# By method and address; {name} is an identifier of the caller's side.
SPECIFIED: dict[str, Call] = {
    "post login": Call({"email": "{email}", "password": "x"}, NOTHING, is_public=True, reads=True),
    "post check": Call({"token": "x"}, NOTHING, is_public=True, reads=True),
    "post register/email-check": Call({"email": "somebody@portal.test"}, is_public=True),
    "post register/find-state": Call({"address_id": 2**31 - 1}, is_public=True, reads=True),
    "get register/init-info/{link}": Call(is_public=True),
    "post fileupload": Call(
        {"email": "{address}", "token": "{link}"}, is_public=True, file="certificate_files"
    ),
    "post register/sign-up": Call(
        {FORM: True, "email": "{address}", "token": "{link}"}, is_public=True
    ),
    "put password/{company}": Call({"company_id": "{company}", **NEW_PASSWORD}),
    "post dashboard": Call({"uuid": "{uuid}"}, reads=True, most=2),
    "post dashboard/notice/{notice}": Call(reads=True),
    "get notice": Call(most=2),
    "post notice/detail/{notice}": Call(reads=True, most=5),
    "get dashboard/quick/{uuid}/{order}": Call(),
    "get brand/{uuid}": Call(most=2),
    "get product/stock/{uuid}/{brand}": Call(most=2),
    "get product/promotion/stock/{uuid}": Call(most=2),
    "post product/cart/stock": Call({"uuid": "{uuid}", "skuData": LINES}, reads=True, most=2),
    "get recent/order/{uuid}/{n}": Call(most=3),
    "get excel/product-setting/{uuid}": Call(most=2),
    "post temp-order": Call({"uuid": "{uuid}", "export_report": 0, "product": LINES}),
    "get temp-order-info/stock/{draft}": Call(most=5),
    "post order/check": Call({"invoice_code": "{draft}"}, (200, {"success": 0}), reads=True),
    "post order/checkout-deposit/tt": Call(checkout("T/T", 90, payer_id="Glow")),
    "post order/checkout-deposit/paypal": Call(checkout("PAYPAL", 93.15), UNAVAILABLE),
    "post order/checkout-deposit/paypal/success": Call(returned("{draft}", 93.15), REFUSED),
    "post order/checkout-deposit/paypal/failure": Call(
        {"invoice_code": "{draft}", "token": "EC-1"}, REFUSED
    ),
    "post order/checkout": Call({"invoice_code": "{confirmed}"}, reads=True),
    "post order/tt": Call({"invoice_code": "{confirmed}", "depositor_name": "Glow"}),
    "post order/paypal": Call({"invoice_code": "{confirmed}"}, UNAVAILABLE),
    "post order/paypal/success": Call(returned("{confirmed}", 50), REFUSED),
    "post order/paypal/failure": Call({"invoice_code": "{confirmed}", "token": "EC-1"}, REFUSED),
    "get order/{status}": Call(most=2),
    "get order/{status}/{order}": Call(most=2),
    "get details/{confirmed}": Call(most=5),
    "post order/address": Call({"invoice_code": "{order}"}, reads=True),
    "put order/edit/address": Call({"invoice_code": "{order}", SHIP: True}),
    "put order/customer/memo/{order}": Call({"customer_memo": "When?"}),
    "post order/customer/ship-memo/{order}": Call({"ship_memo": "Before noon"}),
}
ADDED: dict[str, Call] = {
    "get config": Call(None, (200, {"title": "Maren & Holt"}), is_public=True),
    "get policy": Call(None, (200, {"number": 0, "holds_from": "2022-05-17"}), is_public=True),
    "post reset-password": Call({"token": "x", **NEW_PASSWORD}, LINK_EXPIRED, True, reads=True),
    "get invitation/{link}": Call(None, NOTHING, is_public=True),
    "post invitation": Call(
        {"token": "x", **NEW_PASSWORD, "terms": True}, LINK_EXPIRED, is_public=True, reads=True
    ),
    "post paypal/webhook": Call({"id": "WH-1"}, INVALID, is_public=True),
    "get product/like/{uuid}?search=serum": Call(most=4),
    "get product/suggest/{uuid}?search=serum": Call(most=3),
    "post basket/review": Call(file="list", reads=True),
    "post basket/sheet": Call(None, ANSWERED, file="list"),
    "get basket/list": Call(),
    "post basket/list": Call({"uuid": "{list}", "key": KEY}),
    "put basket/list": Call({"uuid": "{list}", "decisions": [{"row": 2, "out": True}]}),
    "get baskets": Call(most=2),
    "get baskets/{basket}": Call(most=2),
    "put baskets/{basket}": Call({"kind": "named", "name": "Christmas", "lines": LINES}),
    "delete baskets/{basket}": Call(),
    "put baskets/{basket}/name": Call({"name": "Easter", "is_shared": 1}),
    "get basket": Call(most=2),
    "post basket/edits": Call({"device": DEVICE, "sequence": 1, "revision": 0, "edits": LINES}),
    "get order-again?invoice_code={order}": Call(most=3),
    "get dashboard/due/{uuid}": Call(most=5),
    "get temp-orders": Call(most=2),
    "delete temp-order/{draft}": Call(),
    "post order/withdraw/{confirmed}": Call({}, WRONG_STATUS),
    "post order/wallet": Call({"invoice_code": "{confirmed}"}, WRONG_STATUS),
    "get account": Call(most=5),
    "get account/colleagues": Call(),
    "post account/colleagues": Call({"manager": "Ada Nowak", "email": "ada@colleagues.test"}),
    "get account/counts": Call(most=7),
    "get account/statement": Call(most=9),
    "get account/documents": Call(most=3),
    "get account/addresses": Call(most=3),
    "post account/addresses": Call({"name": "Store Berlin", SHIP: True}),
    "put account/addresses/{place}": Call({"name": "Store", SHIP: True}),
    "delete account/addresses/{place}": Call(),
    "put account/addresses/{place}/default": Call(),
    "get account/own-codes": Call(most=2),
    "post account/own-codes": Call({"code": "AC-40", "sku": "{sku}"}),
    "delete account/own-codes/{code}": Call(),
    "get account/wishes": Call(most=3),
    "post account/wishes": Call({"sku": "GONE-1", "count": 20}),
    "delete account/wishes/{wish}": Call(),
    "get wallet": Call(most=2),
    "get order-sums/{status}": Call(most=2),
    "get order/customer/messages/{order}": Call(most=3),
    "post order/customer/read/{order}": Call({"message_id": 1}),
    "put order/po-number/{order}": Call({"po_number": "PO-7"}),
    "post order/po-file/{order}": Call(file="file"),
    "delete order/po-file/{order}": Call(),
    "get order/proposals/{order}": Call(most=3),
    "post order/proposals/{order}": Call(ACCEPTED, (409, {"code": "proposal_closed"})),
    "post order/proposals/{order}/totals": Call(ACCEPTED, reads=True),
    "get order/wire/{order}": Call(most=3),
    "post order/wire-proof/{order}": Call(file="file"),
    "delete order/wire-proof/{order}": Call(),
}
CALLS = SPECIFIED | ADDED
OF_BUYERS = [call for call, about in CALLS.items() if not about.is_public]
EVERYBODYS = {"status": "0", "n": "5"}  # identifiers of nobody
UNKNOWN = {
    **dict.fromkeys(("uuid", "list"), "0b6c9d52-8d0e-4a55-9b1e-0d6a4f3f7a11"),
    **dict.fromkeys(("draft", "order", "confirmed"), "MHW-000101-9999"),
    **dict.fromkeys(("company", "brand", "notice", "place", "code", "wish"), str(2**53)),
    "sku": "NO-SUCH-SKU",
    "link": "x" * 43,
}
MALFORMED = {
    **dict.fromkeys(("uuid", "draft", "order", "confirmed", "basket", "list"), "'; DROP TABLE--"),
    **dict.fromkeys(("company", "brand", "notice", "place", "code", "wish"), "1e3"),
    "sku": "\u202e<script>",
    "link": "a.b.c",
}
# Identifiers that a call names and that do not answer 404 (api.md), whatever is wrong with them.
OWN_ANSWERS: dict[tuple[str, str], Answer] = {
    ("get dashboard/quick/{uuid}/{order}", "uuid"): NOTHING,
    ("get dashboard/quick/{uuid}/{order}", "order"): NOTHING,
    ("get register/init-info/{link}", "link"): NOTHING,
    ("get invitation/{link}", "link"): NOTHING,
    ("post fileupload", "link"): LINK_EXPIRED,
    ("post register/sign-up", "link"): LINK_EXPIRED,
    ("post product/cart/stock", "sku"): (200, {"success": 1, "result": []}),
    ("put baskets/{basket}", "sku"): INVALID,  # nothing is left of it
    ("post basket/edits", "sku"): DONE,  # left out, and named
    ("post temp-order", "sku"): INVALID,
    ("post account/own-codes", "sku"): INVALID,
    ("post basket/review", "sku"): DONE,
    ("post basket/sheet", "sku"): ANSWERED,
}
# Another's link is no secret of the portal: whoever holds it was sent it. An address that is not
# its own is refused.
FOREIGN_ANSWERS = {
    ("get register/init-info/{link}", "link"): DONE,
    ("get invitation/{link}", "link"): NOTHING,
    ("post fileupload", "link"): INVALID,
    ("post register/sign-up", "link"): INVALID,
}


def token_of(buyer: Buyer, *, ago: timedelta = timedelta()) -> str:
    """Return a token of a sign-in so long ago."""
    now = datetime.now(UTC) - ago
    return issue_token(buyer=buyer, signed_in_at=now, now=now)


def method_of(call: str) -> str:
    """Return a call's method."""
    return call.partition(" ")[0]


def address(call: str, ids: dict[str, str]) -> str:
    """Return a call's address with these identifiers in it."""
    ids = EVERYBODYS | ids
    path, mark, query = call.partition(" ")[2].partition("?")
    segments = (quote(part.format(**ids), safe="") for part in path.split("/"))
    return f"/api/{'/'.join(segments)}{mark}{quote(query.format(**ids), safe='=')}"


def answer_to(client: ContractClient, call: str, ids: dict[str, str]) -> Any:
    """Make the call with these identifiers; whatever it changes is undone."""
    with transaction.atomic():
        response = answer_for_good(client, call, ids)
        transaction.set_rollback(True)
    return response


def answer_for_good(client: ContractClient, call: str, ids: dict[str, str]) -> Any:
    """Make the call with these identifiers."""
    about, method, url = CALLS[call], method_of(call), address(call, ids)
    if not about.file:
        return client.send(method, url, None if about.body is None else _filled(about.body, ids))
    fields, content, name = _filled(about.body, ids), SMALL_PDF, "given.pdf"
    if about.file == "list":
        content, name = f"SKU,Quantity\n{ids['sku']},10\n".encode(), "list.csv"
        if call == "post basket/sheet":
            fields = {"answers": f'[{{"rows": [2], "sku": "{ids["sku"]}", "count": 10}}]'}
    form_body = form(fields, content, name, field=about.file)
    return client.generic("POST", url, form_body, MULTIPART_CONTENT)


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


def names_in(call: str) -> list[str]:
    """Return the identifiers that a call's address and body name."""
    about = CALLS[call]
    payload = call + json.dumps(about.body) + "{sku}" * (about.file == "list")
    return [name for name in UNKNOWN if f"{{{name}}}" in payload]


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

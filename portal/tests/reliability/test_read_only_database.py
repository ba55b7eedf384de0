"""The database takes no writes, as a standby does: reads and sign-ins go on, what writes says "try
again".
"""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.core import signing
from django.db import connection
from django.test import Client

from apps.accounts.tests.factories import PASSWORD, make_user
from apps.accounts.tests.staff import staff_client, staff_in
from apps.common.testing import ContractClient
from portal.staff.sessions import SALT, SIGNED
from portal.tests.reliability.entries import DONE, ENTRIES, answer_for_good, holds, token_of
from portal.tests.reliability.world import make_side

pytestmark = pytest.mark.usefixtures("transactional_db")

# What answers as ever where the database only reads; who opened a notice and who failed to sign in
# is not kept then.
READS = {
    ("post", "login"),
    ("post", "check"),
    ("get", "config"),
    ("get", "policy"),
    ("get", "account/colleagues"),
    ("post", "register/find-state"),
    ("get", "register/init-info/<token>"),
    ("post", "reset-password"),  # with a link that is not good
    ("get", "invitation/<token>"),  # so is this
    ("post", "invitation"),
    ("post", "dashboard"),
    ("post", "dashboard/notice/<notice_id>"),
    ("get", "notice"),
    ("post", "notice/detail/<notice_id>"),
    ("get", "dashboard/quick/<uuid>/<invoice_number>"),
    ("get", "brand/<uuid>"),
    ("get", "order-sums/<status_id>"),
    ("get", "account/counts"),
    ("get", "product/stock/<uuid>/<brand_id>"),
    ("get", "product/promotion/stock/<uuid>"),
    ("get", "product/like/<uuid>"),
    ("get", "product/suggest/<uuid>"),
    ("post", "product/cart/stock"),
    ("post", "basket/review"),
    ("get", "basket/list"),
    ("get", "basket"),
    ("get", "baskets"),
    ("get", "baskets/<basket>"),
    ("get", "order-again"),
    ("get", "dashboard/due/<uuid>"),
    ("get", "order/customer/messages/<invoice_code>"),
    ("get", "recent/order/<uuid>/<n>"),
    ("get", "excel/product-setting/<uuid>"),
    ("get", "temp-order-info/stock/<invoice_code>"),
    ("get", "temp-orders"),
    ("post", "order/check"),
    ("post", "order/checkout"),
    ("get", "wallet"),
    ("get", "order/wire/<invoice_code>"),
    ("get", "order/proposals/<invoice_code>"),
    ("post", "order/proposals/<invoice_code>/totals"),
    ("get", "account/own-codes"),
    ("get", "account/wishes"),
    ("get", "account"),
    ("get", "account/statement"),
    ("get", "account/documents"),
    ("get", "account/addresses"),
    ("get", "order/<status_id>"),
    ("get", "order/<status_id>/<invoice_code>"),
    ("get", "details/<invoice_code>"),
    ("post", "order/address"),
}
READ_ONLY = {
    "postgresql": ("SET default_transaction_read_only = on", "RESET default_transaction_read_only"),
    "sqlite": ("PRAGMA query_only = 1", "PRAGMA query_only = 0"),
}


@pytest.fixture
def write_no_more() -> Iterator[Callable[[], None]]:
    """Return a function that lets the database take no writes until the end of the test."""
    on, off = READ_ONLY[connection.vendor]

    def switch(statement: str) -> None:
        with connection.cursor() as cursor:
            cursor.execute(statement)

    yield lambda: switch(on)
    switch(off)


def test_reads_and_sign_ins_go_on(write_no_more: Callable[[], None], settings: Any) -> None:
    settings.PAYPAL_ENDPOINT = "http://127.0.0.1:1"
    own = make_side("Own")
    client, ids = (
        ContractClient().sign_in(token_of(own.buyer)),
        {**own.ids, "email": own.buyer.email},
    )
    known = make_user(password=PASSWORD)
    write_no_more()
    for entry, (_, _, usual) in ENTRIES.items():
        answer = answer_for_good(client, entry, ids)
        if entry in READS or (
            usual != DONE and answer.status_code != 503
        ):  # refused before anything is written
            assert holds(answer, usual), entry
        else:
            refusal = answer.status_code, answer.json().get("code")
            assert refusal == (503, "unavailable"), entry
    signed_in = client.send("POST", "/api/login", {"email": known.email, "password": PASSWORD})
    assert signed_in.json()["success"] == 1


def test_staff_sign_in(write_no_more: Callable[[], None]) -> None:
    staff, browser = staff_in(), Client()
    write_no_more()
    wrong = browser.post("/admin/login/", {"username": staff.email, "password": "wrong"})
    assert (wrong.status_code, "staff_session" in browser.cookies) == (200, False)
    signed_in = browser.post("/admin/login/", {"username": staff.email, "password": PASSWORD})
    assert (signed_in.status_code, signed_in["Location"]) == (302, "/admin/")
    assert browser.get("/admin/orders/order/").status_code == 200
    stranger = Client()
    stranger.cookies["staff_session"] = browser.cookies["staff_session"].value[:-1]
    assert stranger.get("/admin/orders/order/").status_code == 302


def test_a_session_from_then_becomes_an_ordinary_one() -> None:
    browser = staff_client()
    session = browser.session
    browser.cookies["staff_session"] = SIGNED + signing.dumps(
        dict(session.items()), salt=SALT, compress=True
    )
    assert browser.get("/admin/orders/order/").status_code == 200
    assert not browser.cookies["staff_session"].value.startswith(SIGNED)
    assert browser.get("/admin/orders/order/").status_code == 200


def test_staff_look_on(write_no_more: Callable[[], None]) -> None:
    staff = staff_client()
    assert staff.get("/admin/orders/order/").status_code == 200
    session = staff.session
    session["seen"] -= 120  # the next page notes in the session that its owner is there
    session.save()
    write_no_more()
    assert staff.get("/admin/orders/order/").status_code == 200
    staff.raise_request_exception = False
    refused = staff.post("/admin/logout/")
    assert (refused.status_code, "try again" in refused.text) == (503, True)

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
from portal.tests.calls import CALLS, DONE, answer_for_good, holds, method_of, token_of
from portal.tests.reliability.world import make_side

pytestmark = pytest.mark.usefixtures("transactional_db")

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
    client = ContractClient().sign_in(token_of(own.buyer))
    user = make_user(password=PASSWORD)
    write_no_more()
    # Who opened a notice and who failed to sign in is not kept then.
    for call, about in CALLS.items():
        answer = answer_for_good(client, call, own.ids)
        reads = about.reads or method_of(call) == "get"
        # or it is refused before anything is written
        if reads or (about.answer != DONE and answer.status_code != 503):
            assert holds(answer, about.answer), call
        else:
            assert (answer.status_code, answer.json().get("code")) == (503, "unavailable"), call
    signed_in = client.send("POST", "/api/login", {"email": user.email, "password": PASSWORD})
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

"""A journey with marked secrets leaves none of them in any log, at any level
(reliability-and-security, 17 and 19.10).

What PayPal's libraries could write is tried in apps/payments/tests/paypal/test_secrets.py.
"""

import io
import logging
import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from django.core import mail
from django.test import Client
from django.utils.module_loading import import_string

from apps.accounts.models import User
from apps.accounts.services.invitations import send_invitations
from apps.accounts.services.passwords import reset_link
from apps.accounts.tests.factories import PASSWORD, Link, make_form, make_staff, make_user
from apps.accounts.tests.uploads import upload
from apps.catalog.tests.factories import make_product
from apps.common.testing import SMALL_PDF, ContractClient
from apps.orders.tests.factories import make_sales
from apps.payments.services.wire import announce_balance_wire
from portal.ops.sweeps import run_sweep
from portal.tests.reliability.journey import Journey
from portal.tests.reliability.world import make_side

pytestmark = pytest.mark.django_db

ACCOUNT, SPOKEN = "998877-SECRET-ACCOUNT", "Zzspoken words of a mail"
LINK = re.compile(r"/register/([\w-]{20,})")
Logs = Callable[[], str]


@pytest.fixture
def logs(settings: Any) -> Iterator[Logs]:
    """Return a function that gives what production's handler has written, with every logger at its
    lowest level.
    """
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.addFilter(import_string(settings.LOGGING["filters"]["masking"]["()"])())
    handler.setFormatter(import_string(settings.LOGGING["formatters"]["json"]["()"])())
    names = [None, *settings.LOGGING["loggers"], "django.request", "smtplib", "portal"]
    loggers = [logging.getLogger(name) for name in dict.fromkeys(names)]
    levels = [(logger, logger.level) for logger in loggers]
    for logger in loggers:
        # What production sets higher on purpose, because it prints secrets below, stays there.
        if logger.name not in ("paypalrestsdk", "urllib3"):
            logger.setLevel(logging.DEBUG)
    apart = [logger for logger in loggers if logger.parent is None or not logger.propagate]
    for logger in apart:
        logger.addHandler(handler)
    yield stream.getvalue
    for logger in apart:
        logger.removeHandler(handler)
    for logger, level in levels:
        logger.setLevel(level)


def register(visitor: ContractClient) -> list[str]:
    """Register by a mailed link, and return the secrets of it."""
    email, word = "secret.person@portal.test", "Zzsecret word of registration"
    assert visitor.send("POST", "/api/register/email-check", {"email": email}).status_code == 200
    run_sweep("mails")
    match = LINK.search(str(mail.outbox[-1].body))
    assert match
    link = Link(email, match[1])
    visitor.get(f"/api/register/init-info/{link.token}")
    Client().get(f"/register/{link.token}")
    name = upload(visitor, link, SMALL_PDF).json()["file_name"]
    form = make_form(link, password=word, confirm_password=word, certificate_files=name)
    assert visitor.send("POST", "/api/register/sign-up", {**form, "company": ""}).status_code == 400
    assert visitor.send("POST", "/api/register/sign-up", form).json() == {"success": 1}
    assert visitor.send("POST", "/api/register/sign-up", form).json() == {"success": -1}
    return [link.token, word, name]


def change_passwords(user: User) -> list[str]:
    """Sign in wrongly and rightly, change the password, and set it by a mailed link; return the
    secrets of it.
    """
    client, wrong = ContractClient(), "Zzwrong word"
    words = ["Zzfirst new word", "Zzsecond new word"]
    for word in (wrong, PASSWORD):
        answer = client.send("POST", "/api/login", {"email": user.email, "password": word}).json()
    tokens = [answer["token"]]
    client.sign_in(answer["token"])
    body = {"company_id": user.company_id, "password": words[0], "passwordConfirm": words[0]}
    tokens.append(client.send("PUT", f"/api/password/{user.company_id}", body).json()["token"])
    client.get("/api/notice")  # by the token that has just ended
    user.refresh_from_db()
    token = reset_link(user=user).partition("#reset=")[2]
    for _ in range(2):
        body = {"token": token, "password": words[1], "passwordConfirm": words[1]}
        client.send("POST", "/api/reset-password", body)
    hashes = User.objects.filter(pk=user.pk).values_list("password", flat=True)
    return [PASSWORD, wrong, *words, *tokens, token, token.partition(".")[2], *hashes]


def accept_invitation() -> list[str]:
    """Accept an invitation, and return the secrets of it."""
    user, word = make_user(), "Zzsecret word of an invitation"
    send_invitations([user], actor=make_staff(), now=datetime.now(UTC))
    run_sweep("mails")
    bodies = " ".join(str(letter.body) for letter in mail.outbox)
    match = re.search(r"/invitation/(\w+)", bodies)
    assert match
    Client().get(f"/invitation/{match[1]}")
    path, client = "/api/invitation", ContractClient()
    body = {"token": match[1], "password": word, "passwordConfirm": word, "terms": True}
    assert client.get(f"{path}/{match[1]}").status_code == 200
    token = client.send("POST", path, body).json()["token"]
    assert client.send("POST", path, body).status_code == 409
    return [match[1], word, token]


def test_a_journey_leaves_no_secret(
    logs: Logs, visitor: ContractClient, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.BANK = {**settings.BANK, "account_number": ACCOUNT}
    keys = ("JWT_SIGNING_KEY", "SECRET_KEY", "PAYPAL_CLIENT_SECRET")
    secrets = [ACCOUNT, SPOKEN, *(getattr(settings, key) for key in keys)]
    secrets += register(visitor) + accept_invitation()
    user = make_user(password=PASSWORD)
    journey = Journey(user, make_product())
    journey.whole()
    assert journey.call("GET", "config")["bank"]["account_number"] == ACCOUNT
    journey.call("PUT", f"order/customer/memo/{journey.code}", {"customer_memo": SPOKEN})
    secrets += [journey.client.token or "", ACCOUNT]
    run_sweep("mails")
    assert any(ACCOUNT in str(letter.body) for letter in mail.outbox)
    assert any(SPOKEN in str(letter.body) for letter in mail.outbox)

    side = make_side("Own")
    code, now = side.confirmed.invoice_code, datetime.now(UTC)
    announce_balance_wire(buyer=side.buyer, invoice_code=code, depositor="Glow", now=now)
    owner = Journey(side.user, side.product)
    side.user.set_password(PASSWORD)
    side.user.save()
    owner.sign_in()
    url = owner.call("GET", f"details/{code}")["fileList"][0]["url"]
    for address in (url, url[:-6] + "x.pdf"):
        Client().get(address)
    name = url.rpartition("/")[2]
    secrets += [owner.client.token or "", name, name.split(".")[1]]

    secrets += change_passwords(user)
    sales = make_sales()
    sales.set_password("Zzstaff word")
    sales.save()
    for word in ("Zzwrong staff word", "Zzstaff word"):
        Client().post("/admin/login/", {"username": sales.email, "password": word})
    secrets += ["Zzstaff word", "Zzwrong staff word"]

    token = {"x-access-token": owner.client.token or ""}
    failing = Client(raise_request_exception=False, headers=token)
    monkeypatch.setattr("apps.catalog.selectors.brand_list", lambda **_: 1 / 0)
    query = f"token={secrets[5]}&password=Zzquery"
    assert failing.get(f"/api/brand/{owner.uuid}?{query}").status_code == 500
    secrets += ["Zzquery"]

    text = logs()
    assert "login_failed" in text
    assert "ZeroDivisionError" in text
    assert [secret for secret in secrets if secret and secret in text] == []

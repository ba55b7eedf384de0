"""The checklist of the first day on the owner's home page."""

from collections.abc import Iterator
from smtplib import SMTPAuthenticationError
from typing import Any

import pytest
from django.core import mail
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from post_office.models import STATUS, Email

from apps.accounts.models import User
from apps.accounts.tests.factories import PASSWORD, make_buyer, make_staff, make_user
from apps.accounts.tests.staff import Page, shown_messages, staff_client
from apps.catalog.models import Import
from apps.catalog.tests.factories import make_product, make_products
from apps.common import seller
from apps.common.models import BankAccount, Policy, Seller
from apps.orders.tests.factories import make_order

pytestmark = pytest.mark.django_db
ACCOUNT = dict.fromkeys(("bank", "holder", "account_number", "routing_number", "address"), "1")
HIDE, MAIL = "/admin/first-day/away/", "/admin/first-day/mail/"


@pytest.fixture(autouse=True)
def as_stored(monkeypatch: pytest.MonkeyPatch, settings: Any) -> Iterator[None]:
    """Read the seller from the database, as the portal does; its background tasks run."""
    nothing = {"PORTAL_TITLE": settings.UNNAMED}
    nothing |= {name: dict.fromkeys(getattr(settings, name), "") for name in ("BANK", "SHIPPER")}
    for name, value in nothing.items():
        setattr(settings, name, value)
    monkeypatch.setattr("portal.staff.work.sweep_states", lambda now: [])
    seller.remember(None)
    yield
    seller.remember(None)


def steps(page: Page) -> dict[str, tuple[str, bool]]:
    return {step.name: (step.state, step.is_done) for step in page.context["first_day"]}


def counts_of_home(client: Client) -> list[str]:
    with CaptureQueriesContext(connection) as statements:
        client.get("/admin/")
    return [one["sql"] for one in statements if "otp_totp" in one["sql"]]


def test_an_empty_portal_says_what_it_needs_and_shows_no_empty_tables() -> None:
    page = staff_client().get("/admin/")
    assert set(steps(page)) == {
        *("Seller", "Bank account", "Policy and terms", "Ways to pay", "Test mail", "Products"),
        *("Pictures", "Stock", "First customer", "Open orders and balances", "Test order"),
        "Colleagues",
    }
    assert not any(is_done for _, is_done in steps(page).values())
    assert "Announced wires" not in page.text
    assert "Nothing is late." not in page.text


def test_each_step_says_how_far_it_is() -> None:
    make_products(1, image="a.jpg", on_hand=0)
    product = make_product(image="")
    Seller.objects.create(title="Glow", sales_email="s@glow.test", paypal_on=False, version=1)
    BankAccount.objects.create(**ACCOUNT)
    Email.objects.create(from_email="a@b.test", to="c@d.test", status=STATUS.sent)
    make_order(make_buyer(password=PASSWORD), [(product, 10)])
    make_staff()
    assert steps(staff_client().get("/admin/")) == {
        "Seller": ("2 of 4 missing", False),
        "Bank account": ("Set", True),
        "Policy and terms": ("The portal's own", False),
        "Ways to pay": ("Wire", True),
        "Test mail": ("Mail goes out", True),
        "Products": ("2", True),
        "Pictures": ("1 without a picture", False),
        "Stock": ("1 of 2 products in stock", True),
        "First customer": ("1 buyer may sign in", True),
        "Open orders and balances": ("None yet", False),
        "Test order": ("Orders come in", True),
        "Colleagues": ("2 with an account", True),
    }


def test_once_all_is_done_it_is_gone_and_nothing_is_counted(settings: Any) -> None:
    product = make_product(image="a.jpg", on_hand=100)
    shipper = {f"shipper_{name}": "Glow" for name in ("name", "address", "phone")}
    mails = {"sales_email": "s@glow.test", "approvers_email": "a@glow.test"}
    Seller.objects.create(title="Glow", version=2, nothing_to_bring=True, **shipper, **mails)
    published = {"published_at": timezone.now(), "published_by": make_staff()}
    Policy.objects.create(number=1, html="<p>Ours</p>", holds_from="2026-11-01", **published)
    BankAccount.objects.create(**ACCOUNT)
    Email.objects.create(from_email="a@b.test", to="c@d.test", status=STATUS.sent)
    make_order(make_buyer(password=PASSWORD), [(product, 10)])
    make_staff()
    client = staff_client()
    assert client.get("/admin/").context["first_day"] == []
    seller.remember(None)  # once it is committed
    assert counts_of_home(client) == []


def test_an_order_that_moved_in_is_no_test_order_and_bringing_nothing_is_said() -> None:
    order = make_order(make_buyer(password=PASSWORD), [(make_product(), 10)])
    type(order).objects.update(former_number="7")
    client = staff_client()
    page = client.get("/admin/")
    assert steps(page)["Test order"] == ("None yet", False)
    assert "None to bring" in page.text
    client.post("/admin/first-day/nothing/")
    seller.remember(None)  # once the deed is committed
    brought = "Open orders and balances"
    assert steps(client.get("/admin/"))[brought] == ("None to bring", True)
    sent = {"created_by": make_staff(), "created_at": timezone.now()}
    Import.objects.create(name="a.xlsx", kind="balances", state="applied", **sent)
    assert steps(client.get("/admin/"))[brought] == ("Imported", True)


def test_who_makes_to_order_needs_no_stock_but_people_who_may_order_beyond_it() -> None:
    make_products(1, on_hand=0)
    page = staff_client().get("/admin/")
    assert steps(page)["Stock"] == ("0 of 1 products in stock", False)
    assert "/admin/accounts/user/?stock_free__exact=0" in page.text
    User.objects.filter(pk=make_buyer(password=PASSWORD).pk).update(stock_free=True)
    assert steps(staff_client().get("/admin/"))["Stock"] == ("Ordered beyond stock", True)


def test_buyers_who_were_never_invited_are_counted() -> None:
    make_user()
    page = staff_client().get("/admin/")
    assert steps(page)["First customer"] == ("1 not invited yet", False)


def test_a_second_factor_that_is_missing_is_said(settings: Any) -> None:
    settings.STAFF_SECOND_FACTOR = True
    make_staff()
    state, is_done = steps(staff_client().get("/admin/"))["Colleagues"]
    assert (state, is_done) == ("2 with an account, 2 without a second factor", False)


def test_it_is_the_owners_and_costs_one_statement_until_hidden() -> None:
    client = staff_client()
    assert staff_client("Sales").get("/admin/").context["first_day"] == []
    assert staff_client("Sales").post(HIDE).status_code == 403
    assert len(counts_of_home(client)) == 1
    client.post(HIDE)
    seller.remember(None)  # once the deed is committed
    page = client.get("/admin/")
    assert page.context["first_day"] == []
    assert "Nothing to do." in page.text
    assert counts_of_home(client) == []
    Seller.objects.update(first_day=True)
    seller.remember(None)
    assert client.get("/admin/").context["first_day"]


def test_a_test_mail_goes_to_the_reader_and_its_way_is_said() -> None:
    client = staff_client(email="owner@seller.test")
    page = client.post(MAIL, follow=True)
    assert mail.outbox[0].to == ["owner@seller.test"]
    assert shown_messages(page)[0].startswith("No mail server is set")
    assert steps(page)["Test mail"] == ("Mail goes out", True)
    assert staff_client("Sales").post(MAIL).status_code == 403


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (ConnectionRefusedError("refused"), "The mail server mx.test:587 does not answer: refused"),
        (SMTPAuthenticationError(535, b"bad account"), "mx.test:587 refused the mail: 535 bad acc"),
    ],
)
def test_a_mail_server_that_does_not_take_it_is_named(
    error: OSError, message: str, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def send(self: Any, messages: Any) -> int:
        raise error

    settings.EMAIL_HOST = "mx.test"
    monkeypatch.setattr("django.core.mail.backends.locmem.EmailBackend.send_messages", send)
    page = staff_client().post(MAIL, follow=True)
    assert shown_messages(page)[0].startswith(message)
    assert steps(page)["Test mail"] == ("None sent yet", False)
    assert not Email.objects.exists()

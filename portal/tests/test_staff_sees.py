"""Each group of the staff sees, in mails, history, search and on every page, what it may open and
nothing else.
"""

from importlib import import_module

import pytest
from django.apps import apps
from django.contrib.admin.models import LogEntry
from post_office.models import STATUS, Email

from apps.accounts.tests.staff import staff_client
from apps.common.mail import Mail, queue
from apps.common.sweeps import write_next_mails
from apps.orders.models import Order
from portal.tests.test_staff_pages import PAGES, one_of_everything

pytestmark = pytest.mark.django_db
APPLICANT, REFERENCE = "applicant@wanted.test", "TRK-4711-SECRET"


@pytest.fixture
def world() -> dict[str, int]:
    """Return one of everything by name; each group has worked on its own, and mails went out about
    both.
    """
    things = one_of_everything(applicant=APPLICANT)
    order = Order.objects.get(pk=things["order"])
    Order.objects.filter(pk=order.pk).update(tracking_number=REFERENCE)
    Email.objects.all().delete()
    queue(
        [
            Mail(
                "buyer@shop.test",
                f"Order received: {order.invoice_code}",
                "plain",
                {"body": REFERENCE},
            )
        ]
    )
    queue([Mail(APPLICANT, "Your registration", "plain", {"body": "Hello"}, topic="registrations")])
    trade, applied = Email.objects.order_by("pk")
    for client, page in (
        (staff_client("Sales"), f"orders/order/{order.pk}/read/"),
        (staff_client("Sales"), f"post_office/email/{trade.pk}/again/"),
        (staff_client("Approvers"), f"accounts/user/{things['registration']}/end-sign-ins/"),
        (staff_client("Approvers"), f"post_office/email/{applied.pk}/again/"),
    ):
        assert client.post(f"/admin/{page}").status_code == 302
    return {**things, "trade": trade.pk, "applied": applied.pk}


@pytest.mark.parametrize(
    ("group", "own", "other", "secrets"),
    [
        ("Sales", "trade", "applied", (APPLICANT,)),
        ("Approvers", "applied", "trade", (REFERENCE, "{code}", "buyer@shop.test")),
    ],
)
def test_no_page_of_a_group_shows_what_the_other_alone_may_open(group, own, other, secrets, world):
    client = staff_client(group)
    code = Order.objects.get(pk=world["order"]).invoice_code
    searches = [f"jump/?q={term}" for term in (APPLICANT, "applicant", REFERENCE, code, "wanted")]
    lists = [
        f"{page}?q={term}"
        for page in ("post_office/email/", "admin/logentry/")
        for term in (APPLICANT, code)
    ]
    histories = ["accounts/company/{company}/history/", "accounts/user/{user}/history/"]
    own_pages = [
        page
        for page, groups in PAGES.items()
        if group.lower() in groups and not page.endswith((".xlsx", "=xlsx"))
    ]
    for page in [*own_pages, *searches, *lists, *histories]:
        answer = client.get(f"/admin/{page.format(**world)}", follow=True)
        assert page not in own_pages or answer.status_code == 200, page
        if not answer.headers["Content-Type"].startswith("text/html"):
            continue
        for secret in (known.format(code=code) for known in secrets):
            # What was typed is shown as it was typed; what it leads to has the other marks.
            assert secret in page or secret not in answer.text, page
    mails = client.get("/admin/post_office/email/").context["cl"].result_list
    assert {mail.pk for mail in mails} == {world[own]} | (
        {*trade_mails()} if own == "trade" else set()
    )
    imports = client.get("/admin/catalog/import/").context["cl"].result_list
    assert [source.pk for source in imports] == ([world["import"]] if own == "trade" else [])
    for page in ("again", "change", "history"):
        assert client.post(f"/admin/post_office/email/{world[other]}/{page}/").status_code == 403, (
            page
        )


def trade_mails() -> set[int]:
    return set(Email.objects.exclude(to__icontains=APPLICANT).values_list("pk", flat=True))


def kinds_in_the_record(group: str | None) -> set[str]:
    rows = staff_client(group).get("/admin/admin/logentry/").context["cl"].result_list
    return {entry.content_type.model for entry in rows}


def test_the_record_of_a_group_has_its_own_deeds_alone(world):
    everything = {entry.content_type.model for entry in LogEntry.objects.all()}
    assert {"order", "email", "user"} <= everything
    assert kinds_in_the_record(None) == everything
    assert kinds_in_the_record("Sales") == everything - {"user"}


def test_the_counts_of_failed_mail_are_of_the_mails_that_a_group_sees(world):
    Email.objects.filter(pk=world["applied"]).update(status=STATUS.failed)
    for group, failed in (("Sales", 0), ("Approvers", 1), (None, 1)):
        work = staff_client(group).get("/admin/").context
        rows = {row["label"]: row["count"] for card in work["cards"] for row in card["rows"]}
        assert rows["Failed"] == failed, group


def test_mails_of_before_get_their_topic():
    Email.objects.bulk_create(
        Email(
            from_email="a@b.test",
            to=["x@y.test"],
            subject=subject,
            message_id=str(number),
            status=STATUS.sent,
        )
        for number, subject in enumerate(
            ("Order received: MHW-261122-0042", "Welcome, dear Glow", "New registration: A-1")
        )
    )
    assert not Email.objects.filter(context__topic="trade").exists()
    import_module("portal.migrations.0008_topics_of_mails").set_topics(apps, None)
    assert [mail.context["topic"] for mail in Email.objects.order_by("pk")] == [
        "trade",
        "registrations",
        "registrations",
    ]


def test_a_mail_keeps_its_topic_when_its_texts_are_written(world):
    write_next_mails()
    assert {mail.context["topic"] for mail in Email.objects.all()} == {"trade", "registrations"}
    assert not any("template" in mail.context for mail in Email.objects.all())

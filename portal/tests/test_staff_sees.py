"""Each group of the staff sees, in mails, history and search, what it may open and nothing else."""

from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from post_office.models import STATUS, Email

from apps.accounts.tests.staff import staff_client
from apps.common.sweeps import write_next_mails
from apps.orders.models import Order
from portal.tests.reliability.test_staff_access import APPLICANT, REFERENCE, STRANGER, make_things

pytestmark = pytest.mark.django_db
MAILS = (("Sales", STRANGER), ("Approvers", APPLICANT))


@pytest.fixture
def world() -> dict[str, Any]:
    """Return one of everything; each group has worked on its own, and mails went out about both."""
    things = make_things()
    mails = {group: Email.objects.get(to=address).pk for group, address in MAILS}
    registration, order = things["accounts/registration/"], things["orders/order/"]
    for group, page in (
        ("Sales", f"orders/order/{order}/read/"),
        ("Approvers", f"accounts/user/{registration}/end-sign-ins/"),
    ):
        client = staff_client(group)
        for address in (page, f"post_office/email/{mails[group]}/again/"):
            assert client.post(f"/admin/{address}").status_code == 302
    return things | mails


@pytest.mark.parametrize(
    ("group", "other", "secrets"),
    [
        ("Sales", "Approvers", (APPLICANT,)),
        ("Approvers", "Sales", (REFERENCE, "{code}", STRANGER)),
    ],
)
def test_no_search_of_a_group_finds_what_the_other_alone_may_open(group, other, secrets, world):
    """What each of its pages shows is looked at by test_staff_access."""
    client = staff_client(group)
    code = Order.objects.get(tracking_number=REFERENCE).invoice_code
    company, user = world["accounts/company/"], world["accounts/user/"]
    pages = [
        *(f"jump/?q={term}" for term in (APPLICANT, "applicant", REFERENCE, code, "wanted")),
        *(f"post_office/email/?q={term}" for term in (APPLICANT, code)),
        *(f"admin/logentry/?q={term}" for term in (APPLICANT, code)),
        *(f"accounts/company/{company}/history/", f"accounts/user/{user}/history/"),
    ]
    for page in pages:
        answer = client.get(f"/admin/{page}", follow=True)
        for secret in (known.format(code=code) for known in secrets):
            # What was typed is shown as it was typed; what it leads to has the other marks.
            assert secret in page or secret not in answer.text, page
    mails = client.get("/admin/post_office/email/").context["cl"].result_list
    topics = {mail.context["topic"] for mail in mails}
    assert topics == {"trade" if group == "Sales" else "registrations"}
    imports = client.get("/admin/catalog/import/").context["cl"].result_list
    assert len(imports) == (group == "Sales")
    for page in ("again", "change", "history"):
        assert client.post(f"/admin/post_office/email/{world[other]}/{page}/").status_code == 403, (
            page
        )


def kinds_in_the_record(group: str | None) -> set[str]:
    rows = staff_client(group).get("/admin/admin/logentry/").context["cl"].result_list
    return {entry.content_type.model for entry in rows}


def test_the_record_of_a_group_has_its_own_deeds_alone(world):
    everything = {entry.content_type.model for entry in LogEntry.objects.all()}
    assert {"order", "email", "user"} <= everything
    assert kinds_in_the_record(None) == everything
    assert kinds_in_the_record("Sales") == everything - {"user"}


def test_the_counts_of_failed_mail_are_of_the_mails_that_a_group_sees(world):
    Email.objects.filter(pk=world["Approvers"]).update(status=STATUS.failed)
    for group, failed in (("Sales", 0), ("Approvers", 1), (None, 1)):
        work = staff_client(group).get("/admin/").context
        rows = {row["label"]: row["count"] for card in work["cards"] for row in card["rows"]}
        assert rows["Failed"] == failed, group


def test_a_mail_keeps_its_topic_when_its_texts_are_written(world):
    write_next_mails()
    assert {mail.context["topic"] for mail in Email.objects.all()} == {"trade", "registrations"}
    assert not any("template" in mail.context for mail in Email.objects.all())

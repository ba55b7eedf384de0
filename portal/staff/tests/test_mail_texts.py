"""Staff change what a mail says; a text that could not be sent is refused where it is written."""

import pytest
from django.contrib.admin.models import LogEntry
from django.urls import reverse
from post_office.models import Email

from apps.accounts.tests.staff import staff_client
from apps.common import mail_texts, seller
from apps.common.mail import write_texts
from apps.common.models import MailText
from apps.orders import mail_kinds as kinds
from apps.orders.services.moves import record_money_received
from apps.orders.status import OrderStatus
from apps.orders.tests.factories import make_order_at, make_sales
from portal.samples.mails import KINDS

pytestmark = pytest.mark.django_db
PAGE = reverse("admin:common_mailtext_text", args=["order_paid"])
MINE = {
    "subject": "Paid, thank you",
    "body": "Dear {name} of {company},\r\n\r\n<b>{order}</b> is paid.",
}


@pytest.fixture
def client():
    return staff_client(manager="Mina Park")


def save(client, at=PAGE, **fields):
    row = MailText.objects.filter(key="order_paid").first()
    answer = client.post(at, {"version": mail_texts.version_of(row), **fields})
    seller.remember(None)  # committed
    return answer


def faults(client, key="order_paid", **fields):
    answer = client.post(
        reverse("admin:common_mailtext_text", args=[key]), {"version": "", **fields}
    )
    assert answer.status_code == 200
    assert not MailText.objects.exists()
    return {name: list(texts) for name, texts in answer.context["form"].errors.items()}


def test_a_mail_says_what_staff_wrote(client, buyer):
    assert save(client, **MINE).status_code == 302
    order = make_order_at(OrderStatus.CONFIRMED, buyer)
    Email.objects.all().delete()
    due = order.real_total + order.shipping_fee - order.received
    record_money_received(
        order=order, amount=due, is_deposit=False, note="", actor=make_sales(), now=order.placed_at
    )
    email = write_texts(Email.objects.get())
    assert email.subject == f"Paid, thank you: {order.invoice_code}"
    assert f"Dear {buyer.manager} of {buyer.company},\n\n<b>{order}</b> is paid." in email.message
    assert f"&lt;b&gt;{order.invoice_code}&lt;/b&gt; is paid." in email.html_message


def test_a_name_that_ends_with_a_full_stop_ends_its_sentence():
    words = mail_texts.Words("For {company}", "Dear {company}. See {nobody}.")
    assert mail_texts.filled(words, {"company": "Glow Co., Ltd."}) == (
        "For Glow Co., Ltd.",
        "Dear Glow Co., Ltd. See {nobody}.",
    )


def test_the_history_has_what_it_said_before(client):
    save(client, **MINE)
    message = LogEntry.objects.get().get_change_message()
    assert message.startswith(
        "Subject Payment completed → Paid, thank you; Text Your order is paid"
    )
    page = client.get(reverse("admin:common_mailtext_history", args=[MailText.objects.get().pk]))
    assert "Payment completed → Paid, thank you" in page.content.decode()


def test_back_to_the_default_is_shown_first_and_saved_then(client):
    save(client, **MINE)
    page = save(client, **MINE, _default="1")
    assert page.context["form"]["subject"].value() == kinds.PAID.subject
    assert mail_texts.words_of(kinds.PAID).subject == "Paid, thank you"
    save(client, **kinds.PAID.default._asdict())
    assert mail_texts.words_of(kinds.PAID) == kinds.PAID.default
    assert (MailText.objects.get().subject, MailText.objects.get().body) == ("", "")


@pytest.mark.parametrize(
    ("key", "fields", "at", "fault"),
    [
        ("order_paid", {"body": "Hi {nmae}"}, "body", "This mail has no {nmae}."),
        ("order_paid", {"subject": "Paid {balance}"}, "subject", "This mail has no {balance}."),
        (
            "order_paid",
            {"body": "50 % {off"},
            "body",
            "A brace that belongs to no placeholder: {off",
        ),
        ("order_paid", {"body": "{order.user.password}"}, "body", "A brace that"),
        ("order_paid", {"body": " \n"}, "body", "Write something"),
        ("order_paid", {"subject": ""}, "subject", "Write something"),
        ("password_reset", {"body": "Dear {name}"}, "body", "Keep {link}: the mail needs it."),
        (
            "password_reset",
            {"subject": "{link}", "body": "{link}"},
            "subject",
            "{link} stands in the text alone.",
        ),
    ],
)
def test_a_text_that_cannot_be_sent_is_refused_at_its_field(client, key, fields, at, fault):
    refused = faults(client, key, **{"subject": "Paid", "body": "Paid.", **fields})
    assert set(refused) == {at}
    assert refused[at][0].startswith(fault)


def test_who_was_slower_is_told_and_may_replace(client):
    save(client, **MINE)
    answer = save(client, subject="Mine", body="Mine.", version="")
    assert "changed it at" in answer.content.decode()
    assert mail_texts.words_of(kinds.PAID).subject == "Paid, thank you"
    again = {name: answer.context["form"][name].value() for name in ("subject", "body", "version")}
    assert save(client, **again).status_code == 302
    assert mail_texts.words_of(kinds.PAID) == ("Mine", "Mine.")


def test_every_mail_has_a_page_and_a_preview(client, buyer):
    make_order_at(OrderStatus.CONFIRMED, buyer)
    for key in (kind.key for kind in KINDS):
        page, preview, fields = (
            reverse(f"admin:common_mailtext_{name}", args=[key])
            for name in ("text", "preview", "typed")
        )
        assert client.get(page).status_code == 200
        policy = client.get(preview).headers["Content-Security-Policy"]
        assert "sandbox allow-same-origin; default-src 'none'" in policy
        words = {"subject": "Typed", "body": "{title} <i>typed</i> {nobody}"}
        answer = client.post(fields, words).json()
        assert "<title>Typed" in answer["html"]
        assert "Maren &amp; Holt &lt;i&gt;typed&lt;/i&gt; {nobody}" in answer["html"]
        assert "This mail has no {nobody}." in answer["faults"]


def test_a_preview_is_of_an_order_that_fits(client, buyer):
    order = make_order_at(OrderStatus.PAID, buyer)
    for key, code in (("order_paid", order.invoice_code), ("order_shipped", "MHW-261123-0001")):
        assert code in client.get(reverse("admin:common_mailtext_preview", args=[key])).text


def test_the_records_lead_to_them(client):
    listed = client.get(reverse("admin:records")).content.decode()
    assert reverse("admin:common_mailtext_changelist") in listed

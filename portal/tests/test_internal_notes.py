"""What staff note for each other reaches no buyer: not by any call, not by any mail."""

from datetime import UTC, datetime
from typing import Any

import pytest
from post_office.models import Email

from apps.accounts.services.approval import add_note
from apps.accounts.services.companies import keep_company_note
from apps.common.mail import write_texts
from apps.common.testing import ContractClient
from apps.orders.services.conversation import answer_buyer, keep_note
from apps.orders.tests.factories import make_sales
from portal.tests.calls import CALLS, answer_for_good, names_in, token_of
from portal.tests.reliability.world import make_side

SECRET = "Zzinternal"


@pytest.mark.django_db
def test_no_call_and_no_mail_of_a_buyer_has_an_internal_note(settings: Any) -> None:
    side, sales, now = make_side("Own"), make_sales(), datetime.now(UTC)
    for order in (side.order, side.confirmed, side.shipped):
        keep_note(order_id=order.pk, text=f"{SECRET} of the order", actor=sales, now=now)
        answer_buyer(order_id=order.pk, text="Of course.", actor=sales, now=now)
        keep_note(order_id=order.pk, text=f"{SECRET} after the answer", actor=sales, now=now)
    add_note(user_id=side.user.pk, text=f"{SECRET} of the registration", actor=sales, now=now)
    keep_company_note(
        company_id=side.buyer.company_id,
        text=f"{SECRET} of the company",
        actor=sales,
        now=now,
    )
    client = ContractClient().sign_in(token_of(side.buyer))
    orders = [order.invoice_code for order in (side.order, side.confirmed, side.shipped)]
    for call in CALLS:
        for code in orders if {"order", "confirmed"} & {*names_in(call)} else orders[:1]:
            ids = side.ids | dict.fromkeys(("order", "confirmed"), code)
            assert SECRET.encode() not in answer_for_good(client, call, ids).getvalue(), call
    emails = [write_texts(email) for email in Email.objects.all()]
    assert any("Of course." in email.message for email in emails)
    assert not [
        email for email in emails if SECRET in f"{email.subject}{email.message}{email.html_message}"
    ]

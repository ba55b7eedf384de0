"""Staff see a customer's portal as one of its people does: the same answers, noted once a day,
nothing to press.
"""

import re

import pytest
from django.contrib.admin.models import LogEntry
from django.utils import timezone

from apps.accounts.models import Company, User
from apps.accounts.tests.factories import make_buyer, make_user
from apps.accounts.tests.staff import shown_messages, staff_client
from apps.orders.services.conversation import keep_note
from apps.orders.status import OrderStatus
from apps.orders.tests.factories import make_order_at, make_sales
from apps.payments.models import WalletEntry

pytestmark = pytest.mark.django_db


def page_of(company_id: int) -> str:
    return f"/admin/accounts/company/{company_id}/as-buyer/"


def test_it_shows_the_buyers_answers_and_is_noted_once_a_day():
    buyer, now = make_buyer(), timezone.now()
    order, other = (
        make_order_at(OrderStatus.CONFIRMED, buyer),
        make_order_at(OrderStatus.SHIPPED, make_buyer()),
    )
    keep_note(order_id=order.pk, text="Zzinternal", actor=make_sales(), now=now)
    WalletEntry.objects.create(company_id=buyer.company_id, kind="correction", amount=7, at=now)
    client = staff_client("Sales", manager="Mina Park")
    for _ in range(2):
        page = client.get(page_of(buyer.company_id))
    for text in ("You see what the buyer sees", order.invoice_code, "Balance", "7.00"):
        assert text in page.text
    assert not {other.invoice_code, "Zzinternal", str(buyer.uuid)} & set(
        re.findall(r"[\w-]+", page.text)
    )
    main = page.text[page.text.index('id="content"') :]
    assert not re.search(r"<(form|button|input|textarea|script)", main)
    note = LogEntry.objects.get(object_id=str(buyer.company_id))
    assert note.user.get_short_name() == "Mina Park"
    customer = client.get(f"/admin/accounts/company/{buyer.company_id}/change/").text
    assert f"Seen as the buyer {buyer.manager} sees it" in customer
    assert page_of(buyer.company_id) in customer


def test_another_person_can_be_chosen_of_this_company_alone():
    buyer, stranger = make_buyer(), make_buyer()
    colleague = make_user(company=Company.objects.get(pk=buyer.company_id), manager="Zofia")
    client = staff_client("Sales")
    assert "Zofia)" in client.get(f"{page_of(buyer.company_id)}?person={colleague.pk}").text
    assert (
        f"({buyer.manager})" in client.get(f"{page_of(buyer.company_id)}?person={stranger.id}").text
    )


def test_where_nobody_may_sign_in_there_is_nothing_to_see_and_approvers_have_no_such_page():
    buyer = make_buyer()
    assert staff_client("Approvers").get(page_of(buyer.company_id)).status_code == 403
    User.objects.filter(pk=buyer.id).update(is_active=False)
    page = staff_client("Sales").get(page_of(buyer.company_id), follow=True)
    assert "may sign in" in shown_messages(page)[0]
    assert page_of(buyer.company_id) not in page.text
    assert not LogEntry.objects.exists()

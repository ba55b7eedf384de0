"""A pasted message in several hands at once: one tab uses its link, and who is being closed is
mailed none.
"""

from concurrent.futures import ThreadPoolExecutor
from uuid import uuid4

import pytest
from django.db import connection, transaction
from django.utils import timezone
from post_office.models import Email

from apps.accounts.models import Company, CompanyEvent, User
from apps.accounts.selectors import Buyer
from apps.accounts.tests.staff import staff_in
from apps.catalog.errors import MessageRefused, MessageUsed
from apps.catalog.models import PastedMessage
from apps.catalog.services.pasted import paste_message, use_pasted
from apps.catalog.tests.factories import make_product
from apps.common.tests.races import THREADS, race

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def sales(db: None) -> User:
    make_product(sku="GC-1", eng_name="Golden Rice Cream 50 ml")
    return staff_in()


def pasted(buyer: Buyer, sales: User) -> PastedMessage:
    text = "golden rice cream 40"
    return paste_message(uuid=uuid4(), user_id=buyer.id, text=text, actor=sales, now=timezone.now())


def test_of_two_tabs_one_uses_the_link(buyer: Buyer, sales: User) -> None:
    message = pasted(buyer, sales)

    def use(_: int) -> bool:
        try:
            use_pasted(buyer=buyer, uuid=message.uuid, key=uuid4(), now=timezone.now())
        except MessageUsed:
            return False
        return True

    assert sum(race(use, times=THREADS)) == 1
    assert CompanyEvent.objects.filter(note=f"put into the basket by {buyer.manager}").count() == 1


@pytest.mark.postgresql
@pytest.mark.parametrize("closes", ["person", "company"])
def test_nobody_is_mailed_a_link_who_is_being_closed(
    buyer: Buyer, sales: User, closes: str
) -> None:
    def paste() -> PastedMessage:
        try:
            return pasted(buyer, sales)
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            if closes == "person":
                User.objects.filter(pk=buyer.id).update(is_active=False)
            else:
                Company.objects.filter(pk=buyer.company_id).update(is_open=False)
            sent = pool.submit(paste)
            with pytest.raises(TimeoutError):
                sent.result(timeout=0.5)
        with pytest.raises(MessageRefused):
            sent.result(timeout=30)
    assert (PastedMessage.objects.count(), Email.objects.count()) == (0, 0)

"""GET /policy: the portal's own text in the letters of the specification, until staff publish
another one.
"""

from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from apps.accounts.models import User
from apps.accounts.tests.factories import make_form, make_link
from apps.common import policy, seller
from apps.common.models import Seller
from apps.common.testing import ContractClient
from apps.orders.tests.factories import make_sales

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 12, 1, 3, 0, tzinfo=UTC)
TEXT = "<h2>Terms</h2><p onclick=x>Mine <b>alone</b>.</p><script>1</script>"


def publish(now, days=0, html=TEXT):
    day = timezone.localdate(now) + timedelta(days=days)
    version = policy.publish_policy(html=html, holds_from=day, actor=make_sales(), now=now)
    seller.remember(None)  # committed
    return version


@pytest.mark.parametrize(
    "letters",
    [
        "effective from 17 May 2022",
        "returns within 7 days of receipt if the goods are damaged or are not the goods",
        "Claims must be made within 6 months of purchase",
        "can be cancelled only if it has not shipped",
        "The balance is refunded except a deposit of 100 USD",
        "credited to your wallet within 5 to 15 business days",
        "cannot ship within 2 business days, we notify you",
        "The buyer bears the customs duties",
        "European countries ship at actual product value",
        "All express packages to Chile are declared at 28 USD, and all standard packages to Chile "
        "at 5 USD",
        "governed by Korean law",
        "the fee of a PayPal payment is not part of the refund",
        "keeps about the companies that order here",
    ],
)
def test_the_portals_own_text_says(letters):
    assert letters in policy.own_policy().html


def test_without_paypal_nothing_names_it():
    seller.remember(seller.Current(Seller(paypal_on=False, title="Ko & Co")))
    html = policy.own_policy().html
    assert "paypal" not in html.lower()
    assert "except a deposit of 100 USD. The refund is" in html
    assert "which data Ko &amp; Co keeps" in html


def test_headings_have_anchors_of_their_own(visitor: ContractClient):
    answer = visitor.get("/api/policy").json()
    ids = [one["id"] for one in answer["contents"]]
    assert len(ids) == len(set(ids)) == 12
    assert all(f'id="{one}" tabindex="-1"' in answer["html"] for one in ids)
    assert {"id": "terms-of-use", "title": "Terms of use", "level": 2} in answer["contents"]
    html, (first, second) = policy.with_anchors("<h2>A &amp; b</h2><h3>A <em>b</em></h3>")
    assert (first.title, first.id, second.id) == ("A & b", "a-b", "a-b-2")
    assert html.startswith('<h2 id="a-b" tabindex="-1">A &amp; b</h2>')


def test_a_version_holds_from_its_day_on():
    assert publish(NOW, days=2).number == 1
    assert policy.policy(NOW).number == policy.OWN
    assert policy.policy(NOW + timedelta(days=1)).number == policy.OWN
    current = policy.policy(NOW + timedelta(days=2))
    assert (current.number, current.html) == (1, "<h2>Terms</h2><p>Mine <b>alone</b>.</p>")
    assert publish(NOW + timedelta(days=2)).number == 2
    assert policy.policy(NOW + timedelta(days=2)).number == 2


def test_a_registration_keeps_the_version_that_was_read(visitor: ContractClient, now):
    publish(now)
    publish(now)
    for number, expected in ((1, 1), (0, 0), (None, 2), (7, 2)):
        link = make_link(email=f"r{number}@glow.test")
        form = make_form(link, terms_version=number)
        assert visitor.post("/api/register/sign-up", form, "application/json").json() == {
            "success": 1
        }
        assert User.objects.get(email=link.email).terms_version == expected

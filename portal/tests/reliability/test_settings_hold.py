"""What the seller changes on one instance holds on another."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from apps.accounts.services.sessions import issue_token
from apps.accounts.tests.factories import make_buyer
from apps.common.models import Seller
from apps.common.seller import touch_seller
from portal.tests.reliability.outside import served, until

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.postgresql
def test_another_process_learns_of_a_change(tmp_path: Path) -> None:
    now = datetime.now(UTC)
    token = str(issue_token(buyer=make_buyer(), signed_in_at=now, now=now))
    with served(tmp_path) as portal:
        assert portal.send("GET", "/api/config").body["title"] != "Nuri"
        touch_seller()
        Seller.objects.update(title="Nuri", deposit_rate="0.25")
        portal.token = token
        # With its caller at once, without one by the next look.
        assert portal.send("GET", "/api/config").body["deposit_rate"] == 0.25
        portal.token = ""
        until(lambda: portal.send("GET", "/api/config").body["title"] == "Nuri")

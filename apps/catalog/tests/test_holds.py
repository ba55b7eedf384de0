"""Pieces held while a deposit is paid: taken once, given back when their time is over and not
before.
"""

from datetime import UTC, datetime, timedelta

import pytest

from apps.catalog.models import Stock
from apps.catalog.services import holds
from apps.catalog.tests.factories import make_product

pytestmark = pytest.mark.django_db
SOON = datetime(2026, 12, 1, 12, tzinfo=UTC)
LATER = SOON + timedelta(hours=1)


def test_holding_again_moves_the_end_and_takes_no_more() -> None:
    product = make_product(on_hand=10)
    for until in (SOON, LATER):
        holds.hold(invoice_code="MHW-1", wanted={product.pk: 10}, stock_free=False, until=until)
    assert Stock.objects.get(product=product).allocated == 10
    assert holds.expired_holds(now=SOON) == []
    assert not holds.release(invoice_code="MHW-1", expired_at=SOON)
    assert holds.expired_holds(now=LATER) == ["MHW-1"]
    assert holds.release(invoice_code="MHW-1", expired_at=LATER)
    assert Stock.objects.get(product=product).allocated == 0

"""Prices by day and group, imported: what they cost from then on, and back again."""

from datetime import date, timedelta
from decimal import Decimal
from functools import partial

import pytest
from django.utils import timezone

from apps.accounts.tests.factories import make_company
from apps.accounts.tests.staff import staff_in
from apps.catalog.models import PriceGroupItem, Product, ProductPrice
from apps.catalog.selectors import prices_for
from apps.catalog.tests.factories import make_price_group, make_product
from apps.catalog.tests.import_files import applied, book, undone
from apps.common.days import midnight
from apps.moving.tests import moving_files
from apps.moving.tests.moving_files import digest, results

sent = partial(moving_files.sent, kind="prices")
pytestmark = pytest.mark.django_db
HEAD = ("가격 그룹", "품번", "변경 단가", "적용일", "종료일")
CHANGES = ("catalog.catalogchange",)  # each change leaves a mark there
SOON = date(2999, 1, 1)


def test_prices_of_groups_and_of_all_hold_from_their_days_and_go_again():
    gold = make_price_group(-10, customer := make_company(), name="Gold")
    one, other = make_product(sku="A-1"), make_product(sku="A-2")
    PriceGroupItem.objects.create(group=gold, product=other, price=Decimal("4.00"))
    staff, before = staff_in("Sales"), digest(besides=CHANGES)
    rows = [
        ("gold", "a-1", "$4.20", "", "2999-12-31"),
        ("Gold", "A-2", 4.1, "", ""),
        ("", "A-1", 4.8, SOON, ""),
    ]
    source = sent(book(a=[HEAD, *rows]), actor=staff)
    assert (source.kind, [result for _, result, _ in results(source)]) == (
        "prices",
        ["new", "changed", "new"],
    )
    applied(source)
    customer.refresh_from_db()
    now = prices_for(customer, [one, other], timezone.now())
    assert [now[one.pk].price, now[other.pk].price] == [Decimal("4.20"), Decimal("4.10")]
    stranger = make_company()
    then = prices_for(stranger, [one], midnight(SOON))
    assert then[one.pk].price == Decimal("4.80")
    stranger.delete()
    again = sent(book(a=[HEAD, *rows]), actor=staff)
    assert [result for _, result, _ in results(again)] == ["same"] * 3
    undone(source)
    assert (source.state, digest(besides=CHANGES)) == ("undone", before)


def test_what_cannot_hold_is_refused_and_what_is_unlikely_looked_at():
    make_price_group(0, name="Gold")
    for sku in ("A-1", "A-2", "A-3"):
        make_product(sku=sku, usd_supply=Decimal("4.50"))
    today = timezone.localdate()
    rows = [
        ("Silver", "A-1", 4, "", ""),
        ("", "A-1", 4, today, ""),
        ("", "A-1", 4, SOON, SOON + timedelta(days=3)),
        ("Gold", "A-1", "", "", ""),
        ("Gold", "NONE", 4, "", ""),
        ("Gold", "A-1", 4, SOON, "2998-12-31"),
        ("Gold", "A-2", 4, "", ""),
        ("Gold", "A-2", 3.9, "", ""),
        ("Gold", "A-3", 0.45, "", ""),
    ]
    source = sent(book(a=[HEAD, *rows]), actor=staff_in("Sales"))
    assert [remark for _, result, remark in results(source) if result == "faulty"] == [
        "there is no price group “Silver”",
        "without a group it needs a day to come; today's belong to products",
        "without a group it has no last day: the next price ends it",
        "the price is missing",
        "no product has this SKU",
        "its last day is before the first",
        "it stands in row 8 too, for the same day",
    ]
    assert source.counts["guards"]["unlikely"] == 1


def test_a_price_that_somebody_changed_meanwhile_stays():
    gold = make_price_group(0, name="Gold")
    make_product(sku="A-1")
    source = sent(book(a=[HEAD, ("Gold", "A-1", 4, "", "")]), actor=staff_in("Sales"))
    applied(source)
    gold.items.update(price=Decimal("4.10"))
    undone(source)
    assert gold.items.get().price == Decimal("4.10")
    assert source.state != "undone"


def test_a_price_that_began_before_one_was_typed_is_not_applied_after_it():
    product = make_product(sku="A-1", usd_supply=Decimal("4.50"))
    source = sent(book(a=[HEAD, ("", "A-1", 4.8, SOON, "")]), actor=staff_in("Sales"))
    # In the night the day begins, a price is typed, and only then the import is applied.
    typed_at = midnight(SOON) + timedelta(minutes=5)
    Product.objects.filter(pk=product.pk).update(usd_supply=Decimal("4.90"))
    ProductPrice.objects.keep({product.pk: (Decimal("4.50"), Decimal("4.90"))}, now=typed_at)
    applied(source)
    assert source.state != "applied"
    then = prices_for(make_company(), [product], typed_at + timedelta(minutes=5))
    assert then[product.pk].price == Decimal("4.90")

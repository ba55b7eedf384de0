"""What holds of money and quantities for every figure, not only for those of the tables."""

from decimal import Decimal
from fractions import Fraction

from hypothesis import given, strategies as st

from apps.catalog.errors import BelowMoq, NotMultipleOfMoq
from apps.catalog.rules import (
    check_quantity,
    effective_moq,
    is_short,
    nearest_quantities,
    quantity_step,
)
from apps.common.money import usd
from apps.orders.rules import balance_due, deposit_due, kilograms, line_total, overpayment, subtotal
from apps.payments.rules import paypal_amount, paypal_fee, wallet_credit
from portal.tests.fuzz.size import trying

MONEY = st.integers(0, 10**11).map(lambda cents: Decimal(cents) / 100)
RATES = st.integers(0, 1000).map(lambda per_mille: Decimal(per_mille) / 1000)
HALF_A_CENT = Fraction(1, 200)
FEW = trying(40)


def can_be_ordered(count: int, moq: int, step: int) -> bool:
    try:
        check_quantity(count=count, moq=moq, step=step)
    except (BelowMoq, NotMultipleOfMoq):
        return False
    return True


@FEW
@given(st.decimals(0, 10**9, places=4))
def test_dollars_are_the_nearest_cents_and_a_half_goes_up(amount: Decimal) -> None:
    rest = Fraction(usd(amount)) - Fraction(amount)
    assert -HALF_A_CENT < rest <= HALF_A_CENT
    assert usd(amount) == usd(usd(amount))


@FEW
@given(
    st.lists(
        st.tuples(MONEY.filter(lambda price: price < 10**6), st.integers(1, 10**6)), max_size=30
    )
)
def test_a_subtotal_is_its_lines_to_the_cent(lines: list[tuple[Decimal, int]]) -> None:
    exact = sum((Fraction(price) * count for price, count in lines), Fraction(0))
    assert (
        Fraction(subtotal(line_total(price=price, quantity=count) for price, count in lines))
        == exact
    )


@FEW
@given(MONEY, MONEY, MONEY)
def test_an_order_is_short_of_money_or_has_too_much_never_both(
    real: Decimal, fee: Decimal, received: Decimal
) -> None:
    sums = {"real_total": real, "shipping_fee": fee, "received": received}
    due, over = balance_due(**sums), overpayment(**sums)
    assert min(due, over) == 0
    assert due - over == real + fee - received


@FEW
@given(MONEY, RATES)
def test_a_deposit_is_a_part_of_the_subtotal(total: Decimal, rate: Decimal) -> None:
    part = deposit_due(goods=total, rate=rate)
    assert 0 <= part <= total
    assert -HALF_A_CENT < Fraction(part) - Fraction(total) * Fraction(rate) <= HALF_A_CENT


@FEW
@given(MONEY, MONEY, RATES)
def test_the_surcharge_is_exact_and_grows_with_the_amount(
    one: Decimal, other: Decimal, rate: Decimal
) -> None:
    small, large = sorted((one, other))
    fee = paypal_fee(base=small, rate=rate)
    assert -HALF_A_CENT < Fraction(fee) - Fraction(small) * Fraction(rate) <= HALF_A_CENT
    assert fee <= paypal_fee(base=large, rate=rate)


@FEW
@given(st.integers(0, 999_999_999).map(lambda cents: Decimal(cents) / 100))
def test_an_amount_comes_back_from_paypal_as_it_went(amount: Decimal) -> None:
    assert paypal_amount(f"{amount:.2f}") == amount
    assert paypal_amount(float(amount)) == amount


@FEW
@given(
    st.text() | st.floats() | st.integers() | st.booleans() | st.none() | st.lists(st.integers())
)
def test_anything_else_from_paypal_is_no_amount_or_one_in_cents(value: object) -> None:
    amount = paypal_amount(value)
    assert amount is None or (amount >= 0 and amount == usd(amount))


@FEW
@given(MONEY)
def test_the_terms_keep_a_hundred_dollars_at_most(received: Decimal) -> None:
    by_terms, whole = (wallet_credit(received=received, by_terms=is_so) for is_so in (True, False))
    assert 0 <= by_terms <= whole == received
    assert whole - by_terms == min(received, 100)


@FEW
@given(st.integers(0, 10**9))
def test_kilograms_are_rounded_up_to_a_tenth(grams: int) -> None:
    assert 0 <= kilograms(grams) * 1000 - grams < 100


@FEW
@given(
    minimum=st.integers(0, 60),
    special=st.booleans(),
    count=st.integers(1, 300),
    most=st.integers(-50, 400),
)
def test_the_nearest_quantities_are_the_nearest_that_can_be_ordered(
    minimum: int, special: bool, count: int, most: int
) -> None:
    moq, step = (
        effective_moq(minimum=minimum, special=special),
        quantity_step(minimum=minimum, special=special),
    )
    fits = [pieces for pieces in range(1, max(most, 0) + 1) if can_be_ordered(pieces, moq, step)]
    below = max((pieces for pieces in fits if pieces <= count), default=None)
    above = min((pieces for pieces in fits if pieces >= count), default=None)
    assert nearest_quantities(count=count, moq=moq, step=step, most=most) == (below, above)
    assert can_be_ordered(moq, moq, step)
    assert moq >= 10


@FEW
@given(st.integers(-100, 100), st.integers(1, 200))
def test_only_who_may_order_beyond_the_shelf_does(available: int, count: int) -> None:
    assert not is_short(available=available, count=count, stock_free=True)
    assert is_short(available=available, count=count, stock_free=False) == (available < count)

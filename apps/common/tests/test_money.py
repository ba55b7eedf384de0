"""Amounts as staff type them."""

import re
from decimal import Decimal

import pytest

from apps.common.money import read_usd


@pytest.mark.parametrize(
    ("typed", "amount"),
    [("86.4", "86.40"), (" 1,234.56 ", "1234.56"), ("1234", "1234.00"), ("-5.00", "-5.00")],
)
def test_an_amount_is_read(typed, amount):
    assert read_usd(typed) == Decimal(amount)


@pytest.mark.parametrize(
    "typed", ["86,40", "1,2345", "1.005", "1e3", "NaN", "Infinity", "٣", "12 000", "$5", "-"]
)
def test_what_can_be_read_in_two_ways_is_not_guessed(typed):
    with pytest.raises(ValueError, match=re.escape(typed)):
        read_usd(typed)

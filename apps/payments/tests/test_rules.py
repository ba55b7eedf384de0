"""The rules of payments by their tables, which the front end runs too."""

from decimal import Decimal

import pytest
from django.db import IntegrityError, transaction

from apps.accounts.selectors import Buyer
from apps.common.errors import PortalError
from apps.common.testing import vectors
from apps.common.types import Json
from apps.payments.errors import DeclarationRequired, DepositorRequired
from apps.payments.rules import check_wire, is_payer, paypal_fee, wallet_credit
from apps.payments.states import PaymentState
from apps.payments.tests.test_states import make_payment

REFUSALS: dict[str, type[PortalError]] = {
    "depositor_required": DepositorRequired,
    "declaration_required": DeclarationRequired,
}


@pytest.mark.parametrize("row", vectors("payments/check_wire"))
def test_check_wire(row: Json) -> None:
    terms = {"depositor": row["depositor"], "export_declared": bool(row["export_declared"])}
    if row["refusal"] is None:
        check_wire(**terms)
        return
    with pytest.raises(REFUSALS[row["refusal"]]):
        check_wire(**terms)


@pytest.mark.parametrize("row", vectors("payments/paypal_fee"))
def test_paypal_fee(row: Json) -> None:
    assert paypal_fee(base=Decimal(row["base"]), rate=Decimal("0.035")) == Decimal(row["fee"])


@pytest.mark.parametrize("row", vectors("payments/wallet_credit"))
def test_wallet_credit(row: Json) -> None:
    credit = wallet_credit(received=Decimal(row["received"]), by_terms=bool(row["by_terms"]))
    assert credit == Decimal(row["credit"])


@pytest.mark.parametrize(
    ("payer_id", "known"),
    [
        ("PAYER", True),
        ("P4YER67890P4YER67890", True),
        ("PAYE", False),
        ("P4YER67890P4YER678901", False),
        ("payer12345", False),
        ("PAYER1234e", False),
        ("PAYER-1234", False),
        ("PAYER1234\n", False),
    ],
)
def test_a_payer_is_5_to_20_capitals_and_digits(payer_id: str, known: bool) -> None:
    assert is_payer(payer_id) is known


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("base", "fee"), [("1839.71", "64.39"), ("1.01", "0.04"), ("12345.67", "432.10")]
)
def test_the_database_adds_base_and_fee_in_cents(buyer: Buyer, base: str, fee: str) -> None:
    amount = Decimal(base) + Decimal(fee)
    figures = {"base": Decimal(base), "fee": Decimal(fee)}
    make_payment(buyer, PaymentState.CREATED, amount=amount, **figures)
    with pytest.raises(IntegrityError), transaction.atomic():
        make_payment(buyer, PaymentState.CREATED, amount=amount + Decimal("0.01"), **figures)

"""The seller's settings: what is set, the environment's defaults, who learns of a change when."""

from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from django.db import IntegrityError, OperationalError, transaction

from apps.common import seller as module
from apps.common.models import STEPS, BankAccount, ClosedDay, Seller
from apps.common.money import ZERO
from apps.common.seller import Current, per_version, remember, seller, touch_seller
from apps.common.testing import selling

LONG_AGO = float("-inf")


def test_a_blank_field_is_the_environments(settings: Any) -> None:
    settings.PORTAL_TITLE, settings.DEPOSIT_RATE = "Environment", Decimal("0.5")
    selling(deposit_rate=ZERO)
    assert (seller().title, seller().deposit_rate) == ("Environment", ZERO)
    selling(title="Page", promised_wire=4)
    assert (seller().title, seller().deposit_rate) == ("Page", Decimal("0.5"))
    days = {step: seller().promised_days(step) for step in STEPS}
    assert days == {**settings.PROMISED_DAYS, "wire": 4}


def test_buyers_see_accounts_that_are_shown_and_whole(settings: Any) -> None:
    whole = {**settings.BANK, "currency": "EUR", "label": "Euro"}
    accounts = [
        BankAccount(**whole, is_shown=False),
        BankAccount(**{**whole, "holder": ""}),
        BankAccount(**whole),
    ]
    selling(banks=accounts)
    assert [one["label"] for one in seller().banks] == ["Euro"]
    assert seller().bank == settings.BANK
    settings.BANK = {**settings.BANK, "bank": ""}
    selling()
    assert (seller().banks, set(seller().bank.values())) == ([], {""})


@pytest.mark.django_db
class TestAChange:
    """Made by another process: this one is told by the version alone."""

    @pytest.fixture(autouse=True)
    def _known(self) -> None:
        remember(Current(Seller()))

    def change(self, **fields: Any) -> None:
        touch_seller()
        Seller.objects.update(**fields)

    def test_reaches_everything_else_by_a_look(self, django_assert_num_queries: Any) -> None:
        before = seller()
        self.change(title="New")
        with django_assert_num_queries(0):
            assert seller() is before
        remember(before, looked_at=LONG_AGO)
        assert seller().title == "New"
        with django_assert_num_queries(1):
            remember(seller(), looked_at=LONG_AGO)
            _ = [seller().title for _ in range(3)]

    def test_waits_for_the_commit(self, django_capture_on_commit_callbacks: Any) -> None:
        with django_capture_on_commit_callbacks(execute=True):
            self.change(title="New")
            assert seller().title != "New"
        assert seller().title == "New"

    def test_is_another_version_after_one_that_was_rolled_back(self) -> None:
        with transaction.atomic():
            touch_seller()
            rolled_back = Seller.objects.get().version
            transaction.set_rollback(True)
        touch_seller()
        assert Seller.objects.get().version > rolled_back

    def test_of_other_tables_is_read_once_a_version(self) -> None:
        reads = []

        @per_version(list[str])
        def names() -> list[str]:
            reads.append(1)
            return [day.name for day in ClosedDay.objects.all()]

        assert (names(), reads) == ([], [])
        ClosedDay.objects.create(day=date(2026, 12, 24), name="Eve")
        self.change()
        remember(None)
        assert (names(), names(), len(reads)) == (["Eve"], ["Eve"], 1)

    def test_there_is_one_seller(self) -> None:
        touch_seller()
        with pytest.raises(IntegrityError), transaction.atomic():
            Seller.objects.create(id=2)

    def test_what_is_known_stays_while_the_database_is_away(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def away(*_: Any) -> None:
            raise OperationalError

        before = Current(Seller(title="Known"))
        remember(before, looked_at=LONG_AGO)
        monkeypatch.setattr(module, "saw_version", away)
        assert seller().title == "Known"

"""The demo as it stands after loading: everything that readings, Demo data, promises."""

from datetime import timedelta

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import transaction
from django.db.models import F, Q
from django.test import TestCase
from django.utils import timezone
from post_office.models import STATUS, Email

from apps.accounts.models import Company, User
from apps.catalog.models import Product, Promotion
from apps.notices.models import Notice
from apps.orders.models import Order, OrderEvent, OrderLine
from apps.orders.selectors.orders import due_of
from apps.payments.models import Payment, WalletEntry
from apps.payments.states import PaymentState
from apps.payments.tests.paypal.support import audit
from portal.demo import load
from portal.demo.rows import ACCOUNTS


class TestDemo(TestCase):
    """Loads once for all the tests here, without the pictures."""

    first: Company

    @classmethod
    def setUpTestData(cls) -> None:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(load, "write_pictures", lambda products, storage: 0)
            load.load_demo()
        cls.first = Company.objects.get(users__email="buyer@demo.test")

    def test_everybody_signs_in_with_the_password_of_the_table(self) -> None:
        for account in ACCOUNTS:
            user = User.objects.get(email=account.email)
            assert user.check_password(account.password)
            assert user.is_staff is (account.company == "")

    def test_every_buyer_has_a_complete_shipping_address(self) -> None:
        for user in User.objects.filter(is_staff=False):
            for name in ("country", "city", "zipcode", "address1", "phone"):
                assert getattr(user, f"ship_{name}"), f"{user}: {name}"

    def test_the_limited_buyer_sees_two_brands(self) -> None:
        company = Company.objects.get(users__email="limited@demo.test")
        assert company.brands_restricted
        assert company.brand_access.count() == 2

    def test_the_first_company_has_orders_in_every_status(self) -> None:
        orders = Order.objects.filter(company=self.first)
        assert orders.count() >= 14
        assert set(orders.values_list("status", flat=True)) == {0, 1, 2, 3, 4, 5}
        assert orders.filter(count__gte=40).count() >= 3

    def test_orders_lie_in_the_last_three_months_in_the_order_of_their_ids(self) -> None:
        placed = list(Order.objects.order_by("id").values_list("placed_at", flat=True))
        assert placed == sorted(placed)
        now = timezone.now()
        assert now - timedelta(days=92) < placed[0]
        assert placed[-1] < now

    def test_one_confirmed_order_waits_for_a_payment_that_nobody_announced(self) -> None:
        orders = Order.objects.filter(company=self.first, status=3, payment_pending=False)
        orders = orders.filter(wire_announced=False)
        for order in orders:
            assert due_of(order) == order.real_total + order.shipping_fee - order.received
        assert any(due_of(one) > 0 and one.deposit_received == one.deposit for one in orders)

    def test_another_has_an_announced_wire(self) -> None:
        order = Order.objects.get(company=self.first, status=3, payment_pending=True)
        payment = order.payments.get(kind=Payment.Kind.BALANCE)
        assert (payment.state, payment.amount) == (PaymentState.ANNOUNCED, due_of(order))

    def test_confirmed_orders_have_documents_and_most_are_packed(self) -> None:
        for order in Order.objects.filter(company=self.first, status__gte=3):
            assert order.documents.exists()
            assert order.packing_status == Order.Packing.COMPLETE

    def test_there_are_free_offers_refused_lines_and_comments(self) -> None:
        lines = OrderLine.objects.filter(order__company=self.first)
        assert lines.filter(is_confirmed=False, reason="free_offer", price=0).exists()
        assert lines.filter(is_confirmed=False, price__gt=0).exclude(comment="").exists()
        assert Order.objects.filter(company=self.first).exclude(customer_memo="").exists()
        assert Order.objects.filter(company=self.first).exclude(memo="").exists()

    def test_stock_money_and_history_agree(self) -> None:
        assert audit() == ""
        now = timezone.now()
        out_of_time = Q(at__gt=now) | Q(at__lt=F("order__placed_at"))
        assert not OrderEvent.objects.filter(out_of_time).exists()

    def test_enough_stays_to_be_ordered(self) -> None:
        on_sale = Q(is_running=1)
        free = F("stock__on_hand") - F("stock__allocated")
        products = Product.objects.filter(on_sale).annotate(free=free)
        ordinary = products.filter(is_special=False)
        plenty = [p for p in ordinary if p.free >= 20 * max(10, p.minimum)]
        low = [p for p in ordinary if 1 <= p.free / max(10, p.minimum) <= 5]
        assert len(plenty) > 0.8 * ordinary.count()
        assert len(low) >= 3
        assert products.filter(is_special=True, free__gte=100).count() >= 2
        assert products.filter(free__lte=0).exists()

    def test_a_promotion_runs_for_a_year(self) -> None:
        promotion, now = Promotion.objects.get(), timezone.now()
        assert promotion.starts_at < now
        assert (promotion.starts_at.minute, promotion.ends_at.second) == (0, 0)
        assert promotion.ends_at > now + timedelta(days=364)

    def test_notices_8_and_9_pop_up_in_august_2025(self) -> None:
        assert Notice.objects.count() >= 12
        for notice in Notice.objects.filter(id__in=(8, 9)):
            window = map(timezone.localtime, (notice.popup_from, notice.popup_until))
            days = [f"{at:%F %T}" for at in window]
            assert days == ["2025-08-01 00:00:00", "2025-08-31 23:59:59"]
        assert Notice.objects.filter(files__isnull=False).exists()

    def test_the_past_sends_no_mail_now(self) -> None:
        assert set(Email.objects.values_list("status", flat=True)) == {STATUS.sent}

    def test_what_was_overpaid_and_cancelled_is_in_the_wallet(self) -> None:
        kinds = set(WalletEntry.objects.filter(company=self.first).values_list("kind", flat=True))
        assert kinds == {WalletEntry.Kind.CANCELLATION, WalletEntry.Kind.OVERPAYMENT}

    def test_a_database_with_data_is_left_alone(self) -> None:
        before = Order.objects.count()
        with pytest.raises(CommandError, match="empty"):
            call_command("load_demo")
        assert Order.objects.count() == before

    def test_a_new_notice_gets_a_new_id(self) -> None:
        with transaction.atomic():
            notice = Notice.objects.create(title="New", content="")
            assert notice.pk > 14
            transaction.set_rollback(True)

"""What operators watch: the mails about what is over its limit, the home page's card."""

import re
from datetime import timedelta
from decimal import Decimal
from typing import Any
from uuid import uuid4

import pytest
from django.utils import timezone
from post_office.models import STATUS, Email

from apps.accounts.selectors import Buyer
from apps.accounts.tests.staff import staff_client
from apps.common.mail import REGISTRATIONS, TRADE, write_texts
from apps.payments.models import Payment
from apps.payments.states import PaymentState
from portal.models import SweepRun
from portal.ops.sweeps import SWEEPS, run_sweep


@pytest.fixture(autouse=True)
def _well(db: None) -> None:
    now = timezone.now()
    SweepRun.objects.bulk_create(
        [SweepRun(name=name, started_at=now, succeeded_at=now) for name in SWEEPS]
    )


def late_mail(status: int = STATUS.queued, *, topic: str = TRADE) -> Email:
    context = {"topic": topic}
    email: Email = Email.objects.create(
        from_email="a@b.test", to=["c@d.test"], status=status, context=context
    )
    Email.objects.filter(pk=email.pk).update(created=timezone.now() - timedelta(minutes=30))
    return email


def paypal_payment(buyer: Buyer, state: str) -> Payment:
    now = timezone.now()
    return Payment.objects.create(
        invoice_code=f"X-{uuid4()}"[:20],
        company_id=buyer.company_id,
        user_id=buyer.id,
        method=Payment.Method.PAYPAL,
        kind=Payment.Kind.DEPOSIT,
        state=state,
        base=Decimal("5.00"),
        amount=Decimal("5.00"),
        created_at=now,
        executing_since=now - timedelta(minutes=30),
    )


TOLD = {
    "en": (
        "6 things need an operator",
        "1 mails wait, the oldest for 30 min.",
        "1 mails were given up",
        "1 PayPal payments have had no outcome",
        "1 PayPal payments are held",
        "(audit)” fails: CommandError: stock",
        "(papers)” has not run for 9 d.",
    ),
    "ko": (
        ": 운영자 확인이 필요한 항목 6건",
        "발송 대기 중인 메일이 1건 있습니다. 최장 경과: 30분",
        "발송이 중단된 메일이 1건",
        "결과가 확인되지 않은 PayPal 결제가 1건",
        "보류된 PayPal 결제가 1건",
        "자동 작업 “재고·금액 검증 (audit)” 실패: CommandError: stock",
        "자동 작업 “서류 파일 생성 (papers)” 실행이 9일 동안 없었습니다.",
    ),
}


class TestAlerts:
    @pytest.fixture(autouse=True)
    def _operators(self, settings: Any) -> None:
        settings.OPERATORS_EMAIL = "operators@portal.test"

    def mails(self) -> list[Email]:
        return [
            write_texts(mail)
            for mail in Email.objects.filter(to="operators@portal.test").order_by("id")
        ]

    def test_while_all_is_well_nobody_is_mailed(self) -> None:
        assert run_sweep("alerts") == 0
        assert self.mails() == []

    def test_one_mail_until_it_was_well_in_between(self) -> None:
        stuck = late_mail()
        assert run_sweep("alerts") == 1
        assert run_sweep("alerts") == 0
        assert SweepRun.objects.get(name="alerts").failure == ""
        (mail,) = self.mails()
        assert mail.subject.endswith("1 mails wait, the oldest for 30 min.")
        Email.objects.filter(pk=stuck.pk).update(status=STATUS.sent)
        assert run_sweep("alerts") == 0
        assert SweepRun.objects.get(name="alerts").open_alerts == []
        Email.objects.filter(pk=stuck.pk).update(status=STATUS.requeued)
        assert run_sweep("alerts") == 1
        assert len(self.mails()) == 2

    @pytest.mark.parametrize("language", TOLD)
    def test_everything_new_is_in_one_mail_in_the_staffs_language(
        self, buyer: Buyer, settings: Any, language: str
    ) -> None:
        settings.STAFF_LANGUAGE = language
        late_mail(STATUS.failed)
        late_mail()
        paypal_payment(buyer, PaymentState.UNKNOWN)
        paypal_payment(buyer, PaymentState.HELD)
        ago = timezone.now() - timedelta(days=9)
        audit = SweepRun.objects.filter(name="audit")
        audit.update(succeeded_at=ago, failure="CommandError: stock")
        SweepRun.objects.filter(name="papers").update(succeeded_at=ago)
        assert run_sweep("alerts") == 6
        (mail,) = self.mails()
        subject, *texts = TOLD[language]
        assert mail.subject.endswith(subject)
        for text in (*texts, "http://testserver/admin/"):
            assert text in mail.message

    def test_without_an_address_nothing_is_remembered(self, settings: Any) -> None:
        settings.OPERATORS_EMAIL = ""
        late_mail()
        assert run_sweep("alerts") == 0
        assert SweepRun.objects.get(name="alerts").open_alerts == []


class TestHome:
    @pytest.mark.parametrize(("group", "topic"), [("Sales", TRADE), ("Approvers", REGISTRATIONS)])
    def test_every_group_sees_its_mails_and_superusers_the_sweeps(
        self, group: str, topic: str
    ) -> None:
        late_mail(topic=topic)
        ago = timezone.now() - timedelta(hours=3)
        SweepRun.objects.filter(name="papers").update(succeeded_at=ago, failure="OSError: full")
        page = staff_client(group).get("/admin/")
        mail = next(card for card in page.context["cards"] if card["name"] == "Mail")
        queue = next(row for row in mail["rows"] if row["label"] == "Waiting in the queue")
        assert queue["late"] == "1 stuck"
        root = staff_client()
        tasks = root.get("/admin/").context["cards"][-1]
        rows = {row["label"]: row for row in tasks["rows"]}
        assert [(row["count"], row["late"]) for row in rows.values()] == [(1, "Look"), (1, "Look")]
        assert rows["Failing"]["oldest"] == "3 h"
        for row in rows.values():
            assert root.get(row["url"]).context["cl"].result_count == 1
        listed = root.get(rows["Failing"]["url"])
        assert "OSError: full" in listed.text
        assert re.search(
            r'<td[^>]* class="field-state"><span class="tag [a-z]+">Failing</span></td>',
            listed.text,
        )
        address = "/admin/portal/sweeprun/papers/change/"
        assert root.get(address).status_code == 200
        assert root.post(address, {"failure": ""}).status_code == 403

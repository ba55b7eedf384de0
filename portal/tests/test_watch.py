"""What operators watch: the figures for Prometheus, the mails about what is over its limit, the
home page's card.
"""

import logging
import os
import re
import subprocess
import sys
from datetime import timedelta
from decimal import Decimal
from typing import Any
from uuid import uuid4

import pytest
from django.db import DatabaseError
from django.test import Client
from django.utils import timezone
from post_office.models import STATUS, Email
from prometheus_client.parser import text_string_to_metric_families

from apps.accounts.selectors import Buyer
from apps.accounts.tests.staff import staff_client
from apps.common.mail import REGISTRATIONS, TRADE, write_texts
from apps.common.testing import ContractClient
from apps.payments.models import Payment
from apps.payments.states import PaymentState
from portal.models import Alert, SweepRun
from portal.ops import metrics
from portal.ops.sweeps import SWEEPS, run_sweep

TOKEN = "metrics-token-of-at-least-32-characters"


@pytest.fixture(autouse=True)
def _well(db: None) -> None:
    now = timezone.now()
    SweepRun.objects.bulk_create(
        [SweepRun(name=name, started_at=now, succeeded_at=now) for name in SWEEPS]
    )


@pytest.fixture
def watched(settings: Any) -> Client:
    settings.METRICS_TOKEN = TOKEN
    return Client(headers={"authorization": f"Bearer {TOKEN}"})


def scrape(client: Client) -> dict[tuple[str, tuple[str, ...]], float]:
    """Return every sample by its name and the values of its labels, those in the order of their
    names.
    """
    answer = client.get("/metrics")
    assert answer.status_code == 200
    assert answer["Content-Type"].startswith("text/plain")
    return {
        (sample.name, tuple(value for _, value in sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(answer.text)
        for sample in family.samples
    }


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


class TestMetrics:
    @pytest.mark.parametrize(
        "given", ["", "Bearer", "Bearer wrong", f"Bearer {TOKEN}x", TOKEN[:-1]]
    )
    def test_without_the_token_there_is_no_such_address(self, watched: Client, given: str) -> None:
        answer = Client(headers={"authorization": given}).get("/metrics")
        assert (answer.status_code, answer.text) == (404, "Not found.\n")

    def test_where_no_token_is_set_nobody_gets_them(self, settings: Any) -> None:
        settings.METRICS_TOKEN = ""
        for given in ("", "Bearer", "Bearer "):
            assert Client(headers={"authorization": given}).get("/metrics").status_code == 404

    def test_requests_are_counted_by_route_method_and_status(
        self, watched: Client, api: ContractClient, buyer: Buyer
    ) -> None:
        before = scrape(watched)
        client = Client(headers={"x-access-token": api.token or ""})
        for _ in range(3):
            client.get(f"/api/brand/{buyer.uuid}")
        client.get(f"/api/brand/{uuid4()}")
        after = scrape(watched)
        route = "api/brand/<str:uuid>"

        def grown(*key: Any) -> float:
            return after[key] - before.get(key, 0)

        assert grown("portal_requests_total", ("GET", route, "200")) == 3
        assert grown("portal_requests_total", ("GET", route, "404")) == 1
        assert grown("portal_request_seconds_count", ("GET", route)) == 4
        assert grown("portal_request_seconds_bucket", ("+Inf", "GET", route)) == 4
        assert grown("portal_statements_total", (route,)) >= 4

    def test_an_invented_method_adds_no_figure_of_its_own(self, watched: Client) -> None:
        Client().generic("BREW", "/healthz")
        got = scrape(watched)
        assert got["portal_requests_total", ("other", "healthz", "405")] >= 1
        assert not any("BREW" in labels for _, labels in got)

    def test_named_events_and_warnings_are_counted(self, watched: Client) -> None:
        before = scrape(watched)
        handler = metrics.EventHandler()
        cache, quiet = logging.getLogger("portal.cache"), logging.getLogger("portal.quiet")
        for logger in (cache, quiet):
            logger.addHandler(handler)
        cache.warning("Redis does not answer", extra={"event": "redis_failed"})
        quiet.error("a failure")
        for logger in (cache, quiet):
            logger.removeHandler(handler)
        after = scrape(watched)
        for key in (
            ("portal_events_total", ("redis_failed",)),
            ("portal_log_lines_total", ("WARNING", "portal.cache")),
            ("portal_log_lines_total", ("ERROR", "portal.quiet")),
        ):
            assert after[key] - before.get(key, 0) == 1

    def test_what_waits_is_read_at_the_scrape(self, watched: Client, buyer: Buyer) -> None:
        late_mail()
        late_mail(STATUS.failed)
        paypal_payment(buyer, PaymentState.UNKNOWN)
        paypal_payment(buyer, PaymentState.HELD)
        SweepRun.objects.filter(name="papers").update(
            failure="x", succeeded_at=timezone.now() - timedelta(hours=1)
        )
        got = scrape(watched)
        assert got["portal_database_up", ()] == 1
        assert got["portal_mails_waiting", ()] == 1
        assert 1800 <= got["portal_mails_oldest_seconds", ()] < 3600
        assert got["portal_mails_failed", ()] == 1
        assert got["portal_payments_unknown", ()] == 1
        assert got["portal_payments_held", ()] == 1
        assert got["portal_products_short", ()] == 0
        assert got["portal_orders", ("received",)] == 0
        assert got["portal_sweep_failed", ("papers",)] == 1
        assert got["portal_sweep_late", ("papers",)] == 1
        assert got["portal_sweep_late", ("mails",)] == 0
        assert got["portal_sweep_age_seconds", ("papers",)] >= 3600

    def test_without_a_database_it_says_so_and_still_counts(
        self, watched: Client, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def fail(**_: object) -> None:
            raise DatabaseError("secret")

        monkeypatch.setattr("portal.ops.metrics.read_backlog", fail)
        got = scrape(watched)
        assert got["portal_database_up", ()] == 0
        assert any(name == "portal_requests_total" for name, _ in got)
        assert not any(name == "portal_mails_waiting" for name, _ in got)

    def test_processes_count_together_and_one_that_follows_counts_on(self, tmp_path: Any) -> None:
        script = (
            "import django; django.setup()\n"
            "from django.conf import settings\n"
            f"settings.DATA_DIR = type(settings.DATA_DIR)({str(tmp_path)!r})\n"
            "from django.utils import timezone\n"
            "from portal.ops import metrics\n"
            "metrics.count_request("
            "route='x', method='GET', status=200, seconds=0.01, statements=2)\n"
            "print([line for line in metrics.figures(now=timezone.now()).decode().splitlines()"
            " if line.startswith('portal_requests_total')])"
        )
        environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "portal.settings.test"}
        for count in (1, 2):
            done = subprocess.run(  # noqa: S603
                [sys.executable, "-c", script],
                env=environment,
                capture_output=True,
                text=True,
                check=True,
            )
            assert f" {count}.0" in done.stdout
        assert len(list(tmp_path.glob("metrics/counter_*.db"))) == 1


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
        assert not Alert.objects.exists()
        Email.objects.filter(pk=stuck.pk).update(status=STATUS.requeued)
        assert run_sweep("alerts") == 1
        assert len(self.mails()) == 2

    def test_everything_new_is_in_one_mail(self, buyer: Buyer) -> None:
        late_mail(STATUS.failed)
        paypal_payment(buyer, PaymentState.UNKNOWN)
        paypal_payment(buyer, PaymentState.HELD)
        ago = timezone.now() - timedelta(days=9)
        SweepRun.objects.filter(name="audit").update(
            succeeded_at=ago, failure="CommandError: stock"
        )
        SweepRun.objects.filter(name="papers").update(succeeded_at=ago)
        assert run_sweep("alerts") == 5
        (mail,) = self.mails()
        assert mail.subject.endswith("5 things need an operator")
        for text in (
            "1 mails were given up",
            "1 PayPal payments have had no outcome",
            "1 PayPal payments are held",
            "(audit)” fails: CommandError: stock",
            "(papers)” has not run for 9 d.",
        ):
            assert text in mail.message

    def test_without_an_address_nothing_is_remembered(self, settings: Any) -> None:
        settings.OPERATORS_EMAIL = ""
        late_mail()
        assert run_sweep("alerts") == 0
        assert not Alert.objects.exists()


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

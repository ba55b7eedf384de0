"""The sweeps: what each does, that one process at a time runs it, and that it notes how it went."""

import subprocess
import sys
import threading
from datetime import datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.core import mail
from django.core.management import call_command
from django.db import connection, transaction
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone
from post_office.mail import get_queued
from post_office.models import STATUS, Email, Log

from apps.accounts.models import Company, User
from apps.accounts.tests.factories import make_buyer, make_user
from apps.common import nudge as nudges
from apps.common.nudge import nudge
from apps.common.sweeps import MAILS_PER_SECOND, deliver_mails
from apps.orders.models import Order, OrderTally, TemporaryOrder
from apps.orders.tests.factories import make_order
from portal.models import SweepRun
from portal.ops import healthcheck, sweeps
from portal.ops.sweeps import SWEEPS, Sweep, due_times, run_sweep, sweep_states

pytestmark = pytest.mark.django_db


@pytest.fixture
def user() -> User:
    return make_user()


def temporary_order(user: User, *, days_old: float) -> TemporaryOrder:
    created_at = timezone.now() - timedelta(days=days_old)
    figures = {"total": 1, "deposit_rate": 1, "count": 0, "weight_g": 0, "lines": []}
    moments = {"created_at": created_at, "expires_at": created_at + timedelta(days=7)}
    return TemporaryOrder.objects.create(user=user, idempotency_key=uuid4(), **figures, **moments)


def queued_mail(subject: str, **fields: Any) -> Email:
    return Email.objects.create(
        from_email="sales@portal.test",
        to=["one@example.test"],
        subject=subject,
        message="Text",
        status=fields.pop("status", STATUS.queued),
        backend_alias="default",
        **fields,
    )


def test_mails_that_wait_go_out_once() -> None:
    for number in range(12):  # more than one batch
        queued_mail(f"Mail {number}")
    assert run_sweep("mails") == 12
    assert run_sweep("mails") == 0
    assert len(mail.outbox) == 12
    assert set(Email.objects.values_list("status", flat=True)) == {STATUS.sent}


def test_expired_temporary_orders_go(user: User) -> None:
    young, *old = (temporary_order(user, days_old=days) for days in (6.9, 7.1, 40, 40))
    for draft, days in zip(old[1:], (29, 31), strict=True):  # since PayPal was asked for a link
        draft.paypal_at = timezone.now() - timedelta(days=days)
        draft.save()
    run_sweep("forget")
    assert list(TemporaryOrder.objects.order_by("pk")) == [young, old[1]]


def test_keys_live_for_a_day(user: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("apps.common.sweeps.ROWS", 1)
    old = [temporary_order(user, days_old=days) for days in (1.1, 1.2)]
    young = temporary_order(user, days_old=0.9)
    placed = [
        make_order(make_buyer(), now=timezone.now() - timedelta(days=days), idempotency_key=uuid4())
        for days in (0.9, 1.1)
    ]
    assert run_sweep("forget") == len(old) + 1
    assert list(TemporaryOrder.objects.filter(idempotency_key__isnull=False)) == [young]
    assert list(Order.objects.filter(idempotency_key__isnull=False)) == placed[:1]


def test_only_sent_and_old_mails_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("apps.common.sweeps.ROWS", 1)
    mails = [queued_mail("Young", status=STATUS.sent), queued_mail("Waits")]
    old_mails = [queued_mail(f"Old {number}", status=STATUS.sent) for number in range(2)]
    old = [one.pk for one in (*old_mails, mails[1])]
    Email.objects.filter(pk__in=old).update(created=timezone.now() - timedelta(days=91))
    Log.objects.create(email=old_mails[0], status=STATUS.sent)
    assert run_sweep("forget") == len(old_mails)
    assert set(Email.objects.all()) == set(mails)


def test_what_cannot_be_forgotten_holds_up_nothing_else(
    user: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(now: datetime) -> int:
        raise OSError("the storage is away")

    temporary_order(user, days_old=7.1)
    monkeypatch.setattr(sweeps, "FORGETTING", (refuse, *sweeps.FORGETTING))
    assert run_sweep("forget") == 0
    assert SweepRun.objects.get(name="forget").failure == "OSError: the storage is away"
    assert not TemporaryOrder.objects.exists()


def test_the_audit_notes_what_is_broken(user: User) -> None:
    assert run_sweep("audit") == 0
    assert SweepRun.objects.get(name="audit").failure == ""
    OrderTally.objects.create(
        company=Company.objects.get(), bucket="status:1", count=1, total=Decimal("5.00")
    )
    run_sweep("audit")
    assert SweepRun.objects.get(name="audit").failure.startswith("CommandError")


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> str:
    def fail(now: object) -> int:
        raise ValueError("no paper")

    monkeypatch.setitem(sweeps.SWEEPS, "broken", Sweep("broken", timedelta(hours=1), fail))
    return "broken"


def late_sweeps(now: datetime) -> set[str]:
    return {sweep.name for sweep in sweep_states(now) if sweep.is_late}


def failing_sweeps(now: datetime) -> set[str]:
    return {sweep.name for sweep in sweep_states(now) if sweep.is_failing}


def test_a_failure_is_noted_and_comes_again_within_a_minute(broken: str) -> None:
    assert run_sweep(broken) == 0
    row = SweepRun.objects.get(name=broken)
    assert row.failure == "ValueError: no paper"
    assert row.succeeded_at is None
    latest = row.started_at + timedelta(minutes=1)  # type: ignore[operator]
    assert due_times(timezone.now())[broken] <= latest  # type: ignore[operator]
    assert broken not in late_sweeps(timezone.now())


def test_a_sweep_fails_once_its_repeat_failed_too_and_is_late_after_three_periods(
    broken: str,
) -> None:
    now = timezone.now()
    well_at = now - timedelta(hours=1)
    SweepRun.objects.create(name=broken, succeeded_at=well_at, started_at=now, failure="X")
    assert broken not in failing_sweeps(now)
    SweepRun.objects.update(started_at=now + timedelta(minutes=2))
    assert broken in failing_sweeps(now)
    assert broken not in late_sweeps(well_at + timedelta(hours=3))
    assert broken in late_sweeps(well_at + timedelta(hours=3, minutes=2))
    SweepRun.objects.update(is_held=True)
    assert broken not in late_sweeps(now + timedelta(days=9))


def test_a_sweep_that_never_ran_is_late_some_time_after_the_last_migration(broken: str) -> None:
    MigrationRecorder.Migration.objects.update(applied=timezone.now())
    assert late_sweeps(timezone.now()) == set()
    assert late_sweeps(timezone.now() + timedelta(hours=4)) >= {broken, "mails"}
    assert "audit" not in late_sweeps(timezone.now() + timedelta(hours=4))


def test_what_has_more_to_do_is_due_again_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    counts = [2, 2, 1]
    monkeypatch.setitem(
        sweeps.SWEEPS,
        "many",
        Sweep("many", timedelta(days=1), lambda now: counts.pop(0), at_once=2),
    )
    for _ in range(2):
        assert run_sweep("many") == 2
        now = timezone.now()
        assert due_times(now)["many"] <= now
        assert SweepRun.objects.get(name="many").succeeded_at
    assert run_sweep("many") == 1
    assert due_times(timezone.now())["many"] > timezone.now() + timedelta(hours=23)


def test_the_loop_lets_the_others_have_their_turn_before_it_goes_on(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    ran: list[str] = []

    def many(now: datetime) -> int:
        ran.append("many")
        return 2

    def other(now: datetime) -> int:
        ran.append("other")
        if ran.count("other") == 3:
            raise SystemExit
        return 0

    both = (Sweep("many", timedelta(days=1), many, at_once=2), Sweep("other", timedelta(), other))
    for module in ("portal.ops.sweeps", "portal.management.commands.run_due"):
        monkeypatch.setattr(f"{module}.SWEEPS", {sweep.name: sweep for sweep in both})
    monkeypatch.setattr("signal.signal", lambda *_: None)
    monkeypatch.setattr(
        "portal.management.commands.run_due.close_old_connections", lambda: None
    )  # the test's own
    monkeypatch.setattr("portal.management.commands.run_due.logger.exception", pytest.fail)
    monkeypatch.setattr("django.conf.settings.DATA_DIR", tmp_path)
    with pytest.raises(SystemExit):
        call_command("run_due", loop=True)
    assert ran == ["many", "other"] * 3
    alive = str(tmp_path / "run" / "alive")
    assert healthcheck.main(alive, "600") == 0
    assert healthcheck.main(alive, "-1") == healthcheck.main(str(tmp_path / "none")) == 1


def test_a_list_that_keeps_its_reader_busy_keeps_no_other_sweep_waiting(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    reading, mailed, waited = threading.Event(), threading.Event(), []

    def run(name: str) -> int:
        if name == "mails":
            reading.wait(10)
            mailed.set()
            raise SystemExit
        reading.set()
        waited.append(mailed.wait(10))
        return 0

    command = "portal.management.commands.run_due"
    monkeypatch.setattr(f"{command}.SWEEPS", {name: SWEEPS[name] for name in ("audit", "mails")})
    monkeypatch.setattr(f"{command}.run_sweep", run)
    monkeypatch.setattr(f"{command}.due_times", lambda now: dict.fromkeys(("audit", "mails"), now))
    monkeypatch.setattr("signal.signal", lambda *_: None)
    with pytest.raises(SystemExit):
        call_command("run_due", loop=True)
    assert waited == [True]


def test_a_long_queue_of_mails_leaves_the_others_their_turn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("apps.common.sweeps.BATCHES_AT_ONCE", 2)
    for number in range(25):
        queued_mail(f"Mail {number}")
    assert [run_sweep("mails") for _ in range(3)] == [20, 5, 0]


def test_mails_leave_no_faster_than_a_mail_server_takes_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pauses: list[float] = []
    monkeypatch.setattr("apps.common.sweeps.time.sleep", pauses.append)
    for number in range(25):
        queued_mail(f"Mail {number}")
    assert deliver_mails(timezone.now()) == 25
    assert len(pauses) == 2  # one after each whole batch, none where nobody waits any more
    assert all(pause <= 10 / MAILS_PER_SECOND for pause in pauses)


@pytest.mark.postgresql
def test_a_batch_is_found_without_reading_all_that_waits() -> None:
    Email.objects.bulk_create(
        Email(from_email="a@b.test", to=["c@d.test"], status=status, backend_alias="default")
        for status in [STATUS.sent] * 2000 + [STATUS.queued] * 500
    )
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE post_office_email")
    plan = get_queued().explain()
    assert "portal_waiting_mails" in plan
    assert "Sort" not in plan


def test_success_is_noted_and_the_next_is_due_one_period_later() -> None:
    run_sweep("forget")
    row = SweepRun.objects.get(name="forget")
    assert row.started_at
    assert row.succeeded_at
    assert due_times(timezone.now())["forget"] == row.started_at + timedelta(hours=1)
    assert "forget" not in late_sweeps(timezone.now())
    assert "forget" in late_sweeps(timezone.now() + timedelta(hours=4))


def test_a_clock_that_was_ahead_stops_no_sweep() -> None:
    now = timezone.now()
    later = now + timedelta(hours=23)
    SweepRun.objects.create(name="holds", started_at=later, succeeded_at=later)
    assert due_times(now)["holds"] == now
    assert run_sweep("holds") == 0
    assert SweepRun.objects.filter(name="holds", started_at__lt=later).exists()
    holds = SWEEPS["holds"]
    due = [holds.is_due(now + timedelta(seconds=s), now) for s in (-1, 0, 1, 60, 600)]
    assert due == [True, True, False, False, True]


def test_run_due_runs_everything_the_first_time_and_then_only_what_is_due(
    capsys: pytest.CaptureFixture[str],
) -> None:
    call_command("run_due")
    assert {line.partition(":")[0] for line in capsys.readouterr().out.splitlines()} == set(SWEEPS)
    SweepRun.objects.update(started_at=timezone.now())
    call_command("run_due")
    assert capsys.readouterr().out == ""


@pytest.mark.django_db(transaction=True)
def test_two_processes_never_run_a_sweep_together(monkeypatch: pytest.MonkeyPatch) -> None:
    started, finish = threading.Event(), threading.Event()
    runs: list[int | None] = []

    def work(now: object) -> int:
        started.set()
        assert finish.wait(20)
        return 1

    monkeypatch.setitem(sweeps.SWEEPS, "slow", Sweep("slow", timedelta(hours=1), work))

    def first() -> None:
        runs.append(run_sweep("slow"))
        connection.close()

    thread = threading.Thread(target=first)
    thread.start()
    assert started.wait(20)
    second = run_sweep("slow")
    finish.set()
    thread.join()
    assert (runs, second) == ([1], None)
    assert run_sweep("slow") == 1


def test_a_lock_whose_process_was_killed_is_free() -> None:
    if connection.vendor == "postgresql":
        return  # there the lock ends with its connection
    assert run_sweep("mails") == 0  # makes the file
    file = f"{connection.settings_dict['NAME']}.locks/mails.lock"
    program = "import fcntl, sys, time; file = open(sys.argv[1]); "
    program += "fcntl.flock(file, 2); print(1, flush=True); time.sleep(60)"
    command = [sys.executable, "-c", program, file]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as other:  # noqa: S603 - our own words
        assert other.stdout is not None
        other.stdout.read(1)
        assert run_sweep("mails") is None
        other.kill()
    assert run_sweep("mails") == 0


class Broker:
    """Counts what is published; refuses while it is `down`."""

    def __init__(self) -> None:
        self.down, self.asked, self.names = False, 0, []  # type: ignore[var-annotated]

    def send_task(self, task: str, args: list[str], expires: float) -> None:
        self.asked += 1
        if self.down:
            raise OSError("no broker")
        self.names += args


@pytest.fixture
def broker(monkeypatch: pytest.MonkeyPatch, settings: Any) -> Broker:
    settings.TASKS = "celery"
    broker = Broker()
    monkeypatch.setattr(nudges, "_client", lambda: broker)
    monkeypatch.setattr(nudges, "_silent_until", 0.0)
    return broker


@pytest.mark.django_db(transaction=True)
def test_a_nudge_goes_out_after_the_commit_only(broker: Broker) -> None:
    with transaction.atomic():
        nudge("mails")
        assert broker.names == []
    assert broker.names == ["mails"]
    with transaction.atomic():
        nudge("mails")
        transaction.set_rollback(True)
    assert broker.names == ["mails"]


@pytest.mark.django_db(transaction=True)
def test_a_broker_that_is_down_disturbs_nobody_and_is_left_alone(broker: Broker) -> None:
    broker.down = True
    nudge("mails")
    nudge("mails")
    assert broker.asked == 1


@pytest.mark.django_db(transaction=True)
def test_without_celery_a_nudge_does_nothing(broker: Broker, settings: Any) -> None:
    settings.TASKS = "process"
    nudge("mails")
    assert broker.asked == 0


def test_each_has_a_name_that_staff_read() -> None:
    assert all(sweep.title for sweep in SWEEPS.values())

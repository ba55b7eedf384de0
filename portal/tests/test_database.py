"""What DATABASE_URL becomes, and how long opening a connection to PostgreSQL may take."""

from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from django.core.management import CommandError, call_command
from django.core.management.sql import emit_post_migrate_signal, emit_pre_migrate_signal
from django.db import OperationalError, connection
from django.db.utils import ConnectionHandler

from portal.apps import LIMITS
from portal.management.commands import prepare
from portal.postgresql import base
from portal.settings import services
from portal.tests.reliability.network import silent_server


def test_a_silent_host_is_given_up(monkeypatch: pytest.MonkeyPatch, django_db_blocker: Any) -> None:
    monkeypatch.setattr(services, "CONNECT_SECONDS", 2)  # the least that the driver knows
    monkeypatch.setattr(base, "_silent_until", {})
    with silent_server() as port:
        settings = services.database_from_url(f"postgresql://portal@127.0.0.1:{port}/portal")
        with django_db_blocker.unblock(), pytest.raises(OperationalError, match="timeout"):
            ConnectionHandler({"default": settings})["default"].ensure_connection()


def test_a_host_that_vanishes_is_missed_within_half_a_minute() -> None:
    options = services.database_from_url("postgresql://portal@db/portal")["OPTIONS"]
    idle, interval, count = (options[f"keepalives_{one}"] for one in ("idle", "interval", "count"))
    assert idle + interval * count <= 30
    assert options["tcp_user_timeout"] <= 30_000


def test_what_the_address_says_goes_before_our_limits() -> None:
    said = {"connect_timeout": "10", "sslmode": "require", "tcp_user_timeout": "5000"}
    address = f"postgresql://portal@db/portal?{urlencode(said)}"
    options = services.database_from_url(address)["OPTIONS"]
    assert options | said == options
    assert "lock_timeout" in options["options"]


def test_a_file_that_can_only_be_read_is_named(
    monkeypatch: pytest.MonkeyPatch, django_db_blocker: Any, tmp_path: Path
) -> None:
    file = tmp_path / "portal.sqlite3"
    file.touch()
    settings = services.database_from_url(f"sqlite:///file:{file}?mode=ro")
    monkeypatch.setattr(prepare, "connection", ConnectionHandler({"default": settings})["default"])
    with (
        django_db_blocker.unblock(),
        pytest.raises(CommandError, match=rf"{file}.* can only be read: let this user"),
    ):
        call_command("prepare", "--no-demo")


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
def test_a_migration_takes_the_time_it_needs() -> None:
    def limits() -> list[str]:
        statements = []
        with connection.cursor() as cursor:
            for limit in LIMITS:
                cursor.execute(f"SHOW {limit}")
                statements.append(str(cursor.fetchone()[0]))
        return statements

    usual = limits()
    assert "0" not in usual
    emit_pre_migrate_signal(0, False, connection.alias)
    assert limits() == ["0", "0"]
    emit_post_migrate_signal(0, False, connection.alias)
    assert limits() == usual

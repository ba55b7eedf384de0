"""What DATABASE_URL becomes, and how long opening a connection to PostgreSQL may take."""

from typing import Any

import pytest
from django.db import OperationalError
from django.db.utils import ConnectionHandler

from portal.postgresql import base
from portal.settings import database
from portal.tests.reliability.network import silent_server


def test_a_silent_host_is_given_up(monkeypatch: pytest.MonkeyPatch, django_db_blocker: Any) -> None:
    monkeypatch.setattr(database, "CONNECT_SECONDS", 2)  # the least that the driver knows
    monkeypatch.setattr(base, "_silent_until", 0.0)
    with silent_server() as port:
        settings = database.database_from_url(f"postgresql://portal@127.0.0.1:{port}/portal")
        with django_db_blocker.unblock(), pytest.raises(OperationalError, match="timeout"):
            ConnectionHandler({"default": settings})["default"].ensure_connection()


def test_a_host_that_vanishes_is_missed_within_half_a_minute() -> None:
    options = database.database_from_url("postgresql://portal@db/portal")["OPTIONS"]
    idle, interval, count = (options[f"keepalives_{name}"] for name in ("idle", "interval", "count"))
    assert idle + interval * count <= 30
    assert options["tcp_user_timeout"] <= 30_000
    mine = database.database_from_url("postgresql://portal@db/portal?tcp_user_timeout=5000")["OPTIONS"]
    assert mine["tcp_user_timeout"] == "5000"


def test_what_the_address_says_goes_before_our_limits() -> None:
    settings = database.database_from_url("postgresql://portal@db/portal?connect_timeout=10&sslmode=require")
    assert (settings["OPTIONS"]["connect_timeout"], settings["OPTIONS"]["sslmode"]) == ("10", "require")
    assert "lock_timeout" in settings["OPTIONS"]["options"]

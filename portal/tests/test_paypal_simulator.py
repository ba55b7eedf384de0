"""The command that runs the PayPal simulator beside the portal."""

import os
import signal
import socket
import subprocess
import sys

import pytest
from django.conf import settings as portal_settings
from django.core.management.base import CommandError

from portal.management.commands.paypal_simulator import read_configuration
from portal.ops.processes import local_port


@pytest.mark.parametrize(
    ("address", "port"),
    [
        ("http://127.0.0.1:8001", 8001),
        ("http://localhost:9000/paypal", 9000),
        ("http://[::1]:8001", 8001),
        ("http://127.0.0.1", 80),
        ("https://127.0.0.1:8001", None),
        ("http://paypal-simulator:8001", None),
        ("https://api-m.sandbox.paypal.com", None),
        ("http://127.0.0.1.paypal.test:8001", None),
    ],
)
def test_which_addresses_lead_to_this_machine(address, port):
    assert local_port(address) == port


class TestConfiguration:
    @pytest.fixture(autouse=True)
    def _endpoint(self, settings):
        settings.PAYPAL_ENDPOINT = "http://localhost:8001"

    def test_nothing_set(self, settings):
        configuration = read_configuration()
        assert configuration.port == 8001
        assert configuration.public_url == "http://localhost:8001"
        assert configuration.credentials == {"portal": "portal-secret"}
        assert (configuration.webhook_id, configuration.webhook_url) == (
            "WH-PORTAL",
            f"{settings.SITE_URL}/api/paypal/webhook",
        )
        assert configuration.database is None
        assert not configuration.control

    def test_everything_set(self, settings, tmp_path):
        for name, value in {
            "PORT": 9001,
            "PUBLIC_URL": "https://pay.example.test",
            "WEBHOOK_URL": "http://shop.test/hook",
            "CREDENTIALS": ["one:secret", "two:other:secret"],
            "DB": str(tmp_path / "paypal.sqlite3"),
            "CONTROL": True,
            "COMPRESSION": 3600,
        }.items():
            setattr(settings, f"PAYPAL_SIM_{name}", value)
        configuration = read_configuration()
        assert (configuration.port, configuration.public_url) == (9001, "https://pay.example.test")
        assert configuration.credentials == {"one": "secret", "two": "other:secret"}
        assert configuration.webhook_url == "http://shop.test/hook"
        assert configuration.database == tmp_path / "paypal.sqlite3"
        assert configuration.control
        assert configuration.compression == 3600

    def test_never_where_real_money_is_taken(self, settings):
        settings.PAYPAL_MODE = "live"
        with pytest.raises(CommandError, match="PAYPAL_MODE=live"):
            read_configuration()

    def test_not_where_the_portal_asks_another(self, settings):
        settings.PAYPAL_ENDPOINT = "https://api-m.sandbox.paypal.com"
        with pytest.raises(CommandError, match="leads elsewhere"):
            read_configuration()


def test_it_runs_until_it_is_told_to_stop():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        endpoint = f"http://127.0.0.1:{probe.getsockname()[1]}"
    process = subprocess.Popen(
        [sys.executable, "manage.py", "paypal_simulator"],
        cwd=portal_settings.BASE_DIR,
        env={**os.environ, "PORTAL_ENV": "test", "PAYPAL_ENDPOINT": endpoint},
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert f"answers at {endpoint}" in process.stdout.readline()
        process.send_signal(signal.SIGTERM)
        assert process.wait(30) == 0
    finally:
        process.kill()
        process.communicate()

"""The program that runs the simulator beside the portal."""

import os
import socket
import subprocess
import sys
from pathlib import Path

from tools.paypal_simulator.__main__ import read_configuration

ROOT = Path(__file__).resolve().parents[3]


def test_nothing_set_is_a_portal_in_development():
    configuration = read_configuration({"PORT": "8100"})
    assert (configuration.port, configuration.public_url) == (8101, "http://127.0.0.1:8101")
    assert configuration.credentials == {"portal": "portal-secret"}
    assert configuration.webhook_url == "http://127.0.0.1:8100/api/paypal/webhook"
    assert configuration.database is None
    assert not configuration.control


def test_staging_has_it_behind_another_name():
    environment = {
        "PAYPAL_ENDPOINT": "http://paypal:8124",
        "PAYPAL_SIM_HOST": "::",
        "PAYPAL_SIM_PUBLIC_URL": "http://portal.test:8124",
        "PAYPAL_SIM_DB": "/data/paypal.sqlite3",
        "PAYPAL_CLIENT_ID": "one",
        "PAYPAL_CLIENT_SECRET": "secret",
        "SITE_URL": "https://portal.test",
    }
    configuration = read_configuration(environment)
    assert (configuration.host, configuration.port) == ("::", 8124)
    assert configuration.public_url == "http://portal.test:8124"
    assert configuration.credentials == {"one": "secret"}
    assert configuration.webhook_url == "https://portal.test/api/paypal/webhook"
    assert configuration.database == Path("/data/paypal.sqlite3")


def test_it_runs_until_it_is_told_to_stop_or_its_parent_is_gone():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    environment = {**os.environ, "PAYPAL_ENDPOINT": f"http://127.0.0.1:{port}"}
    command = [sys.executable, "-m", "tools.paypal_simulator"]
    with subprocess.Popen(
        command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True
    ) as process:
        assert f"answers at http://127.0.0.1:{port}" in process.stdout.readline()
        second = subprocess.run(
            command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
        )
        assert (second.returncode, "cannot listen" in second.stderr) == (1, True)
        process.terminate()
        assert process.wait(30) == 0
    with subprocess.Popen(
        [*command, "--with-parent"], cwd=ROOT, env=environment, stdin=subprocess.PIPE
    ) as process:
        process.stdin.close()
        assert process.wait(30) == 0

"""The program that runs the simulator beside the portal."""

import os
import socket
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]


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

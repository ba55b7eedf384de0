"""Ports of this machine."""

import socket
from contextlib import ExitStack


def free_port() -> int:
    """Return a port that nothing listens on."""
    return free_ports(1)[0]


def free_ports(number: int) -> list[int]:
    """Return different ports that nothing listens on."""
    with ExitStack() as probes:
        sockets = [probes.enter_context(socket.socket()) for _ in range(number)]
        for probe in sockets:
            probe.bind(("127.0.0.1", 0))
        return [int(probe.getsockname()[1]) for probe in sockets]

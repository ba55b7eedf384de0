"""The sockets: a thread for each request, and the ways in which an answer can fail to arrive."""

import socket
import struct
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_address
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from tools.paypal_simulator.http import Answer, Request

LONGEST_BODY = 1_000_000

Answerer = Callable[[Request], Answer]
Afterwards = Callable[[Answer], None]


class Server(ThreadingHTTPServer):
    """Listens; `answerer` makes the answers and `afterwards` is told when one has left, or will
    never leave.
    """

    daemon_threads = True
    block_on_close = False
    request_queue_size = 128

    def __init__(
        self, address: tuple[str, int], answerer: Answerer, afterwards: Afterwards
    ) -> None:
        self.answerer = answerer
        self.afterwards = afterwards
        self.closing = threading.Event()
        super().__init__(address, Handler)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of callers that went away."""


class Handler(BaseHTTPRequestHandler):
    """One connection, one request."""

    protocol_version = "HTTP/1.1"
    server_version = "PayPal-simulator"
    sys_version = ""
    timeout = 30
    server: Server

    def answer(self) -> None:
        """Answer the request."""
        self.close_connection = True
        try:
            length = int(self.headers.get("Content-Length") or 0)
        except ValueError:
            length = -1
        if not 0 <= length <= LONGEST_BODY:
            self._send(Answer(413))
            return
        parts = urlsplit(self.path)
        request = Request(
            method=self.command,
            path=parts.path,
            query=dict(parse_qsl(parts.query)),
            headers={name.lower(): value for name, value in self.headers.items()},
            body=self.rfile.read(length),
            loopback=ip_address(self.client_address[0]).is_loopback,
        )
        answer = self.server.answerer(request)
        if answer.act == "hang":
            self.server.afterwards(answer)
            self.server.closing.wait(answer.seconds)
            return
        try:
            if answer.act == "reset":
                # Closing with unsent data thrown away is what makes the other side see a reset.
                self.connection.setsockopt(
                    socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0)
                )
                self.connection.close()
            else:
                self._send(answer)
        finally:
            self.server.afterwards(answer)

    do_GET = do_POST = do_PATCH = do_PUT = do_DELETE = do_HEAD = answer

    def _send(self, answer: Answer) -> None:
        content = answer.content
        self.send_response(answer.status)
        for name, value in ({"Content-Type": "application/json"} | answer.headers).items():
            self.send_header(name, value)
        if answer.status != 204:
            self.send_header("Content-Length", str(len(content)))
        self.send_header("Connection", "close")
        self.end_headers()
        if self.command == "HEAD" or answer.status == 204:
            return
        if answer.act != "drip":
            self.wfile.write(content)
            return
        for position in range(len(content)):
            self.wfile.write(content[position : position + 1])
            if self.server.closing.wait(answer.seconds):
                return

    def log_message(self, format: str, *args: Any) -> None:
        """Write nothing: `GET /_sim/calls` tells what was asked."""

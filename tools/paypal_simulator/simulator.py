"""The simulator as a whole: its parts behind a port."""

import threading
from typing import Self

from tools.paypal_simulator.control import Control
from tools.paypal_simulator.http import Answer, Request
from tools.paypal_simulator.moves import Configuration, Moves
from tools.paypal_simulator.server import Server


class Simulator(Moves):
    """A PayPal on a port. Use it with `with`, or start and stop it."""

    def __init__(self, configuration: Configuration) -> None:
        """Take the port.

        Raises:
            OSError: it is taken.
        """
        self._server = Server(
            (configuration.host, configuration.port), self._answer, self._afterwards
        )
        host, port = configuration.host, self._server.server_address[1]
        super().__init__(configuration, f"http://{f'[{host}]' if ':' in host else host}:{port}")
        self.control = Control(self, allowed=configuration.control)
        self._thread = threading.Thread(
            target=self._server.serve_forever, args=(0.02,), name="paypal", daemon=True
        )

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(self) -> None:
        """Answer in a thread."""
        self.courier.start()
        self._thread.start()

    def stop(self) -> None:
        """Let go of the port, of those that wait for an answer, and of the file."""
        self._server.closing.set()
        self._server.shutdown()
        self._server.server_close()
        self.courier.stop()
        self.store.close()

    def _answer(self, request: Request) -> Answer:
        certificate = f"/v1/notifications/certs/{self.signer.certificate_name}"
        if request.path == certificate:
            return Answer(200, self.signer.certificate, {"Content-Type": "application/x-pem-file"})
        answer = (
            self.control.answer(request) or self.pages.answer(request) or self.api.answer(request)
        )
        if answer.events:
            answer.turn = self.courier.expect()
        return answer

    def _afterwards(self, answer: Answer) -> None:
        if answer.events:
            self.courier.send(answer.events, turn=answer.turn)

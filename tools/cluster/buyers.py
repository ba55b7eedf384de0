"""Fifty buyers who order without a pause, repeat what was not answered, and note every answer.

`python -m tools.cluster.buyers` fills the database that DATABASE_URL names and prints each buyer's
token.
"""

import http.client
import json
import time
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import partial
from typing import Any, NamedTuple

from bench.tools import set_up
from bench.wire_order import (
    CHECKOUT,
    REQUEST,
    Line,
    checkout_body,
    make_buyers,
    make_products,
    request_body,
)
from portal.ops.steps import say
from tools.cluster.crowd import Crowd
from tools.cluster.engines import LOCAL, NAMES, Cluster

BUYERS, PRODUCTS, LINES, MOQ = 50, 40, 3, 10
ENOUGH = 10_000_000  # pieces of each product
CALL_SECONDS = 15  # a call that hangs is asked again
PAUSE_SECONDS = 0.3  # before a refused call is repeated, as the screens do
SKU, PRICE = "BENCH-{}", Decimal("4.50")
AGAIN = (503, 409)


class Outage(NamedTuple):
    """Seconds from a blow to the new primary, to the next order that was answered, and the longest
    call until then.
    """

    primary: float
    order: float
    call: float


class Found(NamedTuple):
    """What the buyers were told beside what the database has."""

    orders: int
    repeated: int
    lost: int
    doubled: int
    wrong: tuple[str, ...]

    def __str__(self) -> str:
        told = f"{self.orders} orders acknowledged, {self.repeated} calls repeated"
        unexpected = f", unexpected answers: {', '.join(self.wrong)}" if self.wrong else ""
        return f"{told}; lost {self.lost}, doubled {self.doubled}{unexpected}"


@dataclass
class Buyer:
    """One buyer: what was acknowledged, when, and how long each call took."""

    token: str
    who: dict[str, Any]
    codes: list[str] = field(default_factory=list)
    ended: list[tuple[float, float]] = field(
        default_factory=list
    )  # when a call was answered, and after how long
    repeated: int = 0
    wrong: list[str] = field(default_factory=list)


class Buyers(Crowd):
    """The buyers of a cluster; they order inside `with`."""

    def __init__(self, cluster: Cluster, people: Sequence[dict[str, Any]]) -> None:
        self.cluster = cluster
        self.buyers = [Buyer(**person) for person in people]
        self.before = self.orders()
        super().__init__([partial(self.order_on, buyer) for buyer in self.buyers])

    def order_on(self, buyer: Buyer) -> None:
        """Place one order after the other until it is over; one that was begun is finished."""
        turn = 0
        while not self.over.is_set():
            turn += 1
            draft = request_body(buyer.who, lines_of(turn))
            code = self.ask(buyer, REQUEST, draft).get("invoice_code")
            if code is None:
                return
            if self.ask(
                buyer,
                CHECKOUT,
                checkout_body(buyer.who, code=code, amount=draft["total"], email=""),
            ):
                buyer.codes.append(code)

    def ask(self, buyer: Buyer, path: str, body: dict[str, Any]) -> dict[str, Any]:
        """Make a call again and again, with one Idempotency-Key, until it is answered; nothing
        after a wrong answer.
        """
        headers = {
            "x-access-token": buyer.token,
            "Content-Type": "application/json",
            "Idempotency-Key": str(uuid.uuid4()),
        }
        begun, attempt = time.monotonic(), 0
        while True:
            attempt += 1
            port = self.cluster.ports[f"web_{NAMES[attempt % len(NAMES)]}"]
            connection = http.client.HTTPConnection(LOCAL, port, timeout=CALL_SECONDS)
            try:
                connection.request("POST", path, json.dumps(body), headers)
                response = connection.getresponse()
                status, content = response.status, response.read()
            except (OSError, http.client.HTTPException):
                status, content = 0, b""
            finally:
                connection.close()
            if status == 200:
                buyer.ended.append((time.monotonic(), time.monotonic() - begun))
                answer: dict[str, Any] = json.loads(content)
                return answer
            if status and status not in AGAIN:
                buyer.wrong.append(f"{status} {content[:200]!r}")
                return {}
            buyer.repeated += 1
            time.sleep(PAUSE_SECONDS)

    def wait_for_orders(self) -> None:
        """Wait until every buyer has had an answer."""
        self.wait_for_all(time.monotonic())

    def wait_for_all(self, since: float) -> None:
        """Wait until every buyer who is still at it has had an answer since a moment."""
        self.cluster.wait(
            "an answer to every buyer",
            lambda: all(
                buyer.wrong or (buyer.ended and buyer.ended[-1][0] > since) for buyer in self.buyers
            ),
        )

    def measure_outage(self, blow: Callable[[], None], *, leave: str) -> Outage:
        """Strike, and return how long the buyers waited until a server that is not `leave` was the
        primary.
        """
        began = time.monotonic()
        blow()
        self.cluster.wait("a new primary", lambda: self.cluster.primary() not in ("", leave))
        primary = time.monotonic()
        self.wait_for_all(primary)
        answered = [end for buyer in self.buyers for end in buyer.ended if end[0] > began]
        first = min(at for at, _ in answered if at > primary)
        return Outage(primary - began, first - began, max(took for _, took in answered))

    def orders(self) -> set[str]:
        """Return the codes of all orders that there are."""
        return set(self.cluster.query("SELECT invoice_code FROM orders_order").split())

    def compare(self) -> Found:
        """Return what was acknowledged beside what there is; called when it is over."""
        told = [code for buyer in self.buyers for code in buyer.codes]
        kept = self.orders() - self.before
        return Found(
            orders=len(told),
            repeated=sum(buyer.repeated for buyer in self.buyers),
            lost=len(set(told) - kept),
            doubled=len(kept) - len(set(told) & kept) + len(told) - len(set(told)),
            wrong=tuple(text for buyer in self.buyers for text in buyer.wrong),
        )


def lines_of(turn: int) -> list[Line]:
    """Return the lines of a buyer's order, other products with each turn."""
    return [Line(SKU.format((turn * 7 + k) % PRODUCTS), MOQ, PRICE) for k in range(LINES)]


def prepared(cluster: Cluster) -> list[dict[str, Any]]:
    """Fill the cluster's database with buyers and products, and return each buyer's token, and who
    it is in a body.
    """
    return [json.loads(line) for line in cluster.python("-m", "tools.cluster.buyers").splitlines()]


def prepare() -> None:
    """Fill the database that DATABASE_URL names, and print each buyer's token."""
    set_up()
    make_products(
        [SKU.format(number) for number in range(PRODUCTS)], pieces=ENOUGH, moq=MOQ, price=PRICE
    )
    for _, token, who in make_buyers(BUYERS):
        say(json.dumps({"token": token, "who": who}))


if __name__ == "__main__":
    prepare()

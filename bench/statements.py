"""Count the SQL statements of each call, in process: `python -m bench.statements` reads its orders
as JSON.
"""

import json
import sys
from collections.abc import Callable
from decimal import Decimal
from typing import Any

from bench import tools
from bench.seed import EMAIL
from bench.wire_order import CHECKOUT, REQUEST, Line, checkout_body, request_body

QUIET = ("SAVEPOINT", "RELEASE", "ROLLBACK", "BEGIN", "COMMIT", "SET ")


class Counter:
    """Asks the portal's own application, and counts the statements of the last call."""

    def __init__(self, headers: dict[str, str]) -> None:
        from django.test import RequestFactory

        from portal.wsgi import application

        self.application = application
        self.factory = RequestFactory(headers={**headers, "host": "127.0.0.1"})
        self.count = 0

    def record(
        self, execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any
    ) -> Any:
        """Count a statement, as an execute wrapper."""
        self.count += not sql.lstrip().upper().startswith(QUIET)
        return execute(sql, params, many, context)

    def call(self, method: str, path: str, body: object = None) -> bytes:
        """Return the answer of a call that succeeds."""
        statuses: list[str] = []

        def start(status: str, *_: object) -> Callable[[bytes], object]:
            statuses.append(status)
            return lambda _: None

        environ = self.factory.generic(method, path, json.dumps(body), "application/json").environ
        content = b"".join(self.application(environ, start))
        if statuses != ["200 OK"]:
            raise RuntimeError(f"{path}: {statuses} {content[:200]!r}")
        return content

    def statements(self, method: str, path: str, body: object = None) -> int:
        """Return how many statements a call makes."""
        self.count = 0
        self.call(method, path, body)
        return self.count

    def order(self, wanted: dict[str, Any], size: int) -> int:
        """Return how many statements an order of so many lines makes, both calls together."""
        self.count = 0
        who = {"uuid": wanted["uuid"], **wanted["ship"]}
        chosen = [
            Line(line["sku"], line["count"], Decimal(str(line["price"])))
            for line in wanted["lines"][:size]
        ]
        draft = request_body(who, chosen)
        code = json.loads(self.call("POST", REQUEST, draft))["invoice_code"]
        self.call(
            "POST", CHECKOUT, checkout_body(who, code=code, amount=draft["total"], email=EMAIL)
        )
        return self.count


def main(wanted: dict[str, Any]) -> dict[str, int]:
    """Return the number of statements by call; connections are warm, as they are in a running
    portal.
    """
    from django.db import connection

    counter, uuid = Counter(wanted["headers"]), wanted["uuid"]
    with connection.execute_wrapper(counter.record):
        counter.call("GET", "/api/order/0")
        found = {
            "product page": counter.statements("GET", f"/api/product/stock/{uuid}/0"),
            "order list": counter.statements("GET", "/api/order/0"),
            "order details": counter.statements("GET", f"/api/details/{wanted['code']}"),
            "dashboard": counter.statements("POST", "/api/dashboard", {"uuid": uuid}),
            "price list file": counter.statements(
                "GET", f"/api/excel/product-setting/{uuid}?format=xlsx"
            ),
        }
        for size in (10, 40):
            found[f"order of {size} lines"] = counter.order(wanted, size)
    return found


if __name__ == "__main__":
    tools.set_up()
    print(json.dumps(main(json.load(sys.stdin))))

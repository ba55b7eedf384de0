"""Count the SQL statements of each call, in process: `python -m bench.statements` reads its orders as JSON."""

import json
import os
import sys
from collections.abc import Callable
from typing import Any

QUIET = ("SAVEPOINT", "RELEASE", "ROLLBACK", "BEGIN", "COMMIT", "SET ")


class Counter:
    """Asks the portal's own application, and counts the statements of the last call."""

    def __init__(self, headers: dict[str, str]) -> None:
        from django.test import RequestFactory

        from portal.wsgi import application

        self.application = application
        self.factory = RequestFactory(headers={**headers, "host": "127.0.0.1"})
        self.count = 0

    def record(self, execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
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
        chosen = wanted["lines"][:size]
        who = {"uuid": wanted["uuid"], **wanted["ship"]}
        total = sum(round(line["price"] * 100) * line["count"] for line in chosen) / 100
        lines = [{"sku": line["sku"], "count": line["count"]} for line in chosen]
        draft = {**who, "export_report": 0, "count": len(lines), "total": total, "product": lines}
        requested = json.loads(self.call("POST", "/api/temp-order?shop=first", draft))
        checkout = {
            **who,
            "email": "buyer1@bench.test",
            "invoice_code": requested["invoice_code"],
            "type": "ORDER",
            "payment_type": "T/T",
            "export_report": 1,
            "ship_memo": "",
            "payer_id": "Bench",
            "amount": total,
        }
        self.call("POST", "/api/order/checkout-deposit/tt?send=0", checkout)
        return self.count


def main(wanted: dict[str, Any]) -> dict[str, int]:
    """Return the number of statements by call; connections are warm, as they are in a running portal."""
    from django.db import connection

    counter, uuid = Counter(wanted["headers"]), wanted["uuid"]
    with connection.execute_wrapper(counter.record):
        counter.call("GET", "/api/order/0")
        found = {
            "product page": counter.statements("GET", f"/api/product/stock/{uuid}/0"),
            "order list": counter.statements("GET", "/api/order/0"),
            "order details": counter.statements("GET", f"/api/details/{wanted['code']}"),
            "dashboard": counter.statements("POST", "/api/dashboard", {"uuid": uuid}),
            "price list file": counter.statements("GET", f"/api/excel/product-setting/{uuid}?format=xlsx"),
        }
        for size in (10, 40):
            found[f"order of {size} lines"] = counter.order(wanted, size)
    return found


if __name__ == "__main__":
    from portal.env import settings_module

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", settings_module())
    import django

    django.setup()
    print(json.dumps(main(json.load(sys.stdin))))

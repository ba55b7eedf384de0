"""Count the SQL statements of each call, in process: `python -m bench.statements` reads its orders as JSON."""

import json
import os
import sys
from collections.abc import Callable
from typing import Any

QUIET = ("SAVEPOINT", "RELEASE", "ROLLBACK", "BEGIN", "COMMIT", "SET ")


def main(wanted: dict[str, Any]) -> dict[str, int]:
    """Return the number of statements by call; connections are warm, as they are in a running portal."""
    from django.db import connection
    from django.test import RequestFactory

    from portal.wsgi import application

    factory = RequestFactory(headers={**wanted["headers"], "host": "127.0.0.1"})
    seen: list[str] = []

    def record(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        if not sql.lstrip().upper().startswith(QUIET):
            seen.append(sql)
        return execute(sql, params, many, context)

    def call(method: str, path: str, body: object = None) -> bytes:
        told: list[str] = []

        def start(status: str, *_: object) -> Callable[[bytes], object]:
            told.append(status)
            return lambda _: None

        environ = factory.generic(method, path, json.dumps(body), "application/json").environ
        content = b"".join(application(environ, start))
        if told != ["200 OK"]:
            raise RuntimeError(f"{path}: {told} {content[:200]!r}")
        return content

    def count(method: str, path: str, body: object = None) -> int:
        seen.clear()
        call(method, path, body)
        return len(seen)

    def order(size: int) -> int:
        seen.clear()
        wanted_lines = wanted["lines"][:size]
        who = {"uuid": wanted["uuid"], **wanted["ship"]}
        total = sum(round(line["price"] * 100) * line["count"] for line in wanted_lines) / 100
        lines = [{"sku": line["sku"], "count": line["count"]} for line in wanted_lines]
        draft = {**who, "export_report": 0, "count": len(lines), "total": total, "product": lines}
        requested = json.loads(call("POST", "/api/temp-order?shop=first", draft))
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
        call("POST", "/api/order/checkout-deposit/tt?send=0", checkout)
        return len(seen)

    with connection.execute_wrapper(record):
        uuid = wanted["uuid"]
        count("GET", "/api/order/0")
        found = {
            "product page": count("GET", f"/api/product/stock/{uuid}/0"),
            "order list": count("GET", "/api/order/0"),
            "order details": count("GET", f"/api/details/{wanted['code']}"),
            "dashboard": count("POST", "/api/dashboard", {"uuid": uuid}),
            "price list file": count("GET", f"/api/excel/product-setting/{uuid}?format=xlsx"),
        }
        for size in (10, 40):
            found[f"order of {size} lines"] = order(size)
    return found


if __name__ == "__main__":
    from portal.env import settings_module

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", settings_module())
    import django

    django.setup()
    print(json.dumps(main(json.load(sys.stdin))))

"""What is measured inside the portal's own code: the statements of each call, identity included,
and the review of a buyer's sheet.

`python -m bench.inside` is told the headers of a buyer, who it is, an invoice code and lines.
"""

import io
import json
import sys
import time
from collections.abc import Callable
from decimal import Decimal
from functools import partial
from math import inf
from typing import Any

from bench import tools, wire_order
from bench.seed import MOQ

ROWS, SIZES = 2_000, (10, 40)  # rows of a sheet, lines of the orders
QUIET = ("SAVEPOINT", "RELEASE", "ROLLBACK", "BEGIN", "COMMIT", "SET ")
REVIEW = "/api/basket/review"


def sheet() -> io.BytesIO:
    """Return a workbook as buyers keep theirs: a title, headings of their own, a code, a name, a
    price and pieces.
    """
    import xlsxwriter

    file = io.BytesIO()
    with xlsxwriter.Workbook(file, {"in_memory": True}) as book:
        page = book.add_worksheet("Order")
        page.write_row(0, 0, ["Autumn order"])
        page.write_row(2, 0, ["No.", "Item code", "Description", "Net", "Pcs"])
        for number in range(1, ROWS + 1):
            row = [number, f"SKU{number}", f"Essence serum {number}", 12.34, 6 * MOQ]
            page.write_row(2 + number, 0, row)
    file.name = "list.xlsx"
    file.seek(0)
    return file


def main(settings: dict[str, Any]) -> dict[str, float]:
    """Return the statements of each call by name, and the seconds of the review, infinity where it
    is refused.
    """
    from django.db import connection
    from django.test import Client

    client = Client(headers={**settings["headers"], "host": "127.0.0.1"})
    count, uuid = 0, settings["who"]["uuid"]

    def record(execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
        nonlocal count
        count += not sql.lstrip().upper().startswith(QUIET)
        return execute(sql, *rest)

    def ask(path: str, body: object = None) -> Any:
        method = "GET" if body is None else "POST"
        answer = client.generic(method, path, json.dumps(body), "application/json")
        assert answer.status_code == 200, (path, answer.status_code)
        return b"".join(answer) if answer.streaming else answer.json()

    def statements(do: Callable[[], object]) -> int:
        nonlocal count
        count = 0
        do()
        return count

    lines = [
        wire_order.Line(sku, pieces, Decimal(price)) for sku, pieces, price in settings["lines"]
    ]
    calls: dict[str, Callable[[], object]] = {
        "product page": lambda: ask(f"/api/product/stock/{uuid}/0"),
        "order list": lambda: ask("/api/order/0"),
        "order details": lambda: ask(f"/api/details/{settings['code']}"),
        "dashboard": lambda: ask("/api/dashboard", {"uuid": uuid}),
        "price list file": lambda: ask(f"/api/excel/product-setting/{uuid}?format=xlsx"),
    }
    with connection.execute_wrapper(record):
        for call in calls.values():  # all is warm, as it is in a running portal
            call()
        figures: dict[str, float] = {name: statements(call) for name, call in calls.items()}
        for size in SIZES:
            place = partial(wire_order.order, ask, settings["who"], lines[:size])
            figures[f"order of {size} lines"] = statements(place)
    begun = time.perf_counter()
    is_reviewed = client.post(REVIEW, {"list": sheet()}).status_code == 200
    return {**figures, "sheet": time.perf_counter() - begun if is_reviewed else inf}


if __name__ == "__main__":
    tools.set_up()
    print(json.dumps(main(json.load(sys.stdin))))

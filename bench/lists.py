"""What a buyer's sheet and message cost, in process: `python -m bench.lists` reads the headers of a
buyer as JSON.

Prints the seconds to each review, and the MiB that a sheet's rows add to a process of the portal;
the reader of the workbook itself runs in a process of its own.
"""

import io
import json
import os
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

from bench import tools
from bench.seed import MOQ

ROWS = 2_000
MESSAGE_LINES, MESSAGE_PRODUCTS = 60, 5_000
REPEATS = 5
PATH = "/api/basket/review"
CATALOGUE = tools.HERE.parent / "apps/orders/tests/intake/messages/catalogue.json"


def sheet(rows: int) -> bytes:
    """Return a workbook as buyers keep theirs: a title, headings of their own, a code, a name, a
    price and pieces.
    """
    import xlsxwriter

    file = io.BytesIO()
    with xlsxwriter.Workbook(file, {"in_memory": True}) as book:
        page = book.add_worksheet("Order")
        page.write_row(0, 0, ["Autumn order"])
        page.write_row(2, 0, ["No.", "Item code", "Description", "Net", "Pcs"])
        for number in range(1, rows + 1):
            page.write_row(
                2 + number, 0, [number, f"SKU{number}", f"Essence serum {number}", 12.34, 6 * MOQ]
            )
    return file.getvalue()


def review(headers: dict[str, str], content: bytes) -> bytes:
    """Return what the portal's own application answers to a workbook."""
    from django.core.files.uploadedfile import SimpleUploadedFile
    from django.test import RequestFactory

    from portal.wsgi import application

    statuses: list[str] = []

    def start(status: str, *_: object) -> Any:
        statuses.append(status)
        return lambda _: None

    factory = RequestFactory(headers={**headers, "host": "127.0.0.1"})
    environ = factory.post(PATH, {"list": SimpleUploadedFile("list.xlsx", content)}).environ
    answer = b"".join(application(environ, start))
    if statuses != ["200 OK"]:
        raise RuntimeError(f"{PATH}: {statuses} {answer[:200]!r}")
    return answer


def message() -> Callable[[], object]:
    """Return what reads a text that names products in words, of a catalogue as large as is looked
    through whole.
    """
    from apps.common.tables.spreadsheets import Row
    from apps.orders.intake.catalogue import Catalogue, Known
    from apps.orders.intake.typed import typed_row

    rows = [Known(*row) for row in json.loads(CATALOGUE.read_text())]
    copies = -(-MESSAGE_PRODUCTS // len(rows))
    many = [
        row._replace(sku=f"{row.sku}-{copy}", ean=None) for copy in range(copies) for row in rows
    ]
    catalogue = Catalogue(many[:MESSAGE_PRODUCTS], {})
    lines = [
        Row(place, (f"- {row.name.lower()} {10 + place} pcs",))
        for place, row in enumerate(rows[:MESSAGE_LINES], 1)
    ]
    return lambda: [typed_row(line, catalogue) for line in lines]


def seconds(work: Callable[[], object]) -> float:
    """Return how long some work takes."""
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def main(headers: dict[str, str]) -> dict[str, float]:
    """Return what each list costs."""
    review(headers, sheet(10))  # connections and modules are warm, as they are in a running portal
    content, own = sheet(ROWS), [os.getpid()]
    before = tools.memory(own, "VmRSS")[own[0]]
    tools.reset_peaks(own)
    took = seconds(lambda: review(headers, content))
    added = tools.memory(own)[own[0]] - before
    read = message()
    return {
        "sheet": took,
        "added": added,
        "message": statistics.median(seconds(read) for _ in range(REPEATS)),
    }


if __name__ == "__main__":
    tools.set_up()
    print(json.dumps(main(json.load(sys.stdin))))

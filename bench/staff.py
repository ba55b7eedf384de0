"""Time every page of staff's lists: each list, its filters, its orders and searches, the home page
and the jump box.
"""

import os
import re
import time
from collections.abc import Iterator
from html import unescape
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from bench import tools

if TYPE_CHECKING:
    from django.test import Client

STAFF = "growth@bench.test"
REPEATS, MOST_OF_A_FILTER = 3, 3
SEARCHES = (
    *("777", "serum", "hydrating 777", "buyer777@bench.test", "Company 777", "BENCH-777"),
    "nothing-like-it",
)
JUMPS = ("BENCH-777", "SKU777", "buyer777@bench.test", "T777", "777", "serum", "BENCH-77x")
FILTER = re.compile(r'href="(\?[^"]*)"')


def links(page: str) -> list[str]:
    """Return the filters and orders that a list offers: of each parameter the first few values."""
    links_by_page: dict[str, list[str]] = {}
    for link in map(unescape, FILTER.findall(page)):
        if link == "?" or re.search(r"[?&](_|all=|e=|p=[3-9])", link):
            continue
        links_by_page.setdefault(re.sub(r"=[^&]*", "", link), []).append(link)
    return list(
        dict.fromkeys(link for same in links_by_page.values() for link in same[:MOST_OF_A_FILTER])
    )


def addresses() -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the address of each list, the home page and the jump box, with what is looked for
    there.
    """
    from django.contrib import admin
    from django.urls import reverse

    yield from (("/admin/", ()), ("/admin/late/", ()), ("/admin/jump/", JUMPS))
    for model, page in admin.site._registry.items():
        name = f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist"
        yield reverse(name), SEARCHES if page.search_fields else ()


def processor_ms() -> float:
    """Return the processors' milliseconds so far of this process and of its connection's server
    process.
    """
    from django.db import connection

    connection.ensure_connection()
    return tools.cpu([os.getpid(), connection.connection.info.backend_pid]) / 1000


def timed(client: "Client", address: str) -> tuple[dict[str, float], str]:
    """Return the milliseconds of a page, by the clock and of processors, and the status of its
    answer; and its text.
    """
    times, busy = [], []
    for _ in range(REPEATS):
        begun, spent = time.perf_counter(), processor_ms()
        answer = client.get(address)
        times.append((time.perf_counter() - begun) * 1000)
        busy.append(processor_ms() - spent)
        if answer.status_code == 503:  # for a second the database counts as silent
            time.sleep(1.5)
    text = answer.text if answer["Content-Type"].startswith("text/html") else ""
    middle = REPEATS // 2
    return {
        "status": float(answer.status_code),
        "ms": sorted(times)[middle],
        "cpu": sorted(busy)[middle],
    }, text


def measure() -> dict[str, dict[str, float]]:
    """Return what each page takes, by its address."""
    from django.conf import settings
    from django.contrib.staticfiles import storage
    from django.test import Client

    from apps.accounts.models import User

    settings.ALLOWED_HOSTS = ["testserver"]
    plain = storage.StaticFilesStorage()
    storage.staticfiles_storage._wrapped = plain  # type: ignore[attr-defined]
    staff, _ = User.objects.get_or_create(
        email=STAFF, defaults={"is_staff": True, "is_superuser": True, "manager": "Growth"}
    )
    client = Client(raise_request_exception=False)
    client.force_login(staff)
    client.get("/admin/")  # a process loads its pages once
    figures = {}
    for address, terms in addresses():
        figures[address], page = timed(client, address)
        for query in (*links(page), *(f"?{urlencode({'q': term})}" for term in terms)):
            figures[address + query], _ = timed(client, address + query)
    return figures

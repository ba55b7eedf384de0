"""What somebody writes into the address of a page of staff's is refused, left out or not found; it
is no fault of the server, and leads nowhere else.
"""

import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode

import pytest
from django.contrib import admin
from django.db import models, transaction
from django.http import QueryDict

from apps.accounts.tests.staff import signed_in, staff_in
from portal.tests.reliability.test_staff_access import (
    AWAY,
    LEADING,
    address,
    leads_away,
    staff_routes,
    things as things,
)

pytestmark = pytest.mark.django_db

HUGE = "9" * 25
# What the pages ask of their own addresses
NAMES = (
    *("q", "all", "since", "until", "rows", "columns", "country", "company", "brand", "within"),
    *("by", "page", "format", "pick", "kind", "ids", "person", "ask", "amount", "way", "reason"),
    *("to", "next", "edit", "mail", "imports", "decision", "hint", "age", "state", "status"),
    *("late", "overdue", "field_name", "app_label", "model_name", "term", "user", "product"),
)
ELSEWHERE = urlencode(dict.fromkeys((*NAMES, *LEADING), f"//{AWAY}/"))
VALUES = (
    urlencode(dict.fromkeys(NAMES, HUGE)),
    urlencode(dict.fromkeys(NAMES, "1") | {"since": "0000-01-01", "until": "9999-12-31"}),
    "q=%00",
)
LISTS = (
    *(f"o=-99999999999.x.1.-&p={HUGE}&_facets=&q=%FF", "all=&p=9e9&_popup=1"),
    *("_popup=1&e=1&__=1", "_to_field=x", "_changelist_filters=%00"),
)
DAYS = ("year=0", "gte=0000-01-01", "lt=10000-01-01", "lt=9999-12-31%2023:59:59", f"gte={HUGE}")
LOOKUPS: dict[type[object], tuple[str, ...]] = {
    models.DateTimeField: DAYS,
    models.IntegerField: (f"gte={HUGE}", "in=x", f"in={HUGE}", f"exact={HUGE}"),
    models.CharField: ("regex=(", "isnull=x", "nothing=x"),
    models.ForeignKey: ("exact=x", f"exact={HUGE}", "in=x", "isnull=x"),
}
TEXTS = ("x", "%FF", "٣")


def crafted(things: dict[str, Any], looked_at: set[str]) -> Iterator[str]:
    """Yield addresses of every page and list of staff's; of a page that looks at nothing that is
    asked, one.
    """
    for route in staff_routes():
        if "logout" in route:
            continue
        page = address(route, things)
        looked_at.clear()
        yield f"{page}?{ELSEWHERE}"
        if not looked_at.isdisjoint(NAMES):
            yield from (f"{page}?{values}" for values in VALUES)
        if "<" in route:
            # To delete a row is asked by the id that its form reads.
            reads_text = "<int:" not in route and not re.search(r">/(delete/)?$", route)
            ids = (HUGE, *TEXTS) if reads_text else (HUGE,)
            yield from ("/admin/" + re.sub(r"<[^>]*>", pk, route) for pk in ids)
    for number, model in enumerate(admin.site._registry):
        page = f"/admin/{model._meta.app_label}/{model._meta.model_name}/"
        yield from (f"{page}?{query}" for query in LISTS)
        fields = {type(field): field.name for field in model._meta.concrete_fields}
        for kind, lookups in LOOKUPS.items():
            if kind in fields:  # one lookup of each kind: Django's own code reads all of them
                yield f"{page}?{fields[kind]}__{lookups[number % len(lookups)]}"


@pytest.fixture
def looked_at(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """Return the names that pages look for in their addresses and forms."""
    places: set[str] = set()

    def watch(method: str) -> None:
        original = getattr(QueryDict, method)

        def watched(query: QueryDict, *names: Any) -> Any:
            if not query._mutable:  # it is read, not made
                places.update(names[:1] or query)
            return original(query, *names)

        monkeypatch.setattr(QueryDict, method, watched)

    for method in ("__getitem__", "__contains__", "getlist", "copy"):
        watch(method)
    return places


@pytest.mark.filterwarnings("ignore:DateTimeField .* received a naive datetime")
def test_no_address_is_a_fault_of_the_server(things: dict[str, Any], looked_at: set[str]) -> None:
    headers = {"referer": f"https://{AWAY}/admin/", "x-forwarded-host": AWAY}
    client = signed_in(staff_in(), headers=headers)
    wrong = {}
    for page in crafted(things, looked_at):
        try:
            with transaction.atomic():
                if leads_away(client.get(page)):
                    wrong[page[:150]] = "leads away"
                transaction.set_rollback(True)
        except Exception as error:
            wrong[page[:150]] = f"{type(error).__name__}: {error}"[:200]
    assert wrong == {}

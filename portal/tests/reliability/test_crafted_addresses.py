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
from django.test import Client

from apps.accounts.tests.factories import make_staff
from portal.tests.reliability.test_staff_access import (
    AWAY,
    LEADING,
    address,
    leads_away,
    staff_routes,
)
from portal.tests.reliability.test_staff_access import things as things

pytestmark = pytest.mark.django_db

HUGE, TOO_HIGH = "9" * 25, str(2**63)
# What the pages ask of their own addresses
NAMES = (
    *("q", "all", "since", "until", "rows", "columns", "country", "company", "brand", "within"),
    *("by", "page", "format", "pick", "kind", "ids", "person", "ask", "amount", "way", "reason"),
    *("to", "next", "edit", "mail", "imports", "decision", "hint", "age", "state", "status"),
    *("late", "overdue", "field_name", "app_label", "model_name", "term", "user", "product"),
)
VALUES = (dict.fromkeys((*NAMES, *LEADING), f"//{AWAY}/"), dict.fromkeys(NAMES, HUGE))
OF_LISTS = (
    urlencode(dict.fromkeys(NAMES, "1") | {"since": "0000-01-01", "until": "9999-12-31"}),
    "q=%00",
)  # what lists and reports alone look at
LISTS = (
    *("o=-99999999999", "o=x.1.-", "p=9e9", f"p={HUGE}", "_facets=", "_to_field=x", "__=1"),
    *("_popup=1&e=1", "_changelist_filters=%00", "all=&q=%FF"),
)
DAYS = ("year=0", "gte=0000-01-01", "lt=10000-01-01", "lt=9999-12-31%2023:59:59", f"gte={HUGE}")
LOOKUPS: dict[type[object], tuple[str, ...]] = {
    models.DateTimeField: DAYS,
    models.IntegerField: (f"gte={HUGE}", "in=x", f"in={HUGE}", f"exact={HUGE}"),
    models.CharField: ("regex=(", "isnull=x", "nothing=x"),
    models.ForeignKey: ("exact=x", f"exact={HUGE}", "in=x", "isnull=x"),
}
NUMBERS = (HUGE, TOO_HIGH)
TEXTS = ("x", "%FF", "٣", *NUMBERS)


def crafted(things: dict[str, Any]) -> Iterator[str]:
    """Yield addresses of every page and list of staff's."""
    for route in staff_routes():
        if "logout" in route:
            continue
        page = address(route, things)
        yield from (f"{page}?{urlencode(values)}" for values in VALUES)
        if "<" in route:
            ids = NUMBERS if "<int:" in route else TEXTS
            yield from ("/admin/" + re.sub(r"<[^>]*>", pk, route) for pk in ids)
        else:
            yield from (f"{page}?{query}" for query in OF_LISTS)
    for model in admin.site._registry:
        page = f"/admin/{model._meta.app_label}/{model._meta.model_name}/"
        yield from (f"{page}?{query}" for query in LISTS)
        fields = {type(field): field.name for field in model._meta.concrete_fields}
        for kind, lookups in LOOKUPS.items():
            if kind in fields:
                yield from (f"{page}?{fields[kind]}__{lookup}" for lookup in lookups)


@pytest.mark.filterwarnings("ignore:DateTimeField .* received a naive datetime")
def test_no_address_is_a_fault_of_the_server(things: dict[str, Any]) -> None:
    client = Client(headers={"referer": f"https://{AWAY}/admin/", "x-forwarded-host": AWAY})
    client.force_login(
        make_staff(is_superuser=True), backend="django.contrib.auth.backends.ModelBackend"
    )
    wrong = {}
    for page in crafted(things):
        try:
            with transaction.atomic():
                if leads_away(client.get(page)):
                    wrong[page[:150]] = "leads away"
                transaction.set_rollback(True)
        except Exception as error:
            wrong[page[:150]] = f"{type(error).__name__}: {error}"[:200]
    assert wrong == {}

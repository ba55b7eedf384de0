"""What somebody writes into the address of a page of staff's is refused, left out or not found; it
is no fault of the server.
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
from portal.tests.reliability.test_staff_access import address, staff_routes
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
VALUES = ("x", HUGE, "0000-01-01", "9999-12-31")
LISTS = (
    *("o=-99999999999", "o=x.1.-", "p=9e9", f"p={HUGE}", "_facets=", "_to_field=x", "__=1"),
    *("_popup=1&e=1", "_changelist_filters=%00", "all=&q=%FF"),
)
LOOKUPS = (
    *("year=0", "gte=0000-01-01", "lt=10000-01-01", "lt=9999-12-31%2023:59:59", f"gte={HUGE}"),
    *("in=x", f"in={HUGE}", "isnull=x", "regex=(", "exact=x", f"exact={HUGE}", "nothing=x"),
)
IDS = ("x", HUGE, TOO_HIGH, "%FF", "٣")
KINDS = (models.DateTimeField, models.IntegerField, models.CharField, models.ForeignKey)


def crafted(things: dict[str, Any]) -> Iterator[str]:
    """Yield addresses of every page and list of staff's."""
    for route in staff_routes():
        if "logout" in route:
            continue
        page = address(route, things)
        yield from (f"{page}?{urlencode(dict.fromkeys(NAMES, value))}" for value in VALUES)
        yield f"{page}?q=%00"
        if "<" in route:
            yield from ("/admin/" + re.sub(r"<[^>]*>", pk, route) for pk in IDS)
    for model in admin.site._registry:
        page = f"/admin/{model._meta.app_label}/{model._meta.model_name}/"
        yield from (f"{page}?{query}" for query in LISTS)
        fields = {type(field): field.name for field in model._meta.concrete_fields}
        for name in (fields[kind] for kind in KINDS if kind in fields):
            yield from (f"{page}?{name}__{lookup}" for lookup in LOOKUPS)


@pytest.mark.filterwarnings("ignore:DateTimeField .* received a naive datetime")
def test_no_address_is_a_fault_of_the_server(things: dict[str, Any]) -> None:
    client = Client()
    client.force_login(
        make_staff(is_superuser=True), backend="django.contrib.auth.backends.ModelBackend"
    )
    wrong = {}
    for page in crafted(things):
        try:
            with transaction.atomic():
                client.get(page)
                transaction.set_rollback(True)
        except Exception as error:
            wrong[page[:150]] = f"{type(error).__name__}: {error}"[:200]
    assert wrong == {}

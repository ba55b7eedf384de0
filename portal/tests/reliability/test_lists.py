"""Every list costs the same statements for one row and for many
(design/reliability-and-security.md, 19.10).
"""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from django.contrib.admin.sites import site
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from apps.accounts.tests.registrations import make_registration
from apps.accounts.tests.staff import staff_client
from apps.catalog.models import BrandAccess
from apps.catalog.tests.factories import make_brand, make_product, make_promotion
from apps.catalog.tests.import_files import sent
from apps.common.testing import ContractClient
from apps.orders.tests.factories import make_draft
from apps.payments.models import WalletEntry
from apps.payments.tests.factories import make_wire_order
from portal.tests.calls import CALLS, answer_to, token_of
from portal.tests.reliability.world import Side, make_side

pytestmark = pytest.mark.django_db


def statements(ask: Callable[[], Any]) -> int:
    """Return how many statements an answer costs, without the savepoint that undoes it."""
    with CaptureQueriesContext(connection) as queries:
        ask()
    return sum("SAVEPOINT" not in query["sql"] for query in queries.captured_queries)


def fill(side: Side) -> None:
    """Add more of everything to a company."""
    for _ in range(4):
        brand = make_brand()
        BrandAccess.objects.create(company_id=side.buyer.company_id, brand=brand)
        product = make_product(brand=brand)
        make_promotion([product])
        make_wire_order(side.buyer, [(product, 20), (side.product, 20)])
        make_draft(side.buyer, [(product, 20)])


def test_a_call_costs_no_more_for_many_rows_than_for_one() -> None:
    side = make_side("Own")
    client = ContractClient().sign_in(token_of(side.buyer))
    lists = {call: about.most for call, about in CALLS.items() if about.most}

    def ask(call: str) -> None:
        assert answer_to(client, call, side.ids).status_code == 200, call

    def costs() -> dict[str, int]:
        return {call: statements(partial(ask, call)) for call in lists}

    for call in lists:
        ask(call)
    few = costs()
    fill(side)
    many = costs()
    wrong = [call for call, most in lists.items() if not many[call] <= few[call] <= most]
    assert {call: (few[call], many[call]) for call in wrong} == {}


def add_records(side: Side, number: int) -> None:
    """Add what a company does not make by itself: a correction, a registration, an import."""
    correction = {"kind": "correction", "amount": 5, "note": "x", "at": timezone.now()}
    WalletEntry.objects.create(company_id=side.buyer.company_id, **correction)
    make_registration()
    sent((f"A-{number}", "5.00", 1))


MOST = 22  # of a staff list: session, user, rights, counts, filters, rows


def test_every_list_of_the_staff_costs_the_same_for_one_row_and_for_many() -> None:
    side = make_side("Own")
    add_records(side, 0)
    client = staff_client()
    urls = [
        reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")
        for model in site._registry
    ]
    for url in urls:
        client.get(url)  # what is asked for once is kept
    few = {url: list_cost(client, url) for url in urls}
    fill(side)
    for number in range(2):
        add_records(make_side(f"Other{number}"), number + 1)
    many = {url: list_cost(client, url) for url in urls}
    wrong = [url for url in urls if not many[url] <= min(few[url], MOST)]
    assert {url: (few[url], many[url]) for url in wrong} == {}


def list_cost(client: Client, url: str) -> int:
    """Return how many statements a list of the staff costs."""

    def ask() -> None:
        assert client.get(url).status_code == 200, url

    return statements(ask)

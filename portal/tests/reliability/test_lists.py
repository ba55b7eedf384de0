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
from portal.tests.reliability.entries import ENTRIES, answer_to, token_of
from portal.tests.reliability.world import Side, make_side

pytestmark = pytest.mark.django_db

# The calls that answer with a list, and the most statements that one costs, the caller's identity
# included.
CALLS = {
    ("post", "dashboard"): 2,
    ("get", "notice"): 2,
    ("post", "notice/detail/<notice_id>"): 5,
    ("get", "brand/<uuid>"): 2,
    ("get", "product/stock/<uuid>/<brand_id>"): 2,
    ("get", "product/promotion/stock/<uuid>"): 2,
    ("get", "product/like/<uuid>"): 4,
    ("get", "product/suggest/<uuid>"): 3,
    ("post", "product/cart/stock"): 2,
    ("get", "basket"): 2,
    ("get", "baskets"): 2,
    ("get", "baskets/<basket>"): 2,
    ("get", "order-again"): 3,
    ("get", "dashboard/due/<uuid>"): 5,
    ("get", "recent/order/<uuid>/<n>"): 3,
    ("get", "excel/product-setting/<uuid>"): 2,
    ("get", "temp-orders"): 2,
    ("get", "temp-order-info/stock/<invoice_code>"): 5,
    ("get", "order/<status_id>"): 2,
    ("get", "order/<status_id>/<invoice_code>"): 2,
    ("get", "details/<invoice_code>"): 5,
    ("get", "order/customer/messages/<invoice_code>"): 3,
    ("get", "order/proposals/<invoice_code>"): 3,
    ("get", "order/wire/<invoice_code>"): 3,
    ("get", "wallet"): 2,
    ("get", "account"): 5,
    ("get", "account/counts"): 7,
    ("get", "order-sums/<status_id>"): 2,
    ("get", "account/statement"): 9,
    ("get", "account/documents"): 3,
    ("get", "account/addresses"): 3,
    ("get", "account/own-codes"): 2,
    ("get", "account/wishes"): 3,
}


def statements(ask: Callable[[], Any]) -> int:
    """Return how many statements an answer costs, without the savepoint that undoes it."""
    with CaptureQueriesContext(
        connection,
    ) as queries:
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
    ids = {**side.ids, "email": side.buyer.email}
    assert set(CALLS) <= set(ENTRIES)

    def ask(entry: tuple[str, str]) -> None:
        assert answer_to(client, entry, ids).status_code == 200, entry

    def costs() -> dict[tuple[str, str], int]:
        return {entry: statements(partial(ask, entry)) for entry in CALLS}

    for entry in CALLS:
        ask(entry)
    few = costs()
    fill(side)
    many = costs()
    wrong = [entry for entry, most in CALLS.items() if not many[entry] <= few[entry] <= most]
    assert {entry: (few[entry], many[entry]) for entry in wrong} == {}


def add_records(side: Side, number: int) -> None:
    """Add what a company does not make by itself: a correction, a registration, an import."""
    correction = {
        "kind": WalletEntry.Kind.CORRECTION,
        "amount": 5,
        "note": "x",
        "at": timezone.now(),
    }
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
    assert {
        url: (few[url], many[url]) for url in urls if many[url] > few[url] or many[url] > MOST
    } == {}


def list_cost(client: Client, url: str) -> int:
    """Return how many statements a list of the staff costs."""

    def ask() -> None:
        assert client.get(url).status_code == 200, url

    return statements(ask)

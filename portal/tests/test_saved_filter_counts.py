"""What the kept filters of staff's lists say: how many rows each finds, and how many of them are
late.
"""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from apps.accounts.tests.factories import make_buyer
from apps.accounts.tests.staff import staff_client
from apps.orders.models import Order
from apps.orders.tests.factories import make_order
from apps.payments.tests.factories import make_confirmed_order

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
ORDERS, CUSTOMERS = "/admin/orders/order/", "/admin/accounts/company/"


def test_each_says_how_many_it_finds_and_how_many_are_late(django_assert_num_queries):
    buyer, client = make_buyer(), staff_client("Sales")
    late, _ = make_confirmed_order(buyer), make_order(make_buyer())
    Order.objects.filter(pk=late.pk).update(due_at=timezone.now() - timedelta(days=1))
    queries = ("status=3", "promise=late", "payment=waiting", "status=2", "status=5", "q=MHW")
    for query in queries:
        client.post(f"{ORDERS}filters/save/", {"name": query, "query": query})
    page = client.get(ORDERS)
    counts = {chip.kept.query: (chip.count, chip.late) for chip in page.context["saved"]}
    assert counts == {
        "status=3": (1, 1),
        "promise=late": (1, 1),
        "payment=waiting": (2, 1),
        "status=2": (0, 0),
        "status=5": (None, 0),  # neither history nor searches are counted
        "q=MHW": (None, 0),
    }
    assert '<span class="count">1</span> <span class="late">1 late</span>' in page.text
    for query in ("money=open&state=open", "last=never", "money=overdue"):
        client.post(f"{CUSTOMERS}filters/save/", {"name": query, "query": query})
    found = client.get(CUSTOMERS).context["saved"]
    assert [(chip.count, chip.late) for chip in found] == [(2, 1), (0, 0), (1, 1)]
    with CaptureQueriesContext(connection) as few:
        client.get(CUSTOMERS)
    statements = len(few)
    client.post(f"{CUSTOMERS}filters/save/", {"name": "One more", "query": "state=closed"})
    with django_assert_num_queries(statements):
        client.get(CUSTOMERS)


def test_an_approvers_chips_tell_nothing_of_money():
    client = staff_client("Approvers")
    late = make_confirmed_order(make_buyer())
    Order.objects.filter(pk=late.pk).update(due_at=timezone.now() - timedelta(days=1))
    for query in ("state=open", "money=wallet"):
        client.post(f"{CUSTOMERS}filters/save/", {"name": query, "query": query})
    assert [(chip.count, chip.late) for chip in client.get(CUSTOMERS).context["saved"]] == [
        (1, 0),
        (1, 0),
    ]

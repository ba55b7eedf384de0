"""Filters of the orders' list that each member of staff keeps for himself."""

import pytest

from apps.accounts.tests.staff import shown_messages, staff_client
from apps.orders.models import SavedFilter

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
LIST = "/admin/orders/order/"


def keep(client, name: str, query: str):
    return client.post(f"{LIST}filters/save/", {"name": name, "query": query}, follow=True)


def test_filters_are_kept_shown_and_removed_by_their_owner_alone():
    client, other = staff_client("Sales"), staff_client("Sales")
    assert "Name of these filters" not in client.get(LIST).text, "there is nothing to keep"
    page = keep(client, " Paid,  not sent ", "?status=4&p=2&packing=todo")
    assert shown_messages(page) == ["“Paid, not sent” is kept for you."]
    assert page.request["QUERY_STRING"] == "packing=todo&status=4"
    (chip,) = page.context["saved"]
    kept = chip.kept
    assert (kept.name, chip.is_shown, page.context["may_save"]) == ("Paid, not sent", True, False)
    assert other.get(LIST).context["saved"] == []
    other.post(f"{LIST}filters/{kept.pk}/remove/")
    assert SavedFilter.objects.exists()
    client.post(f"{LIST}filters/{kept.pk}/remove/")
    assert not SavedFilter.objects.exists()


def test_the_same_name_takes_the_new_filters_and_twelve_are_enough():
    client = staff_client("Sales")
    for number in range(12):
        keep(client, f"Filter {number}", f"status={number % 6}")
    keep(client, "FILTER 3", "promise=late")
    assert SavedFilter.objects.get(name__iexact="filter 3").query == "promise=late"
    assert "12 filters are kept already" in shown_messages(keep(client, "One more", "status=4"))[0]
    assert SavedFilter.objects.count() == 12


def test_each_list_has_filters_of_its_own_under_names_of_its_own():
    client, customers = staff_client("Sales"), "/admin/accounts/company/"
    keep(client, "Late", "promise=late")
    page = client.post(
        f"{customers}filters/save/", {"name": "Late", "query": "money=overdue"}, follow=True
    )
    assert page.request["PATH_INFO"] == customers
    (of_customers,) = page.context["saved"]
    assert (of_customers.kept.name, of_customers.kept.query, of_customers.is_shown) == (
        "Late",
        "money=overdue",
        True,
    )
    of_orders = client.get(LIST).context["saved"][0].kept
    client.post(f"{customers}filters/{of_orders.pk}/remove/")
    assert SavedFilter.objects.count() == 2, "another list's filter stays"
    client.post(f"{customers}filters/{of_customers.kept.pk}/remove/")
    assert SavedFilter.objects.get() == of_orders
    approver = staff_client("Approvers")
    approver.post(f"{customers}filters/save/", {"name": "Open", "query": "state=open"})
    assert SavedFilter.objects.get(name="Open").page == "customers"


@pytest.mark.parametrize(
    ("name", "query"),
    [("", "status=4"), ("Empty", "p=3"), ("x" * 41, "status=4"), ("Long", "q=" + "x" * 600)],
)
def test_what_is_no_filter_is_refused(name, query):
    client = staff_client("Sales")
    keep(client, name, query)
    assert not SavedFilter.objects.exists()
    assert (
        staff_client("Approvers")
        .post(f"{LIST}filters/save/", {"name": "Mine", "query": "status=4"})
        .status_code
        == 403
    )

"""Every list of staff: two-line rows on a phone, figures with separators, the trade's words."""

import re
from typing import Any

import pytest
from django.contrib.admin import site
from django.contrib.admin.models import LogEntry

from apps.accounts.models import AddressEntry
from apps.accounts.tests.staff import staff_client
from apps.catalog.tests.factories import make_product
from apps.common.models import MailText, Policy
from apps.common.staff_lists import figure_text
from apps.orders.models import SalesTally, Wish

pytestmark = pytest.mark.django_db

# Pages of their own stand where the list would.
WITHOUT_A_LIST = {AddressEntry, MailText, Policy, SalesTally, Wish}


def cells(page) -> list[dict[str, str]]:
    """Return the cells of a list's first row: their attributes, and their text as `text`."""
    row = re.search(r"<tbody.*?<tr[^>]*>(.*?)</tr>", page.text, re.DOTALL).group(1)
    cells = re.findall(r"<t[dh]([^>]*)>(.*?)</t[dh]>", row, re.DOTALL)
    return [
        {
            **dict(re.findall(r'([\w-]+)="([^"]*)"', attributes)),
            "text": re.sub("<[^>]*>", "", inner),
        }
        for attributes, inner in cells
    ]


@pytest.mark.parametrize(("value", "text"), [(1277, "1,277"), (0, "0"), (-20, "− 20"), (None, "–")])
def test_figures_have_separators(value, text):
    assert figure_text(value) == text


def test_each_list_says_what_its_rows_keep_on_a_phone():
    registered: dict[Any, Any] = site._registry
    for model, page in registered.items():
        if model in WITHOUT_A_LIST:
            continue
        row, columns = page.phone_row, page.list_display
        names = [name for name in (row.under, row.right, row.next, row.third) if name]
        assert names, model
        assert set(names) | set(row.labelled) <= set(columns[1:]), model
        assert set(row.labelled) <= set(names), model


def test_a_row_keeps_name_figures_and_state_and_stays_a_row_for_those_who_hear_it():
    make_product(on_hand=1277, allocated=7, eng_name="Night Emulsion")
    page = staff_client("Sales").get("/admin/catalog/product/")
    row = {cell["class"].removeprefix("field-").split()[0]: cell for cell in cells(page)}
    assert {name: cell.get("data-place", "") for name, cell in row.items()} == {
        "item": "name",
        "brand": "",
        "state": "third",
        "wholesale": "right",
        "usrp": "",
        "on_hand": "",
        "allocated": "",
        "available": "next",
    }
    assert {cell["role"] for cell in row.values()} == {"rowheader", "cell"}
    assert (row["available"]["text"], row["available"]["data-label"]) == ("1,270", "available")
    assert row["on_hand"]["text"] == "1,277"


def test_lists_and_pages_use_the_words_of_the_trade():
    client, product = staff_client(), make_product()
    assert "No movements yet." in client.get("/admin/catalog/stockchange/").text
    assert "No entries yet." in client.get("/admin/payments/walletentry/").text
    empty = client.get("/admin/payments/walletentry/?q=nothing").text
    assert "No entry matches." in empty
    who = client.get("/admin/").context["user"].pk
    LogEntry.objects.log_actions(who, [product], 2, "Recounted", single_object=True)
    actions = client.get("/admin/admin/logentry/")
    assert "Catalog | product" not in actions.text
    assert ">Addition<" not in actions.text
    deeds, _ = actions.context["cl"].filter_specs
    choices = [choice["display"] for choice in deeds.choices(actions.context["cl"])]
    assert choices[1:] == ["Added", "Changed", "Deleted"]
    for flag, count in (("1", 0), ("2", 1), ("9", 1)):
        response = client.get("/admin/admin/logentry/", {"action_flag__exact": flag})
        assert response.context["cl"].result_count == count
    page = client.get(f"/admin/catalog/product/{product.pk}/change/")
    assert "Recounted" in page.text.split('id="history"')[1]
    figures = {figure.label: figure.value for figure in page.context["figures"]}
    assert figures["Available"] == "1,000"


def test_a_page_costs_the_same_statements_however_much_happened(django_assert_max_num_queries):
    product, client = make_product(on_hand=5), staff_client("Sales")
    address = f"/admin/catalog/product/{product.pk}/change/"
    client.get(address)
    with django_assert_max_num_queries(20) as few:
        client.get(address)
    came = {"pieces": "5", "reason": "Came"}
    for _ in range(3):
        client.post(f"/admin/catalog/product/{product.pk}/receive/", came)
    client.get(address)
    with django_assert_max_num_queries(20) as many:
        client.get(address)
    assert len(few) == len(many)

"""The pages of imports: sent, looked at in tabs and pages, applied with every guard ticked, undone
after a question.
"""

import io

import openpyxl
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from apps.accounts.tests.staff import shown_messages
from apps.catalog.models import Import, Product
from apps.catalog.tests.factories import make_product, make_products
from apps.catalog.tests.import_files import applied, csv, sent, work

pytestmark = pytest.mark.django_db
IMPORTS = "/admin/catalog/import/"


def send(client: Client, content: bytes, name: str = "stock.csv"):
    body = {"kind": "table", "file": SimpleUploadedFile(name, content)}
    return client.post(f"{IMPORTS}send/", body, follow=True)


def skus(page) -> list[str]:
    return [line.row.sku for line in page.context["review"].lines()]


def test_a_file_is_sent_watched_reviewed_and_applied(sales):
    product = make_product(sku="A-1", on_hand=40, allocated=30)
    page = send(sales, csv(("SKU", "On hand", "Note"), ("A-1", 12, "x")))
    source = Import.objects.get()
    here = f"{IMPORTS}{source.pk}/"
    assert page.redirect_chain == [(f"{here}change/", 302)]
    assert "You can leave this page" in page.content.decode()
    assert sales.get(f"{here}progress/").json() == {"state": "reading", "read": 0, "expected": 2}
    work()
    page = sales.get(f"{here}change/")
    assert [
        (guard.name, str(guard.text), guard.detail) for guard in page.context["review"].guards
    ] == [
        (
            "promised",
            "1 stock below what is promised",
            "18 pieces short in all; orders keep their promise",
        )
    ]
    assert "Columns not read: Note" in page.content.decode()
    refused = sales.post(f"{here}apply/", follow=True)
    assert shown_messages(refused) == ["stock.csv: 1 check is not ticked."]
    sales.post(f"{here}apply/", {"guard": ["promised"]})
    work()
    page = sales.get(f"{here}change/")
    assert "Applied by" in page.content.decode()
    product.refresh_from_db()
    assert product.stock.on_hand == 12
    assert sales.get(f"{here}undo/").status_code == 200
    sales.post(f"{here}undo/")
    work()
    product.stock.refresh_from_db()
    assert (product.stock.on_hand, Import.objects.get().state) == (40, "undone")


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("a.xlsx", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 old", "This is an Excel 97 workbook (.xls)"),
        ("a.csv", b"Name\nx\n", "No row of headings with “SKU”"),
        ("a.pdf", b"%PDF-1.7", "Only .xlsx and .csv"),
        ("a.zip", b"PK\x03\x04", "This ZIP cannot be read"),
    ],
)
def test_a_file_that_is_not_taken_is_refused_at_its_field(sales, name, content, sentence):
    page = send(sales, content, name)
    assert sentence in page.context["form"].errors["file"][0]
    assert not Import.objects.exists()


def test_tabs_guards_pages_and_a_sku_show_their_rows(sales):
    make_products(52, on_hand=5)
    make_product(sku="PRICE", usd_supply=10)
    make_product(sku="SAME")
    rows = [
        (sku, "4.60", 7)
        for sku in Product.objects.filter(sku__startswith="SKU").values_list("sku", flat=True)
    ]
    source = sent(*rows, ("PRICE", "6.00", ""), ("SAME", "4.50", 1000), ("NEW", "1.00", ""))
    here = f"{IMPORTS}{source.pk}/change/"
    first = sales.get(here)
    assert [(tab["name"], tab["count"]) for tab in first.context["review"].tabs] == [
        ("All", 54), ("Prices", 53), ("Stock", 52), ("New", 0), ("To check", 2), ("Same", 1)
    ]  # fmt: skip
    assert len(skus(first)) == 50
    assert skus(sales.get(here, {"page": 2})) == [row[0] for row in rows[50:]] + ["PRICE", "NEW"]
    assert skus(sales.get(here, {"tab": "guards"})) == ["PRICE", "NEW"]
    assert skus(sales.get(here, {"guard": "price"})) == ["PRICE"]
    assert skus(sales.get(here, {"tab": "same"})) == ["SAME"]
    assert skus(sales.get(here, {"q": "pri"})) == ["PRICE"]
    (line,) = sales.get(here, {"q": "PRICE"}).context["review"].lines()
    wholesale = line.cells[0][0]
    assert wholesale.old == "10.00"
    assert (wholesale.new, line.word, line.is_guarded) == ("6.00", "Price −40 %", True)


def test_a_page_of_many_rows_costs_the_same_statements_as_one(sales, django_assert_max_num_queries):
    make_products(60, on_hand=5)
    rows = [(sku, "4.60", 7) for sku in Product.objects.values_list("sku", flat=True)]
    one, many = sent(*rows[:1]), sent(*rows[:1], *rows)
    for source in (one, many):
        with django_assert_max_num_queries(22):
            sales.get(f"{IMPORTS}{source.pk}/change/")


def test_the_differences_and_the_filtered_products_come_as_workbooks(sales):
    make_product(sku="0012")
    make_product(sku="A-1", eng_name="=1+1", is_running=0)
    source = sent(("0012", "5.00", ""))
    diff = openpyxl.load_workbook(
        io.BytesIO(sales.get(f"{IMPORTS}{source.pk}/diff/").getvalue())
    ).active
    values = dict(zip(*(row for row in diff.iter_rows(values_only=True)), strict=True))
    assert values["SKU"] == "0012"
    assert (values["Wholesale ($), now"], values["Wholesale ($), new"]) == ("4.50", "5.00")
    answer = sales.get("/admin/catalog/product/export/", {"is_running__exact": "0"})
    sheet = openpyxl.load_workbook(io.BytesIO(answer.getvalue())).active
    assert [cell.value for cell in sheet["A"]] == ["SKU", "A-1"]
    assert (sheet["B2"].value, sheet["B2"].data_type) == ("=1+1", "s")


def test_what_stopped_an_undoing_is_shown_and_an_import_is_thrown_away(sales):
    make_product(sku="A-1")
    make_product(sku="A-2")
    source = applied(sent(("A-1", "5.00", ""), ("A-2", "5.00", "")))
    Product.objects.filter(sku="A-2").update(usd_supply=6)
    sales.post(f"{IMPORTS}{source.pk}/undo/")
    work()
    page = sales.get(f"{IMPORTS}{source.pk}/change/", {"tab": "touched"})
    assert "Not undone, changed or promised since: A-2." in page.content.decode()
    assert skus(page) == ["A-2"]
    other = sent(("A-1", "7.00", ""))
    sales.post(f"{IMPORTS}{other.pk}/discard/")
    assert Import.objects.get(pk=other.pk).state == "discarded"
    assert "nothing was changed" in sales.get(f"{IMPORTS}{other.pk}/change/").content.decode()
    assert [row.pk for row in sales.get(IMPORTS).context["cl"].result_list] == [other.pk, source.pk]

"""The catalogue in Korean: what is kept is read in each reader's language, what buyers get stays
English.
"""

import io
from decimal import Decimal
from typing import Any

import openpyxl
import pytest
from django.contrib.admin.models import LogEntry
from django.test import Client
from django.urls import reverse
from django.utils import translation

from apps.accounts.models import User
from apps.accounts.selectors import Buyer
from apps.accounts.tests.staff import shown_messages, staff_client, staff_in
from apps.catalog.admin.guarded import Tick
from apps.catalog.errors import OutOfStock
from apps.catalog.models import Import, Product, StockChange
from apps.catalog.services import stock
from apps.catalog.tests.factories import make_product
from apps.catalog.tests.import_files import applied, sent, work
from apps.catalog.tests.test_admin_catalogue import PRODUCTS, product_fields
from apps.catalog.tests.test_admin_guards import errors_of
from apps.common.testing import ContractClient
from apps.common.texts import read

pytestmark = pytest.mark.django_db
IMPORTS = "/admin/catalog/import/"


@pytest.fixture
def korean() -> Client:
    return staff_client("Sales", language="ko")


def in_both(text: str) -> tuple[str, str]:
    """Return a kept text in English and in Korean."""
    with translation.override("ko"):
        korean_text = read(text)
    return read(text), korean_text


def history() -> tuple[str, str]:
    """Return what the newest history says in both languages; it is kept in neither."""
    return in_both(LogEntry.objects.order_by("-pk").values_list("change_message", flat=True)[0])


def test_a_tick_holds_when_the_language_is_switched_meanwhile(korean: Client) -> None:
    product = make_product(usd_supply=Decimal("15.30"), usd_price=Decimal("34.00"))
    change = f"{PRODUCTS}{product.pk}/change/"
    fields = product_fields(product, usd_supply="1.60")
    page = korean.post(change, fields)
    shown = errors_of(page)
    assert shown == {
        "usd_supply": [
            "15.30 → 1.60: 90% 인하됩니다. 10분의 1이 되므로 소수점 위치를 확인하십시오."
        ]
    }
    ticked = {**fields, Tick.name: tick_of_korean(page)}
    User.objects.filter(language="ko").update(language="en")
    assert korean.post(change, ticked).status_code == 302
    product.refresh_from_db()
    assert product.usd_supply == Decimal("1.60")
    found = history()
    assert found == ("Wholesale $ 15.30 → 1.60", "도매가 $ 15.30 → 1.60")


def tick_of_korean(page: Any) -> str:
    """Return the value of the tick of a Korean page."""
    with translation.override("ko"):
        return str(page.context["adminform"].form.tick.value)


def test_a_shelfs_history_is_read_in_each_language(korean: Client) -> None:
    product = make_product(on_hand=70)
    page = reverse("admin:catalog_product_recount", args=[product.pk])
    korean_page = korean.post(page, {"on_hand": "64", "reason": "실사"}, follow=True)
    assert shown_messages(korean_page) == [f"{product}: 재고 실사: 실재고 70 → 64"]
    assert history() == ("Stock recounted: 70 → 64 on hand", "재고 실사: 실재고 70 → 64")
    assert StockChange.objects.get().reason == "실사"


def test_an_import_is_told_in_each_language(korean: Client) -> None:
    staff = User.objects.get(language="ko")
    changed, faulty = make_product(sku="A-1", on_hand=70), make_product(sku="A-2")
    source = sent(
        ("A-1", "4.90", 60), ("A-2", "abc", ""), ("A-3", "5.00", ""), actor=staff, name="가격.csv"
    )
    remarks = {row.sku: in_both(row.remark) for row in source.rows.all() if row.remark}
    assert remarks == {
        "A-2": ("Wholesale ($): “abc” is not a number", "도매가 ($): “abc”: 숫자가 아닙니다"),
        "A-3": (
            "To add it as a product: Product, Brand, USRP ($)",
            "새 상품으로 추가하려면 필요한 열: 상품, 브랜드, USRP ($)",
        ),
    }
    page = korean.get(f"{IMPORTS}{source.pk}/change/").text
    assert all(korean_text in page for _, korean_text in remarks.values())
    applied(source, actor=staff)
    assert in_both(changed.stock_changes.get().reason) == ("Import 가격.csv", "가져오기: 가격.csv")
    english, korean_text = history()
    assert english.startswith("Applied: 1 row; checked: ")
    assert korean_text.startswith("적용: 1행; 확인: ")
    assert not faulty.stock_changes.exists()
    assert "가져오기: 가격.csv" in korean.get(f"{PRODUCTS}{changed.pk}/change/").text


def test_a_refused_file_says_why_in_each_language(korean: Client) -> None:
    source = sent(("A-1", "4.90", 60))
    Import.objects.filter(pk=source.pk).update(state="reading", storage_name="gone.csv")
    work(source)
    english, korean_text = in_both(source.remark)
    assert english == "The file is no longer there. Send it again."
    assert korean_text in korean.get(f"{IMPORTS}{source.pk}/change/").text


def test_what_a_korean_colleague_exports_is_read_again(korean: Client) -> None:
    for number, running in enumerate(range(4)):
        make_product(sku=f"K-{number}", is_running=running, is_special=bool(number % 2))
    file: bytes = korean.get(f"{PRODUCTS}export/").getvalue()
    rows = list(openpyxl.load_workbook(io.BytesIO(file)).active.values)
    assert rows[0][:4] == ("SKU", "상품", "브랜드", "판매 상태")
    assert rows[0][-1] == "할당(가져오지 않음)"
    assert {row[3] for row in rows[1:]} == {"단종", "판매 중", "별도 문의", "숨김"}
    upload = io.BytesIO(file)
    upload.name = "상품.xlsx"
    korean.post(f"{IMPORTS}send/", {"file": upload, "kind": "table"})
    work()
    source = Import.objects.get()
    assert (source.unread, source.counts["rows"], source.counts["same"]) == (
        "할당(가져오지 않음)",
        4,
        4,
    )


def test_buyers_get_english_whatever_colleagues_read(
    korean: Client, api: ContractClient, buyer: Buyer
) -> None:
    product = make_product(on_hand=10, allocated=10)
    before = answers(api, buyer, product)
    assert "재고" in korean.get(PRODUCTS).text
    page = reverse("admin:catalog_product_recount", args=[product.pk])
    korean.post(page, {"on_hand": "10", "reason": "실사"})
    assert answers(api, buyer, product) == before
    assert all(answer.isascii() for answer in before)


def answers(api: ContractClient, buyer: Buyer, product: Product) -> list[str]:
    """Return what a buyer reads of a product, and of what is refused."""
    body = {"uuid": str(buyer.uuid), "skuData": [{"sku": product.sku, "count": 20}]}
    response = api.send("post", "/api/product/cart/stock", body)
    with pytest.raises(OutOfStock) as refusal:
        stock.allocate(quantities={product.pk: 20}, stock_free=False)
    listed = api.get(f"/api/product/stock/{buyer.uuid}/0")
    lost = api.get(f"/api/product/stock/{buyer.uuid}/0", {"after": "nowhere"})
    return [response.text, str(refusal.value.errors), listed.text, lost.text]


def test_what_a_colleague_may_not_do_is_refused_in_korean(korean: Client) -> None:
    source = sent(("A-1", "4.90", 60), actor=staff_in("Sales"))
    page = korean.post(f"{IMPORTS}{source.pk}/undo/", follow=True)
    (message,) = shown_messages(page)
    assert "현재 상태: “검토 대기”" in message

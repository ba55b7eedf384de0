"""Tables as Korean shops, warehouses and banks write them: their headings, and their letters."""

import io
from collections.abc import Sequence
from datetime import date
from decimal import Decimal

import pytest
from django.utils.translation import gettext, override

from apps.catalog.admin.products_form import SetProductsForm
from apps.catalog.models import Product
from apps.catalog.sheet import COLUMNS, HEADINGS as PRODUCT_HEADINGS
from apps.catalog.tests.factories import make_brand, make_product
from apps.catalog.tests.import_files import applied, sent_file
from apps.common.tables.download import csv_of
from apps.common.tables.headings import find_columns
from apps.common.tables.spreadsheets import read_rows
from apps.orders.admin.packing_cells import rows_of_file, rows_of_text
from apps.payments.tests.bank.statement_desk import read_statement

ENCODINGS = ("utf-8", "utf-8-sig", "cp949", "euc-kr", "utf-16")
SHEETS = (
    {
        "품목코드": "sku",
        "품목명": "eng_name",
        "브랜드": "brand",
        "바코드": "ean",
        "도매가": "usd_supply",
        "소비자가": "usd_price",
        "재고수량": "on_hand",
        "중량(g)": "weight_g",
        "비고": "",
    },
    {
        "품번": "sku",
        "품명": "eng_name",
        "브랜드명": "brand",
        "바코드 번호": "ean",
        "단가": "usd_supply",
        "권장 소비자가": "usd_price",
        "현재고": "on_hand",
        "무게(g)": "weight_g",
        "박스입수": "",
    },
    {
        "상품코드": "sku",
        "상품명": "",
        "상품명(영문)": "eng_name",
        "공급가(USD)": "usd_supply",
        "재고": "on_hand",
    },
)
BANKS = {
    "KB": (
        "거래일시,적요,보낸분/받는분,송금메모,출금액,입금액,잔액,거래점,구분",
        '2026.11.20 10:21:33,외화송금,HANOI BEAUTY,KBD-1,0,"1,250.00","8,310.20",외환센터,전자금융',
    ),
    "Shinhan": (
        "거래일자,거래시간,적요,출금금액,입금금액,내용,잔액,거래점",
        '2026-11-20,10:21:33,KBD-1,,"1,250.00",HANOI BEAUTY,"8,310.20",본점',
    ),
    "Woori": (
        "No.,거래일시,적요,기재내용,찾으신금액,맡기신금액,거래후 잔액,취급점",
        '1,2026.11.20 10:21,KBD-1,HANOI BEAUTY,0,"1,250.00","8,310.20",강남',
    ),
    "IBK": (
        "거래일시,출금,입금,거래후 잔액,거래내용,상대계좌번호,메모,거래구분,상대계좌예금주명",
        '2026-11-20 10:21:33,0,"1,250.00","8,310.20",KBD-1,,,대체,HANOI BEAUTY',
    ),
    "Nonghyup": (
        "거래일자,출금금액(USD),입금금액(USD),거래후잔액(USD),거래내용,거래기록사항,거래점",
        '2026/11/20,0,"1,250.00","8,310.20",KBD-1,HANOI BEAUTY,농협',
    ),
    "Hana": (
        "거래일자,통화,적요,송금인,입금액(외화),출금액(외화),거래후 잔액,송금번호",
        '20261120,USD,KBD-1,HANOI BEAUTY,"1,250.00",,"8,310.20",FX123',
    ),
    "a third": (
        "순번,거래일,거래종류,입금(USD),출금(USD),잔액(USD),의뢰인/수취인,통장표시내용,참조번호",
        '1,2026년 11월 20일 오후 3:21,송금,"1,250.00",0.00,"8,310.20",HANOI BEAUTY,KBD-1,OTT0099',
    ),
    "by hand": (
        "거래 일자,보낸 분,입금 액,잔 액,적 요",
        '2026-11-20,HANOI BEAUTY,"1,250.00","8,310.20",KBD-1',
    ),
}


@pytest.mark.parametrize("sheet", SHEETS)
def test_the_headings_of_a_price_list_are_understood(sheet: dict[str, str]) -> None:
    columns = {place: name for name, place in find_columns([*sheet], PRODUCT_HEADINGS).items()}
    assert {head: columns.get(place, "") for place, head in enumerate(sheet)} == sheet


def test_what_is_exported_in_korean_is_imported_again() -> None:
    with override("ko"):
        titles = [gettext(column.title) for column in COLUMNS.values()]
    assert find_columns(titles, PRODUCT_HEADINGS) == {
        name: place for place, name in enumerate(COLUMNS)
    }


@pytest.mark.parametrize("encoding", ["utf-8-sig", "cp949", "utf-16"])
@pytest.mark.parametrize("bank", BANKS)
def test_a_banks_export_is_understood(bank: str, encoding: str) -> None:
    content = "\r\n".join(BANKS[bank]).encode(encoding)
    (line,) = read_statement(content, currency="USD").lines
    assert (line.value_date, line.amount) == (date(2026, 11, 20), Decimal("1250.00"))
    assert (line.debtor, line.text) == ("HANOI BEAUTY", "KBD-1")
    assert line.reference == {"Hana": "FX123", "a third": "OTT0099"}.get(bank, "")


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("encoding", "delimiter"), zip(ENCODINGS, (",", "\t", ";", ",", "\t"), strict=True)
)
def test_an_import_is_read_in_every_usual_encoding(encoding: str, delimiter: str) -> None:
    make_product(sku="A-1", brand=make_brand(eng="한빛"), on_hand=1)
    rows: Sequence[Sequence[str]] = (
        ("품번", "품명", "재고", "비고"),
        ("A-1", "수분 진정 크림", "7", "뷰티"),
    )
    content = "\r\n".join(delimiter.join(row) for row in rows).encode(encoding)
    applied(sent_file(content))
    product = Product.objects.get()
    assert (product.eng_name, product.stock.on_hand) == ("수분 진정 크림", 7)


def test_what_is_exported_opens_in_excel_and_is_read_again() -> None:
    content = csv_of([("품번", "품명"), ("A-1", "수분 크림")])
    assert content.startswith(b"\xef\xbb\xbf")
    rows = read_rows(io.BytesIO(content), name="목록.csv", max_rows=10)
    assert [list(row.cells) for row in rows] == [["품번", "품명"], ["A-1", "수분 크림"]]


PACKED = (
    "박스 번호,박스 수,품번,품명,수량(EA),총중량(kg),가로,세로,높이\n1,2,A-1,크림,20,7.5,52,40,34\n"
)


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_a_packing_sheet_is_read(encoding: str) -> None:
    rows, unused = rows_of_file(PACKED.encode(encoding), name="포장.csv")
    assert unused == []
    for (cells,) in (rows, rows_of_text(PACKED.replace(",", "\t"))):
        assert cells["box"] == "1"
        assert (cells["count"], cells["sku"], cells["pieces"]) == ("2", "A-1", "20")
        assert [cells[name] for name in ("kg", "length", "width", "height")] == [
            *("7.5", "52", "40", "34")
        ]


@pytest.mark.django_db
def test_pasted_prices_of_a_promotion_may_have_their_headings() -> None:
    product = make_product(sku="A-1")
    form = SetProductsForm({"codes": "품번\t할인가\nA-1\t4.20\n바코드 할인가", "brand": ""})
    assert form.is_valid()
    assert form.products() == ({product: Decimal("4.20")}, [])

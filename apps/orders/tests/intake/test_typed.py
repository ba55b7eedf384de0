"""Typed rows: code or whole name and one plain number are taken, everything else is asked or passed
over with its reason, and nothing takes longer than its length allows.
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from apps.common.tables.spreadsheets import Row, SpreadsheetRefused
from apps.orders.intake import catalogue as module
from apps.orders.intake.catalogue import Catalogue
from apps.orders.intake.match import match
from apps.orders.intake.typed import HOW_MANY, Line, Passed, typed_row
from apps.orders.intake.workbook import open_workbook
from apps.orders.tests.intake.test_sheets import play, products

MESSAGES = Path(__file__).parent / "messages"
CREAM, PADS = "AUR-BC050", "BOM-GP060"


def own_catalogue(**own: str) -> Catalogue:
    return Catalogue(products().values(), own)


@pytest.mark.parametrize(
    ("text", "sku", "pieces"),
    [
        (f"{CREAM} 20", CREAM, 20),
        (f"20 x {CREAM}", CREAM, 20),
        (f"{CREAM}x20", CREAM, 20),
        (f"{CREAM} 20.", CREAM, 20),
        (f"{CREAM} - 20", CREAM, 20),
        (f"{CREAM} ..... 20", CREAM, 20),
        (f"20 - {CREAM}", CREAM, 20),
        (f"{CREAM} 20 - Barrier Bloom Ceramide Cream", CREAM, 20),
        (f"{CREAM},20", CREAM, 20),
        (f"- {CREAM}: 20", CREAM, 20),
        (f"3) {CREAM} → 20 pcs.", CREAM, 20),
        ("aur bc050 - 20ea", CREAM, 20),
        ("AURBC50 20", CREAM, 20),
        (f"{CREAM} ２０", CREAM, 20),
        (f"{CREAM} 20개", CREAM, 20),
        (f"{CREAM} 20個", CREAM, 20),
        (f"{CREAM} 20 cái", CREAM, 20),
        (f"necesito 20 uds de {CREAM} por favor", CREAM, 20),
        (f"нужно {CREAM} 20 шт", CREAM, 20),
        ("9527384455703 20", CREAM, 20),
        ("952 7384 455703 20 pcs", CREAM, 20),
        ("Barrier Bloom Ceramide Cream 50 ml - 20 pcs", CREAM, 20),
        ("20 Aurelle Skin Barrier Bloom Ceramide Cream 50ml", CREAM, 20),
        (f"{CREAM} Barrier Bloom Ceramide Cream 50 ml 20", CREAM, 20),
        (f"{CREAM} 세라마이드 크림 50ml 20개", CREAM, 20),
        (f"{CREAM} 50 ml 20", CREAM, 20),
        ("Green Plum Toner Pads, 60 pcs x 20", PADS, 20),
        (f"{PADS} Green Plum Toner Pads 60 pcs 20", PADS, 20),
        ("k7 20", CREAM, 20),
        ("our glow pot 20", CREAM, 20),
        ("glow pot 21 20", CREAM, 20),
    ],
)
def test_a_plain_row_is_taken(text: str, sku: str, pieces: int) -> None:
    catalogue = own_catalogue(**dict.fromkeys(("K7", "OUR GLOW POT", "GLOW POT 21"), CREAM))
    row = typed_row(Row(1, (text,)), catalogue)
    assert isinstance(row, Line)
    (line,) = match([row], catalogue, {})
    assert (line.sku, line.which, line.amount.question) == (sku, "", "")
    assert line.amount.count == pieces


@pytest.mark.parametrize(
    ("text", "code", "pieces", "kept"),
    [
        ("NOSUCH-1 5", "NOSUCH-1", 5, "NOSUCH-1"),
        ("5 x NOSUCH-1", "NOSUCH-1", 5, "NOSUCH-1"),
        ("hand balm 12 pcs", "", 12, "HAND BALM"),
        ("12 hand balm", "", 12, "HAND BALM"),
        ("hand balm 2 boxes", "", 0, "HAND BALM 2 BOXES"),
        ("hand balm 50ml", "", 0, "HAND BALM 50ML"),
        ("NOSUCH-1 -5", "", 0, "NOSUCH-1 -5"),
        ("50ml 12", "", 0, "50ML 12"),
    ],
)
def test_what_nobody_knows_is_remembered_without_its_pieces(
    text: str, code: str, pieces: int, kept: str
) -> None:
    catalogue = own_catalogue()
    row = typed_row(Row(1, (text,)), catalogue)
    assert isinstance(row, Line)
    (line,) = match([row], catalogue, {})
    assert (line.sku, line.amount.count, line.words) == (code, pieces, text)
    assert (line.called or line.sku).upper() == kept


NO_PIECES = """-20|-20 pcs|1e3|10 + 10|10-20|1,000|24.000|(20)|20 or 30|20/30|$20|~20|20?|twenty
2 boxes|50 ml|cancel 20|20 cancelled|minus 20|no 20|20 not now|price 20|20 if in stock
12.5|20 + 5|20 @ 9.50|04|020|20-|20 -|20 –|20 — pcs
–20|−20|− 20|20 −|( 20 )|20/|20 /|20+|20 +|+20|~ 20|20 ?|20 %|20%|.20|20..
20…|20 …|20 &|>20|> 20|<20|≥ 20|± 20|20kgs|20EUR|€20
24²|20 ③|100 ml 20|30.11.2026|취소 20|nicht 20|отменить 20|annuler 20|×20-"""


@pytest.mark.parametrize("quantity", NO_PIECES.replace("\n", "|").split("|"))
def test_what_is_no_plain_number_of_pieces_is_asked(quantity: str) -> None:
    row = typed_row(Row(1, (f"{CREAM} {quantity}",)), own_catalogue())
    assert isinstance(row, Line)
    assert ([code.text for code in row.codes], row.amount.count) == ([CREAM], 0)
    assert row.amount.question
    assert quantity.split()[0].strip(".,") in row.words


@pytest.mark.parametrize(
    "text",
    [
        "Barrier Bloom Ceramide Cream 30 pcs",  # no size
        "Barrier Bloom Ceramide Cream 100 ml 20",
        "Milk Veil Toner 20",
        f"{CREAM} AUR-GC050 20",
        "20 x something nice",
        "tel. +44 113 496 0182",
        "Delivery before 15 December",
        "crème barrière vingt pièces",
        "x" * 400,
        "Veil Cushion Foundation 23N Sand Linen 20",
    ],
)
def test_a_row_without_one_product_is_asked_with_its_words(text: str) -> None:
    catalogue = own_catalogue(**{"23N SAND": "LUN-VC023"})
    row = typed_row(Row(1, (text,)), catalogue)
    assert isinstance(row, Line)
    (line,) = match([row], catalogue, {})
    assert line.which
    assert line.words
    assert text.startswith(line.words)


def test_a_row_that_names_several_products_says_so() -> None:
    text = f"please send 20 {CREAM} and Golden Rice Emulsion 30 pcs, also glow drops 5"
    row = typed_row(Row(1, (text,)), own_catalogue())
    assert isinstance(row, Line)
    assert (row.amount.count, row.amount.guess) == (0, 0)
    others = "This may name other products, which need rows of their own."
    assert row.amount.question.endswith(f"”: {others} {HOW_MANY}")
    row = typed_row(Row(1, (f"{CREAM} 20 or 30 blorp",)), own_catalogue())
    assert isinstance(row, Line)
    assert others not in row.amount.question


def test_greetings_totals_and_empty_rows_are_passed_over_with_their_reason() -> None:
    text = f"Hello,\n\n{CREAM} 20\nSKU Qty\nTotal 20\n-----\nKind regards,\nHannah Pryce\nTel 5\n."
    played = play(open_workbook(text.encode(), "Pasted list.txt"), own_catalogue())
    assert sorted(played.lines) == [3, 9]
    assert [row.why for row in played.passed.values()] == [
        "A greeting or signature.",
        "An empty row.",
        "A heading.",
        "A total.",
        "An empty row.",
        "A greeting or signature.",
        "A greeting or signature.",
        "An empty row.",
    ]


@pytest.mark.parametrize(
    "stamp",
    ["[09:1{n}, 29/11/2026] {}: ", "29/11/2026, 9:1{n} pm - {}: ", "[29.11.26, 09:13:2{n}] {}: "],
)
def test_of_a_chat_what_its_writer_orders_is_taken(stamp: str) -> None:
    said = [("Linh", f"{CREAM} x 20"), ("Linh", f"{PADS}: 30 cái"), ("Sales", "AUR-GC050 40")]
    text = "\n".join(stamp.format(name, n=n) + words for n, (name, words) in enumerate(said))
    lines = play(open_workbook(text.encode(), "Pasted list.txt"), own_catalogue()).lines
    assert [line.amount.count for line in lines.values()] == [20, 30, 0]
    assert lines[3].amount.question


@pytest.mark.parametrize("language", ["en", "es", "ko", "ru"])
def test_of_messages_in_free_words_nothing_is_taken_wrongly_and_no_row_is_lost(
    language: str,
) -> None:
    accepted = 0
    for message in json.loads((MESSAGES / f"{language}.json").read_text()):
        book = open_workbook(message["text"].encode(), "Pasted list.txt")
        played = play(book, own_catalogue())
        assert len(played.lines) + len(played.passed) == len(book.tabs[0].rows)
        right = [(sku, pieces) for _, sku, pieces in message["lines"]]
        for line in played.lines.values():
            if line.sku in products() and not line.which and not line.amount.question:
                assert (line.sku, line.amount.count) in right, line
                accepted += 1
    assert accepted > 20


WORST = """
import resource, sys
sys.setrecursionlimit(400)
resource.setrlimit(resource.RLIMIT_CPU, (20, 20))  # seconds; what is worse than linear takes more
import django
django.setup()
from apps.orders.intake import catalogue as module
from apps.orders.intake.catalogue import Catalogue, CatalogueProduct
from apps.orders.intake.columns import choose
from apps.orders.intake.match import match
from apps.orders.intake.rows import lines_of
from apps.orders.intake.typed import Line
from apps.orders.intake.workbook import open_workbook
module.MOST_SECONDS = 1_000
catalogue = Catalogue([CatalogueProduct("ABC-1", "Cream 50 ml", "Brand", None)], {})
for sign in (" ", "1", "-", ",", "x", "1,", "a ", "(", "1 ", ".1", "\\u3000", "\\n"):
    for lines in (1, 250):
        part = sign * (100_000 // lines // len(sign.encode()))
        text = "\\n".join([part[:-1]] * lines) + "\\nABC-1 20"
        try:
            book = open_workbook(text.encode(), "a.txt")
            tables, place, _ = choose(book, catalogue, mappings={}, remembered={}, tab=None)
        except Exception as error:
            assert type(error).__name__ == "SpreadsheetRefused", error
            continue
        rows = list(lines_of(tables[place]))
        assert len(rows) == len(tables[place].tab.rows)
        match([row for row in rows if isinstance(row, Line)], catalogue, {})
print("read")
"""


def test_the_worst_is_read_before_its_process_is_ended() -> None:
    environment: dict[str, Any] = {"DJANGO_SETTINGS_MODULE": "portal.settings.test"}
    process = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-c", WORST],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **environment},
    )
    assert process.stdout.strip() == "read", process.stderr[-800:]


def test_too_long_a_text_and_an_empty_one_are_refused() -> None:
    for content in (b"", b" \n \n", b"a\n" * 600_000, b"A-1 20\n" * 5_001):
        with pytest.raises(SpreadsheetRefused):
            open_workbook(content, "a.txt")
    assert len(open_workbook(b"A-1 20\n" * 5_000, "a.txt").tabs[0].rows) == 5_000


def test_a_list_that_takes_too_long_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_SECONDS", 0)
    catalogue = own_catalogue()
    with pytest.raises(SpreadsheetRefused, match=r"Please send it in parts\."):
        typed_row(Row(1, (f"{CREAM} 20",)), catalogue)
    with pytest.raises(SpreadsheetRefused, match=r"Please send it in parts\."):
        catalogue.like("a night cream")


@pytest.mark.parametrize("encoding", ["cp932", "cp949", "gb18030", "utf-16", "cp1251", "cp1256"])
def test_texts_of_other_code_pages_are_read(encoding: str) -> None:
    words = {
        "cp932": "商品コード 数量 よろしくお願いします",
        "cp949": "안녕하세요 주문 부탁드립니다",
        "gb18030": "请订购以下产品，谢谢",
        "utf-16": "안녕하세요",
        "cp1251": "Здравствуйте, нужно следующее",
        "cp1256": "السلام عليكم نحتاج الى المنتجات التالية",
    }
    text = f"{words[encoding]}\n{CREAM} 20"
    played = play(open_workbook(text.encode(encoding), "a.txt"), own_catalogue())
    assert played.lines[2].amount.count == 20
    first = played.lines.get(1) or played.passed[1]
    assert words[encoding][:5] in (first.text if isinstance(first, Passed) else first.words)

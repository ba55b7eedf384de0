"""The two files of a document: whatever it says is in its PDF and in its spreadsheet, letter for
letter.
"""

import io
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pycountry
import pytest
from pypdf import PdfReader

from apps.common.fonts import BODY, BOLD, DISPLAY, MISSING, runs
from apps.orders.documents import content as cells
from apps.orders.documents.content import Cell
from apps.orders.documents.pdf import render_pdf
from apps.orders.documents.xlsx import render_xlsx
from apps.orders.tests.document_files import cells_of, make_content, pages_of, values_of, words_of

ISSUED_AT = datetime(2026, 11, 14, 2, 30, tzinfo=UTC)
ROWS = 200


def pdf(**fields: Any) -> bytes:
    return render_pdf(make_content(**fields), issued_at=ISSUED_AT)


def xlsx(**fields: Any) -> bytes:
    return render_xlsx(make_content(**fields), issued_at=ISSUED_AT)


def row(sku: str, name: str, pieces: int = 1, amount: str = "1.00", note: str = "") -> list[Cell]:
    head = [cells.text(sku), cells.text(name, note)]
    return [*head, cells.pieces(pieces), cells.usd(Decimal(amount))]


NAMES = [
    "주식회사 한국뷰티유통, 서울특별시 강남구 테헤란로 12길",
    "Łódź Kosmetyki, ul. Żółkiewskiego",
    "Ñandú Señoríos, Asunción",
    "Đắk Lắk, Việt Nam",
    "Ḩawallī, Ţarţūs, Ağrı, Şırnak",
    "Красота, Москва; Ομορφιά, Αθήνα",
    "ビューティー",
    "Soeurs & Frères <b>SARL</b> &amp; Cie",
    "quote ' \" back \\ (paren)",
]


@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_in_both_forms_as_it_is_written(name: str) -> None:
    fields: dict[str, Any] = {
        "brand": name,
        "seller": name,
        "boxes": [{"label": "Buyer", "lines": [name]}],
        "rows": [row("A-1", name, note=name)],
        "sections": [{"title": name, "lines": [name]}],
        "sums": [cells.row_of_sum(name, Decimal(1), strong=True)],
    }
    assert words_of(pdf(**fields)).count(name) == 8
    values = [value for row in values_of(xlsx(**fields)) for value in row]
    assert values.count(name) == 6
    assert f"{name} · {name}" in values


def test_letters_written_as_accent_and_base_are_composed() -> None:
    assert "Muñoz" in words_of(pdf(seller="Mun\u0303oz"))


@pytest.mark.parametrize("font", [BODY, BOLD, DISPLAY])
def test_every_country_and_state_can_be_printed(font: str) -> None:
    names = {place.name for place in (*pycountry.countries, *pycountry.subdivisions)}
    unprinted = {name for name in names for _, part in runs(name, font) if MISSING in part}
    assert not unprinted


def test_what_no_font_has_is_a_box_and_what_only_steers_is_left_out() -> None:
    assert f"Rose {MISSING} x" in words_of(pdf(seller="Rose \N{ROSE} \u202e\u200bx"))


def test_long_names_are_broken_and_lose_nothing() -> None:
    unbroken, korean, long = "x" * 200, "가" * 200, " ".join(f"word{n}" for n in range(60))
    file = pdf(
        rows=[row("S" * 40, unbroken), row("B", korean), row("C", long)],
        boxes=[{"label": "", "lines": [long]}],
    )
    joined = "".join("".join(pages_of(file)).split())
    assert unbroken in joined
    assert korean in joined
    assert "S" * 40 in joined
    assert joined.count("".join(long.split())) == 2


def test_a_long_table_repeats_its_head_and_numbers_its_pages() -> None:
    rows = [
        row(f"SKU-{n:04d}", f"Cream {n}, 크림", n, f"{n}.50", note="5 of 10 ordered")
        for n in range(ROWS)
    ]
    pages = pages_of(pdf(rows=rows))
    assert len(pages) > 3
    for number, page in enumerate(pages, 1):
        assert "DESCRIPTION" in page
        assert f"{number} / {len(pages)}" in page
        assert "Test document MHW-1" in page
    words = " ".join(" ".join(pages).split())
    for n in range(ROWS):
        assert f"SKU-{n:04d} Cream {n}, 크림 5 of 10 ordered {n} {n:,}.50" in words


def test_every_font_is_embedded_as_a_subset() -> None:
    file = pdf(
        seller="주식회사",
        rows=[row("A", "B")],
        sums=[cells.row_of_sum("Due", Decimal(1), strong=True)],
    )
    fonts: dict[str, Any] = {}
    for page in PdfReader(io.BytesIO(file)).pages:
        listed = page["/Resources"]["/Font"].items()  # type: ignore[index]
        fonts |= {name: font.get_object() for name, font in listed}
    names = {font["/BaseFont"].partition("+")[2] for font in fonts.values()}
    assert names == {"Geist-Regular", "Geist-SemiBold", "Fraunces-SemiBold", "Pretendard-Regular"}
    assert all("/FontFile2" in font["/FontDescriptor"].get_object() for font in fonts.values())
    assert len(file) < 60_000


def test_a_pdf_is_a4_and_says_what_it_is() -> None:
    reader = PdfReader(io.BytesIO(pdf()))
    assert [round(float(side)) for side in reader.pages[0].mediabox[2:]] == [595, 842]
    assert reader.metadata is not None
    assert reader.metadata.title == "Test document MHW-1"
    assert reader.metadata.author == "Maren & Holt Co., Ltd."
    assert reader.metadata.creation_date == ISSUED_AT


@pytest.mark.parametrize("render", [render_pdf, render_xlsx])
def test_the_same_content_gives_the_same_bytes(
    render: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = make_content([row("A-1", "크림 Créme")])
    first = render(content, issued_at=ISSUED_AT)
    monkeypatch.setattr("time.time", lambda: 4_000_000_000.0)
    monkeypatch.setattr("time.localtime", lambda *_: datetime(2090, 1, 1, tzinfo=UTC).timetuple())
    assert render(content, issued_at=ISSUED_AT) == first


FORMULAS = [
    "=1+1",
    "+1",
    "-1",
    "@SUM(A1)",
    '=HYPERLINK("http://evil","x")',
    "{=1}",
    "http://evil.test",
    "00410575",
]


@pytest.mark.parametrize("words", FORMULAS)
def test_text_stays_text_in_a_spreadsheet(words: str) -> None:
    file = xlsx(
        brand=words,
        seller=words,
        number=words,
        boxes=[{"label": words, "lines": [words]}],
        rows=[row(words, words, note=words)],
        sums=[cells.row_of_sum(words, Decimal(1))],
        sections=[{"title": words, "lines": [words]}],
    )
    filled = [cell for line in cells_of(file) for cell in line if cell.value is not None]
    matches = [cell for cell in filled if cell.value == words]
    assert len(matches) == 8
    assert {cell.data_type for cell in matches} == {"s"}
    assert {cell.data_type for cell in filled} <= {"s", "n"}
    assert all(cell.hyperlink is None for cell in filled)


def test_figures_are_numbers_in_a_spreadsheet() -> None:
    sums = [cells.row_of_sum("Not confirmed", Decimal("-178.60"))]
    lines = cells_of(xlsx(rows=[row("A-1", "Cream", 1200, "12345678.90")], sums=sums))
    (line,) = [line for line in lines if line[0].value == "A-1"]
    assert [cell.value for cell in line[:4]] == ["A-1", "Cream", 1200, 12345678.9]
    assert line[3].number_format == "#,##0.00"
    (due,) = [line for line in lines if line[1].value == "Not confirmed"]
    assert due[3].value == -178.6


# The long table


NAME = "Ängström Crème Façade 수분 진정 크림, refill for the travel set of four " * 3  # lines of it


def pages(*sizes: int, name: str = NAME) -> list[str]:
    """Return the pages of a document with groups of this many rows; a row is called by its group
    and place.
    """
    rows: list[list[Cell]] = []
    for group, size in enumerate(sizes, 1):
        head: list[Cell] = [{"text": f"Box {group}", "strong": True}, *[Cell()] * (size - 1)]
        for place in range(size):
            said = cells.text(f"g{group}r{place}. {name}")
            rows.append([head[place], said, cells.pieces(1), {}])
    content = make_content(rows)
    content["table"]["groups"] = list(sizes)
    content["table"]["total"] = [cells.text("Sum"), {}, cells.pieces(len(rows)), {}]
    return pages_of(render_pdf(content, issued_at=datetime(2026, 11, 14, tzinfo=UTC)))


def pages_with(page_texts: list[str], words: str) -> list[int]:
    return [number for number, page in enumerate(page_texts) if words in page]


@pytest.mark.parametrize("name", ["Cream", NAME], ids=["short", "long"])
def test_a_group_stays_on_one_page(name: str) -> None:
    sizes = [5, 3, 8, 1, 6, 7, 2, 8, 4] * 2
    page_texts = pages(*sizes, name=name)
    assert len(page_texts) > 3
    for group, size in enumerate(sizes, 1):
        rows = [f"g{group}r{place}." for place in range(size)]
        (page,) = {page for row in rows for page in pages_with(page_texts, row)}
        assert f"Box {group}\n" in page_texts[page]
    assert not pages_with(page_texts, "continued")


def test_a_group_that_no_page_holds_is_continued_and_loses_nothing() -> None:
    page_texts = pages(2, 70, 2)
    assert all(len(pages_with(page_texts, f"g2r{place}.")) == 1 for place in range(70))
    first, *further = pages_with(page_texts, "Box 2")
    assert further == pages_with(page_texts, "continued")
    assert further == list(range(first + 1, first + 1 + len(further)))
    assert len(further) > 3
    assert all("DESCRIPTION" in page for page in page_texts[first:])


@pytest.mark.parametrize("rows", range(27, 31))
def test_the_total_never_stands_alone(rows: int) -> None:
    page_texts = pages(*[1] * rows, name="Cream")
    assert pages_with(page_texts, "Sum") == [len(page_texts) - 1]
    assert f"g{rows}r0." in page_texts[-1]

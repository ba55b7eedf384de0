"""What sellers' own product lists leave open: asked once, answered by a choice, and read anew."""

import io

import pytest
import xlsxwriter

from apps.accounts.tests.staff import staff_client
from apps.catalog.errors import ImportRefused
from apps.catalog.models import Product
from apps.catalog.services.import_kinds import kind_of
from apps.catalog.services.imports import answer_import, discard_import, questions_of
from apps.catalog.tests import import_files
from apps.catalog.tests.factories import make_brand, make_product
from apps.catalog.tests.import_files import applied, sent_file, undone
from apps.common.tables.spreadsheets import SpreadsheetRefused
from apps.common.texts import read

pytestmark = pytest.mark.django_db

HEAD = ("SKU", "Brand", "Product", "RRP", "Wholesale")
ROSE = ("N-1", "Lumi", "Rose", 24, 12)


def book(kind="table", actor=None, **sheets):
    """Return an import of a workbook with these sheets."""
    return sent_file(import_files.book(**sheets), name="a.xlsx", actor=actor, kind=kind)


def answered(source, **answers):
    """Return an import that was read anew with answers."""
    columns = ("mark", "column", "holds")
    said = {
        key.replace("_", " ", 1) if key.startswith(columns) else key: value
        for key, value in answers.items()
    }
    return import_files.answered(source, said)


def rows_of(source, *fields):
    """Return the rows of an import that are not left out: result, and what they say."""
    rows = source.rows.exclude(result="left").order_by("number")
    return [(row.result, *(row.new.get(field) for field in fields)) for row in rows]


def test_a_column_that_no_heading_names_is_asked_and_read_as_was_chosen():
    source = book(a=[("SKU", "Brand", "Product", "RRP", "FOB-A"), ROSE])
    assert rows_of(source) == [("unknown",)]
    question = questions_of(source)["column FOB-A"]
    assert read(question.text) == "“FOB-A” (12)"
    assert "usd_price" not in dict(question.choices)
    with pytest.raises(ImportRefused):
        answered(source, **{"column_FOB-A": "usd_price"})
    answered(source, **{"column_FOB-A": "usd_supply"})
    assert rows_of(source, "usd_supply") == [("new", "12.00")]


def test_an_answer_that_settled_its_question_can_be_changed():
    head = ("SKU", "Brand", "Product", "RRP", "FOB-A", "FOB-B")
    source = book(a=[head, (*ROSE, 13)])
    answered(source, **{"column_FOB-A": "usd_supply"})
    client, here = staff_client("Sales"), "/admin/catalog/import/"
    page = client.get(f"{here}{source.pk}/change/").text
    assert "“FOB-A” (12) <b>Wholesale ($)</b>" in page
    answered(source, **{"column_FOB-A": "out"})
    answered(source, **{"column_FOB-B": "usd_supply"})
    assert rows_of(source, "usd_supply", "weight_g") == [("new", "13.00", 0)]
    answers = {"column FOB-B": "out"}
    answer_import(import_id=source.pk, answers=answers, actor=source.created_by)
    assert "rows are read" in client.get(f"{here}{source.pk}/change/").text
    assert source.name in client.get(here).text


def test_a_corrected_file_keeps_the_answers_to_the_one_that_was_discarded():
    head = ("SKU", "Brand", "Product", "RRP", "FOB-A", "Land")
    source = answered(book(a=[head, (*ROSE, "KR")]), **{"column_FOB-A": "usd_supply"})
    again = book(a=[head, (*ROSE, "KR")])
    assert rows_of(again) == [("unknown",)]  # the first still waits
    discard_import(import_id=source.pk, actor=source.created_by)
    again = book(actor=source.created_by, a=[head, ("N-1", "Lumi", "Rose", 24, 13, "KR")])
    assert rows_of(again, "usd_supply") == [("new", "13.00")]
    assert "column FOB-A" in questions_of(again)
    answered(again, **{"column_FOB-A": "out"})
    assert rows_of(again) == [("unknown",)]


def test_a_column_that_is_not_read_may_be_chosen_and_need_not():
    source = book(a=[(*HEAD, "Land"), (*ROSE, "KR")])
    assert read(questions_of(source)["column Land"].text) == "“Land” (KR)"
    answered(source, column_Land="origin")
    assert rows_of(source, "origin") == [("new", "KR")]
    assert source.unread == ""


def test_products_without_a_usrp_are_added_at_zero_where_that_was_chosen():
    make_brand(eng="Lumi")
    source = book(a=[HEAD, ("N-1", "Lumi", "Rose", "", 12)])
    with pytest.raises(ImportRefused, match="Nothing in this file"):
        applied(source)
    answered(source, usd_price="zero")
    assert not source.counts["guards"]["above"]
    assert not source.counts["guards"]["free"]
    applied(source)
    assert Product.objects.get(sku="N-1").usd_price == 0
    assert undone(source).state == "undone"
    assert not Product.objects.exists()


def test_prices_like_won_are_not_read_as_dollars():
    rows = [(f"N-{n}", "Lumi", "Rose", 24_000, 12_000, 8.5) for n in range(3)]
    source = book(a=[(*HEAD, "Supply (USD)"), *rows])
    assert source.unread == "RRP, Wholesale"
    answered(source, usd_price="zero")
    assert rows_of(source, "usd_supply")[0] == ("new", "8.50")
    with pytest.raises(SpreadsheetRefused, match="is not in US dollars"):
        book(a=[HEAD, *(row[:5] for row in rows)])


@pytest.mark.parametrize(
    ("head", "cells", "minimum"),
    [
        (("MOQ", "입수량"), ("2 box", 24), None),
        (("MOQ", "x"), ("12/24", ""), None),
        (("MOQ", "입수량"), (30, 24), 30),
        (("MOQ", "입수량"), ("협의", 24), None),
    ],
)
def test_a_minimum_is_read_in_pieces_and_no_other(head, cells, minimum):
    source = book(a=[(*HEAD, *head), (*ROSE, *cells)])
    assert rows_of(source, "minimum") == [("new", minimum)]
    assert source.counts["guards"]["doubtful"] == (minimum is None)


@pytest.mark.parametrize(
    ("heading", "cell", "said", "remark"),
    [
        ("EAN", "없음", None, ""),
        ("EAN", "'8801234000016", None, "EAN: “8801234000016” is not an EAN: left empty."),
        ("EAN", "'4006381333931", "4006381333931", ""),
        ("재고", "입고예정", None, "On hand: “입고예정” is not a number: left empty."),
        ("재고", "-12", None, "On hand: -12 is below zero: left empty."),
        ("비고", "단종", 0, ""),
        ("비고", "NEW", None, ""),
    ],
)
def test_what_a_new_product_can_be_without_never_leaves_it_out(heading, cell, said, remark):
    field = {"EAN": "ean", "재고": "on_hand", "비고": "is_running"}[heading]
    source = book(a=[(*HEAD, heading), (*ROSE, cell)])
    assert rows_of(source, field) == [("new", said)]
    assert read(source.rows.get().remark) == remark


def test_rows_of_totals_are_left_out():
    rows = [("", "", "Sub-total Lumi", "", 12), ("1", "", "TOTAL", "", 12)]
    more = [("", "Lumi 소계", "", "", 12), ("1,200종", "합계", "", "", 12)]
    source = book(a=[HEAD, ROSE, *rows, *more])
    left_rows = source.rows.filter(result="left").order_by("number")
    assert [read(row.remark) for row in left_rows] == ["a row of totals"] * 4


def test_a_row_that_stands_twice_is_taken_once_and_of_rows_that_differ_one_is_chosen():
    other = ("N-1", "Lumi", "Lily", 24, 11)
    source = book(a=[HEAD, ROSE, ROSE])
    assert rows_of(source) == [("new",)]
    assert not questions_of(source)
    source = book(a=[HEAD, ROSE, other])
    assert [result for result, _ in rows_of(source, "eng_name")] == ["twice", "new"]
    title = "of them without a minimum, which becomes 10"
    assert (title, 1) in kind_of(source).figures(source.counts)
    text = read(questions_of(source)["twice"].text)
    assert text.endswith("Which row counts? N-1 (2: Rose 12.00, 3: Lily 11.00)")
    with pytest.raises(ImportRefused, match="Answer the questions"):
        applied(source)
    answered(source, twice="first")
    assert rows_of(source, "usd_supply") == [("new", "12.00"), ("twice", "11.00")]
    answered(source, twice="none")
    assert [result for result, *_ in rows_of(source)] == ["twice", "twice"]


def test_a_price_that_is_that_of_now_stands_beside_the_other_of_its_sku():
    make_product(sku="A-1", usd_supply="4.50")
    source = book(a=[("SKU", "Wholesale"), ("A-1", 4.5), ("A-1", 5)])
    assert read(questions_of(source)["twice"].text).endswith("A-1 (2: 4.50, 3: 5.00)")


def test_which_column_holds_what_a_table_needs_is_asked_where_no_heading_names_it():
    rows = [("고유값", "Brand", "Product", "RRP", "Wholesale", "Land"), (*ROSE, "KR")]
    source = book(a=[("Our list",), *rows])
    (question,) = questions_of(source).values()
    assert read(question.text) == "Which column holds “SKU”?"
    assert {read(text) for _, text in question.choices} == {"“고유값” (N-1)", "“Land” (KR)"}
    with pytest.raises(ImportRefused):
        applied(source)
    answered(source, holds_sku="고유값")
    assert rows_of(source, "usd_supply") == [("new", "12.00")]
    answered(source, holds_sku="Land")  # changed
    assert source.rows.exclude(result="left").get().sku == "KR"


def test_which_of_several_sheets_are_read_is_asked():
    source = book(new=[HEAD, ROSE], old=[HEAD, (*ROSE[:4], 11)])
    assert list(questions_of(source)) == ["sheets", "twice"]
    answered(source, sheets="new")
    assert rows_of(source, "usd_supply") == [("new", "12.00")]
    assert read(source.rows.get(result="left").remark) == "a sheet that is left out"


def test_a_russian_list_behind_a_cover_is_read_and_a_refusal_names_its_sheet():
    cover = [("NORDKOS",), ("Курс: 1$ = 82 ₽",)]
    head = (
        "Бренд\n브랜드",
        "Артикул",
        "Наименование (품명)",
        "Опт $",
        "Опт ₽",
        "Штрихкод",
        "Остаток",
    )
    rows = [
        ("Lumi", "N-1", "Rose", "7,85", 644, "нет", "нет"),
        ("Lumi", "N-2", "Lily", 8.35, 685, "4006381333931", 24),
    ]
    source = book(안내=cover, list=[head, *rows])
    answered(source, usd_price="zero", mark_usd_supply=",")
    shown = rows_of(source, "usd_supply", "ean", "on_hand")
    assert shown == [("new", "7.85", None, 0), ("new", "8.35", "4006381333931", 24)]
    with pytest.raises(SpreadsheetRefused, match=r"Sheet “list”: .* row 1 has “Product”"):
        book(안내=cover, list=[("Product", "Price"), *rows])


def test_a_price_far_above_the_median_is_asked():
    prices = [(4.75, 390), (480, 480), (5, 410), (4, 328), (600, 328), (4, 4)]
    rows = [(f"N-{n}", "Lumi", "Rose", 900, *both) for n, both in enumerate(prices)]
    source = book(a=[("SKU", "Brand", "Product", "RRP ($)", "Wholesale $", "Wholesale ₽"), *rows])
    doubtful = source.rows.filter(guards__has_key="doubtful").order_by("number")
    assert [(row.sku, read(row.remark)) for row in doubtful] == [
        ("N-1", "Wholesale 480.00: far above the others."),
        ("N-4", "Wholesale 600.00: far above the others."),
    ]


def test_an_ean_is_read_behind_its_name():
    source = book(
        a=[(*HEAD, "EAN"), (*ROSE, "EAN 4006381333931"), ("N-2", *ROSE[1:], "EAN: 4006381333932")]
    )
    assert rows_of(source, "ean") == [("new", "4006381333931"), ("new", None)]


def test_dittos_are_refused_and_page_numbers_left_out():
    pages = [(text,) for text in ("Page 1/9", "2 / 9", "- 3 -", "쪽")]
    tint = ("N-2", "Lumi", "- 02 Fig", 9)
    source = book(a=[HEAD, ("N-1", *tint[1:], 4.2), *pages, HEAD, (*tint, "〃")])
    assert rows_of(source, "usd_supply") == [("new", "4.20"), ("faulty", None)]
    remarks = [read(row.remark) for row in source.rows.exclude(result="left")]
    assert remarks == ["", "Wholesale ($): “〃” is not read: write what stands above it"]
    assert source.rows.filter(remark__contains="a page number").count() == len(pages)


@pytest.mark.parametrize("spelling", ["니들리", "Needly"])
def test_a_new_brand_that_may_be_one_by_its_other_name_is_asked(spelling):
    brand_known = make_brand(eng="Needly 니들리")
    source = book(a=[HEAD, ("X-1", spelling, *ROSE[2:]), ("Z-1", "Lumi", *ROSE[2:])])
    key = f"is {spelling}"
    assert list(dict(questions_of(source)[key].choices)) == [brand_known.eng, "+"]
    answered(source, **{key: "+"})
    assert rows_of(source, "brand")[0] == ("new", spelling)
    answered(source, **{key: brand_known.eng})  # changed
    assert rows_of(source, "brand") == [("new", brand_known.eng), ("new", "Lumi")]


def test_a_number_that_its_column_does_not_make_clear_is_asked():
    make_brand(eng="Lumi")
    source = book(a=[HEAD, ROSE, ("N-2", "Lumi", "Oil", 24, "6,40"), ("N-3", "Lumi", "Gel", 24, 8)])
    question = questions_of(source)["mark usd_supply"]
    assert read(question.text) == "How is “6,40” read under “Wholesale ($)”?"
    assert list(dict(question.choices)) == [",", "out"]
    assert rows_of(source)[1] == ("faulty",)
    answered(source, mark_usd_supply=",")
    assert rows_of(source, "usd_supply")[1] == ("new", "6.40")
    content = book(a=[(*HEAD, "Weight"), (*ROSE, "10,000"), ("N-2", "Lumi", "Oil", 24, 6, "80")])
    choices = questions_of(content)["mark weight_g"].choices
    assert [read(text) for _, text in choices] == ["10000", "10", "Leave the rows out"]
    answered(content, mark_weight_g=".")
    assert rows_of(content, "weight_g") == [("new", 10_000), ("new", 80)]
    clear = [(f"N-{n}", "Lumi", "Oil", 24, f"{n},40") for n in (6, 7)]
    assert not questions_of(book(a=[HEAD, *clear]))


@pytest.mark.parametrize("amount", ["₩15,000", "15,000원", "KRW 15,000", "€6,400"])
def test_an_amount_in_another_currency_is_refused_and_asks_nothing(amount):
    make_brand(eng="Lumi")
    foreign = ("N-2", "Lumi", "Oil", 24, amount)
    source = book(a=[HEAD, ROSE, foreign])
    assert not questions_of(source)
    assert [result for (result,) in rows_of(source)] == ["new", "faulty"]
    unclear = ("N-3", "Lumi", "Gel", 24, "15,000")
    source = book(a=[HEAD, ROSE, foreign, unclear])
    text = read(questions_of(source)["mark usd_supply"].text)
    assert text == "How is “15,000” read under “Wholesale ($)”?"
    assert [result for (result,) in rows_of(source)] == ["new", "faulty", "faulty"]


def test_a_number_that_its_column_writes_otherwise_is_not_read():
    make_brand(eng="Lumi")
    rows = [("N-1", "Lumi", "A", 24, "6,40"), ("N-2", "Lumi", "B", 24, "7.50"),
            ("N-3", "Lumi", "C", 24, "1,207.50")]  # fmt: skip
    source = book(a=[HEAD, *rows])
    assert [result for (result,) in rows_of(source)] == ["faulty", "new", "new"]
    assert "mark usd_supply" in questions_of(source)


@pytest.mark.parametrize(("head", "question"), [(HEAD, 1), ((*HEAD, "Stock"), 0)])
def test_products_without_a_count_say_how_they_can_be_ordered(head, question):
    source = book(a=[head, (*ROSE, 3)[: len(head)]])
    page = staff_client().get(f"/admin/catalog/import/{source.pk}/change/")
    assert page.text.count("New products without a count: 1.") == question
    assert page.text.count("/admin/accounts/user/?stock_free__exact=0") == question


@pytest.mark.parametrize(
    ("heading", "cells", "grams"),
    [("Weight(kg)", (0.26, "0.08"), (260, 80)), ("중량 (g)", (260, "80"), (260, 80))],
)
def test_a_weight_is_read_in_the_unit_of_its_heading(heading, cells, grams):
    second = ("N-2", "Lumi", "Lily", 24, 12)
    source = book(a=[(*HEAD, heading), (*ROSE, cells[0]), (*second, cells[1])])
    assert rows_of(source, "weight_g") == [("new", one) for one in grams]


def test_a_weight_in_kilograms_with_three_decimals_is_asked():
    source = book(a=[(*HEAD, "Weight"), (*ROSE, "1.250kg")])
    assert "mark weight_g" in questions_of(source)


@pytest.mark.parametrize("cell", ["2box", "1 carton"])
def test_a_count_in_boxes_is_no_number_of_pieces(cell):
    source = book(a=[(*HEAD, "MOQ"), (*ROSE, cell)])
    assert rows_of(source, "minimum") == [("new", None)]
    assert f"Minimum: “{cell}” is not a number: left empty." in read(source.rows.get().remark)


def test_rows_that_are_crossed_out_are_left_out_and_discontinued_ones_looked_at():
    workbook = xlsxwriter.Workbook(file := io.BytesIO(), {"in_memory": True})
    sheet = workbook.add_worksheet()
    sheet.write_row(0, 0, (*HEAD, "Remark"))
    sheet.write_row(1, 0, ROSE, workbook.add_format({"font_strikeout": True}))
    sheet.write_row(2, 0, ("N-2", "Lumi", "Lily", 24, 12, "단종 (2026-03)"))
    workbook.close()
    source = sent_file(file.getvalue(), name="a.xlsx")
    assert read(source.rows.get(result="left", number=2).remark) == "crossed out"
    assert rows_of(source, "is_running") == [("new", 0)]
    assert "“단종”: it is taken as discontinued." in read(source.rows.get(number=3).remark)
    assert source.counts["guards"]["doubtful"] == 1

"""Imports of products, prices and stock: what the review shows, what applying does, and what
undoing puts back.
"""

from datetime import timedelta
from decimal import Decimal

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission
from django.core.exceptions import PermissionDenied
from django.core.files.storage import storages
from django.utils import timezone
from django.utils.translation import override

from apps.accounts.tests.factories import make_buyer, make_staff
from apps.accounts.tests.staff import staff_client, staff_in
from apps.catalog.admin.import_review import Review
from apps.catalog.admin.products import export_rows
from apps.catalog.errors import ImportRefused
from apps.catalog.models import (
    Brand,
    BrandAccess,
    Import,
    ImportRow,
    Product,
    Running,
    Stock,
    StockChange,
    stored_path,
)
from apps.catalog.selectors import price_list_fingerprint
from apps.catalog.services import stock
from apps.catalog.services.imports import apply_import, discard_import, questions_of, undo_import
from apps.catalog.sweeps import forget_imports
from apps.catalog.tests.factories import make_brand, make_product, make_products, make_promotion
from apps.catalog.tests.import_files import (
    answered,
    applied,
    book,
    csv,
    sent,
    sent_file,
    undone,
    work,
)
from apps.catalog.tests.test_brand_counts import counted
from apps.common.tables.download import spreadsheet_of
from apps.common.tests.hand_made import packed, parts_of, sheet_of, text
from apps.common.texts import read

pytestmark = pytest.mark.django_db
NEW_HEAD = (
    *("SKU", "Product", "Brand", "USRP ($)", "Wholesale ($)"),
    *("Weight (g)", "On hand", "HS code", "Origin"),
)


def figures(product: Product) -> tuple:
    stock = Stock.objects.select_related("product").get(product=product)
    return str(stock.product.usd_supply), stock.on_hand, stock.allocated, stock.short


def row_of(source: Import, sku: str) -> ImportRow:
    return source.rows.get(sku=sku)


def test_the_review_shows_old_and_new_and_changes_nothing():
    changed = make_product(sku="A-1", on_hand=412, allocated=90)
    same = make_product(sku="A-2", on_hand=5)
    source = sent(("a-1", "4.80", 700), ("A-2", "4.5", ""))
    assert source.state == "review"
    assert (source.rows_read, source.counts["changes"], source.counts["same"]) == (2, 1, 1)
    row = row_of(source, "A-1")
    assert row.old == {"usd_supply": "4.50", "on_hand": 412}
    assert row.new == {"usd_supply": "4.80", "on_hand": 700}
    assert (source.counts["prices"], source.counts["stock"], row.guards) == (1, 1, {})
    assert row_of(source, "A-2").result == "same"
    assert figures(changed) == ("4.50", 412, 90, 0)
    assert figures(same) == ("4.50", 5, 0, 0)


def test_applying_changes_prices_and_shelves_and_never_what_is_promised():
    product, actor = make_product(sku="A-1", on_hand=412, allocated=90), staff_in("Sales")
    buyer = make_buyer()
    before = price_list_fingerprint(buyer=buyer, now=timezone.now())
    source = applied(
        sent(("A-1", "4.80", 700), head=("SKU", "Wholesale", "On hand", "Promised"), actor=actor)
    )
    assert (source.state, source.applied_by, source.unread) == ("applied", actor, "Promised")
    assert figures(product) == ("4.80", 700, 90, 0)
    change = StockChange.objects.get(product=product)
    assert change.change == 288
    assert (change.on_hand, read(change.reason), change.actor) == (700, "Import stock.csv", actor)
    entries = [(entry.object_repr, entry.get_change_message()) for entry in LogEntry.objects.all()]
    assert entries == [("stock.csv", "Applied: 1 row")]
    history = staff_client("Sales").get(f"/admin/catalog/product/{product.pk}/history/").text
    assert "Wholesale ($) 4.50 → 4.80; On hand 412 → 700" in history
    assert price_list_fingerprint(buyer=buyer, now=timezone.now()) != before


def test_a_new_name_or_brand_moves_the_product_in_lists_and_counts():
    old, new = make_brand(eng="Alpha"), make_brand(eng="Omega")
    product = make_product(sku="A-1", brand=old)
    source = applied(sent(("A-1", "Zest", "omega"), head=("SKU", "Product", "Brand")))
    product.refresh_from_db()
    assert (product.eng_name, product.brand, product.sort_key) == ("Zest", new, "omega\tzest\tA-1")
    assert product.search_text == "a1\tomega\tzest"
    assert counted(old, new) == [0, 1]
    undone(source)
    assert counted(old, new) == [1, 0]


def test_a_file_hides_products_and_shows_them_again():
    brand = make_brand()
    make_product(sku="A-1", brand=brand)
    source = applied(sent(("A-1", "hidden"), head=("SKU", "Sale")))
    assert counted(brand) == [0]
    undone(source)
    assert counted(brand) == [1]


def test_each_guard_has_to_be_ticked():
    make_product(sku="A-1", usd_supply=Decimal("7.92"))
    make_product(sku="A-2", on_hand=40, allocated=30)
    make_product(sku="A-3")
    rows = (("A-2", "", 12), ("X-9", "1.00", ""), ("A-3", "6.00", ""), ("A-1", "7", ""))
    source = sent(*rows, ("A-5 ", "x", 1))
    guards = source.counts["guards"]
    shown = {name for name, count in guards.items() if count == 1}
    assert shown == {*("promised", "unknown", "faulty")}
    for missing in ("promised", "unknown", "faulty"):
        with pytest.raises(ImportRefused, match="1 check is not ticked"):
            apply_import(
                import_id=source.pk, ticked=set(guards) - {missing}, actor=source.created_by
            )
    assert Import.objects.get(pk=source.pk).state == "review"


TENFOLD = "; 1 ten or a hundred times as much: is a decimal point lost?"


@pytest.mark.parametrize(
    ("price", "count", "guards", "word", "detail"),
    [
        ("5.54", "", {"price": 31}, "Price −31 %", "largest: A-1, 7.92 → 5.54"),
        ("5.55", "", {}, "Changed", ""),
        ("15.84", "", {}, "Changed", ""),
        ("15.85", "", {"rise": 101}, "Price +101 %", "largest: A-1, 7.92 → 15.85"),
        ("79.20", "", {"rise": 900}, "Price +900 %", f"largest: A-1, 7.92 → 79.20{TENFOLD}"),
        ("792.00", "", {"rise": 9900}, "Price +9,900 %", f"largest: A-1, 7.92 → 792.00{TENFOLD}"),
        ("", 40, {}, "Changed", ""),
        ("", 39, {"fall": 361}, "Less than a tenth", "largest: A-1, 400 → 39"),
    ],
)
def test_an_unlikely_price_or_count_is_guarded(price, count, guards, word, detail):
    make_product(sku="A-1", usd_supply="7.92", usd_price="800.00", on_hand=400)
    source = sent(("A-1", price, count))
    assert row_of(source, "A-1").guards == guards
    review = Review(source, {})
    assert [(line.word, line.is_guarded) for line in review.lines()] == [(word, bool(guards))]
    assert [(one.name, one.detail) for one in review.guards] == [(name, detail) for name in guards]
    for _ in guards:
        with pytest.raises(ImportRefused, match="1 check is not ticked"):
            apply_import(import_id=source.pk, ticked=set(), actor=source.created_by)


PRICE_HEAD = ("SKU", "USRP", "Wholesale")


@pytest.mark.parametrize(
    ("usrp", "wholesale", "named", "word"),
    [
        ("", "0.00", {"free", "promotion"}, "Price 0.00"),
        ("0.00", "", {"free", "above"}, "Price 0.00"),
        ("", "12.01", {"above"}, "Above the USRP"),
        ("8.50", "8.51", {"above"}, "Above the USRP"),
        ("", "6.99", {"promotion"}, "Below its promotion"),
        ("9.00", "7.00", set(), "Changed"),
        ("", "12.00", set(), "Changed"),
    ],
)
def test_a_price_that_does_not_fit_the_others_is_guarded(usrp, wholesale, named, word):
    product = make_product(sku="A-1", usd_supply=Decimal("7.92"))
    make_promotion([product], price=Decimal("7.00"))
    make_promotion([product], price=Decimal("7.90"), days=(-9, -1))
    make_promotion([product])
    source = sent(("A-1", usrp, wholesale), head=PRICE_HEAD)
    assert {name for name, count in source.counts["guards"].items() if count} == named
    review = Review(source, {})
    assert {guard.name for guard in review.guards} == named
    assert [line.word for line in review.lines()] == [word]
    assert [tab["count"] for tab in review.tabs if tab["name"] == "To check"] == [int(bool(named))]
    for missing in named:
        with pytest.raises(ImportRefused, match="1 check is not ticked"):
            apply_import(import_id=source.pk, ticked=named - {missing}, actor=source.created_by)


def test_the_prices_of_a_new_product_are_guarded():
    make_brand(eng="Aurora")
    row = ("N-1", "Cream", "Aurora", "4.00", "9.50", 120, 300, "", "")
    free = ("N-2", "Balm", "Aurora", "4.00", "0", 120, 300, "", "")
    guards = sent(row, free, head=NEW_HEAD).counts["guards"]
    assert (guards["above"], guards["free"], guards["unknown"]) == (1, 1, 2)


def test_of_a_sku_that_stands_twice_the_first_row_is_not_guarded():
    make_product(sku="A-1")
    guards = sent(("A-1", "0.00", ""), ("A-1", "4.60", "")).counts["guards"]
    assert not any(guards.values())


@pytest.mark.parametrize("since", ["above", "promotion"])
def test_what_a_price_meets_only_since_the_review_is_never_applied_unseen(since):
    product = make_product(sku="A-1", usd_price=Decimal("12.00"))
    source = sent(("A-1", "5.00", ""))
    if since == "above":
        Product.objects.filter(pk=product.pk).update(usd_price="4.90")
    else:
        make_promotion([product], price=Decimal("5.01"))
    assert applied(source).state == "reading"
    assert figures(product)[0] == "4.50"
    work(source)
    assert source.counts["guards"][since] == 1
    assert applied(source).state == "applied"
    assert figures(product)[0] == "5.00"


def test_a_count_below_what_is_promised_leaves_the_promises_and_says_short():
    product = make_product(sku="A-1", on_hand=40, allocated=30)
    source = sent(("A-1", "", 12))
    assert (source.counts["guards"]["promised"], source.counts["pieces_short"]) == (1, 18)
    applied(source)
    assert figures(product) == ("4.50", 12, 30, 18)


def test_of_a_sku_that_stands_twice_the_last_row_wins():
    product = make_product(sku="A-1")
    source = sent(("A-1", "1.00", 5), ("A-1", "5.00", 77))
    answered(source, {"twice": "last"})
    applied(source)
    assert [row.result for row in source.rows.all()] == ["twice", "changed"]
    assert (source.counts["prices"], source.counts["left_out"]) == (1, 1)
    assert figures(product)[:2] == ("5.00", 77)


def test_an_unknown_sku_becomes_a_product_where_the_row_says_enough():
    make_brand(eng="Aurora")
    source = sent(
        ("n-1", "Cream", "aurora", "9.5", "4.00", 120, 300, "3304.99", "kr"),
        ("N-2", "Cream", "aurora", "9.5", "", 120, 3, "", ""),
        head=NEW_HEAD,
    )
    assert source.counts["guards"]["unknown"] == 2
    assert read(row_of(source, "N-2").remark) == "To add it as a product: Wholesale ($)"
    applied(source)
    product = Product.objects.select_related("stock").get(sku="N-1")
    assert (product.usd_supply, product.minimum, product.weight_g) == (Decimal("4.00"), 10, 120)
    assert (product.hs_code, product.origin, product.stock.on_hand) == ("3304.99", "KR", 300)
    assert not Product.objects.filter(sku="N-2").exists()
    assert counted(product.brand) == [1]
    assert row_of(source, "N-1").product == product


@pytest.mark.parametrize(
    ("head", "cell", "fault"),
    [
        ("Wholesale ($)", "=1+1", "Wholesale ($): a formula instead of a value"),
        (
            "Wholesale ($)",
            "4.555",
            "Wholesale ($): “4.555” is not a number that can be read in one way",
        ),
        ("Wholesale ($)", "-3", "Wholesale ($): -3 cannot be a price"),
        ("Wholesale ($)", "10000000000", "Wholesale ($): 10000000000 cannot be a price"),
        ("On hand", "12.5", "On hand: 12.5 is not a whole number"),
        ("On hand", "10000001", "On hand: 10000001 is not between 0 and 10,000,000"),
        ("Minimum", "0", "Minimum: 0 is not between 1 and 1,000,000"),
        ("Sale", "maybe", "Sale: “maybe” is not one of Discontinued, On sale, Contact us, Hidden"),
        ("Origin", "XX", "Origin: “XX” is not a country"),
        ("EAN", "4006381333930", "EAN: “4006381333930” is not an EAN"),
        ("Barcode", "4.00638E+12", "EAN: “4.00638E+12” is not an EAN"),
        ("HS code", "abc", "HS code: “abc” is not an HS code"),
        ("Brand", "N" * 81, "Brand: longer than 80 characters"),
        (
            "Brand",
            "漢字",
            "Brand: Invoices cannot print “漢字”: please write this in Latin letters.",
        ),
    ],
)
def test_a_cell_that_cannot_be_read_leaves_its_row_out_and_is_named(head, cell, fault):
    make_product(sku="A-1")
    source = sent(("A-1", cell), head=("SKU", head))
    assert (source.rows.get().result, read(source.rows.get().remark)) == ("faulty", fault)
    with pytest.raises(ImportRefused, match="Nothing in this file differs"):
        apply_import(import_id=source.pk, ticked=("faulty",), actor=source.created_by)


def test_what_papers_cannot_print_is_told_in_korean_too():
    make_product(sku="A-1")
    remark = sent(("A-1", "漢字"), head=("SKU", "Brand")).rows.get().remark
    with override("ko"):
        assert "인쇄할 수 없는 글자입니다: “漢字”" in read(remark)


def test_a_korean_price_list_is_read_whole():
    product = make_product(sku="A-1", is_running=0, minimum=10)
    head = ("제품코드", "공급가격", "판매상태", "재고", "최소주문수량")
    applied(sent(("A-1", "15.40", "판매 중", 40, 20), head=head))
    product = Product.objects.select_related("stock").get(pk=product.pk)
    assert (product.usd_supply, product.is_running) == (Decimal("15.40"), Running.ON_SALE)
    assert (product.stock.on_hand, product.minimum) == (40, 20)
    source = sent(("A-1", "단종"), head=("SKU", "판매상태"))
    assert row_of(source, "A-1").new == {"is_running": Running.DISCONTINUED}


def test_an_unknown_brand_is_added_with_its_products_once_it_is_ticked():
    old_brand, product = make_brand(eng="AURORA"), make_product(sku="A-1")
    rows = [
        (f"N-{n}", "Cream", brand, 9, 4, 100, 5, "", "")
        for n, brand in enumerate(("Aurorra", "Lumi  Lab", "aurora", "LUMI LAB", "Other"))
    ]
    source = sent(*rows, ("A-1", "", "lumi lab", "", "", "", "", "", ""), head=NEW_HEAD)
    assert source.counts["guards"]["brand"] == 5
    shown = [one.detail for one in Review(source, {}).guards if one.name == "brand"]
    assert shown == ["are added: Lumi Lab (3 rows); Aurorra (1 row); Other (1 row)"]
    with pytest.raises(ImportRefused):
        apply_import(import_id=source.pk, ticked=["unknown"], actor=source.created_by)
    answered(source, {"is Aurorra": "+"})
    applied(source)
    brands = dict(Brand.objects.values_list("eng", "product_count"))
    found = {name: brands[name] for name in ("AURORA", "Aurorra", "Lumi Lab", "Other")}
    assert found == {"AURORA": 1, "Aurorra": 1, "Lumi Lab": 3, "Other": 1}
    other = Brand.objects.get(eng="Other")
    assert [str(entry) for entry in LogEntry.objects.filter(object_id=other.pk)]
    make_company = make_buyer().company_id
    BrandAccess.objects.create(company_id=make_company, brand=other)
    undone(source)
    product.refresh_from_db()
    assert product.brand.eng not in ("Lumi Lab", "lumi lab")
    assert set(Brand.objects.values_list("eng", flat=True)) == {
        old_brand.eng,
        product.brand.eng,
        "Other",  # a company has been given it
    }


def test_an_unknown_brand_is_the_one_of_almost_its_name_where_staff_say_so():
    brand = make_brand(eng="AURORA")
    product = make_product(sku="A-1", brand=brand)
    rows = [("N-1", "Cream", "Aurorra", 9, 4, 100, 5, "", ""), ("N-2", "Oil", "Lumi", *[9] * 3)]
    source = sent(*rows, ("A-1", "", "Aurorra"), head=NEW_HEAD)
    with pytest.raises(ImportRefused):
        applied(source)
    answered(source, {"is Aurorra": "AURORA"})
    assert (source.counts["guards"]["brand"], source.counts["changes"]) == (1, 2)
    assert row_of(source, "A-1").result == "same"
    applied(source)
    assert Product.objects.get(sku="N-1").brand == brand
    assert not Brand.objects.filter(eng="Aurorra").exists()
    assert undone(source).state == "undone"
    product.refresh_from_db()
    assert product.brand == brand


def test_of_two_spellings_of_a_new_brand_the_rarer_is_asked():
    names = ("COSR X", "COSRX", "COSRX")
    rows = [(f"N-{at}", "Cream", name, 9, 4, 100, 5, "", "") for at, name in enumerate(names)]
    question = questions_of(sent(*rows, head=NEW_HEAD))["is COSR X"]
    assert next(iter(question.choices))[0] == "COSRX"


@pytest.mark.parametrize("other", ["Lumi Lab", "LUMI LAB"])
def test_an_unknown_brand_that_somebody_adds_meanwhile_is_not_added_twice(other):
    source = sent(("N-1", "Cream", "Lumi Lab", 9, 4, 100, 5, "", ""), head=NEW_HEAD)
    make_brand(eng=other)
    applied(source)
    is_same = other == "Lumi Lab"  # of another spelling it is shown again, as the brand that it is
    assert source.state == ("applied" if is_same else "reading")
    assert Brand.objects.filter(eng__iexact="lumi lab").count() == 1
    assert Product.objects.filter(sku="N-1").exists() is is_same


def test_a_brand_that_was_renamed_meanwhile_leaves_its_row_alone():
    brand = make_brand(eng="Lumi")
    source = sent(("N-1", "Cream", "Lumi", 9, 4, 100, 5, "", ""), head=NEW_HEAD)
    brand.eng = "Lumi Lab"
    brand.save()
    assert applied(source).state == "reading"
    assert not Product.objects.filter(sku="N-1").exists()


def test_an_ean_is_imported_and_taken_back():
    product = make_product(sku="A-1")
    source = applied(sent(("A-1", "036000291452"), head=("SKU", "UPC")))
    assert Product.objects.get(pk=product.pk).ean == "0036000291452"
    undone(source)
    assert Product.objects.get(pk=product.pk).ean is None


def test_a_sku_in_a_number_cell_that_is_not_found_says_what_may_have_happened():
    make_product(sku="0012")
    source = sent_file(book(a=[("SKU", "Wholesale"), (12, 5)]), name="a.xlsx")
    assert read(source.rows.get().remark).startswith(
        "The SKU is a number: are zeros in front of it lost?"
    )


def test_a_sku_and_an_ean_in_number_cells_have_no_zero_more():
    brand = make_brand(eng="Aurelle Skin")
    head = ("SKU", "Product", "Brand", "EAN", "Wholesale ($)", "USRP ($)", "Weight (g)")
    texts = "".join(map(text, (f"{column}1" for column in "ABCDEFG"), head))
    row = (
        '<c r="A2"><v>100234.0</v></c><c r="D2"><v>8.801234567893E12</v></c>'
        '<c r="E2"><v>7.92</v></c><c r="F2"><v>20.0</v></c><c r="G2"><v>120.0</v></c>'
    ).replace('<c r="D2">', text("B2", "Serum 30 ml") + text("C2", brand.eng) + '<c r="D2">')
    source = sent_file(packed(parts_of(sheet_of(texts, row))), name="a.xlsx")
    applied(source)
    product = Product.objects.get()
    assert (product.sku, product.ean) == ("100234", "8801234567893")
    assert (product.usd_supply, product.weight_g) == (Decimal("7.92"), 120)


def test_what_is_exported_is_the_same_when_it_is_imported_again():
    make_products(3)
    odd = {"sku": "0012", "eng_name": '=cmd|"x"', "hs_code": "3304.10", "ean": "96385074"}
    make_product(**odd, is_special=True, is_running=0)
    content = spreadsheet_of(export_rows(Product.objects.all()), title="Products")
    source = sent_file(content, name="x.xlsx")
    assert (source.counts["rows"], source.counts["same"]) == (4, 4)
    assert source.unread == "Promised (not imported)"


def test_what_changed_after_the_review_stops_the_whole_and_is_shown_anew():
    products = [make_product(sku=f"A-{n}", on_hand=50) for n in (1, 2)]
    source = sent(("A-1", "5.00", 60), ("A-2", "5.00", 60))
    stock.allocate(quantities={products[1].pk: 10}, stock_free=False)
    stock.ship(quantities={products[1].pk: 10}, invoice_code="X", actor=None, now=timezone.now())
    applied(source)
    assert (source.state, source.applied_at) == ("reading", None)
    shown = read(source.remark)
    assert shown == "Nothing was applied: A-2 changed after the review. Look at it again."
    assert figures(products[0])[:2] == ("4.50", 50)
    work(source)
    assert (source.state, source.rows.get(sku="A-2").old["on_hand"]) == ("review", 40)
    assert applied(source).state == "applied"
    assert [figures(product)[1] for product in products] == [60, 60]


def test_what_was_promised_after_the_review_is_never_cut_unseen():
    product = make_product(sku="A-1", on_hand=50)
    source = sent(("A-1", "", 20))
    stock.allocate(quantities={product.pk: 30}, stock_free=False)
    assert applied(source).state == "reading"
    assert figures(product)[1:] == (50, 30, 0)
    work(source)
    assert source.counts["guards"]["promised"] == 1


def test_undoing_puts_everything_back():
    make_brand(eng="Aurora")
    product = make_product(sku="A-1", on_hand=50, allocated=10)
    source = sent(
        ("A-1", "Other", "Aurora", "9", "5.00", 120, 60, "", ""),
        ("N-1", "Cream", "Aurora", "9.5", "4.00", 120, 300, "", ""),
        head=NEW_HEAD,
    )
    name = product.eng_name
    undone(applied(source))
    assert (source.state, source.undone_by) == ("undone", source.created_by)
    assert figures(product) == ("4.50", 50, 10, 0)
    prices = product.prices.order_by("id").values_list("price", flat=True)
    assert [str(price) for price in prices] == ["5.00", "4.50"]
    product.refresh_from_db()
    assert product.eng_name == name
    assert not Product.objects.filter(sku="N-1").exists()
    assert counted(Brand.objects.get(eng="Aurora")) == [1]  # the product that was there before
    assert [change.change for change in StockChange.objects.filter(product=product)] == [-10, 10]


@pytest.mark.parametrize("touch", ["price", "shelf", "promise"])
def test_what_somebody_changed_since_is_not_undone(touch):
    products = [make_product(sku=f"A-{n}", on_hand=50) for n in (1, 2)]
    source = applied(sent(("A-1", "5.00", 90), ("A-2", "5.00", 90)))
    if touch == "price":
        Product.objects.filter(pk=products[1].pk).update(usd_supply="6.00")
    elif touch == "shelf":
        actor, now = source.created_by, timezone.now()
        stock.recount(product_id=products[1].pk, on_hand=89, reason="x", actor=actor, now=now)
    else:
        stock.allocate(quantities={products[1].pk: 70}, stock_free=False)
    undone(source)
    assert source.state == "applied"
    assert read(source.remark) == "Not undone, changed or promised since: A-2."
    assert [row.sku for row in source.rows.filter(is_touched=True)] == ["A-2"]
    assert figures(products[0])[:2] == ("5.00", 90)


def test_a_count_that_was_short_before_the_import_is_not_cut_again_unseen():
    product = make_product(sku="A-1", on_hand=5, allocated=20)
    source = applied(sent(("A-1", "", 10)))
    assert figures(product)[1:] == (10, 20, 10)
    undone(source)
    assert (source.state, figures(product)[1:]) == ("applied", (10, 20, 10))


def test_an_import_is_thrown_away_before_it_is_applied_and_never_after():
    make_product(sku="A-1")
    source = sent(("A-1", "5.00", ""))
    discard_import(import_id=source.pk, actor=source.created_by)
    assert not source.rows.exists()
    with pytest.raises(ImportRefused, match="“Discarded” now"):
        apply_import(import_id=source.pk, ticked=(), actor=source.created_by)
    other = applied(sent(("A-1", "5.00", "")))
    with pytest.raises(ImportRefused, match="“Applied” now"):
        discard_import(import_id=other.pk, actor=other.created_by)


def test_only_those_who_may_change_imports_do():
    make_product(sku="A-1")
    content = csv(("SKU", "On hand"), ("A-1", 5))
    approver, source = staff_in("Approvers"), sent(("A-1", "5.00", ""))
    with pytest.raises(ImportRefused, match="not of that kind"):
        sent_file(content, actor=approver)
    for service in (
        lambda: sent_file(content, actor=make_staff()),
        lambda: apply_import(import_id=source.pk, ticked=(), actor=approver),
        lambda: undo_import(import_id=source.pk, actor=approver),
        lambda: discard_import(import_id=source.pk, actor=approver),
    ):
        with pytest.raises(PermissionDenied):
            service()


@pytest.mark.parametrize("right", ["change_import", "change_product", "change_stock"])
def test_who_lost_a_right_meanwhile_changes_nothing(right):
    product, actor = make_product(sku="A-1", on_hand=50), staff_in("Sales")
    source = sent(("A-1", "5.00", 60), actor=actor)
    apply_import(import_id=source.pk, ticked=(), actor=actor)
    actor.user_permissions.set(Permission.objects.filter(group__user=actor).exclude(codename=right))
    actor.groups.clear()
    work(source)
    assert source.state == "review"
    assert "may no longer import this" in read(source.remark)
    assert figures(product)[:2] == ("4.50", 50)


def test_rows_that_are_too_old_to_be_undone_are_forgotten():
    make_product(sku="A-1", on_hand=50)
    source = applied(sent(("A-1", "", 60)))
    Import.objects.update(applied_at=timezone.now() - timedelta(days=91))
    shown = forget_imports(timezone.now())
    assert shown == 0  # what it changed stays, as the history of its products
    assert source.rows.count() == 1
    assert not storages["private"].exists(stored_path(source.storage_name))
    with pytest.raises(ImportRefused, match="so old"):
        undo_import(import_id=source.pk, actor=source.created_by)
    assert Stock.objects.get().on_hand == 60


@pytest.mark.parametrize(
    ("counts", "pieces", "faulty"),
    [
        (["1,200", "10,000"], [None, None], 2),
        (["1,200", "10,000", "2,412"], [1_200, 10_000, 2_412], 0),
        (["10.000", "2.400.000", "-"], [10_000, 2_400_000, None], 0),
    ],
)
def test_a_column_of_texts_decides_how_its_numbers_are_read(counts, pieces, faulty):
    for place in range(len(counts)):
        make_product(sku=f"A-{place}")
    text = "SKU;On hand\n" + "".join(f"A-{at};{count}\n" for at, count in enumerate(counts))
    source = sent_file(text.encode())
    assert [row.new.get("on_hand") for row in source.rows.order_by("number")] == pieces
    assert source.counts["guards"]["faulty"] == faulty

from decimal import Decimal
from functools import partial

import pytest
from django.core.management import call_command

from apps.accounts.models import Company
from apps.accounts.tests.factories import make_company, make_user
from apps.accounts.tests.staff import staff_client, staff_in
from apps.catalog.errors import ImportRefused
from apps.catalog.models import Product
from apps.catalog.services.imports import questions_of
from apps.catalog.tests.factories import make_product
from apps.catalog.tests.import_files import answered, applied, book, undone, work
from apps.common.tables.spreadsheets import SpreadsheetRefused
from apps.common.texts import read
from apps.moving.kinds.compare_orders import ALL_GONE
from apps.moving.tests import moving_files
from apps.moving.tests.moving_files import digest, results
from apps.orders.models import Order, OrderEvent
from apps.orders.selectors.orders import due_of
from apps.payments.models import Payment

sent = partial(moving_files.sent, kind="orders")
pytestmark = pytest.mark.django_db
HEAD = (
    "주문번호",
    "거래처",
    "상태",
    "주문일",
    "품번",
    "수량",
    "단가",
    "금액",
    "배송비",
    "예약금 입금액",
)
WAITS = "waits for the answer to a question"
ROWS = [
    ("HB-1", "Rose Ltd", "확정", "2026-11-02", "AA-1", 10, 4.5, 45, 20, 30),
    ("", "", "", "", "AA-2", 20, "2.00", 40, "", ""),
    ("HB-2", "Rose Ltd", "접수", "", "AA-2", 5, 2, "", "", ""),
    ("HB-3", "Rose Ltd", "출고대기", "2026-11-03", "AA-1", 10, 4.5, "", "", 45),
    ("합계", "", "", "", "", 45, "", 130, "", ""),
]  # fmt: skip


@pytest.fixture
def rose():
    """Return a buyer; there are 100 pieces of two products."""
    make_product(sku="AA-1", on_hand=100), make_product(sku="AA-2", on_hand=100)
    return make_user(company=make_company(name="Rose Ltd"), email="ann@rose.test")


def opened(*rows, head=HEAD):
    """Return the import of these rows."""
    return sent(book(a=[head, *rows]), actor=staff_in("Sales"))


def test_orders_enter_at_their_status_and_go_without_trace(rose, capsys):
    staff = staff_in("Sales")
    before = digest(besides=["catalog.catalogchange"])
    source = sent(book(a=[("미출고 주문",), HEAD, *ROWS]), actor=staff)
    assert [result for _, result, _ in results(source)] == ["left", *["new"] * 4, "left"]
    applied(source)
    first, second, third = Order.objects.order_by("former_number")
    assert [(one.status, one.received, due_of(one)) for one in (first, second, third)] == [
        (3, Decimal(30), Decimal(75)),
        (1, Decimal(0), Decimal(0)),
        (4, Decimal(45), Decimal(0)),
    ]
    assert (first.former_number, first.count, first.pieces, first.user) == ("HB-1", 2, 30, rose)
    assert first.documents.count() == 2
    product = first.lines.get(sku="AA-2").product
    assert product.stock.allocated == 25
    steps = OrderEvent.objects.filter(order=third, kind="status").values_list(
        "to_status", flat=True
    )
    assert list(steps) == [1, 2, 3, 4]
    call_command("audit")
    again = sent(book(a=[HEAD, *ROWS[:2]]), actor=staff)
    assert results(again)[0][2] == f"it is here already: {first.invoice_code}"
    again.rows.all().delete(), again.delete()
    undone(source)
    assert source.state == "undone"
    assert digest(besides=["catalog.catalogchange"]) == before


def test_an_order_that_came_meanwhile_is_not_entered_once_more(rose):
    first, second = opened(*ROWS[:2]), opened(*ROWS[:2])
    applied(first), applied(second)
    assert "changed after the review" in read(second.remark)
    assert Order.objects.count() == 1


@pytest.mark.parametrize("heading", ["주문No.", "오더 No"])
def test_an_order_number_goes_by_many_headings(rose, heading):
    source = opened(*ROWS, head=(heading, *HEAD[1:]))
    assert source.counts["changes"]


def test_a_deposit_that_was_not_said_is_rounded_half_up(rose):
    Company.objects.update(deposit_rate=Decimal("0.50"))
    applied(opened(("HB-1", "Rose Ltd", "접수", "", "AA-1", 1, "20.25", "", "", "")))
    assert Order.objects.get().deposit == Decimal("10.13")


def test_an_order_that_somebody_touched_stays(rose):
    source = applied(opened(*ROWS[:3]))
    order = Order.objects.get(former_number="HB-1")
    OrderEvent.objects.create(order=order, kind="message", note="When?", at=source.created_at)
    undone(source)
    assert read(source.remark) == (
        "Not undone, changed or promised since: HB-1 AA-1. Cancel such orders on their own pages."
    )
    assert Order.objects.filter(former_number="HB-1").exists()


@pytest.mark.parametrize(
    ("row", "remark"),
    [
        (("X", "Gone", "접수", "", "AA-1", 1, 2), "no customer has this name"),
        (("X", "Rose Ltd", "취소", "", "AA-1", 1, 2), "“Cancelled” is no longer open"),
        (("X", "Rose Ltd", "곧", "", "AA-1", 1, 2), WAITS),
        (("X", "Rose Ltd", "", "", "AA-1", 1, 2), WAITS),
        (("X", "Rose Ltd", "접수", "", "ZZ-1", 1, 2), "No product has this SKU"),
        (("X", "Rose Ltd", "접수", "", "AA-1", "", 2), "Pieces: it is missing"),
        (("X", "Rose Ltd", "접수", "", "AA-1", 1, ""), "Unit price ($): it is missing"),
        (("X", "Rose Ltd", "접수", "", "AA-1", 3, 2, 7), "pieces × price is $6.00"),
        (("X", "Rose Ltd", "출고대기", "", "AA-1", 3, 2, 6, "", 5), WAITS),
        (("X", "Rose Ltd", "확정", "", "AA-1", 3, 2, 6, "", 6), WAITS),
        (
            ("X", "Rose Ltd", "접수", "", "AA-1", 3, 2, 6, "", 7),
            "$1.00 more was received than it costs",
        ),
        (("X", "Rose Ltd", "접수", "2999-01-01", "AA-1", 1, 2), "2999-01-01 is not yet"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_left_out_with_the_reason(rose, row, remark):
    assert [remark_of_row for _, _, remark_of_row in results(opened(row))] == [remark]


def test_one_bad_row_leaves_its_whole_order_out(rose):
    rows = [("X", "Rose Ltd", "접수", "", "AA-1", 1, 2), ("X", "ROSE", "", "", "ZZ", 1, 2)]
    assert [remark for _, _, remark in results(opened(*rows))] == [
        "its order is left out: row 3",
        "No product has this SKU",
    ]


def test_pieces_beyond_the_shelf_are_asked(rose):
    source = opened(("X", "Rose Ltd", "접수", "", "AA-1", 140, 2))
    assert results(source)[0][1:] == ("new", "40 pieces are missing")
    assert source.counts["guards"]["short"] == 1
    applied(source)
    assert Order.objects.get().is_back_order


def test_a_company_of_several_people_is_asked_whose_order_it_is(rose):
    make_user(company=rose.company, email="bo@rose.test")
    head = (*HEAD[:7], "이메일")
    row = ("X", "Rose Ltd", "접수", "", "AA-1", 1, 2)
    source = opened((*row, ""), ("Y", *row[1:], "bo@rose.test"), head=head)
    assert [remark for _, _, remark in results(source)] == [
        "Rose Ltd has several people: ann@rose.test is taken",
        "",
    ]


def test_a_heading_that_means_two_things_is_asked(rose):
    source = opened((*ROWS[2][:9], 3), head=(*HEAD[:9], "예약금"))
    assert results(source)[0][2] == WAITS
    applied(answered(source, {"deposit_said": "due"}))
    order = Order.objects.get()
    assert (order.deposit, order.received) == (Decimal(3), 0)


def test_orders_that_have_the_customers_numbers_alone_enter_under_them(rose):
    head = ("PO no.", "PO date", "Customer", "Item code", "Qty", "Unit price", "Status")
    source = applied(opened(("SG1", "2026-11-03", "Rose Ltd", "AA-1", 10, 4.5, "접수"), head=head))
    order = Order.objects.get()
    assert (order.former_number, order.po_number, str(order.placed_at.date()), source.state) == (
        *("SG1", "", "2026-11-02"),  # midnight in Seoul
        "applied",
    )


def test_orders_in_another_currency_are_refused(rose):
    with pytest.raises(SpreadsheetRefused, match="단위: 원"):
        sent(book(a=[("(단위: 원)",), HEAD, *ROWS]), actor=staff_in("Sales"))


def test_a_word_that_is_no_status_is_asked(rose):
    rows = [("A", *ROWS[2][1:]), *((one, "Rose Ltd", "보류", *ROWS[2][3:]) for one in "BC")]
    source = opened(*rows)
    assert [remark for _, _, remark in results(source)] == ["", WAITS, WAITS]
    with pytest.raises(ImportRefused):
        applied(source)
    with pytest.raises(ImportRefused):
        answered(source, {"status:보류": "5"})
    client, here = staff_client("Sales"), f"/admin/catalog/import/{source.pk}"
    assert "What does the status “보류” mean?" in client.get(f"{here}/change/").text
    client.post(f"{here}/answer/", {"status:보류": "2", "_opened": "2026-11-20T10:42:00+09:00"})
    work(source)
    applied(source)
    assert list(Order.objects.order_by("former_number").values_list("status", flat=True)) == [
        1,
        2,
        2,
    ]


def test_orders_and_their_lines_may_stand_on_two_sheets(rose):
    orders = [("PI No.", "Buyer", "Amount", "진행상태"), ("HB-1", "Rose", 45, "확정")]
    lines = [("PI No.", "Item code", "Q'TY\n(PCS)", "U/Price\n(USD)"), ("HB-1", "aa 1", 10, 4.5)]
    source = sent(book(a=orders, b=lines), actor=staff_in("Sales"))
    applied(answered(source, {"fee": "free"}))
    order = Order.objects.get()
    assert (order.former_number, order.status, order.pieces) == ("HB-1", 3, 10)


def test_an_order_with_a_sheet_of_its_own_is_refused_with_what_to_do(rose):
    form = [("Messrs.", "Rose", "PI No.", "HB-1"), ("Item code", "Q'TY", "U/Price"), ("AA-1", 1, 4)]
    with pytest.raises(SpreadsheetRefused, match="a row a line, as in the template"):
        sent(book(a=form), actor=staff_in("Sales"))


@pytest.mark.parametrize(
    ("head", "cell", "remark"),
    [
        ("출고", 4, "a part was shipped: enter what is still to ship, and its money"),
        ("출고", 10, ALL_GONE),
        ("할인", 5, "a discount of $5.00: lower the prices of its lines"),
        ("입금", "?", "Received ($): “?” is not a number"),
    ],
)
def test_what_is_not_guessed_is_refused_with_what_to_do(rose, head, cell, remark):
    row = ("A", "Rose Ltd", "확정", "", "AA-1", 10, 4.5, 45, "", cell)
    assert results(opened(row, head=(*HEAD[:9], head)))[0][2] == remark


def test_pieces_in_boxes_and_a_product_at_two_prices_are_refused(rose):
    rows = [("A", *ROWS[0][1:5], "2 box", 4.5), ("B", *ROWS[2][1:7]), ("B", *ROWS[2][1:6], 3)]
    assert [remark for _, _, remark in results(opened(*rows))] == [
        "Pieces: “2 box” is not a number",
        "its order is left out: row 4",
        "row 3 has this product at another price",
    ]


def test_a_product_in_two_lines_at_one_price_is_added_up(rose):
    first, last = ("B", *ROWS[2][1:7]), ("B", *ROWS[2][1:5], 7, 2)
    source = applied(opened(first, last))
    assert [remark for _, _, remark in results(source)] == ["", "added to the pieces of row 2"]
    (line,) = Order.objects.get().lines.all()
    assert (line.quantity, line.price) == (12, 2)


def test_which_product_an_almost_known_sku_means_is_asked(rose):
    row = ("A", *ROWS[2][1:4], "AA-l2", 5, 2)
    source = opened(row)
    question = questions_of(source)["sku:AA-l2"]
    assert read(question.text) == "Which product is “AA-l2”?"
    assert [remark for _, _, remark in results(source)] == [WAITS]
    assert results(answered(source, {"sku:AA-l2": "out"}))[0][2] == "No product has this SKU"
    product = Product.objects.get(sku="AA-2")
    applied(answered(source, {"sku:AA-l2": str(product.pk)}))
    assert Order.objects.get().lines.get().product == product


def test_rows_of_an_order_that_waits_for_an_answer_wait_too(rose):
    rows = [("A", "Rose Ltd", "포장중?", *ROWS[0][3:7]), ("A", "", "", "", "AA-2", 5, 2)]
    source = opened(*rows)
    assert [remark for _, _, remark in results(source)] == [WAITS] * 2


def test_a_seller_s_own_list_is_asked_where_it_is_not_clear(rose):
    make_user(company=rose.company, email="bo@rose.test")
    head = (*HEAD[:9], "총액(USD)", "입금액")
    rows = [
        ("A", "Rose", "접수", "", "AA-1", 10, 4.5, "=F2*G2", 20, 65, 15),
        ("B", "Rose Ltd", "입금완료", "", "AA-1", 10, 4.5, "=F3*G3", 20, 65, 65),
        ("C", "Rose Ltd", "접수", "", "AA-1", 10, 4.5, "", 20, 66, ""),
    ]
    source = applied(opened(*rows, head=head))
    refusal = "Rose Ltd has several people: ann@rose.test is taken"
    assert [remark for _, _, remark in results(source)] == [
        f"is read as “Rose Ltd”; {refusal}; the shipping fee of $20.00 is left out",
        refusal,
        f"the lines add up to $45.00; {refusal}",
    ]
    first, paid = Order.objects.order_by("former_number")
    wires = Payment.objects.order_by("pk").values_list("order", "kind", "amount")
    assert list(wires) == [(first.pk, "deposit", 15), (paid.pk, "balance", 65)]
    assert due_of(paid) == 0


def test_orders_in_another_currency_stay_out_and_a_sku_is_no_item(rose):
    head = ("order no", "customer", "status", "SKU", "Item", "qty", "price")
    rows = [
        ("HB-1", "Rose Ltd", "Confirmed", "AA-1", "Cream", 10, 4.5),
        ("", "", "", "AA-2", "Oil", 5, 2),
        ("HB-2", "Rose Ltd", "Confirmed", "AA-1", "Cream", 10, 4.5),
    ]
    sheets: dict[str, list] = {
        "a": [(*head, "Curr."), (*rows[0], "USD"), rows[1], (*rows[2], "EUR"),
              ("HB-3", *rows[0][1:])],
        "b": [(*head, "Rmk"), ("HB-4", *rows[0][1:], "€")],
        "KRW": [head, ("HB-5", *rows[0][1:])],
    }  # fmt: skip
    source = answered(sent(book(**sheets), actor=staff_in("Sales")), {"fee": "free"})
    applied(source)
    assert [remark for _, result, remark in results(source) if result == "faulty"] == [
        "Currency: “EUR” is not in US dollars",
        "Currency: it is missing",
        "Currency: “€” is not in US dollars",
    ]
    assert [one.former_number for one in Order.objects.all()] == ["HB-1"]


def test_an_order_that_cannot_be_read_ends_where_the_company_changes(rose):
    make_user(company=make_company(name="Lumen"), email="bo@lumen.test")
    head = ("order no", "customer", "status", "sku", "qty", "price", "paid")
    rows = [
        ("HB-1", "Rose Ltd", "Confirmed", "AA-1", 10, 4.5, "?"),
        ("", "", "", "AA-2", 5, 2, ""),
        ("", "Lumen", "Confirmed", "AA-1", 4, 4.5, ""),
        ("", "", "", "AA-2", 3, 2, ""),
    ]
    source = sent(book(a=[head, *rows]), actor=staff_in("Sales"))
    assert [remark for _, _, remark in results(source)] == [
        "Received ($): “?” is not a number",
        "its order is left out: row 2",
        *["Former number: it is missing"] * 2,
    ]


@pytest.mark.parametrize("title", ["예약금 입금액", "입금액"])
def test_an_order_in_preparing_whose_whole_deposit_came_enters_as_that(rose, title):
    row = ("X", "Rose Ltd", "준비 중", "", "AA-1", 10, 4.5, 45, "", 45)
    source = opened(row, head=(*HEAD[:9], title))
    assert results(source)[0][1:] == ("new", "")
    applied(source)
    order = Order.objects.get()
    assert (order.status, order.deposit, order.deposit_received, order.received) == (2, 45, 45, 45)
    assert list(Payment.objects.values_list("kind", "amount")) == [("deposit", 45)]
    call_command("audit")


@pytest.mark.parametrize(
    ("share", "title", "came"),
    [
        ("0.30", "예약금 입금액", 45),
        ("0.30", "입금액", 45),
        ("1.00", "입금액", "완납"),
        ("1.00", "잔금 입금액", 45),
    ],
)
def test_an_order_in_preparing_that_may_be_paid_is_asked(rose, share, title, came):
    Company.objects.update(deposit_rate=Decimal(share))
    row = ("X", "Rose", "준비 중", "", "AA-1", 10, 4.5, 45, "", came)
    source = opened(row, head=(*HEAD[:9], title))
    assert results(source)[0][2] == WAITS
    assert list(questions_of(source)) == ["unpaid"]
    assert not any(source.rows.get().guards)
    applied(answered(source, {"unpaid": "4"}))
    order = Order.objects.get()
    assert (order.status, order.received) == (4, 45)
    assert due_of(order) == 0


@pytest.mark.parametrize(("answer", "status"), [("free", 3), ("later", 2)])
def test_a_confirmed_order_without_a_shipping_fee_is_asked_once(rose, answer, status):
    rows = [("A", *ROWS[0][1:8], fee, 9) for fee in ("", 0)] + [("C", *ROWS[2][1:])]
    rows[1] = ("B", *rows[1][1:])
    source = opened(*rows)
    assert [remark for _, _, remark in results(source)] == [WAITS, WAITS, ""]
    applied(answered(source, {"fee": answer}))
    statuses = Order.objects.order_by("former_number").values_list("status", flat=True)
    assert list(statuses) == [status, status, 1]


def test_pages_say_which_kind_a_file_is_read_as(rose):
    client = staff_client()
    urls = [one.url for one in client.get("/admin/").context["first_day"] if "kind=" in one.url]
    kinds = [client.get(url).context["form"]["kind"].value() for url in urls]
    assert kinds == ["table", "pictures", "table", "orders"]
    source = sent(book(a=[HEAD, *ROWS]))
    review = client.get(f"/admin/catalog/import/{source.pk}/change/").text
    assert "Open orders · " in review
    assert "Send as another kind" in review


def test_staff_see_and_find_an_order_by_its_former_number(rose):
    applied(opened(*ROWS[:3]))
    client = staff_client()
    order = Order.objects.get(former_number="HB-1")
    page = client.get("/admin/orders/order/", {"q": "hb-"})
    assert "Rose Ltd · Formerly HB-1" in page.text
    assert "Formerly HB-2" in page.text
    at = f"/admin/orders/order/{order.pk}/change/"
    assert client.get("/admin/jump/", {"q": "hb-1"}).headers["Location"] == at
    Order.objects.filter(pk=order.pk).update(former_number="1042")
    assert at in client.get("/admin/jump/", {"q": "104"}).text

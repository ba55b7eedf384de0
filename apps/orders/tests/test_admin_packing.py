"""The packing sheet: rows as Excel copies them, faults at their cells, files in and out, and who
was quicker.
"""

from decimal import Decimal
from io import BytesIO
from typing import Any

import openpyxl
import pytest
from django.contrib.admin.models import LogEntry
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from apps.accounts.tests.factories import buyer_of, make_buyer
from apps.accounts.tests.staff import shown_messages, staff_client
from apps.catalog.models import Product
from apps.catalog.tests.factories import make_product
from apps.orders.admin.packing_cells import read_boxes, rows_of_boxes, rows_of_text, text_of_rows
from apps.orders.errors import StaffRefusal
from apps.orders.models import Order, OrderEvent, ShippingRate
from apps.orders.rules import Box, Contents
from apps.orders.selectors.packing import boxes_of, lines_to_pack, packing_differences, proposed_fee
from apps.orders.status import OrderStatus
from apps.orders.tests.factories import confirm, make_order_at, one_box, pack
from apps.orders.tests.test_admin_sheet import address as sheet_of, filled

pytestmark = pytest.mark.django_db
# 7.75 kg; the products weigh 7.2
ROWS = "1\t1\t2,55\t52\t40\t34\tA-1\t20\n2\t1\t5.2\t52\t40\t34\tb-2\t40"


@pytest.fixture
def sales() -> Client:
    return staff_client("Sales", manager="Mina Park")


def make_two_lines(status: OrderStatus) -> Order:
    lines = [(make_product(sku="A-1"), 20), (make_product(sku="B-2"), 40)]
    return make_order_at(status, make_buyer(), lines)


@pytest.fixture
def order() -> Order:
    return make_two_lines(OrderStatus.CONFIRMED)


@pytest.fixture
def preparing() -> Order:
    return make_two_lines(OrderStatus.PREPARING)


def fresh(order: Order) -> Order:
    return Order.objects.get(pk=order.pk)


def address(order: Order, name: str = "packing") -> str:
    return reverse(f"admin:orders_order_{name}", args=[order.pk])


def body(order: Order, rows: str = ROWS, **fields: Any) -> dict[str, Any]:
    version = fresh(order).version
    details = {
        "remarks": "Keep dry",
        "notify": "",
        "terms": "EXW Seoul",
        "build_date": "2026-11-14",
    }
    return {"version": version, "rows": rows, **details, **fields}


def packed(order: Order) -> list[tuple[int, int, list[int]]]:
    boxes = boxes_of(order_id=order.pk)
    return [(box.count, box.weight_g, [item.quantity for item in box.contents]) for box in boxes]


def state(order: Order) -> int:
    return fresh(order).packing_status


class TestSheet:
    def test_a_new_sheet_holds_everything_that_is_confirmed(self, sales, order):
        page = sales.get(address(order))
        assert page.context["rows_text"] == "1\t1\t\t\t\t\tA-1\t20\n\t\t\t\t\t\tB-2\t40\n"
        check = page.context["check"]
        compared = [(line["sku"], line["confirmed"], line["packed"]) for line in check["compared"]]
        assert compared == [("A-1", 20, 20), ("B-2", 40, 40)]
        assert check["missing"] == ["Box 1 has no weight."]

    def test_a_new_sheet_has_the_terms_of_the_companys_last_order(self, sales, order):
        pack(order)
        Order.objects.filter(pk=order.pk).update(packing_terms="DAP Oslo")
        later = make_order_at(OrderStatus.CONFIRMED, make_buyer(company=order.company))
        assert sales.get(address(later)).context["form"]["terms"].value() == "DAP Oslo"

    def test_saving_keeps_boxes_and_details_and_stays_on_the_sheet(self, sales, order):
        page = sales.post(address(order), body(order), follow=True)
        saved = fresh(order)
        assert packed(order) == [(1, 2_550, [20]), (1, 5_200, [40])]
        assert (saved.packing_status, saved.packing_remarks) == (1, "Keep dry")
        assert saved.packing_terms == "EXW Seoul"
        assert page.redirect_chain[-1][0].endswith(f"/packing/?saved={saved.version}")
        assert shown_messages(page) == [f"{order}: Packing saved."]
        assert LogEntry.objects.get().get_change_message() == "Packing saved"

    def test_completing_leads_back_to_the_order(self, sales, order):
        page = sales.post(address(order), body(order, complete="1"), follow=True)
        assert (state(order), fresh(order).measured_weight_g) == (2, 7_750)
        assert page.redirect_chain[-1][0] == address(order, "change")
        assert "2 boxes, 60 pieces, 7.8 kg" in page.text

    def test_a_missing_piece_blocks_complete_and_keeps_what_was_sent(self, sales, order):
        page = sales.post(address(order), body(order, ROWS[:-2] + "39", complete="1"))
        assert shown_messages(page) == [f"{order}: Packing is not complete: B-2: 1 not packed."]
        assert "\t39\n" in page.context["rows_text"]
        assert (state(order), packed(order)) == (0, [])

    def test_an_unusual_weight_needs_its_tick(self, sales, order):
        rows = ROWS.replace("5.2", "9.2")
        page = sales.post(address(order), body(order, rows, complete="1"))
        assert "63 % above the products' 7.2 kg" in shown_messages(page)[0]
        assert page.context["check"]["is_unusual"]
        sales.post(address(order), body(order, rows, complete="1", weight_is_right="on"))
        assert state(order) == 2
        event = OrderEvent.objects.filter(order=order, kind="packing").latest("id")
        assert "said to be right as it is" in event.text

    @pytest.mark.parametrize(
        ("rows", "cell", "text"),
        [
            ("1\tx\t\t\t\t\tA-1\t1", "0-count", "“x” is not a number."),
            ("1\t0\t\t\t\t\tA-1\t1", "0-count", "From 1 to 9,999."),
            ("1\t1\tabc\t\t\t\tA-1\t1", "0-kg", "“abc” is not a number."),
            ("1\t1\t1.2345\t\t\t\tA-1\t1", "0-kg", "“1.2345” has more than 3 decimals."),
            ("1\t1\t\t52.25\t\t\tA-1\t1", "0-length", "“52.25” has more than 1 decimal."),
            ("1\t1\t\t\t\t\tA-1\t1\n\t\t\t\t\t\tNOBODY\t1", "1-sku", "There is no product NOBODY."),
            ("1\t1\t\t\t\t\tA-1\t", "0-pieces", "How many pieces?"),
            ("1\t1\t\t\t\t\t\t5", "0-sku", "Which product?"),
            ("1\t1\t\t\t\t\tA-1\t2.5", "0-pieces", "2.5 is not a whole number."),
            (
                "1\t1\t5\t\t\t\tA-1\t1\n1\t1\t6\t\t\t\tB-2\t1",
                "1-kg",
                "Differs from the first row of this box.",
            ),
        ],
    )
    def test_what_cannot_be_read_is_marked_and_nothing_is_dropped(
        self, sales, order, rows, cell, text
    ):
        page = sales.post(address(order), body(order, rows))
        assert page.status_code == 200
        assert page.context["check"]["cells"] == {cell: text}
        assert page.context["rows_text"].split() == rows.split()
        assert f'href="#r{cell}"' in page.text
        assert state(order) == 0

    @pytest.mark.parametrize(
        ("name", "value"),
        [
            *(("version", one) for one in ("x", "")),
            *(("build_date", "14.11."), ("terms", "x" * 201), ("rows", '\0\t"1')),
        ],
    )
    def test_a_broken_form_is_no_error_page(self, sales, order, name, value):
        assert sales.post(address(order), {**body(order), name: value}).status_code == 200
        assert state(order) == 0

    def test_who_was_quicker_is_told_with_both_values(self, sales, order):
        mine = body(order, remarks="Mine")
        other = staff_client("Sales", manager="Jun Lim")
        other.post(address(order), body(order, ROWS.replace("5.2", "5.1"), remarks="Theirs"))
        assert sales.post(address(order), {**mine, "complete": "1"}).status_code == 409
        page = sales.post(address(order), mine)
        assert page.status_code == 409
        assert "Jun Lim changed this order" in shown_messages(page)[0]
        shown = {row["what"]: (row["saved"], row["sent"]) for row in page.context["conflicts"]}
        assert shown == {"Remarks": ("Theirs", "Mine"), "Weight": ("7.7 kg", "7.8 kg")}
        form = page.context["form"]
        assert (form["remarks"].value(), form["terms"].value()) == ("Mine", "EXW Seoul")
        sales.post(address(order), {**mine, "version": form["version"].value()})
        assert fresh(order).packing_remarks == "Mine"

    def test_a_complete_packing_is_read_until_it_is_opened_again(self, sales, order):
        pack(order)
        page = sales.get(address(order))
        assert not page.context["editable"]
        page = sales.post(address(order), {"reopen": "1", "version": 1}, follow=True)
        assert "changed this order" in shown_messages(page)[0]
        version = fresh(order).version
        page = sales.post(address(order), {"reopen": "1", "version": version}, follow=True)
        assert page.context["editable"]
        assert state(order) == 1

    def test_after_shipping_the_sheet_can_only_be_read(self, sales):
        order = make_order_at(OrderStatus.SHIPPED, make_buyer())
        page = sales.post(address(order), body(order, ""), follow=True)
        assert "an order is packed from Preparing until it ships" in shown_messages(page)[0]
        assert (page.context["editable"], page.context["may_reopen"]) == (False, False)
        assert packed(order) != []

    @pytest.mark.parametrize("status", [OrderStatus.CANCELLED, OrderStatus.RECEIVED])
    def test_it_opens_for_orders_in_work_only(self, sales, status):
        order = make_order_at(status, make_buyer())
        page = sales.get(address(order), follow=True)
        assert page.redirect_chain[-1][0] == address(order, "change")

    def test_the_sheet_costs_the_same_statements_for_few_rows_and_for_many(
        self, sales, order, django_assert_max_num_queries
    ):
        many = make_order_at(
            OrderStatus.CONFIRMED, make_buyer(), [(make_product(), 10) for _ in range(15)]
        )
        used = []
        for each in (order, many):
            pack(each)
            sales.get(address(each))
            with django_assert_max_num_queries(20) as counted:
                sales.get(address(each))
            used.append(len(counted))
        assert used[0] == used[1]


class TestCheck:
    """What the sheet's script is told while somebody types."""

    def check(self, sales: Client, order: Order, rows: str, **fields: str) -> Any:
        return sales.post(address(order, "packing_check"), {"rows": rows, **fields}).json()

    def test_sums_names_and_box_numbers_of_the_rows_as_they_are(self, sales, order):
        check = self.check(sales, order, ROWS.replace("2\t1\t5.2", "2\t3\t5.2"))
        shown = [(row["box"], row["differs"]) for row in check["rows"]]
        assert shown == [("1", False), ("2–4", True)]
        assert check["totals"] == {
            "boxes": "4 boxes",
            "packed": "140",
            "confirmed": "60",
            "difference": "+80",
            "measured": "18.2 kg",
            "products": "16.8 kg",
            "percent": "8 % above",
        }
        second = {"sku": "B-2", "confirmed": 40, "packed": 120, "sign": "+80"}
        assert check["compared"][1] == {**second, "name": order.lines.last().product.eng_name}
        assert (
            '<td class="num strong">120</td><td class="num sign">+80</td>' in check["compared_rows"]
        )
        assert (check["told"], check["may_complete"]) == ("B-2: 80 too many.", False)

    def test_faults_stand_at_their_cells_and_before_what_is_missing(self, sales, order):
        check = self.check(sales, order, ROWS.replace("5.2", "heavy").replace("b-2", "nobody"))
        shown = check["cells"]
        assert shown == {"1-kg": "“heavy” is not a number.", "1-sku": "There is no product NOBODY."}
        assert check["missing"] == [
            "2 cells cannot be read.",
            "B-2: 40 not packed.",
            "Box 2 has no weight.",
            "Box 2 is empty.",
        ]
        rows = [(row["name"] == "not in this order", row["differs"]) for row in check["rows"]]
        assert rows == [(False, False), (True, True)]

    def test_a_sheet_that_agrees_may_be_completed(self, sales, order):
        check = self.check(sales, order, ROWS)
        assert (check["missing"], check["may_complete"]) == ([], True)
        assert (check["told"], check["totals"]["difference"]) == ("Every piece is packed.", "✓")
        assert (state(order), packed(order), LogEntry.objects.count()) == (0, [], 0)  # a look

    def test_an_unusual_weight_waits_for_its_tick(self, sales, order):
        rows = ROWS.replace("5.2", "9.2")
        check = self.check(sales, order, rows)
        assert (check["is_unusual"], check["may_complete"]) == (True, False)
        assert check["told"] == "Say whether the weight is right as it is."
        assert self.check(sales, order, rows, weight_is_right="on")["may_complete"]


class TestFile:
    def upload(self, sales: Client, order: Order, content: bytes, name: str = "boxes.xlsx") -> Any:
        file = SimpleUploadedFile(name, content)
        return sales.post(address(order), {**body(order, "kept\trow"), "import": "1", "file": file})

    def test_the_sheet_to_fill_in_comes_back_as_it_went(self, sales, order):
        content = sales.get(address(order, "packing_file")).content
        sheet = openpyxl.load_workbook(BytesIO(content)).active
        assert [cell.value for cell in sheet[1]][-2:] == ["Product", "Confirmed"]
        assert [sheet["G2"].value, sheet["H2"].value, sheet["J3"].value] == ["A-1", 20, 40]
        page = self.upload(sales, order, content)
        assert page.context["rows_text"] == "1\t1\t\t\t\t\tA-1\t20\n\t\t\t\t\t\tB-2\t40\n"
        assert shown_messages(page) == ["2 rows of boxes.xlsx. Nothing is saved yet."]
        assert state(order) == 0

    def test_a_packed_order_goes_out_and_comes_back_the_same(self, sales, order):
        pack(order)
        content = sales.get(address(order, "packing_file")).content
        sales.post(address(order), {"reopen": "1", "version": fresh(order).version})
        page = self.upload(sales, order, content)
        sales.post(address(order), body(order, page.context["rows_text"]))
        assert boxes_of(order_id=order.pk) == [one_box(order)]

    def test_columns_are_found_by_their_headings_and_unknown_ones_are_named(self, sales, order):
        text = "Lot;Qty;SKU;Carton no;Weight (kg)\n7;20;A-1;1;2,5\n8;40;B-2;1;\n"
        page = self.upload(sales, order, text.encode(), "boxes.csv")
        said = "2 rows of boxes.csv. Nothing is saved yet. Columns not used: Lot."
        assert shown_messages(page) == [said]
        assert page.context["rows_text"] == "1\t\t2,5\t\t\t\tA-1\t20\n1\t\t\t\t\t\tB-2\t40\n"

    @pytest.mark.parametrize(
        ("content", "name"),
        [
            (b"SKU,Count\nA-1,2\n", "boxes.csv"),
            (b"PK\x03\x04nonsense", "boxes.xlsx"),
            (b"%PDF-1.7", "boxes.pdf"),
            (b"", "boxes.csv"),
        ],
    )
    def test_a_file_that_cannot_be_read_is_refused_and_the_sheet_stays(
        self, sales, order, content, name
    ):
        page = self.upload(sales, order, content, name)
        assert page.status_code == 200
        assert page.context["rows_text"].startswith("kept\trow")
        assert state(order) == 0

    def test_no_file_is_a_message(self, sales, order):
        page = sales.post(address(order), body(order, **{"import": "1"}))
        assert shown_messages(page) == ["Choose an XLSX or CSV file."]


class TestRows:
    def test_boxes_survive_being_written_and_read(self):
        length, width, height = map(Decimal, ("52.5", "40", "34"))
        contents = (Contents(1, 60), Contents(2, 1))
        boxes = [
            Box(2, 14_205, length, width, height, contents),
            Box(1, 0, Decimal(0), Decimal(0), Decimal(0)),
        ]
        text = text_of_rows(rows_of_boxes(boxes, {1: '"A"-1', 2: "B-2"}))
        read, faults = read_boxes(rows_of_text(text), {'"A"-1': 1, "B-2": 2})
        assert (read, faults) == (boxes, [])

    def test_a_box_begins_with_another_number_or_with_figures(self):
        rows = rows_of_text(
            "\t\t\t\t\t\tA\t1\n\t\t\t\t\t\tA\t2\n\t2\t\t\t\t\tA\t3\n"
            "x\t\t\t\t\t\tA\t4\nx\t\t\t\t\t\tA\t5"
        )
        boxes, _ = read_boxes(rows, {"A": 1})
        found = [(box.count, [item.quantity for item in box.contents]) for box in boxes]
        assert found == [(1, [1, 2]), (2, [3]), (1, [4, 5])]

    def test_a_pasted_table_may_have_headings_in_its_own_sequence(self):
        assert rows_of_text("SKU\tPcs\tBox\nA\t5\t1\n")[0] == {
            **dict.fromkeys(("count", "kg", "length", "width", "height"), ""),
            "box": "1",
            "sku": "A",
            "pieces": "5",
        }

    def test_lost_zeros_are_named(self):
        rows = rows_of_text("1\t\t\t\t\t\t410475\t1")
        _, faults = read_boxes(rows, {"00410475": 1})
        assert [fault.text for fault in faults] == ["There is no product 410475. Is it 00410475?"]


# Weigh, then ask for money: packing at Preparing, and the fee that its weight proposes
def save(order: Order, *decisions: tuple[int, str, str], **fields: Any) -> None:
    body = {**filled(order, *decisions, **fields), "save": "1"}
    assert staff_client("Sales").post(sheet_of(order), body).status_code == 302


def test_packing_opens_on_the_lines_as_the_saved_sheet_has_them(preparing):
    make_product(sku="GIFT-1")
    added = ({"sku": "GIFT-1", "quantity": 24, "reason": "free_offer"},)
    save(preparing, (0, "discontinued", ""), (15, "short", ""), added=added)
    shown = [(line.sku, line.pieces) for line in lines_to_pack(order_id=preparing.pk)]
    assert shown == [("B-2", 15), ("GIFT-1", 24)]
    pack(preparing)
    assert fresh(preparing).packing_status == 2
    assert fresh(preparing).measured_weight_g == 39 * 120 * 11 // 10


def test_a_sheet_that_is_not_weighed_goes_on_to_the_packing(preparing):
    sales = staff_client("Sales")
    body = {**filled(preparing, (20, "", ""), (40, "", "")), "save": "pack"}
    packing = address(preparing)
    assert sales.get(sheet_of(preparing)).text.count('value="pack"') == 1
    assert sales.post(sheet_of(preparing), body)["Location"] == packing
    pack(preparing)
    assert 'value="pack"' not in sales.get(sheet_of(preparing)).text


def test_a_line_that_is_to_be_proposed_is_packed_as_ordered(preparing):
    save(preparing, (8, "propose:fewer", ""), (40, "", ""))
    assert [line.pieces for line in lines_to_pack(order_id=preparing.pk)] == [20, 40]


def test_packing_says_what_does_not_agree_any_more_and_the_confirmation_opens_it_again(preparing):
    pack(preparing)
    save(preparing, (20, "", ""), (35, "short", ""))
    assert [str(text) for text in packing_differences(preparing)] == ["B-2: 5 too many."]
    sales = staff_client("Sales")
    page = sales.get(address(preparing, "change"))
    assert "B-2: 5 too many." in page.text
    assert "B-2: 5 too many." in sales.get(sheet_of(preparing)).text
    sales.post(sheet_of(preparing), filled(preparing, (20, "", ""), (35, "short", "")))
    assert (fresh(preparing).status, fresh(preparing).packing_status) == (OrderStatus.CONFIRMED, 1)
    assert fresh(preparing).events.filter(kind="packing").last().text.startswith("Opened again")
    pack(preparing)


def test_what_was_packed_stands_through_a_confirmation_that_changes_nothing(preparing):
    pack(preparing)
    assert confirm(preparing).packing_status == Order.Packing.COMPLETE


def test_a_back_order_is_not_packed_beyond_the_shelf_at_preparing(db):
    product = make_product(on_hand=0)
    order = make_order_at(OrderStatus.PREPARING, make_buyer(stock_free=True), [(product, 20)])
    with pytest.raises(StaffRefusal, match="20 pieces, and 0 on the shelf"):
        pack(order)
    sheet = staff_client("Sales").get(address(order))
    said = f"{product.sku}: 20 pieces, and 0 on the shelf."
    assert said in sheet.context["check"]["missing"], "said before the button is pressed"


def test_the_fee_is_proposed_by_measured_weight_and_country(preparing):
    ShippingRate.objects.create(country=None, per_kg="9.00")
    Order.objects.filter(pk=preparing.pk).update(measured_weight_g=7_920)
    assert proposed_fee(fresh(preparing)).amount == Decimal("72.00"), "8.0 kg as shown"
    poland = preparing.ship_country
    ShippingRate.objects.create(country=poland, per_kg="4.10", at_least="40.00")
    fee = proposed_fee(fresh(preparing))
    assert fee == (Decimal("40.00"), f"8 kg at 4.10 to {poland}, at least 40.00")
    Order.objects.filter(pk=preparing.pk).update(measured_weight_g=None)
    assert proposed_fee(fresh(preparing)) is None, "nothing is guessed"


def test_the_sheet_shows_the_proposal_and_takes_it_only_from_whoever_confirms(preparing):
    ShippingRate.objects.create(country=None, per_kg="9.00")
    save(preparing, (20, "", ""), (40, "", ""), shipping_fee="")
    pack(preparing)
    page = staff_client("Sales").get(sheet_of(preparing))
    assert page.context["form"]["shipping_fee"].value() == Decimal("72.00")
    assert "8 kg at 9.00 to" in page.text
    assert fresh(preparing).shipping_fee == 0


def test_one_rate_stands_for_all_other_countries(preparing):
    add = reverse("admin:orders_shippingrate_add")
    sales = staff_client("Sales")
    for _ in range(2):
        page = sales.post(add, {"country": "", "per_kg": "9.00", "at_least": "0"})
    assert page.status_code == 200, "the second is refused"
    assert ShippingRate.objects.count() == 1
    assert staff_client("Approvers").get(add).status_code == 403


def test_buyers_see_nothing_of_the_packing_before_status_3(preparing, sign_in):
    pack(preparing)
    api = sign_in(buyer_of(preparing.user))

    def seen() -> dict:
        answer = api.get(f"/api/details/{preparing.invoice_code}").json()
        return {**answer["order"], "boxes": len(answer["box"])}

    hidden, columns = seen(), ("packing_status", "packing_build_date", "weight", "boxes")
    assert [hidden[name] for name in columns] == [0, None, None, 0]
    confirm(preparing)
    assert (seen()["packing_status"], seen()["boxes"]) == (2, 1)


def test_an_ean_is_a_code_wherever_a_sku_is(preparing):
    product = preparing.lines.get(sku="B-2").product
    gift = make_product(sku="GIFT-1")
    Product.objects.filter(pk=product.pk).update(ean="9528804087689")
    Product.objects.filter(pk=gift.pk).update(ean="9528804087696")
    rows = "1\t1\t8\t52 cm\t40cm\t34\tA-1\t20\n\t\t\t\t\t\t9528804087689\t40"
    address_of = address(preparing)
    sales = staff_client("Sales")
    assert sales.post(address_of, body(preparing, rows)).status_code == 302
    assert packing_differences(preparing) == []
    added = ({"sku": "9528804087696", "quantity": 24, "reason": "free_offer"},)
    save(preparing, added=added)
    assert [str(text) for text in packing_differences(preparing)] == ["GIFT-1: 24 not packed."]
    other = make_product(sku="TWIN")
    Product.objects.filter(pk=other.pk).update(ean="9528804087696")
    page = sales.post(sheet_of(preparing), filled(preparing, added=added))
    assert "no product with this SKU or EAN" in page.text, "which of two is not guessed"


def test_korean_headings_and_units_are_read_in_a_paste(preparing):
    head = "박스\t무게\t가로\t세로\t높이\t상품코드\t상품명\t수량"
    rows = f"{head}\n1\t8.1 kg\t52\t40 cm\t34\tA-1\tSerum\t20"
    page = staff_client("Sales").post(address(preparing, "packing_check"), body(preparing, rows))
    answer = page.json()
    assert answer["cells"] == {}
    assert (answer["totals"]["packed"], answer["totals"]["measured"]) == ("20", "8.1 kg")

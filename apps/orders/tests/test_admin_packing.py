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

from apps.accounts.tests.factories import make_buyer
from apps.accounts.tests.staff import shown_messages, staff_client
from apps.catalog.tests.factories import make_product
from apps.orders.admin.packing_cells import read_boxes, rows_of_boxes, rows_of_text, text_of_rows
from apps.orders.models import Order, OrderEvent
from apps.orders.rules import Box, Contents
from apps.orders.selectors.packing import boxes_of
from apps.orders.status import OrderStatus
from apps.orders.tests.factories import make_order_at, one_box, pack

pytestmark = pytest.mark.django_db
# 7.75 kg; the products weigh 7.2
ROWS = "1\t1\t2,55\t52\t40\t34\tA-1\t20\n2\t1\t5.2\t52\t40\t34\tb-2\t40"


@pytest.fixture
def sales() -> Client:
    return staff_client("Sales", manager="Mina Park")


@pytest.fixture
def order() -> Order:
    lines = [(make_product(sku="A-1"), 20), (make_product(sku="B-2"), 40)]
    return make_order_at(OrderStatus.CONFIRMED, make_buyer(), lines)


def address(order: Order, name: str = "packing") -> str:
    return reverse(f"admin:orders_order_{name}", args=[order.pk])


def body(order: Order, rows: str = ROWS, **fields: Any) -> dict[str, Any]:
    version = Order.objects.get(pk=order.pk).version
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
    return Order.objects.get(pk=order.pk).packing_status


class TestSheet:
    def test_a_new_sheet_holds_everything_that_is_confirmed(self, sales, order):
        page = sales.get(address(order))
        assert page.context["rows_text"] == "1\t1\t\t\t\t\tA-1\t20\n\t\t\t\t\t\tB-2\t40\n"
        assert [
            (line["sku"], line["confirmed"], line["packed"])
            for line in page.context["check"]["compared"]
        ] == [
            ("A-1", 20, 20),
            ("B-2", 40, 40),
        ]
        assert page.context["check"]["missing"] == ["Box 1 has no weight."]

    def test_a_new_sheet_has_the_terms_of_the_companys_last_order(self, sales, order):
        pack(order)
        Order.objects.filter(pk=order.pk).update(packing_terms="DAP Oslo")
        later = make_order_at(OrderStatus.CONFIRMED, make_buyer(company=order.company))
        assert sales.get(address(later)).context["form"]["terms"].value() == "DAP Oslo"

    def test_saving_keeps_boxes_and_details_and_stays_on_the_sheet(self, sales, order):
        page = sales.post(address(order), body(order), follow=True)
        saved = Order.objects.get(pk=order.pk)
        assert packed(order) == [(1, 2_550, [20]), (1, 5_200, [40])]
        assert (saved.packing_status, saved.packing_remarks, saved.packing_terms) == (
            1,
            "Keep dry",
            "EXW Seoul",
        )
        assert page.redirect_chain[-1][0].endswith(f"/packing/?saved={saved.version}")
        assert shown_messages(page) == [f"{order}: Packing saved."]
        assert LogEntry.objects.get().get_change_message() == "Packing saved"

    def test_completing_leads_back_to_the_order(self, sales, order):
        page = sales.post(address(order), body(order, complete="1"), follow=True)
        assert (state(order), Order.objects.get(pk=order.pk).measured_weight_g) == (2, 7_750)
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
        assert (
            "said to be right as it is"
            in OrderEvent.objects.filter(order=order, kind="packing").latest("id").text
        )

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
        "fields",
        [
            {"version": "x"},
            {"version": ""},
            {"build_date": "14.11."},
            {"terms": "x" * 201},
            {"rows": '\0\t"1'},
        ],
    )
    def test_a_broken_form_is_no_error_page(self, sales, order, fields):
        assert sales.post(address(order), {**body(order), **fields}).status_code == 200
        assert state(order) == 0

    def test_who_was_quicker_is_told_with_both_values(self, sales, order):
        mine = body(order, remarks="Mine")
        other = staff_client("Sales", manager="Jun Lim")
        other.post(address(order), body(order, ROWS.replace("5.2", "5.1"), remarks="Theirs"))
        page = sales.post(address(order), mine)
        assert page.status_code == 409
        assert "Jun Lim changed this order" in shown_messages(page)[0]
        assert {row["what"]: (row["saved"], row["sent"]) for row in page.context["conflicts"]} == {
            "Remarks": ("Theirs", "Mine"),
            "Weight": ("7.7 kg", "7.8 kg"),
        }
        form = page.context["form"]
        assert (form["remarks"].value(), form["terms"].value()) == ("Mine", "EXW Seoul")
        sales.post(address(order), {**mine, "version": form["version"].value()})
        assert Order.objects.get(pk=order.pk).packing_remarks == "Mine"

    def test_a_complete_packing_is_read_until_it_is_opened_again(self, sales, order):
        pack(order)
        page = sales.get(address(order))
        assert not page.context["editable"]
        version = Order.objects.get(pk=order.pk).version
        assert (
            "changed this order"
            in shown_messages(
                sales.post(address(order), {"reopen": "1", "version": 1}, follow=True)
            )[0]
        )
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

    def told(self, sales: Client, order: Order, rows: str, **fields: str) -> Any:
        return sales.post(address(order, "packing_check"), {"rows": rows, **fields}).json()

    def test_sums_names_and_box_numbers_of_the_rows_as_they_are(self, sales, order):
        check = self.told(sales, order, ROWS.replace("2\t1\t5.2", "2\t3\t5.2"))
        assert [(row["box"], row["differs"]) for row in check["rows"]] == [
            ("1", False),
            ("2–4", True),
        ]
        assert check["totals"] == {
            "boxes": "4 boxes",
            "packed": "140",
            "confirmed": "60",
            "difference": "+80",
            "measured": "18.2 kg",
            "products": "16.8 kg",
            "percent": "8 % above",
        }
        assert check["compared"][1] | {"name": ""} == {
            "sku": "B-2",
            "name": "",
            "confirmed": 40,
            "packed": 120,
            "sign": "+80",
        }
        assert (check["told"], check["may_complete"]) == ("B-2: 80 too many.", False)

    def test_faults_stand_at_their_cells_and_before_what_is_missing(self, sales, order):
        check = self.told(sales, order, ROWS.replace("5.2", "heavy").replace("b-2", "nobody"))
        assert check["cells"] == {
            "1-kg": "“heavy” is not a number.",
            "1-sku": "There is no product NOBODY.",
        }
        assert check["missing"] == [
            "2 cells cannot be read.",
            "B-2: 40 not packed.",
            "Box 2 has no weight.",
            "Box 2 is empty.",
        ]
        assert [(row["name"] == "not in this order", row["differs"]) for row in check["rows"]] == [
            (False, False),
            (True, True),
        ]

    def test_a_sheet_that_agrees_may_be_completed(self, sales, order):
        check = self.told(sales, order, ROWS)
        assert (check["missing"], check["told"], check["may_complete"]) == (
            [],
            "Every piece is packed.",
            True,
        )
        assert check["totals"]["difference"] == "✓"

    def test_an_unusual_weight_waits_for_its_tick(self, sales, order):
        rows = ROWS.replace("5.2", "9.2")
        check = self.told(sales, order, rows)
        assert (check["is_unusual"], check["may_complete"]) == (True, False)
        assert check["told"] == "Say whether the weight is right as it is."
        assert self.told(sales, order, rows, weight_is_right="on")["may_complete"]

    def test_nothing_is_kept(self, sales, order):
        self.told(sales, order, ROWS)
        assert (state(order), packed(order), LogEntry.objects.count()) == (0, [], 0)


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
        sales.post(
            address(order), {"reopen": "1", "version": Order.objects.get(pk=order.pk).version}
        )
        page = self.upload(sales, order, content)
        sales.post(address(order), body(order, page.context["rows_text"]))
        assert boxes_of(order_id=order.pk) == [one_box(order)]

    def test_columns_are_found_by_their_headings_and_unknown_ones_are_named(self, sales, order):
        text = "Lot;Qty;SKU;Carton no;Weight (kg)\n7;20;A-1;1;2,5\n8;40;B-2;1;\n"
        page = self.upload(sales, order, text.encode(), "boxes.csv")
        assert shown_messages(page) == [
            "2 rows of boxes.csv. Nothing is saved yet. Columns not used: Lot."
        ]
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
        assert shown_messages(sales.post(address(order), body(order, **{"import": "1"}))) == [
            "Choose an XLSX or CSV file."
        ]


class TestRows:
    def test_boxes_survive_being_written_and_read(self):
        boxes = [
            Box(
                2,
                14_205,
                Decimal("52.5"),
                Decimal(40),
                Decimal(34),
                (Contents(1, 60), Contents(2, 1)),
            ),
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
        assert [(box.count, [item.quantity for item in box.contents]) for box in boxes] == [
            (1, [1, 2]),
            (2, [3]),
            (1, [4, 5]),
        ]

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

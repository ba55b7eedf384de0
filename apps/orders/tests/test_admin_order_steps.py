"""What each button of an order's page does, and how refusals look."""

from datetime import UTC, datetime

import pytest
from django.contrib.admin.models import LogEntry
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from apps.accounts.selectors import Buyer
from apps.accounts.tests.factories import make_buyer
from apps.accounts.tests.staff import shown_messages, staff_client, staff_in
from apps.common.testing import SMALL_PDF
from apps.orders.models import Order, OrderDocument, OrderEvent
from apps.orders.services.conversation import leave_message
from apps.orders.status import OrderStatus
from apps.orders.tests.factories import make_order, make_order_at, pack

pytestmark = pytest.mark.django_db


@pytest.fixture
def sales() -> Client:
    return staff_client("Sales", manager="Mina Park")


def page_of(order: Order) -> str:
    return reverse("admin:orders_order_change", args=[order.pk])


def step(name: str, order: Order) -> str:
    return reverse(f"admin:orders_order_{name}", args=[order.pk])


def say(buyer: Buyer, order: Order, text: str) -> None:
    code, kind = order.invoice_code, OrderEvent.Kind.MESSAGE
    leave_message(buyer=buyer, invoice_code=code, kind=kind, text=text, now=datetime.now(UTC))


class TestSteps:
    def test_prepare_moves_the_order_and_writes_who_did_it(self, sales):
        order = make_order(make_buyer())
        page = sales.post(step("prepare", order), follow=True)
        assert Order.objects.get(pk=order.pk).status == OrderStatus.PREPARING
        assert OrderEvent.objects.get(order=order, to_status=2).actor.manager == "Mina Park"
        assert LogEntry.objects.get().get_change_message() == "Preparing started"
        assert shown_messages(page) == [f"{order}: Preparing started."]

    def test_a_step_needs_the_csrf_token(self):
        client = Client(enforce_csrf_checks=True)
        client.force_login(staff_in("Sales"), backend="django.contrib.auth.backends.ModelBackend")
        order = make_order(make_buyer())
        assert client.post(step("prepare", order)).status_code == 403

    def test_a_refused_step_is_a_message(self, sales):
        order = make_order_at(OrderStatus.PAID, make_buyer())
        page = sales.post(step("prepare", order), follow=True)
        assert page.status_code == 200
        assert "status does not allow it" in shown_messages(page)[0]
        assert not LogEntry.objects.exists()

    def test_shipping_needs_a_number_and_an_address(self, sales):
        order = make_order_at(OrderStatus.PAID, make_buyer())
        page = sales.post(
            step("ship", order), {"tracking_number": "", "shipping_url": "javascript:alert(1)"}
        )
        assert page.status_code == 200
        assert set(page.context["form"].errors) == {"tracking_number", "shipping_url"}
        assert Order.objects.get(pk=order.pk).status == OrderStatus.PAID

    def test_shipping_moves_the_order(self, sales):
        order = pack(make_order_at(OrderStatus.PAID, make_buyer()))
        fields = {"tracking_number": " DHL-9 ", "shipping_url": "https://carrier.test/9"}
        assert sales.post(step("ship", order), fields).headers["Location"] == page_of(order)
        shipped = Order.objects.get(pk=order.pk)
        assert (shipped.status, shipped.tracking_number) == (OrderStatus.SHIPPED, "DHL-9")

    def test_an_order_that_is_not_packed_does_not_ship(self, sales):
        order = make_order_at(OrderStatus.PAID, make_buyer())
        fields = {"tracking_number": "DHL-9", "shipping_url": "https://carrier.test/9"}
        page = sales.post(step("ship", order), fields)
        assert shown_messages(page) == [f"{order}: Packing is not complete."]
        assert Order.objects.get(pk=order.pk).status == OrderStatus.PAID

    def test_shipping_too_early_keeps_the_input_and_says_why(self, sales):
        order = make_order(make_buyer())
        fields = {"tracking_number": "DHL-9", "shipping_url": "https://carrier.test/9"}
        page = sales.post(step("ship", order), fields)
        assert "status does not allow it" in shown_messages(page)[0]
        assert "DHL-9" in page.text

    def test_messages_can_be_marked_read_alone(self, sales):
        buyer = make_buyer()
        order = make_order(buyer)
        say(buyer, order, "Hello")
        sales.post(step("read", order))
        assert not Order.objects.get(pk=order.pk).message_unread
        sales.post(step("read", order))
        assert (
            order.events.filter(kind=OrderEvent.Kind.READ).count() == 1
        )  # the second time there was nothing to read


class TestDocuments:
    def test_a_document_is_added_opened_and_removed(self, sales):
        order = make_order(make_buyer())
        file = SimpleUploadedFile("any.pdf", SMALL_PDF)
        sales.post(step("document", order), {"title": "Proforma", "file": file})
        document = OrderDocument.objects.get(order=order)
        answer = sales.get(reverse("admin:orders_order_file", args=[order.pk, document.pk]))
        assert b"".join(answer.streaming_content) == SMALL_PDF
        assert "attachment" in answer["Content-Disposition"]
        sales.post(reverse("admin:orders_order_remove", args=[order.pk, document.pk]))
        assert not OrderDocument.objects.exists()

    def test_the_page_sends_the_file_itself(self, sales):
        order = make_order(make_buyer())
        assert 'enctype="multipart/form-data"' in sales.get(step("document", order)).text
        assert "multipart" not in sales.get(step("ship", order)).text

    def test_a_file_of_another_kind_is_refused_at_its_field(self, sales):
        order = make_order(make_buyer())
        file = SimpleUploadedFile("page.pdf", b"<html><script>alert(1)</script>")
        page = sales.post(step("document", order), {"title": "Page", "file": file})
        assert page.status_code == 200
        assert "file" in page.context["form"].errors
        assert not OrderDocument.objects.exists()

    def test_a_document_of_another_order_is_not_found(self, sales):
        buyer = make_buyer()
        order, other = make_order(buyer), make_order(buyer)
        sales.post(
            step("document", order), {"title": "A", "file": SimpleUploadedFile("a.pdf", SMALL_PDF)}
        )
        document = OrderDocument.objects.get()
        for name in ("file", "remove"):
            url = reverse(f"admin:orders_order_{name}", args=[other.pk, document.pk])
            assert sales.post(url).status_code == 404
        assert OrderDocument.objects.exists()

"""The parcel of a shipped order: its carrier, its number, and how both are corrected."""

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from post_office.models import Email

from apps.accounts.selectors import Buyer
from apps.accounts.tests.factories import make_buyer
from apps.accounts.tests.staff import shown_messages, staff_client
from apps.common.errors import WrongStatus
from apps.common.mail import write_texts
from apps.common.testing import ContractClient
from apps.orders import carriers
from apps.orders.carriers import Carrier, carrier_name, number_fault, tracking_link
from apps.orders.errors import StaffRefusal
from apps.orders.models import FormerTracking, Order, OrderEvent
from apps.orders.selectors.orders import seller_date
from apps.orders.services.packing import correct_tracking, ship_order
from apps.orders.status import OrderStatus
from apps.orders.tests.factories import TRACKING, make_order_at, make_sales, pack, stock_of

pytestmark = pytest.mark.django_db

NEW = {"tracking_number": "DHL-321", "shipping_url": "https://carrier.test/DHL-321"}


def correct(order: Order, **fields: Any) -> Order:
    """Correct the parcel of an order: its number, unless a carrier is named."""
    parcel = {"tracking_number": order.tracking_number} if "carrier" in fields else NEW
    given = {**parcel, "reason": "Two digits swapped", "seen": order.tracking_number, "letter": ""}
    return correct_tracking(
        order_id=order.pk, actor=make_sales(), now=datetime.now(UTC), **{**given, **fields}
    )


@pytest.fixture
def shipped():
    order = make_order_at(OrderStatus.SHIPPED, make_buyer(email="anna@portal.test"))
    Email.objects.all().delete()
    return order


def test_the_order_has_the_new_number_and_the_old_one_is_kept(shipped):
    stock = stock_of(shipped.lines.get().product)
    correct(shipped)
    order = Order.objects.get()
    assert (order.tracking_number, order.shipping_url) == tuple(NEW.values())
    for name in ("status", "status_at", "received"):
        assert getattr(order, name) == getattr(shipped, name)
    assert stock_of(shipped.lines.get().product) == stock
    was = FormerTracking.objects.get()
    assert (was.tracking_number, was.shipping_url) == tuple(TRACKING.values())
    assert was.note == "Two digits swapped"
    assert OrderEvent.objects.get(kind="tracking").text == "DHL-123 → DHL-321: Two digits swapped"


def test_the_buyer_gets_the_letter_with_both_numbers(shipped):
    correct(shipped, letter="Dear Anna,\r\nplease use the new number.")
    mail = Email.objects.get()
    assert mail.to == ["anna@portal.test"]
    assert mail.subject == f"Shipment details corrected: {shipped.invoice_code}"
    text = write_texts(mail).message
    for part in ("please use the new number.", *NEW.values(), "DHL-123"):
        assert part in text


@pytest.mark.parametrize("fields", [{"seen": "DHL-1"}, {"shipping_url": ""}, TRACKING])
def test_what_is_wrong_changes_nothing(shipped, fields):
    with pytest.raises(StaffRefusal):
        correct(shipped, **fields)
    assert Order.objects.get().tracking_number == "DHL-123"
    assert not FormerTracking.objects.exists()
    assert not Email.objects.exists()


def test_an_order_that_has_not_shipped_has_no_number_to_correct():
    with pytest.raises(WrongStatus):
        correct(make_order_at(OrderStatus.PAID, make_buyer()), seen="")


# Its page
SENT = {**NEW, "reason": "Swapped", "seen": "DHL-123", "send": "on", "letter": "Dear Anna"}


def send(order: Order, **fields: str) -> Any:
    page = f"/admin/orders/order/{order.pk}/tracking/"
    return staff_client("Sales").post(page, {**SENT, **fields}, follow=True)


def test_the_page_corrects_and_shows_the_old_number_struck(shipped):
    page = send(shipped)
    assert shown_messages(page) == [f"{shipped}: Tracking number corrected to DHL-321."]
    assert "<del>DHL-123</del>" in page.text
    assert Email.objects.count() == 1
    shown = staff_client("Sales").get(f"/admin/orders/order/{shipped.pk}/tracking/")
    assert [row["number"] for row in shown.context["numbers"]] == ["DHL-321", "DHL-123"]


def test_an_unticked_mail_is_not_sent(shipped):
    send(shipped, send="")
    assert Order.objects.get().tracking_number == "DHL-321"
    assert not Email.objects.exists()


def test_the_number_of_somebody_quicker_is_shown_and_the_input_kept(shipped):
    correct(shipped, letter=None)
    page = send(shipped, tracking_number="DHL-777")
    assert "The tracking number is now DHL-321" in shown_messages(page)[0]
    assert 'value="DHL-777"' in page.text
    assert page.context["form"]["seen"].value() == "DHL-321"


def test_the_old_number_still_finds_the_order(shipped):
    correct(shipped)
    client = staff_client("Sales")
    jump = client.get("/admin/jump/", {"q": "DHL-123"})
    assert jump.headers["Location"] == f"/admin/orders/order/{shipped.pk}/change/"
    found = client.get("/admin/orders/order/", {"status": "all", "q": "DHL-123"})
    assert found.context["cl"].result_count == 1


# Carriers


NOW = datetime.now(UTC)
TODAY = seller_date(NOW)
SOON = TODAY + timedelta(days=6)
DHL = (
    "https://www.dhl.com/global-en/home/tracking/tracking-express.html"
    "?submit=1&tracking-id=4719283056"
)


@pytest.fixture
def paid(buyer: Buyer) -> Order:
    order = pack(make_order_at(OrderStatus.PAID, buyer))
    Email.objects.all().delete()
    return order


def ship(order: Order, **parcel: Any) -> Order:
    given = {"tracking_number": "4719 2830 56", **parcel}
    return ship_order(order_id=order.pk, actor=make_sales(), now=NOW, **given)


def test_each_carrier_by_name_has_a_link_and_another_one_has_none() -> None:
    assert set(carriers.TRACKING) == set(Carrier) - {Carrier.OTHER}
    assert tracking_link("dhl", " 4719 2830 56") == DHL
    assert tracking_link("ups", "1Z&x=1/2").endswith("tracknum=1Z%26x%3D1%2F2")
    assert (tracking_link("other", "1"), tracking_link("", "1")) == ("", "")
    assert (carrier_name("dhl"), carrier_name("other"), carrier_name("")) == ("DHL Express", "", "")


@pytest.mark.parametrize(
    ("carrier", "right", "wrong"),
    [
        ("dhl", ("4719 2830 56", "JJD0099999999"), ("12", "47192830567", "EE123456789KR")),
        ("fedex", ("7777 8888 9999", "123456789012345"), ("4719283056",)),
        ("ups", ("1z9999w99999999999", "T1234567890"), ("1Z9999", "4719283056")),
        ("ems", ("ee 123 456 789 kr",), ("EE12345678KR", "4719283056")),
    ],
)
def test_a_number_looks_like_its_carriers(
    carrier: str, right: Sequence[str], wrong: Sequence[str]
) -> None:
    assert [number_fault(carrier, number) for number in right] == [""] * len(right)
    for number in wrong:
        assert "choose “Another carrier”" in number_fault(carrier, number)
        assert (number_fault("other", number), number_fault("", number)) == ("", "")


def test_the_link_of_a_known_carrier_is_made_and_told(api: ContractClient, paid: Order) -> None:
    Order.objects.filter(pk=paid.pk).update(ship_city="Hamburg")
    ship(paid, carrier="dhl", shipping_url="https://elsewhere.test/", expected_on=SOON)
    head = api.get(f"/api/details/{paid.invoice_code}").json()["order"]
    told = [head[name] for name in ("carrier", "shipping_url", "expected_on")]
    assert told == ["DHL Express", DHL, f"{SOON}"]
    assert head["next_step"]["text"] == f"Expected in Hamburg by {SOON:%a %-d %b}."
    event = OrderEvent.objects.get(order=paid, to_status=5)
    assert event.text == f"4719 2830 56, DHL Express, expected {SOON}"
    text = write_texts(Email.objects.get()).message
    for fact in ("Carrier: DHL Express", "Tracking number: 4719 2830 56", f"Track: {DHL}"):
        assert fact in text
    assert f"Expected: {SOON:%-d %B %Y}" in text


def test_another_carrier_needs_no_link_and_an_old_order_reads_as_before(
    api: ContractClient, paid: Order
) -> None:
    ship(paid, carrier="other")
    head = api.get(f"/api/details/{paid.invoice_code}").json()["order"]
    told = [head[name] for name in ("tracking_number", "shipping_url", "carrier")]
    assert told == ["4719 2830 56", "", ""]
    assert (head["expected_on"], head["next_step"]["text"]) == (None, "")
    text = write_texts(Email.objects.get()).message
    assert "Tracking number: 4719 2830 56" in text
    assert not any(label in text for label in ("Carrier:", "Track:", "Expected:"))


@pytest.mark.parametrize(
    ("parcel", "field"),
    [
        ({"carrier": ""}, "shipping_url"),
        ({"carrier": "dhl", "tracking_number": "471928305"}, "tracking_number"),
        ({"carrier": "dhl", "expected_on": TODAY - timedelta(days=1)}, "expected_on"),
        ({"carrier": "dhl", "expected_on": date(2062, 1, 1)}, "expected_on"),
    ],
)
def test_what_cannot_be_is_refused_at_its_field(
    paid: Order, parcel: dict[str, Any], field: str
) -> None:
    with pytest.raises(StaffRefusal) as refusal:
        ship(paid, **parcel)
    assert set(refusal.value.errors or {}) == {field}
    assert Order.objects.get(pk=paid.pk).status == OrderStatus.PAID


def test_carrier_and_day_are_corrected_what_was_is_kept_and_the_buyer_is_told(paid: Order) -> None:
    order = ship(paid, carrier="dhl", expected_on=SOON)
    Email.objects.all().delete()
    later = SOON + timedelta(days=2)
    correct(order, carrier="other", expected_on=later, reason="Typed wrongly")
    order.refresh_from_db()
    assert (order.carrier, order.expected_on, order.shipping_url) == ("other", later, "")
    was = FormerTracking.objects.get()
    assert (was.carrier, was.expected_on, was.shipping_url) == ("dhl", SOON, DHL)
    assert OrderEvent.objects.get(kind="tracking").text == (
        f"4719 2830 56, DHL Express, expected {SOON} → 4719 2830 56, "
        f"expected {later}: Typed wrongly"
    )
    mail = Email.objects.get()
    assert mail.subject == f"Shipment details corrected: {order.invoice_code}"
    text = write_texts(mail).message
    assert f"Expected: {later:%-d %B %Y}" in text
    assert "Replaces" not in text
    with pytest.raises(StaffRefusal):
        correct(order, carrier="other", expected_on=later)


def test_staff_choose_the_carrier_where_the_number_is_entered_and_corrected(paid: Order) -> None:
    sales = staff_client("Sales")
    page = f"/admin/orders/order/{paid.pk}/ship/"
    refused = post(sales, page, carrier="", expected_on="2062-01-01")
    assert set(refused.context["form"].errors) == {"shipping_url"}
    assert f"Mail to {paid.user.email}" in refused.text
    assert post(sales, page, carrier="dhl", expected_on=f"{SOON}").headers["Location"]
    letter, email = refused.context["letter"], Email.objects.latest("id")
    assert email.subject == letter.subject
    assert email.context["values"]["text"] == letter.context["text"]
    order = Order.objects.get(pk=paid.pk)
    assert (order.carrier, order.expected_on, order.status) == ("dhl", SOON, OrderStatus.SHIPPED)
    html = sales.get(f"/admin/orders/order/{paid.pk}/change/").content.decode()
    assert f"DHL Express, expected {SOON}" in html
    page = f"/admin/orders/order/{paid.pk}/tracking/"
    form = sales.get(page).content.decode()
    assert '<option value="dhl" selected>' in form
    assert f'value="{SOON}"' in form
    email = post(
        sales, page, carrier="other", reason="It goes by ship", seen="4719283056", expected_on=""
    )
    assert email.headers["Location"]
    order.refresh_from_db()
    assert (order.carrier, order.shipping_url, order.expected_on) == ("other", "", None)
    assert 'href=""' not in sales.get(f"/admin/orders/order/{paid.pk}/change/").content.decode()


def post(client: Client, page: str, **fields: str) -> Any:
    return client.post(page, {"tracking_number": "4719283056", "shipping_url": "", **fields})

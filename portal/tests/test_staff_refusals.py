"""Refusals in the staff's frame: forms older than the sign-in, pages of other groups, addresses
with nothing.
"""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from apps.accounts.models import Company
from apps.accounts.tests.factories import make_buyer
from apps.accounts.tests.staff import signed_in, staff_client, staff_in
from apps.orders.models import Order
from apps.orders.status import OrderStatus
from apps.orders.tests.factories import make_order, make_order_at

pytestmark = pytest.mark.django_db

OWN = "http://testserver"
SHORT_TEXT = (403, "text/plain; charset=utf-8")


def signed_in_anew(group: str | None = "Sales") -> Client:
    """Return a browser whose form is of an earlier sign-in: the token in it is not the cookie's."""
    client = signed_in(staff_in(group), enforce_csrf_checks=True)
    client.get("/admin/orders/order/")
    client.cookies["csrftoken"] = "a" * 32
    return client


def send(client: Client, path: str, fields: dict, origin: str = OWN, **headers: str):
    older = {"csrfmiddlewaretoken": "b" * 32, **fields}
    return client.post(path, older, headers={"origin": origin, **headers})


def form_of(page) -> dict[str, str]:
    """Return the fields of a form of Django's own as its page has them, without rows."""
    fields = {field.name: field.value() or "" for field in page.context["adminform"].form}
    for inline in page.context["inline_admin_formsets"]:
        fields |= {f"{inline.formset.prefix}-{name}_FORMS": "0" for name in ("TOTAL", "INITIAL")}
    return fields


class TestOlderForm:
    def test_nothing_is_done_and_what_was_typed_is_kept(self):
        order = make_order_at(OrderStatus.PREPARING, make_buyer())
        path = f"/admin/orders/order/{order.pk}/cancel/"
        page = send(signed_in_anew(), path, {"words": 'Sold out, "sorry"\nreally', "by_terms": "0"})
        assert page.status_code == 403
        assert Order.objects.get().status == OrderStatus.PREPARING
        assert "Nothing has been done." in page.text
        assert f"<dd>Orders, {order.invoice_code}</dd>" in page.text
        trail = [("Orders", "/admin/orders/order/"), (order.invoice_code, path)]
        assert page.context["trail"] == trail
        assert page.context["fields"] == [("words", 'Sold out, "sorry"\nreally'), ("by_terms", "0")]
        assert "Sold out, &quot;sorry&quot;" in page.text
        assert 'id="nav-sidebar"' in page.text, "it stands in the frame"
        assert "Send it again unchanged" not in page.text, "cancelling cannot be taken back"

    def test_what_can_be_taken_back_is_sent_again_by_one_press(self):
        company = make_buyer().company_id
        client = signed_in_anew("Approvers")
        path = f"/admin/accounts/company/{company}/change/"
        fields = {**form_of(client.get(f"{path}?edit=1")), "name": "Glow Ltd", "_save": "Save"}
        page = send(client, path, fields)
        assert "Send it again unchanged" in page.text
        again = dict(page.context["fields"])
        again["csrfmiddlewaretoken"] = str(page.context["csrf_token"])
        assert client.post(path, again, headers={"origin": OWN}).status_code == 302
        assert Company.objects.get(pk=company).name == "Glow Ltd"

    def test_it_says_what_was_changed_since_it_was_opened_by_whom_and_what_stands_there_now(self):
        company, opened = make_buyer().company_id, timezone.now() - timedelta(minutes=5)
        path = f"/admin/accounts/company/{company}/change/"
        other, client = staff_client("Approvers"), signed_in_anew("Approvers")
        fields = form_of(other.get(f"{path}?edit=1"))
        other.post(path, {**fields, "name": "Glow GmbH"})
        page = send(client, path, {**fields, "name": "Glow Ltd", "_opened": opened.isoformat()})
        (_, who, what), *more = page.context["since"]
        assert (who, more) == (other.get("/admin/").context["user"].get_short_name(), [])
        assert "Name" in what
        assert ("Name", "Glow Ltd", "Glow GmbH") in page.context["typed"]
        assert "now Glow GmbH" in page.text

    def test_what_was_done_before_it_was_opened_is_not_named(self):
        order = make_order(make_buyer())
        staff_client("Sales").post(f"/admin/orders/order/{order.pk}/prepare/")
        path, later = (
            f"/admin/orders/order/{order.pk}/answer/",
            timezone.now() + timedelta(minutes=1),
        )
        for opened in (later.isoformat(), "yesterday"):
            page = send(signed_in_anew(), path, {"text": "Hello", "_opened": opened})
            assert page.context["since"] == []

    def test_the_page_is_the_one_on_which_the_button_was(self):
        order = make_order(make_buyer())
        came = f"{OWN}/admin/orders/order/{order.pk}/change/"
        page = send(signed_in_anew(), f"/admin/orders/order/{order.pk}/prepare/", {}, referer=came)
        assert page.context["page"] == f"/admin/orders/order/{order.pk}/change/"
        assert Order.objects.get().status == OrderStatus.RECEIVED

    def test_another_sites_page_leads_nowhere(self):
        order = make_order(make_buyer())
        path = f"/admin/orders/order/{order.pk}/answer/"
        page = send(signed_in_anew(), path, {"text": "Hello"}, referer="https://evil.test/admin/x/")
        assert page.context["page"] == path

    def test_passwords_are_never_kept(self):
        words = {"old_password": "secret-1", "new_password1": "x"}
        page = send(signed_in_anew(), "/admin/password_change/", words)
        assert page.status_code == 403
        assert "secret-1" not in page.text
        assert "Passwords are not kept" in page.text

    def test_files_must_be_chosen_again(self):
        order = make_order_at(OrderStatus.CONFIRMED, make_buyer())
        path = f"/admin/orders/order/{order.pk}/documents/add/"
        with open(__file__, "rb") as file:
            page = send(signed_in_anew(), path, {"title": "A", "file": file})
        assert page.context["files"] == ["test_staff_refusals.py"]
        assert "Send it again" not in page.text.split("“Send it again”")[0]

    @pytest.mark.parametrize("origin", ["https://evil.test", ""])
    def test_a_form_of_another_site_gets_a_short_text_and_no_button(self, origin):
        order = make_order(make_buyer())
        path = f"/admin/orders/order/{order.pk}/answer/"
        page = send(signed_in_anew(), path, {"text": "Give it away"}, origin)
        assert (page.status_code, page.headers["Content-Type"]) == SHORT_TEXT
        assert "Give it away" not in page.text

    def test_whoever_has_no_sign_in_any_more_signs_in_first(self):
        page, path = "/admin/orders/order/5/change/", "/admin/orders/order/5/answer/"
        for visitor in (Client(), Client(enforce_csrf_checks=True)):
            for came_from, back in ((OWN + page, page), ("https://evil.test/admin/", path)):
                headers = {"origin": OWN, "referer": came_from}
                answer = visitor.post(path, {"text": "x"}, headers=headers)
                assert answer.headers["Location"] == f"/admin/login/?next={back}"
        for elsewhere in ("https://evil.test", ""):
            answer = visitor.post(path, {"text": "x"}, headers={"origin": elsewhere})
            assert (answer.status_code, answer.headers["Content-Type"]) == SHORT_TEXT

    def test_a_visitor_gets_a_short_text(self):
        names = {"username": "x", "password": "y"}
        page = send(Client(enforce_csrf_checks=True), "/admin/login/", names)
        assert (page.status_code, page.headers["Content-Type"]) == SHORT_TEXT


class TestForbidden:
    def test_it_stands_in_the_frame_and_says_for_whom_it_is(self):
        page = staff_client("Sales").get("/admin/accounts/user/")
        assert page.status_code == 403
        assert "“Users” is open to these groups: Approvers." in page.text
        assert 'id="nav-sidebar"' in page.text
        assert 'href="/admin/"' in page.text

    def test_a_page_beyond_the_groups_right_says_so(self):
        company = make_buyer().company_id
        page = staff_client("Sales").get(f"/admin/payments/walletentry/company/{company}/correct/")
        assert (page.status_code, page.context["area"]) == (403, None)
        assert "a right that you do not have" in page.text

    def test_it_leads_back_to_where_one_came_from(self):
        page = staff_client("Sales").get(
            "/admin/accounts/user/", headers={"referer": f"{OWN}/admin/orders/order/?status=1"}
        )
        assert page.context["back"] == "/admin/orders/order/?status=1"

    def test_outside_of_admin_it_is_a_short_text(self):
        page = signed_in_anew().post("/order", headers={"origin": OWN})
        assert (page.status_code, page.headers["Content-Type"]) == SHORT_TEXT


class TestNotFound:
    def test_it_stands_in_the_frame_with_the_list_and_the_jump_box(self):
        page = staff_client("Sales").get("/admin/orders/order/999/confirm/")
        assert page.status_code == 404
        assert page.context["area"].name == "Orders"
        assert 'action="/admin/jump/"' in page.text

    @pytest.mark.parametrize(
        "thing", ["accounts/company", "catalog/product", "orders/order", "post_office/email"]
    )
    def test_a_thing_that_is_gone_is_said_so_at_its_own_address(self, thing):
        page = staff_client("Sales").get(f"/admin/{thing}/999999/change/")
        assert page.status_code == 404
        assert "There is nothing here" in page.text

    def test_a_list_of_another_group_is_not_named(self):
        page = staff_client("Approvers").get("/admin/orders/none/")
        assert (page.status_code, page.context["area"]) == (404, None)

    def test_a_mistyped_code_finds_the_nearest_order_here_and_in_the_jump_box(self):
        order = make_order(make_buyer())
        make_order(make_buyer())
        wrong = f"{order.invoice_code[:-1]}10"
        client = staff_client("Sales")
        for address in (f"/admin/orders/{wrong.lower()}", f"/admin/jump/?q={wrong}"):
            page = client.get(address)
            assert page.context["nearest"] is not None
            assert "Did you mean" in page.text
        assert staff_client("Approvers").get(f"/admin/jump/?q={wrong}").context["nearest"] is None

    def test_strangers_see_no_frame(self):
        assert Client().get("/admin/none/").status_code == 302
        assert Client().get("/media/products/none").text == "Not found.\n"

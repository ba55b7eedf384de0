"""Every address of the staff's pages, by every kind of caller (design/reliability-and-security.md,
19.4).

The resolver is walked: an address without an entry fails. test_staff_pages looks at what each page
shows.
"""

import re
from collections.abc import Iterator
from datetime import datetime
from decimal import Decimal
from http.cookies import SimpleCookie
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission
from django.db import transaction
from django.test import Client
from django.urls import get_resolver
from django.utils import timezone
from post_office.models import Email

from apps.accounts.models import AddressEntry, User
from apps.accounts.services.sessions import issue_token
from apps.accounts.tests.factories import buyer_of, make_staff, make_user
from apps.accounts.tests.registrations import make_registration
from apps.accounts.tests.staff import signed_in, staff_client, staff_in
from apps.catalog.models import Promotion, PromotionItem, StockChange
from apps.catalog.tests.factories import make_group_price, make_price_group
from apps.catalog.tests.import_files import sent
from apps.common.mail import REGISTRATIONS, Mail, queue
from apps.common.models import MailText
from apps.common.policy import publish_policy
from apps.common.types import Json
from apps.orders.models import Order, OrderEvent, ShippingRate
from apps.payments.models import WalletEntry
from apps.payments.services.wallet import correct_wallet
from apps.payments.tests.bank.statement_desk import import_statement
from apps.payments.tests.factories import announced
from portal.models import SweepRun
from portal.tests.reliability.world import FOREIGN_PRICE, high_ids, make_side
from portal.tests.test_paths import routes

pytestmark = pytest.mark.django_db

# Who may: the groups Sales and Approvers, or any member of staff.
SALES, APPROVERS, BOTH, NOBODY = {"Sales"}, {"Approvers"}, {"Sales", "Approvers"}, set[str]()
ANYBODY = {"Sales", "Approvers", "no group"}
SIGN_IN, FORBIDDEN = 302, 403
CERTIFICATE = "accounts/registration/<int:pk>/certificate/<str:name>/"

# What each model's own pages (list, history, form; add, change, delete) are open to.
MODELS: dict[str, tuple[set[str], set[str], set[str], set[str]]] = {
    # model: view, add, change, delete
    "accounts/registration": (APPROVERS, NOBODY, APPROVERS, NOBODY),
    "accounts/user": (APPROVERS, NOBODY, APPROVERS, NOBODY),
    "accounts/company": (BOTH, APPROVERS, APPROVERS, NOBODY),
    "accounts/addressentry": (BOTH, NOBODY, NOBODY, NOBODY),
    "post_office/email": (BOTH, NOBODY, NOBODY, NOBODY),
    "admin/logentry": (SALES, NOBODY, NOBODY, NOBODY),
    "notices/notice": (SALES, SALES, SALES, SALES),
    "catalog/import": (SALES, NOBODY, SALES, NOBODY),
    "catalog/brand": (SALES, SALES, SALES, NOBODY),
    "orders/owncode": (SALES, NOBODY, SALES, SALES),
    "catalog/product": (SALES, SALES, SALES, NOBODY),
    "catalog/promotion": (SALES, SALES, SALES, SALES),
    "accounts/pricegroup": (SALES, SALES, SALES, SALES),
    "catalog/pricegroupitem": (SALES, NOBODY, SALES, SALES),
    "catalog/promotionitem": (SALES, NOBODY, SALES, SALES),
    "catalog/stock": (SALES, NOBODY, NOBODY, NOBODY),
    "catalog/stockchange": (SALES, NOBODY, NOBODY, NOBODY),
    "orders/order": (SALES, NOBODY, SALES, NOBODY),
    "orders/orderevent": (SALES, NOBODY, NOBODY, NOBODY),
    "orders/shippingrate": (SALES, SALES, SALES, SALES),
    "payments/payment": (SALES, NOBODY, NOBODY, NOBODY),
    "payments/walletentry": (SALES, NOBODY, NOBODY, NOBODY),
    "portal/sweeprun": (NOBODY, NOBODY, NOBODY, NOBODY),
    "common/mailtext": (NOBODY, NOBODY, NOBODY, NOBODY),
    "common/policy": (NOBODY, NOBODY, NOBODY, NOBODY),
}
# The portal's own addresses: who, and what a GET and an empty POST of theirs answer. An order at
# Received and a wire stand behind them: what belongs to a later step, or to PayPal, leads back or
# is not found.
PAGES: dict[str, tuple[set[str], int, int]] = {
    "": (ANYBODY, 200, 200),
    "schema": (ANYBODY, 200, 405),
    "docs": (ANYBODY, 200, 405),
    "jump/": (ANYBODY, 200, 200),
    "late/": (ANYBODY, 200, 200),
    "records/": (ANYBODY, 200, 200),
    "settings/": (NOBODY, 200, 200),
    "settings/paper.pdf": (NOBODY, 200, 200),
    "first-day/away/": (NOBODY, 405, 302),
    "first-day/nothing/": (NOBODY, 405, 302),
    "first-day/mail/": (NOBODY, 405, 302),
    "second-factor/codes/": (ANYBODY, 302, 302),
    "logout/": (ANYBODY, 405, 200),
    "password_change/": (ANYBODY, 200, 200),
    "password_change/done/": (ANYBODY, 200, 405),
    "jsi18n/": (ANYBODY, 200, 405),
    "autocomplete/": (NOBODY, 0, 405),
    "r/<path:content_type_id>/<path:object_id>/": (ANYBODY, 404, 404),
    "accounts/registration/<int:pk>/colleague/": (APPROVERS, 405, 400),
    "accounts/registration/<int:pk>/note/": (APPROVERS, 405, 302),
    CERTIFICATE: (APPROVERS, 404, 404),
    f"{CERTIFICATE}page/<int:number>/": (APPROVERS, 404, 404),
    f"{CERTIFICATE}download/": (APPROVERS, 404, 404),
    "accounts/user/invite/": (APPROVERS, 200, 302),
    "accounts/user/<int:pk>/password-mail/": (APPROVERS, 405, 302),
    "accounts/user/<int:pk>/end-sign-ins/": (APPROVERS, 405, 302),
    "accounts/user/<int:pk>/withdraw/": (APPROVERS, 200, 200),
    "accounts/user/<int:pk>/second-factor/": (NOBODY, 404, 404),
    "common/policy/new/": (NOBODY, 0, 0),
    "common/policy/version/<int:number>/": (NOBODY, 0, 0),
    "common/mailtext/<slug:key>/text/": (NOBODY, 0, 0),
    "common/mailtext/<slug:key>/preview/": (NOBODY, 0, 0),
    "common/mailtext/<slug:key>/typed/": (NOBODY, 0, 0),
    "post_office/email/<int:pk>/again/": (BOTH, 405, 302),
    "post_office/email/<int:pk>/html/": (BOTH, 200, 200),
    "notices/notice/preview/": (SALES, 405, 200),
    "notices/notice/reach/": (SALES, 200, 200),
    "notices/notice/<int:pk>/change/": (SALES, 200, 200),
    "notices/notice/<int:pk>/readers/": (SALES, 200, 200),
    "notices/notice/<int:pk>/files/<int:file>/": (SALES, 200, 200),
    "catalog/import/": (BOTH, 200, 200),
    "catalog/import/send/": (BOTH, 200, 200),
    "catalog/import/template/<slug:kind>/<slug:language>/": (BOTH, 404, 404),
    # Of products; approvers see and send those of people.
    "catalog/import/<int:pk>/change/": (SALES, 200, 200),
    "catalog/import/<int:pk>/progress/": (SALES, 200, 200),
    "catalog/import/<int:pk>/diff/": (SALES, 200, 200),
    "catalog/import/<int:pk>/answer/": (SALES, 302, 302),
    "catalog/import/<int:pk>/apply/": (SALES, 302, 302),
    "catalog/import/<int:pk>/undo/": (SALES, 200, 302),
    "catalog/import/<int:pk>/discard/": (SALES, 302, 302),
    "catalog/product/export/": (SALES, 200, 200),
    "catalog/product/<int:pk>/recount/": (SALES, 200, 200),
    "catalog/product/<int:pk>/expect/": (SALES, 200, 200),
    "catalog/product/<int:pk>/receive/": (SALES, 200, 200),
    "catalog/product/<int:pk>/picture/": (SALES, 200, 200),
    "catalog/product/<int:pk>/picture/off/": (SALES, 405, 302),
    "catalog/product/<int:pk>/picture/moved/": (SALES, 405, 302),
    "catalog/product/<int:pk>/picture/original/": (SALES, 404, 404),
    "catalog/promotion/<int:pk>/prices/": (SALES, 200, 200),
    "orders/message/": (SALES, 200, 200),
    "orders/wish/": (SALES, 200, 200),
    "orders/salestally/": (SALES, 200, 200),
    "orders/salestally/receivables/": (SALES, 200, 200),
    "orders/salestally/stock/": (SALES, 200, 200),
    "orders/order/<int:pk>/as-buyer/": (SALES, 200, 302),
    "orders/order/<int:pk>/late/": (SALES, 302, 302),
    "orders/order/<int:pk>/remind/": (SALES, 302, 302),
    "orders/order/<int:pk>/prepare/": (SALES, 405, 302),
    "orders/order/<int:pk>/resend/": (SALES, 200, 200),
    "orders/order/<int:pk>/confirm/": (SALES, 302, 302),
    "orders/order/<int:pk>/correct/": (SALES, 302, 302),
    "orders/order/<int:pk>/products/": (SALES, 404, 404),
    "orders/order/<int:pk>/packing/": (SALES, 302, 302),
    "orders/order/<int:pk>/packing/check/": (SALES, 405, 200),
    "accounts/company/export.<str:kind>": (BOTH, 200, 200),
    "accounts/company/<int:pk>/note/": (BOTH, 405, 302),
    "accounts/company/<int:pk>/deposit/": (NOBODY, 200, 200),
    "accounts/company/<int:pk>/price-group/": (SALES, 200, 200),
    "accounts/pricegroup/<int:pk>/prices/": (SALES, 200, 200),
    "accounts/company/<int:pk>/message/": (SALES, 200, 200),
    "orders/order/export.<str:kind>": (SALES, 200, 200),
    "orders/order/<int:pk>/packing/sheet.xlsx": (SALES, 200, 200),
    "orders/order/<int:pk>/packing/list.pdf": (SALES, 404, 404),
    "orders/order/<int:pk>/invoice/": (SALES, 200, 200),
    "orders/order/<int:pk>/ship/": (SALES, 200, 200),
    "orders/order/<int:pk>/tracking/": (SALES, 302, 302),
    "orders/order/<int:pk>/answer/": (SALES, 405, 200),
    "orders/order/<int:pk>/read/": (SALES, 405, 302),
    "orders/order/<int:pk>/documents/add/": (SALES, 200, 200),
    "orders/order/<int:pk>/documents/<int:document>/": (SALES, 404, 404),
    "orders/order/<int:pk>/buyer-files/<int:file>/": (SALES, 404, 404),
    "orders/order/<int:pk>/documents/<int:document>/remove/": (SALES, 405, 404),
    "payments/payment/desk/": (SALES, 200, 200),
    "payments/payment/desk/claims/": (SALES, 200, 200),
    "payments/payment/desk/transfers/<int:pk>/sent/": (SALES, 404, 404),
    "payments/payment/desk/statements/": (SALES, 200, 200),
    "payments/payment/desk/statements/<int:pk>/": (SALES, 200, 200),
    "payments/payment/desk/statements/<int:pk>/book/": (SALES, 405, 302),
    "payments/payment/desk/statements/<int:pk>/away/": (SALES, 405, 302),
    "payments/payment/desk/statements/columns/": (SALES, 302, 302),
    "payments/payment/desk/credits/<int:pk>/": (SALES, 200, 200),
    "payments/payment/desk/credits/<int:pk>/back/": (SALES, 200, 200),
    "payments/payment/desk/credits/<int:pk>/wallet/": (SALES, 302, 302),
    "payments/payment/desk/credits/<int:pk>/keep/": (SALES, 405, 302),
    "payments/payment/desk/credits/<int:pk>/like/": (SALES, 405, 302),
    "payments/payment/export.<str:kind>": (SALES, 200, 200),
    "payments/payment/<int:pk>/confirm/": (SALES, 200, 200),
    "payments/payment/<int:pk>/refuse/": (SALES, 200, 200),
    "payments/payment/<int:pk>/move/": (SALES, 302, 200),
    "payments/payment/<int:pk>/refund-wire/": (SALES, 302, 200),
    "payments/payment/<int:pk>/ask/": (SALES, 405, 404),
    "payments/payment/<int:pk>/book/": (SALES, 404, 404),
    "payments/payment/<int:pk>/refund/": (SALES, 404, 404),
    "payments/payment/<int:pk>/attend/": (SALES, 404, 404),
    "orders/order/<int:pk>/announced-wire/": (SALES, 302, 302),
    "orders/order/<int:pk>/book-wire/": (SALES, 200, 200),
    "orders/order/<int:pk>/cancel/": (SALES, 200, 200),
    "payments/walletentry/<path:object_id>/change/": (SALES, 302, 302),
    "payments/walletentry/company/<int:company_id>/": (SALES, 200, 200),
    "payments/walletentry/company/<int:company_id>/correct/": (NOBODY, 0, 0),
    "payments/walletentry/company/<int:company_id>/pay-out/": (SALES, 200, 200),
    "payments/walletentry/balances/": (SALES, 200, 200),
    "payments/walletentry/export.<str:kind>": (SALES, 200, 200),
}
# Open before the sign-in, and what answers whatever else is asked for: an app leads home, the rest
# is nothing.
OPEN = {
    *("login/", "language/", "second-factor/", "accent.css", "set-password/<uidb64>/<token>/"),
    "first-owner/<str:token>/",
}
ELSE = {"orders/", "no/such/page/"}
# An empty POST of a form that answers otherwise than with the form again.
POSTED = {"accounts/registration": 422, "catalog/promotionitem": 302, "orders/order": 405}


@pytest.fixture
def things() -> Iterator[dict[str, Any]]:
    """Return the ids that stand in the addresses, as high as ids may be, by the part of the address
    before them.
    """
    with high_ids():
        yield make_things()


APPLICANT, REFERENCE, STRANGER = "applicant@wanted.test", "TRK-4711-SECRET", "buyer@shop.test"


def make_things() -> dict[str, Any]:
    side, root = make_side("Own"), make_staff(is_superuser=True)
    Order.objects.filter(pk=side.order.pk).update(tracking_number=REFERENCE)
    fields: Json = {"body": REFERENCE}
    queue([Mail(STRANGER, f"Order received: {side.order.invoice_code}", "plain", fields)])
    queue([Mail(APPLICANT, "Your registration", "plain", {"body": "x"}, topic=REGISTRATIONS)])
    content = b"Date,Amount USD\n2026-11-20,5.00\n"
    statement = import_statement(content=content, name="x.csv", actor=root, now=timezone.now())
    order, company = side.order.pk, side.buyer.company_id
    amounts = {"amount": Decimal("5.00"), "seen": Decimal("0.00")}
    correct_wallet(company_id=company, reason="Goodwill", actor=root, now=timezone.now(), **amounts)
    return {
        "accounts/registration/": make_registration(email=APPLICANT).pk,
        "accounts/user/": side.user.pk,
        "accounts/company/": company,
        "accounts/addressentry/": AddressEntry.objects.all()[0].pk,
        "post_office/email/": Email.objects.get(to=STRANGER).pk,
        "admin/logentry/": LogEntry.objects.log_actions(
            root.pk, [side.order], 2, "x", single_object=True
        ).pk,
        "common/mailtext/": MailText.objects.create(
            key="order_paid", changed_at=timezone.now(), changed_by=root
        ).pk,
        "common/policy/": publish_policy(
            html="<p>Terms.</p>", holds_from=timezone.localdate(), actor=root, now=timezone.now()
        ).pk,
        "notices/notice/": side.notice.pk,
        "notices/notice/<int:pk>/files/": side.notice_file.pk,
        "catalog/import/": sent(("A-1", "5.00", 1)).pk,
        "catalog/brand/": side.brand.pk,
        "orders/owncode/": side.code.pk,
        "catalog/product/": side.product.pk,
        "accounts/pricegroup/": (group := make_price_group(-10)).pk,
        "catalog/pricegroupitem/": make_group_price(group, side.product, FOREIGN_PRICE).pk,
        "catalog/promotion/": Promotion.objects.all()[0].pk,
        "catalog/promotionitem/": PromotionItem.objects.all()[0].pk,
        "catalog/stockchange/": StockChange.objects.all()[0].pk,
        "orders/order/": order,
        "orders/order/<int:pk>/documents/": 0,
        "orders/orderevent/": OrderEvent.objects.all()[0].pk,
        "orders/shippingrate/": ShippingRate.objects.create(per_kg=Decimal("4.50")).pk,
        "payments/payment/": announced(side.order).pk,
        "payments/payment/desk/statements/": statement.pk,
        "payments/payment/desk/credits/": statement.credits.get().pk,
        "payments/walletentry/": WalletEntry.objects.all()[0].pk,
        "payments/walletentry/company/": company,
        "portal/sweeprun/": SweepRun.objects.create(name="mails").pk,
    }


def staff_routes() -> list[str]:
    """Return every address that the resolver has for staff, without the part that a setting
    chooses.
    """
    paths = [path for path, _ in routes(get_resolver().url_patterns) if path.startswith("admin/")]
    found = [path.removeprefix("admin/") for path in paths]
    return [path for path in found if not path.startswith(("^", "(?P"))]


def entry(route: str) -> tuple[set[str], int, set[str], int] | None:
    """Return who may GET a route and what that answers, and the same for an empty POST; None
    without an entry.
    """
    if route in PAGES:
        who, status, posted = PAGES[route]
        return who, status, who, posted
    model, _, rest = route.partition("/<path:object_id>/")
    if not rest and model == route:
        model = "/".join(route.split("/")[:2])
        rest = "/".join(route.split("/")[2:])
    if model not in MODELS:
        return None
    view, add, change, delete = MODELS[model]
    if route.endswith("/<path:object_id>/"):
        # Django's old address of the form; who may see it, the form decides.
        return ANYBODY, 302, ANYBODY, 302
    return {
        "": (view, 200, view, 200),
        "add/": (add, 200, add, 200),
        "history/": (view, 200, view, 200),
        "delete/": (delete, 200, delete, 200),
        "change/": (view, 200, change, POSTED.get(model, 200)),
    }.get(rest)


def address(route: str, things: dict[str, Any]) -> str:
    """Return a route with ids in it, each by the part of the route before it."""
    return "/admin/" + re.sub(
        r"<[^>]*>", lambda match: str(things.get(route[: match.start()], 1)), route
    )


def asked(client: Client, method: str, url: str) -> Any:
    """Return an answer to a GET or an empty POST; what it changes, a sign-out too, is undone."""
    cookies = SimpleCookie(client.cookies)
    with transaction.atomic():
        answer = getattr(client, method)(url)
        transaction.set_rollback(True)
    client.cookies = cookies
    return answer


def test_every_address_has_an_entry() -> None:
    assert [route for route in staff_routes() if route not in OPEN and entry(route) is None] == []
    assert set(PAGES) - set(staff_routes()) == set()


def test_each_group_enters_what_is_its_own(things: dict[str, Any]) -> None:
    for group in ("Sales", "Approvers", "no group"):
        with transaction.atomic():
            assert wrong_answers(group, things) == {}, group
            transaction.set_rollback(True)


def requests_of(group: str, route: str) -> Iterator[tuple[str, int]]:
    """Yield the methods by which a member of a group asks, and what each answers.

    The right is asked for before the method: who is refused a page sends no form to it, but to a
    thing's own page, which some may only read. Who is in no group has the rights of all staff
    alone: what refuses Approvers refuses them.
    """
    may_see, expected_status, may_do, posted_status = entry(route)  # type: ignore[misc]
    if group == "no group" and "Approvers" not in may_see | may_do:
        return
    yield "get", expected_status if group in may_see else FORBIDDEN
    if group in may_see or route.endswith("/<path:object_id>/change/"):
        # A POST that an address does not know is refused to everybody alike.
        yield "post", posted_status if group in may_do or posted_status == 405 else FORBIDDEN


def wrong_answers(group: str, things: dict[str, Any]) -> dict[str, Any]:
    """Return what answers a member of a group otherwise than its entry says."""
    client = signed_in(make_staff() if group == "no group" else staff_in(group))
    wrong: dict[str, Any] = {}
    priced: list[str] = []
    secrets = [APPLICANT]
    if group != "Sales":  # each group has its own mails, and orders are for Sales alone
        applied = Email.objects.get(to=APPLICANT).pk
        things = {**things, "post_office/email/": applied}
        code = Order.objects.get(tracking_number=REFERENCE).invoice_code
        secrets = [REFERENCE, code, STRANGER]
    for route in staff_routes():
        if route in OPEN:
            continue
        for method, expected in requests_of(group, route):
            answer = asked(client, method, address(route, things))
            if answer.status_code != expected:
                wrong[f"{method} {route}"] = (answer.status_code, "instead of", expected)
            content = answer.getvalue()
            if str(FOREIGN_PRICE).encode() in content:
                priced.append(route)
            if leaked := [secret for secret in secrets if secret.encode() in content]:
                wrong[f"what {method} {route} shows"] = leaked
    # What a price group pays is for Sales alone.
    assert bool(priced) == (group == "Sales"), priced
    assert asked(client, "get", "/admin/orders/").status_code == 302
    assert asked(client, "get", "/admin/no/such/page/").status_code == 404
    return wrong


def test_who_may_only_look_is_shown_or_refused_each_page_and_changes_nothing(
    things: dict[str, Any],
) -> None:
    viewer = make_staff()
    viewer.user_permissions.set(Permission.objects.filter(codename__startswith="view_"))
    client = signed_in(viewer)
    for route, status in (
        *(("late/", 200), ("orders/order/", 200), ("catalog/product/", 200)),
        *(("orders/order/<path:object_id>/change/", 200), ("orders/order/<int:pk>/ship/", 403)),
        ("payments/payment/desk/", 403),
    ):
        assert asked(client, "get", address(route, things)).status_code == status, route
    for route, (who, got, _) in PAGES.items():
        # What is only done; who sees a customer may keep a note.
        if got == 405 and who != ANYBODY and route != "accounts/company/<int:pk>/note/":
            answer = asked(client, "post", address(route, things))
            assert answer.status_code == 403, route


def test_what_is_gone_is_said_in_the_frame_at_each_of_its_addresses() -> None:
    client = staff_client()
    for route, (_, got, _) in PAGES.items():
        if "<int:" in route and got == 200:
            response = client.get("/admin/" + re.sub("<[^>]*>", "999999", route))
            assert (response.status_code, 'id="nav-sidebar"' in response.text) == (404, True), route


# Of these the sign-in sees a stranger: they ask for a few pages.
LIKE_STRANGERS = ("buyer", "buyer with a token", "deactivated", "staff's own token")
FEW = ["", "docs", "orders/order/<int:pk>/cancel/", "orders/order/<path:object_id>/change/"]


def test_others_are_led_to_the_sign_in(things: dict[str, Any], now: datetime) -> None:
    everywhere = [*staff_routes(), *ELSE]
    callers = {"stranger": everywhere, **dict.fromkeys(LIKE_STRANGERS, FEW)}
    for caller, pages in callers.items():
        assert led_elsewhere(client_of(caller, now), pages, things) == {}, caller


def client_of(caller: str, now: datetime) -> Client:
    client = Client()
    user = make_staff(is_superuser=True) if caller == "deactivated" else make_user()
    if caller in ("buyer", "deactivated"):
        client = signed_in(user)
        User.objects.filter(pk=user.pk).update(is_active=caller == "buyer")
    elif caller != "stranger":
        token = issue_token(buyer=buyer_of(user), signed_in_at=now, now=now)
        User.objects.filter(pk=user.pk).update(is_staff=caller == "staff's own token")
        client = Client(headers={"x-access-token": token})
    return client


def led_elsewhere(client: Client, pages: list[str], things: dict[str, Any]) -> dict[str, int]:
    """Return the addresses that do not lead a caller to the sign-in."""
    wrong = {}
    for route in pages:
        if route in OPEN:
            continue
        for method in (client.get, client.post):
            answer = method(address(route, things))
            # A sign-out of somebody who is not signed in leads to the first page, and that to the
            # sign-in.
            led = "/admin/" if route == "logout/" else "/admin/login/?next="
            if answer.status_code != SIGN_IN or not answer["Location"].startswith(led):
                wrong[route] = answer.status_code
    for method in (client.get, client.post):
        assert method("/admin/login/").status_code == 200
    return wrong


AWAY = "evil.test"
# What a stranger may write into a link to the sign-in. None of them leads out of the staff's pages.
STRANGE = [
    f"https://{AWAY}/admin/",
    f"//{AWAY}/admin/",
    f"///{AWAY}/admin/",
    f"/\\{AWAY}/admin/",
    f"\\\\{AWAY}/admin/",
    f"/\t/{AWAY}/admin/",
    f"\x08//{AWAY}/admin/",
    f"https:{AWAY}/admin/",
    f"http:///{AWAY}/admin/",
    f"%2F%2F{AWAY}/admin/",
    f"http://testserver@{AWAY}/admin/",
    f"http://testserver.{AWAY}/admin/",
    "http://testserver/admin/",
    "javascript:alert(1)//admin/",
    "data:text/html,x",
    "/files/1/x",
    "/api/config",
    "/",
    "/admin/../api/config",
    "/admin/%2e%2e/api/config",
    "/admin/..\\api/config",
    "/administrator/",
    "/admin/logout/",
    "",
]


@pytest.mark.parametrize("where", ["in the address", "in the form"])
def test_the_sign_in_and_the_sign_out_lead_to_pages_of_staff_alone(where: str) -> None:
    user, client = staff_in("Sales"), Client()
    user.set_password("staff-password-1")
    user.save()
    own = "/admin/orders/order/?status=1"
    names = {"username": user.email, "password": "staff-password-1"}
    for request_id in (own, *STRANGE):
        leads = "/admin/" if request_id in STRANGE else own
        query, form = (
            ({"next": request_id}, {}) if where == "in the address" else ({}, {"next": request_id})
        )
        signed_in, signed_out = (
            client.post(f"/admin/{page}/", {**names, **form}, query_params=query)
            for page in ("login", "logout")
        )
        assert (signed_in.status_code, signed_in["Location"]) == (302, leads), request_id
        # Without a page to go to, a sign-out says so on a page of its own.
        assert signed_out.headers.get("Location", "/admin/") == leads, request_id


# How a page may be asked to lead elsewhere; test_crafted_addresses asks by its address.
LEADING = ("next", "back", "url", "to", "return_to", "redirect", "_changelist_filters")


def leads_away(answer: Any) -> bool:
    """Return whether an answer leads out of staff's pages, or to where a caller said."""
    leads, page = answer.headers.get("Location", "/admin/"), getattr(answer, "content", b"")
    is_named = re.search(rf'(href|action)="[^"?]*{AWAY}'.encode(), page)
    return not leads.startswith("/admin/") or is_named is not None

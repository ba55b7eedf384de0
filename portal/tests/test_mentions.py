"""An internal note that names a colleague with @ stands on that colleague's home page until it is
marked as seen.
"""

from datetime import UTC, datetime
from typing import Any

import pytest
from django.test import Client

from apps.accounts.models import Mention, User
from apps.accounts.tests.factories import make_buyer
from apps.accounts.tests.registrations import make_registration
from apps.accounts.tests.staff import shown_messages, staff_client, staff_in
from apps.orders.services import keep_note
from apps.orders.status import OrderStatus
from apps.orders.tests.factories import make_order_at

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


def client_of(user: User) -> Any:
    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return client


def noted(client: Any) -> list[tuple[str, str]]:
    """Return what and where the notes on a home page are."""
    return [(row["mention"].note, row["url"]) for row in client.get("/admin/").context["mentions"]]


def test_a_note_on_each_kind_of_page_stands_on_the_home_of_whom_it_names_and_of_nobody_else():
    order, registration = make_order_at(OrderStatus.RECEIVED, make_buyer()), make_registration()
    kira = staff_in(email="kira.seo@house.test", manager="Kira Seo")
    other = staff_client("Sales", email="jun@house.test", manager="Jun Lim")
    writer = staff_client(email="root@house.test", manager="Root")
    pages = {
        f"/admin/{thing}/{deed}/": f"/admin/{thing}/change/"
        for thing, deed in (
            (f"orders/order/{order.pk}", "answer"),
            (f"accounts/company/{order.company_id}", "note"),
            (f"accounts/registration/{registration.pk}", "note"),
        )
    }
    for address in pages:
        answer = writer.post(
            address, {"text": f"@kira.seo, see {address}", "_as": "note"}, follow=True
        )
        assert "On the home page of Kira Seo." in shown_messages(answer)
    home = client_of(kira)
    assert noted(home) == [(f"@kira.seo, see {address}", page) for address, page in pages.items()]
    for _, page in noted(home):
        assert home.get(page).status_code == 200
    assert noted(other) == noted(writer) == []
    first = Mention.objects.order_by("pk")[0]
    seen = f"/admin/mentions/{first.pk}/seen/"
    assert other.post(seen).status_code == 404
    assert len(noted(home)) == 3
    assert home.post(seen).headers["Location"] == home.post(seen).headers["Location"] == "/admin/"
    assert len(noted(home)) == 2


def test_who_may_not_open_the_page_is_not_reached_and_is_shown_nothing():
    order, now = make_order_at(OrderStatus.RECEIVED, make_buyer()), datetime.now(UTC)
    approver = staff_in("Approvers", email="appro@house.test", manager="Appro Ver")
    seller = staff_in("Sales", email="seller@house.test", manager="Sel Ler")
    writer = staff_client("Sales", email="root@house.test", manager="Root")
    answer = writer.post(
        f"/admin/orders/order/{order.pk}/answer/",
        {"text": "@appro and @seller", "_as": "note"},
        follow=True,
    )
    assert shown_messages(answer)[1:] == [
        "On the home page of Sel Ler.",
        "@appro reached nobody: no colleague who may open this page has that name alone.",
    ]
    assert noted(client_of(approver)) == []
    assert len(noted(client_of(seller))) == 1
    seller.groups.clear()
    assert noted(client_of(User.objects.get(pk=seller.pk))) == []
    Mention.objects.all().delete()
    named = keep_note(
        order_id=order.pk, text="Mail x@seller.test, ask @seller", actor=staff_in(), now=now
    )
    assert named.colleagues == ()


@pytest.mark.parametrize(
    ("text", "reached"),
    [
        ("@KIRA.SEO: look", ["Kira Seo"]),
        ("@kira, look.", ["Kira Seo"]),
        ("(@jun.a) or @jun.b.", ["Jun Ahn", "Jun Bae"]),
        ("@jun", []),  # two of the name
        ("kira.seo@house.test, write@kira.seo", []),
        ("@kira @kira.seo @kira", ["Kira Seo"]),
        ("@root", []),  # its writer
        ("@gone", []),
        ("@buyer", []),
    ],
)
def test_a_colleague_is_named_by_address_or_by_a_first_name_of_one_alone(text, reached):
    for email, name in (("kira.seo", "Kira Seo"), ("jun.a", "Jun Ahn"), ("jun.b", "Jun Bae")):
        staff_in(email=f"{email}@house.test", manager=name)
    staff_in(email="gone@house.test", manager="Gone", is_active=False)
    root = staff_in(email="root@house.test", manager="Root")
    order = make_order_at(OrderStatus.RECEIVED, make_buyer(email="buyer@shop.test"))
    named = keep_note(order_id=order.pk, text=text, actor=root, now=datetime.now(UTC))
    assert [one.manager for one in named.colleagues] == reached
    assert Mention.objects.count() == len(reached)

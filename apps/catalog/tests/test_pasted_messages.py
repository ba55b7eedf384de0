"""A message that staff paste for a buyer: read, mailed as a link, opened by him alone, and used
once.
"""

from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.core.exceptions import PermissionDenied
from django.utils import timezone
from post_office.models import Email

from apps.accounts.models import Company, CompanyEvent, User
from apps.accounts.selectors import Buyer
from apps.accounts.tests.factories import make_buyer, make_user
from apps.accounts.tests.staff import shown_messages, staff_client, staff_in
from apps.catalog.errors import MessageRefused
from apps.catalog.models import OwnCode, PastedMessage, Product
from apps.catalog.services.pasted import FORGOTTEN_AT_ONCE, LINK_WORKS, forget_pasted, paste_message
from apps.catalog.tests.factories import make_product
from apps.common.errors import NotFound
from apps.common.testing import ContractClient

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
TEXT = "Hello, golden rice cream 40 and the yellow one 20"


@pytest.fixture(autouse=True)
def products(db: None, buyer: Buyer) -> None:
    make_product(sku="GC-1", eng_name="Golden Rice Cream 50 ml")
    make_product(sku="ST-1", eng_name="Daylight Sun Stick 18 g")
    stick = Product.objects.get(sku="ST-1")
    OwnCode.objects.create(
        company_id=buyer.company_id, code="THE YELLOW ONE", product=stick, learned_at=timezone.now()
    )


@pytest.fixture
def sales(db: None) -> User:
    return staff_in("Sales", manager="Hana Seo")


def pasted(buyer: Buyer, sales: User, **fields: Any) -> PastedMessage:
    given = {
        "uuid": uuid4(),
        "user_id": buyer.id,
        "text": TEXT,
        "actor": sales,
        "now": timezone.now(),
    }
    return paste_message(**{**given, **fields})


def link(uuid: UUID) -> str:
    return f"/api/basket/messages/{uuid}"


def history(buyer: Buyer) -> list[str]:
    return list(
        CompanyEvent.objects.filter(company_id=buyer.company_id)
        .order_by("pk")
        .values_list("note", flat=True)
    )


def test_the_buyer_opens_the_link_and_uses_it_once(
    api: ContractClient, buyer: Buyer, sales: User
) -> None:
    message = pasted(buyer, sales)
    mail = Email.objects.get()
    assert mail.to == [buyer.email]
    assert mail.context["values"]["link"].endswith(f"/order?message={message.uuid}")
    assert mail.context["values"]["facts"] == [["Lines", "2"], ["To answer", "0"]]
    answer: Any = api.send("GET", link(message.uuid)).json()
    assert [(line["sku"], line["count"]) for line in answer["lines"]] == [
        ("GC-1", 40),
        ("ST-1", 20),
    ]
    assert answer["pasted_by"] == "Hana Seo"
    assert answer["pasted_at"].startswith(f"{timezone.localtime(message.pasted_at):%Y-%m-%dT%H:%M}")
    key, other = str(uuid4()), str(uuid4())
    for _ in range(2):  # whose answer was lost asks again
        assert api.send("POST", link(message.uuid), {"key": key}).json() == {"success": 1}
    again: Any = api.send("POST", link(message.uuid), {"key": other})
    assert (again.status_code, again.json()["code"]) == (410, "used")
    used: Any = api.send("GET", link(message.uuid))
    assert (used.status_code, used.json()["code"]) == (410, "used")
    message.refresh_from_db()
    assert (message.text, message.used_at is None) == ("", False)
    name = buyer.manager
    assert history(buyer) == [
        f"pasted for {name}: 2 lines, 0 to answer",
        f"put into the basket by {name}",
    ]


def test_nobody_else_opens_or_uses_it(api: ContractClient, buyer: Buyer, sales: User) -> None:
    colleague = make_buyer(company=Company.objects.get(pk=buyer.company_id))
    others = [pasted(make_buyer(), sales).uuid, pasted(colleague, sales).uuid, uuid4()]
    for strange in (*map(link, others), "/api/basket/messages/1"):
        sent = [api.send("GET", strange), api.send("POST", strange, {"key": str(uuid4())})]
        assert [response.status_code for response in sent] == [404, 404]
    assert PastedMessage.objects.filter(used_at=None).count() == 2


def test_a_link_is_too_old_after_its_days_and_its_text_goes(
    api: ContractClient, buyer: Buyer, sales: User
) -> None:
    now = timezone.now()
    old = pasted(buyer, sales, now=now - LINK_WORKS - timedelta(minutes=1))
    fresh = pasted(buyer, sales, now=now - LINK_WORKS + timedelta(minutes=1))
    for _ in range(2):
        assert [api.send("GET", link(one.uuid)).status_code for one in (old, fresh)] == [410, 200]
        forget_pasted(now)
    assert api.send("GET", link(old.uuid)).json()["code"] == "expired"
    assert list(PastedMessage.objects.order_by("pk").values_list("text", flat=True)) == ["", TEXT]
    assert history(buyer)[2:] == [f"for {buyer.manager} was not used in time"]
    assert FORGOTTEN_AT_ONCE > 1


def test_the_same_page_sent_twice_makes_one_link_and_one_mail(buyer: Buyer, sales: User) -> None:
    uuid = uuid4()
    assert pasted(buyer, sales, uuid=uuid) == pasted(buyer, sales, uuid=uuid)
    assert (PastedMessage.objects.count(), Email.objects.count(), len(history(buyer))) == (1, 1, 1)


@pytest.mark.parametrize(
    ("fields", "refusal"),
    [
        ({"text": "Good morning"}, MessageRefused),
        ({"text": "golden rice cream 40 " * 1_000}, MessageRefused),
        ({"user_id": 0}, NotFound),
        ({"user_id": -1}, MessageRefused),  # who may not sign in
        ({"actor": None}, PermissionDenied),
    ],
)
def test_what_cannot_be_pasted_leaves_nothing(
    buyer: Buyer, sales: User, fields: dict[str, Any], refusal: type[Exception]
) -> None:
    if fields.get("user_id") == -1:
        fields = {"user_id": make_user(is_active=False).pk}
    if "actor" in fields:
        fields = {"actor": staff_in("Approvers")}
    with pytest.raises(refusal):
        pasted(buyer, sales, **fields)
    assert (PastedMessage.objects.count(), Email.objects.count()) == (0, 0)


class TestPage:
    def test_staff_see_what_is_read_before_the_link_is_mailed(self, buyer: Buyer) -> None:
        client, page = staff_client("Sales"), f"/admin/accounts/company/{buyer.company_id}/message/"
        assert f'href="{page}"' in client.get(page.replace("message", "change")).text
        form = client.get(page).context["form"]
        body = {
            "user": buyer.id,
            "text": TEXT.replace(" and", "\r\nand"),
            "key": str(form["key"].value()),
            "seen": "",
        }
        read = client.post(page, {**body, "send": "1"})  # what was not seen is not sent
        for text in (
            "golden rice cream 40",
            "Golden Rice Cream 50 ml",
            "ST-1",
            f"Mail the link to {buyer.manager}",
        ):
            assert text in read.text
        assert not PastedMessage.objects.exists()
        seen = {**body, "seen": read.context["form"]["seen"].value()}
        assert (
            "Mail the link"
            in client.post(page, {**seen, "text": "golden rice cream 60", "send": "1"}).text
        )
        for _ in range(2):
            done = client.post(page, {**seen, "send": "1"}, follow=True)
        assert f"Message pasted for {buyer.manager}" in shown_messages(done)[0]
        assert f"Message pasted for {buyer.manager}: 2 lines, 0 to answer" in done.text
        assert (PastedMessage.objects.count(), Email.objects.count()) == (1, 1)

    def test_it_says_at_the_field_what_is_wrong(self, buyer: Buyer) -> None:
        client, page = staff_client("Sales"), f"/admin/accounts/company/{buyer.company_id}/message/"
        stranger = make_buyer()
        for fields, name, text in (
            ({"user": buyer.id, "text": "Good morning"}, "text", "Nothing in it names a product."),
            ({"user": stranger.id, "text": TEXT}, "user", "Select a valid choice."),
        ):
            form = client.post(page, {**fields, "key": str(uuid4())}).context["form"]
            assert form.errors[name][0].startswith(text)

    def test_it_is_for_those_who_change_orders(self, buyer: Buyer) -> None:
        page = f"/admin/accounts/company/{buyer.company_id}/message/"
        client = staff_client("Approvers")
        assert client.get(page).status_code == 403
        assert page not in client.get(page.replace("message", "change")).text
        assert staff_client("Sales").get("/admin/accounts/company/0/message/").status_code == 404

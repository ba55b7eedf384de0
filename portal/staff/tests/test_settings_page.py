"""The page "Settings": what it saves, refuses and tells, and two people at once."""

import re
from datetime import UTC, datetime
from html import unescape
from io import BytesIO
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from PIL import Image
from pypdf import PdfReader

from apps.accounts.models import BusinessType
from apps.accounts.tests.factories import make_buyer, make_company
from apps.accounts.tests.staff import staff_client
from apps.common.mail import Mail, as_it_goes_out
from apps.common.models import BankAccount, ClosedDay, Seller
from apps.common.seller import remember, seller
from apps.common.tests.races import race
from apps.orders.documents.pdf import render_pdf
from apps.orders.tests.document_files import make_content, words_of
from apps.orders.tests.factories import make_order

pytestmark = pytest.mark.django_db
PAGE = "/admin/settings/"
INPUT = re.compile(r"<(?:input|textarea)[^>]*>(?:[^<]*</textarea>)?")
CHOSEN = re.compile(r'<select name="([^"]+)"(?:(?!</select>).)*? value="([^"]+)" selected>', re.S)
LINES = {
    "bank": "Hanbit Bank",
    "holder": "Seller Co.",
    "account_number": "1-2-3",
    "routing_number": "HBKRKRSE",
    "address": "Seoul",
}


@pytest.fixture
def owner() -> Client:
    return staff_client()


def opened(client: Client) -> dict[str, Any]:
    """Return what a browser would send of the page as it is."""
    page = client.get(PAGE).text
    fields: dict[str, Any] = dict(CHOSEN.findall(page))
    for html in INPUT.findall(page):
        attributes = dict(re.findall(r'([\w-]+)="([^"]*)"', html))
        is_off = attributes.get("type") == "checkbox" and " checked" not in html
        if "name" in attributes and not is_off:
            text = html.partition(">")[2].removesuffix("</textarea>").removeprefix("\n")
            empty = "on" if attributes.get("type") == "checkbox" else ""
            fields[attributes["name"]] = unescape(text or attributes.get("value", empty))
    return fields


def save(client: Client, form: dict[str, Any]) -> Any:
    answer = client.post(PAGE, form)
    remember(None)
    return answer


def history() -> str:
    return LogEntry.objects.latest("pk").get_change_message()


def test_what_is_saved_holds_and_stands_in_the_history(owner: Client) -> None:
    form = opened(owner)
    days = {"days-0-day": "2026-12-24", "days-0-name": "Eve"}
    form |= {"title": "Nuri Beauty", "deposit_rate": "0", "promised_wire": "4", **days}
    form |= {"closed_countries": "Cuba\r\nkp", "invoice_prefix": "NB"}
    form |= {f"banks-0-{name}": text for name, text in LINES.items()}
    assert save(owner, form).status_code == 302
    now = seller()
    assert (now.title, now.promised_days("wire")) == ("Nuri Beauty", 4)
    assert now.deposit_rate == 0
    assert now.bank == LINES
    assert [str(day) for day in now.closed_days] == ["2026-12-24"]
    assert now.closed_countries == {"CU", "KP"}
    for said in ("Name – → Nuri Beauty", "Deposit, % of the subtotal – → 0", "added USD 1-2-3"):
        assert said in history()


def test_a_page_that_is_saved_as_it_is_changes_nothing(owner: Client) -> None:
    save(owner, opened(owner) | {"title": "Nuri", "paypal_fee_rate": "2.9"})
    before = Seller.objects.values().get()
    save(owner, opened(owner))
    assert {**Seller.objects.values().get(), "version": before["version"]} == before
    assert not BankAccount.objects.exists()


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("accent", "red"),
        ("deposit_rate", "101"),
        ("deposit_rate", "-1"),
        ("paypal_fee_rate", "3.555"),
        ("invoice_prefix", "N-1"),
        ("sales_email", "sales@host"),
        ("promised_wire", "0"),
        ("least_moq", "0"),
        ("minimum_order", "-1"),
        ("closed_countries", "Atlantis"),
        ("shipper_name", "\N{EGYPTIAN HIEROGLYPH A001}"),
        ("banks-0-account_number", ""),
        ("days-0-day", "soon"),
    ],
)
def test_a_fault_is_marked_and_nothing_is_saved(owner: Client, name: str, text: str) -> None:
    form = opened(owner) | {"title": "Nuri", name: text}
    if name.startswith("banks"):
        form |= {"banks-0-label": "Euro"}
    answer = save(owner, form)
    assert answer.status_code == 200
    assert "field-error" in answer.text
    assert f'<a href="#id_{name}">' in answer.text
    assert not Seller.objects.exclude(title="").exists()


def test_the_line_under_the_name_can_be_emptied(owner: Client) -> None:
    save(owner, opened(owner) | {"subtitle": ""})
    assert seller().subtitle == ""
    save(owner, opened(owner) | {"title": "Nuri"})
    assert seller().subtitle == ""


class TestTwoAtOnce:
    def test_each_keeps_what_it_changed(self, owner: Client) -> None:
        one, other = opened(owner), opened(owner)
        save(owner, one | {"title": "Nuri"})
        assert save(owner, other | {"subtitle": "Wholesale"}).status_code == 302
        assert (seller().title, seller().subtitle) == ("Nuri", "Wholesale")

    def test_the_same_field_is_asked_once(self, owner: Client) -> None:
        form = opened(owner)
        save(owner, form | {"title": "Nuri"})
        refused = save(owner, form | {"title": "Haru"})
        assert "Somebody else saved “Nuri” meanwhile." in refused.content.decode()
        assert seller().title == "Nuri"
        save(owner, form | {"title": "Haru", "initial-title": "Nuri"})
        assert seller().title == "Haru"

    def test_rows_too(self, owner: Client) -> None:
        account = BankAccount.objects.create(**LINES)
        one, other = opened(owner), opened(owner)
        save(owner, one | {"banks-0-holder": "Nuri Co."})
        save(owner, other | {"banks-0-bank": "Woori Bank"})
        account.refresh_from_db()
        assert (account.holder, account.bank) == ("Nuri Co.", "Woori Bank")


def test_a_kind_of_business_in_use_stays(owner: Client) -> None:
    kinds = list(BusinessType.objects.all()[:2])
    make_company(business_type=kinds[0])
    for place, status in ((0, 200), (1, 302)):
        assert save(owner, opened(owner) | {f"types-{place}-DELETE": "on"}).status_code == status
    assert BusinessType.objects.filter(pk=kinds[0].pk).exists()
    assert not BusinessType.objects.filter(pk=kinds[1].pk).exists()


def test_a_day_off_can_be_taken_out(owner: Client) -> None:
    ClosedDay.objects.create(day="2026-12-24")
    save(owner, opened(owner) | {"days-0-DELETE": "on"})
    assert not ClosedDay.objects.exists()
    assert "taken out 2026-12-24" in history()


def picture(width: int, height: int, kind: str = "PNG") -> SimpleUploadedFile:
    file = BytesIO()
    Image.new("RGB", (width, height), "#7a2f5c").save(file, kind)
    return SimpleUploadedFile(f"logo.{kind.lower()}", file.getvalue())


class TestLogo:
    def test_it_stands_wherever_the_name_does(self, owner: Client, client: Client) -> None:
        save(owner, opened(owner) | {"new_logo": picture(1600, 400, "JPEG")})
        assert Image.open(BytesIO(seller().logo)).size == (640, 160)
        assert "new logo" in history()
        address = seller().logo_address
        assert client.get(address).content == seller().logo
        assert "immutable" in client.get(address)["Cache-Control"]
        assert client.get("/api/config").json()["logo"] == address
        assert f'src="{address}"' in owner.get("/admin/").text
        mail = as_it_goes_out(Mail("a@b.test", "Hello", "plain", {"body": "Hello"}))
        assert f'src="http://testserver{address}"' in mail.html_message
        paper = render_pdf(make_content(), issued_at=datetime(2026, 11, 27, tzinfo=UTC))
        assert len(PdfReader(BytesIO(paper)).pages[0].images) == 1

    def test_a_square_one_is_the_icon_too(self, owner: Client, client: Client) -> None:
        save(owner, opened(owner) | {"new_logo": picture(200, 160)})
        assert "data:image/png;base64," in client.get("/favicon.svg").text
        save(owner, opened(owner) | {"no_logo": "on"})
        assert (seller().logo, "logo taken off" in history()) == (b"", True)
        assert client.get("/logo.png").status_code == 404
        assert "data:" not in client.get("/favicon.svg").text

    @pytest.mark.parametrize("content", [b"no picture", b"\x89PNG\r\n\x1a\n and nothing"])
    def test_what_is_none_is_refused(self, owner: Client, content: bytes) -> None:
        file = SimpleUploadedFile("logo.png", content)
        refused = save(owner, opened(owner) | {"new_logo": file})
        assert "This file is no picture" in refused.text
        assert not seller().logo


def test_the_preview_shows_what_is_saved(owner: Client) -> None:
    set_up = {
        "title": "Nuri Beauty",
        "shipper_name": "Nuri Co.",
        "second_address": "Warehouse: Busan",
    }
    save(owner, opened(owner) | set_up)
    assert "Nuri Beauty" in owner.get(PAGE).text
    words = words_of(owner.get(f"{PAGE}paper.pdf").content)
    for text in set_up.values():
        assert text in words


def test_the_beginning_of_codes_stays_once_there_are_orders(owner: Client) -> None:
    form = opened(owner)
    make_order(make_buyer())
    save(owner, form | {"invoice_prefix": "NEW", "title": "Nuri"})
    assert (seller().title, Seller.objects.get().invoice_prefix) == ("Nuri", "")


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
def test_two_who_save_at_once_lose_nothing(owner: Client) -> None:
    changes = [{"title": "Nuri"}, {"subtitle": "Wholesale"}, {"tax_number": "1-2"}]
    form, clients = opened(owner), [staff_client() for _ in changes]

    def one(place: int) -> int:
        return clients[place].post(PAGE, form | changes[place]).status_code

    assert race(one, len(changes)) == [302] * len(changes)
    row = Seller.objects.get()
    assert (row.title, row.subtitle, row.tax_number) == ("Nuri", "Wholesale", "1-2")

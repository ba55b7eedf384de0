"""What a Korean colleague sees has no English but data, and what is the same in each language;
test_every_page looks for it.
"""

import json
import re
from html.parser import HTMLParser

import pytest
from django.apps import apps
from django.contrib import admin
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db import models
from django.utils import timezone, translation
from post_office.models import Email

from apps.accounts.models import Registration
from apps.accounts.tests.factories import make_buyer, make_staff
from apps.accounts.tests.staff import staff_client
from apps.common.texts import Text
from apps.orders.tests.factories import make_order
from apps.payments.models import Payment
from apps.payments.states import PaymentState
from apps.payments.tests.factories import announced, make_confirmed_order, make_wire_order
from portal.models import SweepRun
from portal.tests.test_watch import paypal_payment

pytestmark = pytest.mark.django_db

SHOWN = {"aria-label", "aria-description", "placeholder", "title", "alt"}
# Words that are the same in every language.
SAME = re.compile(
    r"\b(?:CAMT|CBM|CSV|Ctrl|DHL Express|DOCX|EAN|EMS|EORI|English|Enter|Esc|EUR|Excel|FedEx|HH|HS"
    r"|HTML|Holy See|ID|ISO|JPE?G|KB|Korea Post|KRW|Maren & Holt|MB|MM|MOQ|PDF|PNG|PO|PayPal|QR"
    r"|SKU|SS|Seoul|SWIFT|Space|Tab|UPS|USD|USRP|UTC|VIP|WebP|XLSX?|XML|YYYY-MM-DD|ZIP|cm|[Kk]g|px)\b",
    re.ASCII,
)
# Addresses, codes, times, and tokens.
CODE = re.compile(
    r"\{\w+\}|\S+@\S+|https?://\S+|/\S*|[0-9a-f-]{36}|\b[A-Z]+-[\w-]+|\bT/T\b|\b\w*\d\w*\b|__\w+__|\w*\.\w{2,4}\b"
    r"|&\w+;",
    re.ASCII,
)
WORD = re.compile(r"[A-Za-z]{2,}")
WHOLE_CODE = re.compile('<span class="keep">([^<]*)</span>')
VOID = {"input", "br", "img", "meta", "link", "hr", "col", "wbr", "source"}
UNREAD = {"script", "style", "pre", "head", "textarea"}
LOOKED_AT = (
    *("", "payments/payment/desk/", "payments/payment/", "settings/", "common/mailtext/"),
    "common/policy/new/",
)
# What an empty POST lacks of a table, and what each page says while the scripts are not built.
OF_TESTS = ("_FORMS", "`npm run build`")


class Shown(HTMLParser):
    """Collects what a page shows; a part in English says so itself (`lang="en"`)."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.open: list[tuple[str, bool]] = []
        self.feed(WHOLE_CODE.sub(r"\1", html))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        quiet = self.is_quiet or attributes.get("lang") == "en"
        quiet = quiet or attributes.get("translate") == "no"
        if tag not in VOID:
            self.open.append((tag, quiet or tag in UNREAD))
        if not quiet:
            self.texts += [value or "" for name, value in attrs if name in SHOWN]
            if tag == "input" and attributes.get("type") in ("submit", "button"):
                self.texts.append(attributes.get("value") or "")

    def handle_endtag(self, tag: str) -> None:
        while self.open and tag not in VOID and self.open.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        if not self.is_quiet:
            self.texts.append(data)

    @property
    def is_quiet(self) -> bool:
        return bool(self.open) and self.open[-1][1]


def data() -> re.Pattern[str]:
    """Return what the rows hold as text: names, notes, messages; not the codes of states."""
    texts: set[str] = set()
    for model in apps.get_models():
        for field in model._meta.concrete_fields:
            is_text = isinstance(field, models.CharField | models.TextField) and not field.choices
            if is_text and (model, field.name) != (LogEntry, "change_message"):
                values = model._base_manager.order_by().values_list(field.name, flat=True)
                for value in values.distinct():
                    texts |= {part.strip() for part in str(value or "").splitlines()}
    words = sorted((one for one in texts if WORD.search(one)), key=len, reverse=True)
    return re.compile("|".join(rf"(?<!\w){re.escape(one)}(?!\w)" for one in words))


class English:
    """Finds what is left in English."""

    def __init__(self) -> None:
        self.rows = data()
        self.known: dict[str, bool] = {}

    def texts(self, html: str) -> set[str]:
        """Return the texts of a page in which English is left."""
        pages = {
            " ".join(text.split())
            for text in Shown(html).texts
            if WORD.search(text) and not any(one in text for one in OF_TESTS)
        }
        return {text for text in pages if self.is_english(text)}

    def is_english(self, text: str) -> bool:
        if text not in self.known:
            rest = CODE.sub(" ", self.rows.sub(" ", SAME.sub(" ", text)))
            self.known[text] = bool(WORD.search(rest))
        return self.known[text]


def test_paypal_held_money_and_figures_that_have_changed_are_told_in_korean() -> None:
    buyer = make_buyer()
    order = make_confirmed_order(buyer)
    payment = paypal_payment(buyer, PaymentState.HELD)
    reason = Text("Not as asked for: %(what)s; it is held", what=Text("amount")).stored()
    more = {"kind": Payment.Kind.BALANCE, "taken": 4, "sale_id": "S-1", "reason": reason}
    Payment.objects.filter(pk=payment.pk).update(order=order, **more)
    wire = make_wire_order(make_buyer())
    client, page, day = staff_client(language="ko"), English(), str(timezone.localdate())
    pages = {
        f"payments/payment/{payment.pk}/book/": {"asked": "1.00", "reason": "x"},
        f"payments/payment/{payment.pk}/refund/": {"amount": "1", "seen": "1.00", "reason": "x"},
        f"payments/payment/{payment.pk}/attend/": {"reason": "x"},
        f"payments/payment/{payment.pk}/change/": {},
        f"payments/payment/{announced(wire).pk}/confirm/": {"received": "900", "value_date": day},
    }
    booked = {"amount": "9", "depositor": "Glow", "seen": "1.00", "value_date": day}
    pages[f"orders/order/{order.pk}/book-wire/"] = booked
    pages |= {address: {} for address in LOOKED_AT}
    untranslated = {}
    for address, form in pages.items():
        html = client.get(f"/admin/{address}", follow=True).text
        if form:
            html += client.post(f"/admin/{address}", form, follow=True).text
        untranslated[address] = page.texts(html)
    assert {address: texts for address, texts in untranslated.items() if texts} == {}


def test_every_model_has_a_korean_name() -> None:
    """Deleting, undoing and the history name what they meet."""
    own = {
        model for model in apps.get_models() if model.__module__.startswith(("apps.", "portal."))
    }
    with translation.override("ko"):
        names = {
            f"{model._meta.label}: {name}"
            for model in own | {*admin.site._registry} - {Email}
            for name in (model._meta.verbose_name, model._meta.verbose_name_plural)
            if not re.search("[가-힣]", str(name))
        }
    assert names == set()


def test_a_sweeps_page_is_titled_in_words() -> None:
    client = staff_client(language="ko")
    SweepRun.objects.create(name="mails")
    assert "<h1>메일 발송</h1>" in client.get("/admin/portal/sweeprun/mails/change/").text


@pytest.mark.parametrize(
    ("language", "texts"),
    [
        ("en", ("Registration", "Sales", "0 of 1 selected", "")),
        ("ko", ("가입 신청", "영업", "1건 중 0건 선택", "%(cnt)s건 중 %(sel)s건 선택")),
    ],
)
def test_models_and_groups_are_named_in_the_readers_language(
    language: str, texts: tuple[str, str, str, str]
) -> None:
    kind, group, none, ticked = texts
    client = staff_client(language=language)
    make_order(make_buyer())
    kinds = ContentType.objects.get_for_model(Registration, for_concrete_model=False)
    deed = {"content_type": kinds, "object_id": "1", "action_flag": CHANGE}
    LogEntry.objects.create(user=make_staff(), **deed)
    assert f">{kind}</td>" in client.get("/admin/admin/logentry/").text
    assert f">{group}</a>" in client.get("/admin/accounts/user/").text
    assert none in client.get("/admin/orders/order/").text
    refused = staff_client("Sales", language=language).get("/admin/common/policy/").text
    assert {"en": "these groups: Settings.", "ko": "공개됩니다: 설정."}[language] in refused
    assert json.dumps(ticked)[1:-1] in client.get("/admin/jsi18n/").text

"""Every staff page, opened once and its form sent once, keeps to every rule.

A Korean colleague asks, in a portal with PayPal switched off: test_korean has the pages that it
adds.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from html.parser import HTMLParser
from http.cookies import SimpleCookie
from typing import Any

import pytest
from django.conf import settings
from django.contrib.messages import get_messages
from django.db import transaction
from django.test import Client
from django.utils import timezone, translation

from apps.accounts.tests.factories import make_buyer
from apps.accounts.tests.staff import signed_in, staff_in
from apps.orders.status import OrderStatus
from apps.orders.tests.factories import make_order_at, make_sales
from apps.payments.models import BankTransfer, WalletEntry
from apps.payments.tests.factories import arrive, make_wire_order
from portal.tests.reliability import test_staff_access as access
from portal.tests.test_korean import English
from portal.tests.test_wire_only import naming

pytestmark = pytest.mark.django_db
CONTRACT = "/admin/schema"
MAIL = "/html/"  # has a policy of its own, which test_staff_pages looks at
# What is not met at the addresses of the resolver: things in other states, questions in an address,
# and what superusers alone may open.
PAGES = (
    *("settings/", "settings/paper.pdf", "accounts/user/add/"),
    *("accounts/user/{staff}/second-factor/", "accounts/registration/{user}/change/"),
    "accounts/registration/?decision=all&hint=double&age=late",
    "jump/?q=a",
    *(f"orders/wish/?{query}" for query in ("by=brand", "by=customer&overdue=1", "by=wish&q=a")),
    *(f"orders/{report}/?format=xlsx" for report in ("wish", "salestally")),
    "orders/salestally/?rows=product&columns=company&all=1",
    "orders/salestally/receivables/?by=orders",
    *(f"orders/order/{{preparing}}/{page}/" for page in ("change", "confirm", "ship", "cancel")),
    "orders/order/{preparing}/products/?q=p",
    *(f"orders/order/{{confirmed}}/{page}/" for page in ("change", "packing", "invoice")),
    "orders/order/{shipped}/tracking/",
    *(f"payments/payment/{{booked}}/{page}" for page in ("move/?to=MHW-1", "refund-wire/")),
    "payments/payment/{booked}/refund-wire/?amount=1.00&way=wallet&reason=x",
    "payments/payment/desk/transfers/{transfer}/sent/",
    "payments/payment/desk/claims/?q=a",
    "payments/walletentry/company/{company}/correct/",
    "payments/walletentry/company/{company}/pay-out/?amount=1.00&reason=x",
    "payments/walletentry/balances/?q=a",
)


def test_every_page_keeps_to_every_rule() -> None:
    things: dict[str, Any] = access.make_things()
    pages = {access.address(route, things) for route in access.staff_routes()}
    more = more_things(things["accounts/company/"], things["accounts/user/"])
    opened = {f"/admin/{page.format(**more)}" for page in PAGES}
    client = korean()
    english, forms = English(), 0
    unmet: dict[str, list[str]] = defaultdict(list)
    for page, answer in answers(client, sorted(pages | opened)):
        assert not access.leads_away(answer), page
        assert page == CONTRACT or naming([(page, answer.getvalue())]) == {}
        if page in opened and answer.wsgi_request.method == "GET":
            assert answer.status_code == 200, page
        if answer.headers.get("Content-Type", "").startswith("text/html"):
            forms += check_enter(page, answer.text)
            if not page.endswith(MAIL):
                check_policy(page, answer)
            for text in english.texts(answer.text + told(answer)):
                unmet[text].append(page)
    assert forms > 150
    if unmet:
        pytest.fail(
            "\n".join(f"{text!r} at {unmet[text][0]} ({len(unmet[text])})" for text in unmet)
        )


def more_things(company: int, user: int) -> dict[str, int]:
    """Return things in states in which `make_things` has none, by name."""
    credit = {"kind": WalletEntry.Kind.CORRECTION, "amount": 80, "at": timezone.now()}
    entry = WalletEntry.objects.create(company_id=company, **credit)
    fields = {"payee": "Glow", "amount": 80, "owed_at": timezone.now()}
    orders = {status.name.lower(): make_order_at(status, make_buyer()).pk for status in OrderStatus}
    return {
        **orders,
        "company": company,
        "user": user,
        "staff": make_sales().pk,
        "booked": arrive(make_wire_order(make_buyer())).pk,
        "transfer": BankTransfer.objects.create(entry=entry, company_id=company, **fields).pk,
    }


@pytest.fixture(autouse=True)
def _wires_alone(settings: Any) -> None:
    settings.PAYPAL_CLIENT_ID = ""


def korean() -> Client:
    """Return the browser of a Korean superuser, who came from a stranger's page."""
    headers = {"referer": f"https://{access.AWAY}/admin/", "x-forwarded-host": access.AWAY}
    client = signed_in(staff_in(), headers=headers)
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = "ko"
    return client


def answers(client: Client, pages: Iterable[str]) -> Iterator[tuple[str, Any]]:
    """Yield what a GET and a POST of each page answer, wherever they ask to be led; what they
    change is undone.
    """
    cookies = SimpleCookie(client.cookies)
    hostile = dict.fromkeys(access.LEADING, f"//{access.AWAY}/")
    for page in pages:
        for ask, body in ((client.get, None), (client.post, hostile)):
            with transaction.atomic():
                yield page, ask(page, body)
                transaction.set_rollback(True)
            client.cookies = SimpleCookie(cookies)


def told(answer: Any) -> str:
    """Return the messages that the page shows to which an answer leads."""
    with translation.override("ko"):
        return "".join(f"<p>{message}</p>" for message in get_messages(answer.wsgi_request))


def check_policy(page: str, answer: Any) -> None:
    """A page needs no more than its content policy allows."""
    policy = answer.headers["Content-Security-Policy"]
    assert "script-src 'self'" in policy
    assert "unsafe" not in policy
    html = re.sub(r"<pre.*?</pre>", "", answer.text, flags=re.DOTALL)  # a mail's source is text
    assert not re.search(r"<style|\sstyle=|\son[a-z]+=\"|href=\"javascript:", html), page
    assert not re.search(r"<script(?![^>]*\bsrc=)(?![^>]*application/json)", html), page
    assert not re.search(r"type=.?number", html), f"{page}: the wheel turns its numbers"


def check_enter(page: str, html: str) -> int:
    """Enter in a field sends no form, even where no script has run; return how many forms."""
    forms = [form for form in Forms(html).forms.values() if form["fields"]]
    for form in forms:
        assert form["first"].get("formmethod") == "dialog", (page, form)
    return len(forms)


class Forms(HTMLParser):
    """Collects the forms of a page that send: what is filled in there, and the first button."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.forms: dict[str, dict[str, Any]] = {}
        self._open = ""
        for _ in range(2):  # a field may stand before the form that it names
            self.feed(html)

    def handle_starttag(self, tag: str, pairs: list[tuple[str, str | None]]) -> None:
        attrs = dict(pairs)
        if tag == "form":
            self._open = attrs.get("id") or str(self.getpos())
            if attrs.get("method") == "post" and attrs.get("data-enter") != "send":
                self.forms.setdefault(self._open, {"fields": set(), "first": None})
        form = self.forms.get(attrs.get("form") or self._open)
        kind = attrs.get("type") or ("submit" if tag == "button" else "text")
        if form is None or tag not in ("input", "select", "textarea", "button"):
            return
        if kind in ("submit", "image"):
            form["first"] = form["first"] or attrs
        elif tag != "button" and kind != "hidden":
            form["fields"].add(attrs.get("name"))

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._open = ""

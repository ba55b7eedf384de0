"""Every staff page, opened once and its form sent once, keeps to every rule.

A Korean colleague asks, in a portal with PayPal switched off: test_korean has the pages that it
adds.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from http.cookies import SimpleCookie
from typing import Any

import pytest
from django.conf import settings
from django.contrib.messages import get_messages
from django.db import transaction
from django.test import Client
from django.utils import translation

from apps.accounts.tests.staff import staff_in
from portal.tests.reliability import test_staff_access as access
from portal.tests.test_korean import English
from portal.tests.test_staff_pages import PAGES, check_enter, check_policy, one_of_everything
from portal.tests.test_wire_only import naming

pytestmark = pytest.mark.django_db
CONTRACT = "/admin/schema"
MAIL = "/html/"  # has a policy of its own, which test_staff_pages looks at


def test_every_page_keeps_to_every_rule() -> None:
    things: dict[str, Any] = access.make_things()
    pages = {access.address(route, things) for route in access.staff_routes()}
    more = one_of_everything()
    opened = {f"/admin/{page.format(**more)}" for page in PAGES}
    client = korean()
    english, forms = English(), 0
    left: dict[str, list[str]] = defaultdict(list)
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
                left[text].append(page)
    assert forms > 200
    if left:
        pytest.fail("\n".join(f"{text!r} at {left[text][0]} ({len(left[text])})" for text in left))


@pytest.fixture(autouse=True)
def _wires_alone(settings: Any) -> None:
    settings.PAYPAL_CLIENT_ID = ""


def korean() -> Client:
    """Return the browser of a Korean superuser, who came from a stranger's page."""
    client = Client(
        headers={"referer": f"https://{access.AWAY}/admin/", "x-forwarded-host": access.AWAY}
    )
    client.force_login(staff_in(), backend="django.contrib.auth.backends.ModelBackend")
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = "ko"
    return client


def answers(client: Client, pages: Iterable[str]) -> Iterator[tuple[str, Any]]:
    """Yield what a GET and a POST of each page answer, wherever they ask to be led; what they
    change is undone.
    """
    cookies = SimpleCookie(client.cookies)
    hostile = dict.fromkeys(access.LEADING, f"//{access.AWAY}/")
    for page in pages:
        for ask, sent in ((client.get, None), (client.post, hostile)):
            with transaction.atomic():
                yield page, ask(page, sent)
                transaction.set_rollback(True)
            client.cookies = SimpleCookie(cookies)


def told(answer: Any) -> str:
    """Return the messages that the page shows to which an answer leads."""
    with translation.override("ko"):
        return "".join(f"<p>{message}</p>" for message in get_messages(answer.wsgi_request))

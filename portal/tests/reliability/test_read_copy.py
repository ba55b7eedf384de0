"""A copy of the database answers a buyer's GET only when it has what this buyer wrote; a real one:
`make cluster`.

The copy here is the same server, through a schema that shadows some tables as they were before:
empty.
"""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.db import connection, connections, transaction
from django.db.backends.base.base import NO_DB_ALIAS
from django.db.models import F
from django.http import HttpResponse
from django.utils import timezone

from apps.accounts.models import User
from apps.accounts.selectors import Buyer
from apps.catalog.models import Product
from apps.catalog.tests.factories import make_product
from apps.common.db import read_copy
from apps.common.testing import ContractClient
from apps.notices.api.views import NoticesView
from apps.notices.models import Notice
from apps.orders.tests.factories import make_order
from portal.postgresql import base
from portal.tests.reliability.network import closed_port, silent_server

pytestmark = [pytest.mark.postgresql, pytest.mark.django_db(transaction=True)]

SHADOWED = ("notices_notice", "orders_order")
AS_FAR_AS = "SELECT %s::pg_lsn <= '{}'::pg_lsn AND %s > 0"
HAS_REPLAYED = read_copy.HAS_REPLAYED
FAR, NOT_FAR = "FFFFFFFF/0", "0/1"


@pytest.fixture
def replayed(
    transactional_db: None, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[[str], None]]:
    """Add the copy; return what says how far it has come."""
    monkeypatch.setattr(read_copy, "_rests_until", 0.0)
    monkeypatch.setattr(base, "_silent_until", {})
    before = dict(connection.settings_dict)
    options = {
        **before["OPTIONS"],
        "options": "-c search_path=behind,public -c default_transaction_read_only=on",
    }
    with connection.cursor() as cursor:
        cursor.execute("CREATE SCHEMA behind")
        for table in SHADOWED:
            cursor.execute(f"CREATE TABLE behind.{table} (LIKE public.{table})")
    connections.settings[read_copy.COPY] = {**before, "OPTIONS": options}
    connections[read_copy.COPY].alias = NO_DB_ALIAS  # which Django's tests let through

    def as_far_as(place: str) -> None:
        monkeypatch.setattr(read_copy, "HAS_REPLAYED", AS_FAR_AS.format(place))

    as_far_as(FAR)
    yield as_far_as
    connections[read_copy.COPY].close()
    del connections[read_copy.COPY], connections.settings[read_copy.COPY]
    with connection.cursor() as cursor:
        cursor.execute("DROP SCHEMA behind CASCADE")


@pytest.fixture
def written(replayed: Callable[[str], None], api: ContractClient) -> ContractClient:
    """Return a buyer's client that has written; there is a notice, of which the copy
    does not know.
    """
    Notice.objects.create(title="Holidays", content="<p>Closed</p>", published_at=timezone.now())
    write(api)
    return api


def write(api: ContractClient) -> None:
    assert api.send("POST", "/api/check", {"token": api.token}).status_code == 200


def notices(api: ContractClient) -> int:
    """Return how many notices a GET shows: one by the primary, none by the copy."""
    answer = api.send("GET", "/api/notice")
    assert answer.status_code == 200
    return len(answer.json()["notice"])


def test_a_copy_answers_whoever_has_written_no_more_than_it_has(
    written: ContractClient, replayed: Callable[[str], None]
) -> None:
    cookie = written.cookies["place"]
    assert (cookie["httponly"], cookie["samesite"], cookie["path"]) == (True, "Strict", "/api")
    assert notices(written) == 0
    replayed(NOT_FAR)
    assert notices(written) == 1
    replayed(cookie.value)
    assert notices(written) == 0
    written.send(
        "POST", "/api/basket/edits", {}
    )  # refused: what was asked may have been done before
    assert written.cookies["place"].value >= cookie.value
    written.cookies["place"] = "0/0 or so"
    assert notices(written) == 1
    del written.cookies["place"]
    assert notices(written) == 1


def test_who_is_calling_is_asked_at_the_primary(written: ContractClient, buyer: Buyer) -> None:
    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE behind.accounts_user AS TABLE public.accounts_user")
    assert notices(written) == 0
    User.objects.filter(pk=buyer.id).update(is_active=False)
    assert written.send("GET", "/api/notice").status_code == 403


def test_what_a_copy_does_not_know_the_primary_decides(
    written: ContractClient, buyer: Buyer
) -> None:
    order = make_order(buyer)
    assert written.send("GET", f"/api/details/{order.invoice_code}").status_code == 200
    assert written.send("GET", "/api/details/UNKNOWN").status_code == 404


def test_a_get_that_writes_does_it_at_the_primary(
    written: ContractClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    product, before = make_product(minimum=10), written.cookies["place"].value

    def count(view: NoticesView, request: Any) -> HttpResponse:
        with transaction.atomic():
            Product.objects.update(minimum=F("minimum") + 1)
        return HttpResponse('{"success": 1, "notice": []}', content_type="application/json")

    monkeypatch.setattr(NoticesView, "get", count)
    assert notices(written) == 0
    product.refresh_from_db()
    assert (product.minimum, written.cookies["place"].value > before) == (11, True)


def test_a_copy_that_is_away_or_silent_is_asked_once(
    written: ContractClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(read_copy, "COPY_SECONDS", 0.2)
    copy = connections[read_copy.COPY]
    with silent_server() as silent:
        for port in (closed_port(), silent):
            copy.close()
            copy.settings_dict.update(HOST="127.0.0.1", PORT=str(port))
            monkeypatch.setattr(read_copy, "_rests_until", 0.0)
            assert notices(written) == 1
            assert read_copy._rests_until > 0
            with monkeypatch.context() as asked_again:
                asked_again.setattr(copy, "ensure_connection", None)
                assert notices(written) == 1


def test_a_server_that_is_no_copy_is_none(
    written: ContractClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(read_copy, "HAS_REPLAYED", HAS_REPLAYED)
    assert notices(written) == 1

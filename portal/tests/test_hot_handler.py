"""The server's own entrance answers the plain cases of the hot calls; all else is Django's (decision 0086)."""

import json
from collections.abc import Callable, Iterator
from io import BytesIO
from typing import Any

import pytest
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from django.test import RequestFactory

from apps.accounts.selectors import Buyer
from apps.catalog.tests.factories import make_products
from apps.common.errors import SOMETHING_WENT_WRONG
from apps.common.testing import ContractClient
from apps.common.types import Json
from apps.orders.models import TemporaryOrder
from apps.orders.tests.factories import make_order, ship_body
from portal import hot
from portal.tests.test_hot import views_alone

pytestmark = pytest.mark.django_db
LIST, REQUEST = "/api/order/0", "/api/temp-order?shop=first"
Told = tuple[str, dict[str, str], bytes]
Serve = Callable[..., Told]


@pytest.fixture
def serve(api: ContractClient) -> Iterator[Serve]:
    """Return a function that asks the server's entrance: status, headers and body of its answer."""
    signals = request_started, request_finished

    def ask(method: str, path: str, body: object = None, **headers: str) -> Told:
        data = b"" if body is None else json.dumps(body).encode()
        headers = {"X-Access-Token": str(api.token), **headers}
        environ = RequestFactory().generic(method, path, data, "application/json", headers=headers).environ
        environ["wsgi.input"] = BytesIO(data)
        told: list[Any] = []

        def start(status: str, headers: list[tuple[str, str]], *_: object) -> Callable[[bytes], object]:
            told.extend((status, dict(headers)))
            return told.append

        content = b"".join(hot.HotHandler()(environ, start))
        return told[0], told[1], content

    for signal in signals:  # the test's transaction is on the connection that they would close
        signal.disconnect(close_old_connections)
    yield ask
    for signal in signals:
        signal.connect(close_old_connections)


@pytest.fixture
def basket(buyer: Buyer) -> Json:
    """Return the body of a request for one product."""
    product = make_products(1)[0]
    lines = [{"sku": product.sku, "count": product.minimum}]
    return {"uuid": str(buyer.uuid), "export_report": 0, "count": 1, "total": 0, "product": lines, **ship_body()}


def test_it_answers_as_django_does(serve: Serve, buyer: Buyer, answers: list[int], settings: Any) -> None:
    settings.SECURE_HSTS_SECONDS = 60
    make_order(buyer)
    asked = {"X-Request-ID": "from-the-proxy"}
    fast = serve("GET", LIST, **asked)
    assert answers == [200]
    with views_alone():
        status, headers, content = serve("GET", LIST, **asked)
    assert answers == [200]
    assert headers.pop("Allow")  # REST framework's own
    assert fast == (status, headers, content)
    assert fast[1]["X-Request-ID"] == "from-the-proxy"
    assert serve("GET", LIST)[1]["X-Request-ID"] != serve("GET", LIST)[1]["X-Request-ID"]


def test_the_view_gets_the_body_that_was_read_before_it(serve: Serve, basket: Json, answers: list[int]) -> None:
    refused = {**basket, "product": [{"sku": "none", "count": 10}]}
    status, _, content = serve("POST", REQUEST, refused)
    assert (status[:3], answers) == ("400", [0])
    with views_alone():
        assert serve("POST", REQUEST, refused)[2] == content
    assert serve("POST", REQUEST, basket)[0] == "200 OK"
    assert TemporaryOrder.objects.count() == 1


def test_a_failure_is_answered_by_django_and_not_repeated(
    serve: Serve, basket: Json, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    tried: list[Json] = []

    def fail(**asked: Any) -> None:
        tried.append(asked)
        raise ZeroDivisionError

    monkeypatch.setattr(hot, "request_order", fail)
    caplog.set_level("INFO", "portal.request")
    status, headers, content = serve("POST", REQUEST, basket)
    answer = json.loads(content)
    assert (status[:3], answer["message"]) == ("500", SOMETHING_WENT_WRONG)
    assert answer["request_id"] == headers["X-Request-ID"]
    assert len(tried) == 1
    assert [getattr(r, "status", 0) for r in caplog.records if r.name == "portal.request"] == [500]


def test_the_line_of_a_refused_call_counts_all_its_statements(serve: Serve, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO", "portal.request")
    with views_alone():
        assert serve("GET", "/api/details/unknown")[0][:3] == "404"
    assert serve("GET", "/api/details/unknown")[0][:3] == "404"
    alone, tried_before = (getattr(r, "queries", 0) for r in caplog.records if r.name == "portal.request")
    assert tried_before > alone


def test_a_body_over_the_limit_is_refused_unread(serve: Serve, basket: Json, answers: list[int], settings: Any) -> None:
    settings.MAX_BODY_BYTES = 100
    assert serve("POST", REQUEST, basket)[0][:3] == "413"
    assert answers == []
    assert not TemporaryOrder.objects.exists()


def test_a_call_from_another_origin_is_djangos(serve: Serve, answers: list[int], settings: Any) -> None:
    origin = "https://shop.seller.test"
    assert serve("GET", LIST, Origin=origin)[0] == "200 OK"
    settings.CORS_ALLOWED_ORIGINS = [origin]
    settings.MIDDLEWARE = ["corsheaders.middleware.CorsMiddleware", *settings.MIDDLEWARE]
    assert serve("GET", LIST, Origin=origin)[1]["access-control-allow-origin"] == origin
    fast = serve("GET", LIST, **{"X-Request-ID": "from-the-proxy"})
    assert answers == [200, 200]
    with views_alone():
        status, headers, content = serve("GET", LIST, **{"X-Request-ID": "from-the-proxy"})
    assert headers.pop("Allow")
    assert fast == (status, headers, content)
    assert fast[1]["Vary"] == "origin"


@pytest.mark.parametrize(
    ("path", "begun"), [(LIST, 1), ("/api/details/unknown", 2), ("/api/brand", 1), ("/nowhere", 1)]
)
def test_djangos_signals_are_sent(serve: Serve, path: str, begun: int) -> None:
    seen: list[str] = []

    def note_start(**_: object) -> None:
        seen.append("started")

    request_started.connect(note_start)
    try:
        serve("GET", path)
    finally:
        request_started.disconnect(note_start)
    assert seen == ["started"] * begun


def test_an_order_that_was_made_is_answered_though_nobody_can_count_it(
    serve: Serve, basket: Json, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(**_: object) -> None:
        raise OSError("No space left on device")

    settings.METRICS_TOKEN = "a-token-of-at-least-32-characters-here"
    monkeypatch.setattr("portal.ops.metrics.count_request", full)
    assert serve("POST", REQUEST, basket)[0] == "200 OK"
    with views_alone():
        assert serve("POST", REQUEST, basket)[0] == "200 OK"
    assert TemporaryOrder.objects.count() == 2

"""Every call, by every kind of caller, with every kind of identifier
(design/reliability-and-security.md, 19.4).

The resolver is walked: a call without an entry fails. Own identifiers answer what the entry says;
another company's, unknown and malformed ones answer alike; and no answer holds a byte of the other
company.
"""

from collections.abc import Callable, Iterator
from datetime import timedelta
from io import BytesIO
from typing import Any
from zipfile import ZipFile

import pytest
from django.db import transaction

from apps.accounts.models import Company, User
from apps.accounts.selectors import Buyer
from apps.accounts.services.sessions import end_sessions
from apps.accounts.tests.factories import buyer_of, make_country, make_user
from apps.catalog.models import BrandAccess
from apps.catalog.tests.factories import close_brand
from apps.common.testing import ContractClient
from apps.orders.models import Order
from portal.tests.calls import (
    CALLS,
    DONE,
    EXPIRED,
    FOREIGN_ANSWERS,
    MALFORMED,
    NOT_FOUND,
    NOTHING,
    OF_BUYERS,
    OWN_ANSWERS,
    UNKNOWN,
    Answer,
    answer_to,
    holds,
    method_of,
    names_in,
    token_of,
)
from portal.tests.reliability.world import FOREIGN_PRICE, HIGH, MARK, Side, high_ids, make_side

pytestmark = pytest.mark.django_db


@pytest.fixture
def sides(settings: Any) -> Iterator[tuple[Side, Side]]:
    """Return the caller's side and the other one, numbered as high as ids may be;
    PayPal is closed.
    """
    settings.PAYPAL_ENDPOINT = "http://127.0.0.1:1"
    with high_ids():
        other = make_side(MARK)
        yield make_side("Own"), other


def echoed(what: Any) -> bytes:
    """Return what two calls repeat because the caller wrote it: the SKU."""
    return f"{MARK}-1".lower().encode() if "sku" in what else b"\0"


def content_of(response: Any) -> bytes:
    """Return what stands in an answer, also in a workbook; a stream can be read once more."""
    content: bytes = response.getvalue()
    if response.streaming:
        response.streaming_content = [content]
    if not content.startswith(b"PK"):
        return content
    with ZipFile(BytesIO(content)) as book:
        return b"".join(map(book.read, book.namelist()))


def differing(answers_found: Iterator[tuple[Any, Any, Answer]]) -> dict[Any, Any]:
    """Return the answers that are not as expected, or that hold something of the other company."""
    wrong: dict[Any, Any] = {}
    for what, response, expected in answers_found:
        content = content_of(response)
        if not holds(response, expected):
            wrong[what] = (response.status_code, content[:200], "instead of", expected)
        elif MARK.lower().encode() in content.lower().replace(echoed(what), b""):
            wrong[what] = "holds what is the other company's"
        elif str(FOREIGN_PRICE).encode() in content:
            wrong[what] = "holds a price of the other company's group"
    return wrong


def test_a_buyer_with_own_identifiers(sides: tuple[Side, Side]) -> None:
    client, ids = ContractClient().sign_in(token_of(sides[0].buyer)), sides[0].ids
    assert sides[0].order.pk > HIGH

    def answers() -> Iterator[tuple[Any, Any, Answer]]:
        for call, about in CALLS.items():
            yield call, answer_to(client, call, ids), about.answer
        file = client.get(f"/api/excel/product-setting/{ids['uuid']}?format=xlsx")
        assert ids["sku"].encode() in content_of(file)
        yield "the price list's file", file, (200, {})

    assert differing(answers()) == {}


def test_a_colleague_has_the_companys_orders_and_not_the_buyers_own_things(
    sides: tuple[Side, Side],
) -> None:
    colleague = buyer_of(make_user(company=sides[0].user.company))
    client = ContractClient().sign_in(token_of(colleague))
    ids = {**sides[0].ids, "email": colleague.email}

    def answers() -> Iterator[tuple[Any, Any, Answer]]:
        for call in OF_BUYERS:
            foreign = NOTHING if "dashboard/quick" in call else NOT_FOUND
            changes_basket = "{basket}" in call and method_of(call) != "get"  # it is shared
            is_own = {"uuid", "draft", "list"} & set(names_in(call)) or changes_basket
            yield call, answer_to(client, call, ids), foreign if is_own else CALLS[call].answer

    assert differing(answers()) == {}


def test_an_email_in_a_checkout_gives_no_rights(sides: tuple[Side, Side]) -> None:
    own, other = sides
    client = ContractClient().sign_in(token_of(own.buyer))
    call, ids = "post order/checkout-deposit/tt", {**own.ids, "email": other.buyer.email}
    assert holds(answer_to(client, call, ids), DONE)
    assert holds(answer_to(client, call, {**ids, "draft": other.ids["draft"]}), NOT_FOUND)


def test_other_identifiers_answer_alike(sides: tuple[Side, Side]) -> None:
    own, other = sides
    client = ContractClient().sign_in(token_of(own.buyer))
    before = list(Order.objects.order_by("pk").values())

    def answers(kind: str, values: dict[str, str]) -> Iterator[tuple[Any, Any, Answer]]:
        for call in CALLS:
            for name in names_in(call):
                expected = OWN_ANSWERS.get((call, name), NOT_FOUND)
                if kind == "foreign":
                    expected = FOREIGN_ANSWERS.get((call, name), expected)
                answer = answer_to(client, call, {**own.ids, name: values[name]})
                yield (kind, call, name), answer, expected

    kinds = {"foreign": other.ids, "unknown": UNKNOWN, "malformed": MALFORMED}
    for kind, values in kinds.items():
        with transaction.atomic():
            assert differing(answers(kind, values)) == {}
            assert list(Order.objects.order_by("pk").values()) == before
            transaction.set_rollback(True)


def test_a_closed_brand_is_in_no_call_and_unknown_to_each(sides: tuple[Side, Side]) -> None:
    own, other = sides
    country = make_country()
    Company.objects.filter(pk=own.buyer.company_id).update(country=country)
    BrandAccess.objects.create(company_id=own.buyer.company_id, brand=other.brand)
    close_brand(other.brand.pk, country=country.pk)
    client = ContractClient().sign_in(token_of(own.buyer))

    def answers() -> Iterator[tuple[Any, Any, Answer]]:
        for call, about in CALLS.items():
            yield call, answer_to(client, call, own.ids), about.answer
            for name in {"sku", "brand"} & set(names_in(call)):
                expected = OWN_ANSWERS.get((call, name), NOT_FOUND)
                yield (
                    (call, name),
                    answer_to(client, call, {**own.ids, name: other.ids[name]}),
                    expected,
                )
        file = f"/api/excel/product-setting/{own.ids['uuid']}?format=xlsx"
        yield "the price list's file", client.get(file), (200, {})

    assert differing(answers()) == {}


def _old_version(buyer: Buyer) -> str:
    token = token_of(buyer)
    end_sessions(user_id=buyer.id)
    return token


def _after(**change: Any) -> Callable[[Buyer], str]:
    def token(buyer: Buyer) -> str:
        good = token_of(buyer)
        User.objects.filter(pk=buyer.id).update(**change)
        return good

    return token


def _blocked(buyer: Buyer) -> str:
    token = token_of(buyer)
    Company.objects.filter(pk=buyer.company_id).update(is_open=False)
    return token


OUTSIDERS: dict[str, Callable[[Buyer], str | None]] = {
    "stranger": lambda buyer: None,
    "garbage": lambda buyer: "a.b.c",
    "expired": lambda buyer: token_of(buyer, ago=timedelta(days=2)),
    "ended": _old_version,
    "pending": _after(approval=User.Approval.PENDING),
    "rejected": _after(approval=User.Approval.REJECTED),
    "deactivated": _after(is_active=False),
    "staff": _after(is_staff=True),
    "blocked company": _blocked,
}


# Every call asks for its caller in one way (test_entrance): of most outsiders some calls show it.
SOME = (
    *("post check", "get notice", "post dashboard", "get account", "post temp-order"),
    *("get details/{confirmed}", "post order/checkout-deposit/tt"),
)


def test_outsiders_are_sent_to_sign_in_whatever_they_name(sides: tuple[Side, Side]) -> None:
    own, other = sides
    names = {
        "own": own.ids,
        "foreign": other.ids,
        "unknown": {**own.ids, **UNKNOWN},
        "malformed": MALFORMED,
    }

    def answers(caller: str) -> Iterator[tuple[Any, Any, Answer]]:
        client = ContractClient()
        client.token = OUTSIDERS[caller](own.buyer)
        # Who is calling is asked first: what is named, of two kinds of callers alone.
        kinds, calls = (names, CALLS) if caller in ("stranger", "ended") else (("own",), SOME)
        for call in calls:
            about = CALLS[call]
            if about.is_public:
                yield (caller, call), answer_to(client, call, own.ids), about.answer
                continue
            for kind in kinds:
                answer = answer_to(client, call, {**names[kind], "email": "x@portal.test"})
                yield (caller, call, kind), answer, EXPIRED

    for caller in OUTSIDERS:
        with transaction.atomic():
            assert differing(answers(caller)) == {}
            transaction.set_rollback(True)

"""Whom a notice reaches: every kind of audience in the list, the notice, the dashboard, its pop-ups
and its files.
"""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import storages
from django.test import Client

from apps.accounts.models import Company
from apps.accounts.selectors import Buyer
from apps.accounts.tests.factories import make_buyer, make_country, make_user
from apps.catalog.tests.factories import close_brand, make_brand, make_product
from apps.common.testing import ContractClient
from apps.notices.models import Notice, NoticeAudience, NoticeFile
from apps.notices.selectors import Audience, reach_of
from apps.orders.models import Order, OrderLine
from apps.orders.status import OrderStatus
from apps.orders.tests.factories import make_order

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)
KINDS = ["country", "company", "brand"]


def rows_of(buyer: Buyer) -> dict[str, int]:
    """Return what each kind of audience names when it is meant for a buyer's company."""
    country = make_country(f"C{buyer.company_id}", f"Country {buyer.company_id}")
    Company.objects.filter(pk=buyer.company_id).update(country=country)
    brand = make_brand()
    make_order(buyer, [(make_product(brand=brand), 20)])
    return {"country": country.pk, "company": buyer.company_id, "brand": brand.pk}


def make_notice(now: datetime, kind: str = "", *ids: int, **fields: Any) -> Notice:
    usual = {"published_at": now - DAY, "popup_from": now - DAY, "popup_until": now + DAY}
    notice = Notice.objects.create(
        title="News", content="<p>Text</p>", for_everybody=not kind, **{**usual, **fields}
    )
    NoticeAudience.objects.bulk_create(
        NoticeAudience(notice=notice, kind=kind, object_id=pk) for pk in ids
    )
    name = f"{uuid4().hex}.pdf"
    file = NoticeFile(
        notice=notice, title="a.pdf", storage_name=name, content_type="application/pdf", size=4
    )
    storages["private"].save(file.path, ContentFile(b"%PDF"))
    file.save()
    return notice


def sees(api: ContractClient, buyer: Buyer, notice: Notice) -> bool:
    """Return whether a buyer sees a notice, which every call must answer alike."""
    board = api.send("post", "/api/dashboard", {"uuid": str(buyer.uuid)}).json()
    answers: set[bool] = {
        notice.pk in [row["notice_id"] for row in api.get("/api/notice").json()["notice"]],
        notice.pk in [row["notice_id"] for row in board["notice"]],
        notice.pk in board["popup"],
        api.send("post", f"/api/notice/detail/{notice.pk}").status_code == 200,
        api.send("post", f"/api/dashboard/notice/{notice.pk}").status_code == 200,
    }
    assert len(answers) == 1, "the calls disagree"
    return answers.pop()


def link(api: ContractClient, notice: Notice) -> str:
    (file,) = api.send("post", f"/api/notice/detail/{notice.pk}").json()["notice"]["fileList"]
    return str(file["url"])


def status_of(url: str) -> int:
    response = Client().get(url)
    if response.streaming:
        assert response.getvalue() == b"%PDF"
    return int(response.status_code)


@pytest.mark.parametrize("kind", KINDS)
def test_a_notice_reaches_its_audience_and_nobody_else(
    sign_in: Callable[[Buyer], ContractClient], now: datetime, kind: str
) -> None:
    mine, other = make_buyer(), make_buyer()
    ids, others = rows_of(mine), rows_of(other)
    notice = make_notice(now, kind, ids[kind])
    assert sees(sign_in(mine), mine, notice)
    assert not sees(sign_in(other), other, notice)
    NoticeAudience.objects.create(notice=notice, kind=kind, object_id=others[kind])
    assert sees(sign_in(other), other, notice)
    assert not sees(sign_in(mine), mine, make_notice(now, kind, others[kind]))


@pytest.mark.parametrize("kind", KINDS)
def test_the_number_of_another_kind_does_not_let_in(
    api: ContractClient, buyer: Buyer, now: datetime, kind: str
) -> None:
    number = rows_of(buyer)[kind]
    for other in KINDS:
        if rows_of_number(buyer, other) != number:
            assert not sees(api, buyer, make_notice(now, other, number)), other


def rows_of_number(buyer: Buyer, kind: str) -> int:
    company = Company.objects.get(pk=buyer.company_id)
    numbers = {"company": company.pk, "country": company.country_id}
    return int(numbers.get(kind) or OrderLine.objects.get(order__company=company).product.brand_id)


def test_everybody_means_everybody_and_no_row_means_nobody(
    api: ContractClient, buyer: Buyer, now: datetime
) -> None:
    assert sees(api, buyer, make_notice(now))
    assert not sees(api, buyer, make_notice(now, "company"))


def test_a_draft_and_one_to_come_reach_nobody(
    api: ContractClient, buyer: Buyer, now: datetime
) -> None:
    company = rows_of(buyer)["company"]
    for published in (None, now + DAY):
        assert not sees(api, buyer, make_notice(now, "company", company, published_at=published))


@pytest.mark.parametrize("kind", KINDS)
def test_who_leaves_the_audience_loses_old_file_links_too(
    api: ContractClient, buyer: Buyer, now: datetime, kind: str
) -> None:
    notice = make_notice(now, kind, rows_of(buyer)[kind])
    url = link(api, notice)
    assert status_of(url) == 200
    notice.audience.update(object_id=10**9)
    assert status_of(url) == 404


@pytest.mark.parametrize("change", ["cancelled", "added by staff", "closed brand"])
def test_a_company_that_no_longer_counts_as_a_buyer_loses_the_link(
    api: ContractClient, buyer: Buyer, now: datetime, change: str
) -> None:
    rows = rows_of(buyer)
    notice = make_notice(now, "brand", rows["brand"])
    url = link(api, notice)
    assert str(reach_of(Audience("brand", frozenset([rows["brand"]])))) == "1 company, 1 buyer"
    if change == "cancelled":
        Order.objects.update(status=OrderStatus.CANCELLED, cancelled_at=now)
    elif change == "closed brand":
        close_brand(rows["brand"], country=rows["country"])
    else:
        OrderLine.objects.update(is_ordered=False)
    assert status_of(url) == 404
    assert not sees(api, buyer, notice)
    nobody = reach_of(Audience("brand", frozenset([rows["brand"]])))
    assert str(nobody) == "0 companies, 0 buyers"


def test_the_calls_cost_the_same_for_every_kind_of_audience(
    api: ContractClient, buyer: Buyer, now: datetime, django_assert_num_queries: Any
) -> None:
    rows = rows_of(buyer)
    for _ in range(4):
        for kind, number in rows.items():
            make_notice(now, kind, number)
    foreign = make_notice(now, "company", 10**9)
    with django_assert_num_queries(2):
        assert len(api.get("/api/notice").json()["notice"]) == 12
    with django_assert_num_queries(2):
        api.send("post", "/api/dashboard", {"uuid": str(buyer.uuid)})
    for path in (foreign.pk, 10**8):  # foreign and unknown cost the same
        with django_assert_num_queries(2):
            assert api.send("post", f"/api/notice/detail/{path}").status_code == 404


def test_reach_counts_buyers_who_can_sign_in() -> None:
    mine, other = make_buyer(), make_buyer()
    rows = rows_of(mine)
    company = Company.objects.get(pk=mine.company_id)
    make_user(company=company)
    make_user(company=company, approval="pending")
    make_user(company=company, is_active=False)
    for kind, number in rows.items():
        reach = reach_of(Audience(kind, frozenset([number])))
        assert str(reach) == "1 company, 2 buyers", kind
    everybody = reach_of(Audience())
    assert (everybody.companies, everybody.buyers) == (2, 3)
    Company.objects.filter(pk=other.company_id).update(is_open=False)
    assert str(reach_of(Audience())) == "1 company, 2 buyers"
    assert str(reach_of(Audience("brand", frozenset()))) == "0 companies, 0 buyers"

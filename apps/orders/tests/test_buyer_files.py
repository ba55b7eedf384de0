"""What a buyer gives with an order: the file of his own order; guarded, replaced, removed, never
another company's.
"""

from pathlib import Path
from typing import Any

import pytest
from django.core.files.storage import storages
from django.db import IntegrityError, transaction
from django.test.client import MULTIPART_CONTENT
from django.utils import timezone

from apps.accounts.selectors import Buyer
from apps.accounts.tests.factories import make_buyer
from apps.accounts.tests.staff import staff_client
from apps.accounts.tests.uploads import form
from apps.common.errors import Unavailable
from apps.common.testing import SMALL_PDF, ContractClient
from apps.orders.models import BuyerFile, Order
from apps.orders.services import documents
from apps.orders.status import OrderStatus
from apps.orders.tests.factories import make_order, make_order_at

PNG = b"\x89PNG\r\n\x1a\n"


def give(
    client: ContractClient,
    order: Order,
    content: bytes = SMALL_PDF,
    name: str = "PO 12.pdf",
    call: str = "po-file",
) -> Any:
    """Send a file for an order as the screen does."""
    body = form({}, content, name, field="file")
    return client.generic(
        "POST", f"/api/order/{call}/{order.invoice_code}", body, MULTIPART_CONTENT
    )


def shown(client: ContractClient, order: Order) -> Any:
    return client.get(f"/api/details/{order.invoice_code}").json()["order"]["po_file"]


def stored(file: BuyerFile) -> bool:
    return bool(storages["private"].exists(file.path))


@pytest.mark.django_db(transaction=True)
def test_a_file_is_given_opened_replaced_and_removed(api: ContractClient, buyer: Buyer) -> None:
    order = make_order(buyer)
    assert shown(api, order) is None
    assert give(api, order).status_code == 200
    first = BuyerFile.objects.get()
    assert shown(api, order)["name"] == "PO 12.pdf"
    opened: Any = api.get(shown(api, order)["url"])
    assert b"".join(opened.streaming_content) == SMALL_PDF
    assert "PO%2012.pdf" in opened["Content-Disposition"]

    assert give(api, order, name="PO 13.pdf").status_code == 200
    assert (shown(api, order)["name"], stored(first)) == ("PO 13.pdf", False)
    url = shown(api, order)["url"]
    assert api.delete(f"/api/order/po-file/{order.invoice_code}").status_code == 200
    assert (shown(api, order), BuyerFile.objects.exists()) == (None, False)
    assert api.get(url).status_code == 404
    events = order.events.filter(kind="document").order_by("id")
    assert [event.text for event in events] == [
        "PO file: PO 12.pdf",
        "PO file removed: PO 12.pdf",
        "PO file: PO 13.pdf",
        "PO file removed: PO 13.pdf",
    ]


def test_a_file_is_refused_as_a_certificate_is(api: ContractClient, buyer: Buyer) -> None:
    order = make_order(buyer)
    assert give(api, order, b"<script>alert(1)</script>").status_code == 400
    assert give(api, order, PNG + b"broken", "PO.png").json()["errors"]["file"]
    large = give(api, order, SMALL_PDF + b"x" * documents.MAX_BUYER_BYTES)
    assert (large.status_code, large.json()["message"]) == (
        413,
        "Only files below 5MB can be uploaded.",
    )
    assert not BuyerFile.objects.exists()


def test_a_cancelled_order_takes_none(api: ContractClient, buyer: Buyer) -> None:
    order = make_order_at(OrderStatus.CANCELLED, buyer)
    assert give(api, order).status_code == 409
    assert api.delete(f"/api/order/po-file/{order.invoice_code}").status_code == 409


def test_a_file_is_its_company_s_alone(api: ContractClient, buyer: Buyer) -> None:
    foreign = make_order(make_buyer())
    assert give(api, foreign).status_code == 404
    assert api.delete(f"/api/order/po-file/{foreign.invoice_code}").status_code == 404
    order, other = make_order(buyer), make_order(buyer)
    give(api, order)
    url = shown(api, order)["url"]
    assert api.get(url).status_code == 200
    assert api.get(url.replace(order.invoice_code, other.invoice_code)).status_code == 404
    Order.objects.filter(pk=order.pk).update(company_id=foreign.company_id)
    assert api.get(url).status_code == 404


def test_an_order_has_one_po_file_whatever_a_service_does(buyer: Buyer) -> None:
    order = make_order(buyer)
    rest = {
        "content_type": "application/pdf",
        "size": 1,
        "uploaded_by_id": buyer.id,
        "uploaded_at": timezone.now(),
    }
    BuyerFile.objects.create(order=order, kind="po", storage_name="a.pdf", given_name="a", **rest)
    with pytest.raises(IntegrityError), transaction.atomic():
        BuyerFile.objects.create(
            order=order, kind="po", storage_name="b.pdf", given_name="b", **rest
        )


def test_what_was_not_saved_leaves_no_file(
    buyer: Buyer,
    api: ContractClient,
    settings: Any,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    options = {**settings.STORAGES["private"]["OPTIONS"], "location": tmp_path}
    settings.STORAGES = {
        **settings.STORAGES,
        "private": {**settings.STORAGES["private"], "OPTIONS": options},
    }
    order = make_order(buyer)

    def fails(**_: Any) -> None:
        raise Unavailable

    monkeypatch.setattr(documents, "_replace_po_file", fails)
    assert give(api, order).status_code == Unavailable.http_status
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def test_staff_open_it_from_the_order(buyer: Buyer, api: ContractClient) -> None:
    order, other = make_order(buyer), make_order(buyer)
    give(api, order)
    file, client = BuyerFile.objects.get(), staff_client()
    url = f"/admin/orders/order/{order.pk}/buyer-files/{file.pk}/"
    page = client.get(f"/admin/orders/order/{order.pk}/change/").text
    assert url in page
    assert "PO 12.pdf" in page
    opened: Any = client.get(url)
    assert b"".join(opened.streaming_content) == SMALL_PDF
    file.refresh_from_db()
    assert file.seen_at is not None
    assert client.get(f"/admin/orders/order/{other.pk}/buyer-files/{file.pk}/").status_code == 404

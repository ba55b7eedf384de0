"""The proforma's files: made after the confirmation, once, again when lost, and later while the
storage is down.
"""

from collections.abc import Callable
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest
from django.core import mail as outgoing
from django.core.files.base import ContentFile
from django.core.files.storage import storages
from django.db import connection
from django.test import Client
from django.urls import reverse
from post_office.models import Email

from apps.accounts.selectors import Buyer
from apps.accounts.tests.staff import shown_messages, staff_client
from apps.common.errors import StorageUnavailable
from apps.common.mail import queue_again
from apps.common.storage.files import PDF
from apps.common.sweeps import deliver_mails
from apps.common.testing import ContractClient
from apps.orders.documents import render
from apps.orders.models import IssuedDocument, OrderDocument, OrderEvent
from apps.orders.services.documents import open_document
from apps.orders.status import OrderStatus
from apps.orders.sweeps import make_document_files
from apps.orders.tests.document_files import documents_of, file_of, listed, pdf_name, xlsx_name
from apps.orders.tests.factories import make_order_at
from apps.orders.tests.test_correct import correct

S = OrderStatus
NOW = datetime.now(UTC)


def test_the_confirmation_asks_nothing_of_the_storage(
    buyer: Buyer, api: ContractClient, broken_storage: Callable[[], None]
) -> None:
    broken_storage()
    order = make_order_at(S.CONFIRMED, buyer)
    assert set(listed(api, order)) == {pdf_name(order), xlsx_name(order)}


def test_the_sweep_makes_each_file_once(buyer: Buyer) -> None:
    order = make_order_at(S.CONFIRMED, buyer)
    assert make_document_files(NOW) == 2
    assert make_document_files(NOW) == 0
    for document in documents_of(order).values():
        stored = storages["private"].open(document.path).read()
        assert document.rendered_at == NOW
        assert document.size == len(stored)
        assert open_document(document=document, now=NOW).read() == stored


def test_a_click_makes_what_is_not_there_yet_and_the_next_one_gets_the_same(
    api: ContractClient, buyer: Buyer
) -> None:
    order = make_order_at(S.CONFIRMED, buyer)
    url = listed(api, order)[pdf_name(order)]
    first, second = Client().get(url).getvalue(), Client().get(url).getvalue()
    assert first == second == file_of(order, pdf_name(order))
    assert make_document_files(NOW) == 1  # the spreadsheet


@pytest.mark.django_db(transaction=True)
def test_the_storage_is_only_asked_outside_any_transaction(
    api: ContractClient, buyer: Buyer, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[bool] = []

    def watched(real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **kwargs: Any) -> Any:
            asked.append(connection.in_atomic_block)
            return real(*args, **kwargs)

        return call

    for name in ("save", "open"):
        monkeypatch.setattr(storages["private"], name, watched(getattr(storages["private"], name)))
    order = make_order_at(S.CONFIRMED, buyer)
    assert asked == []
    urls = listed(api, order)
    Client().get(urls[pdf_name(order)])
    make_document_files(NOW)
    Client().get(urls[pdf_name(order)])
    assert asked == [False] * 3


def test_half_a_file_left_by_a_killed_process_is_made_whole(buyer: Buyer) -> None:
    order = make_order_at(S.CONFIRMED, buyer)
    document = documents_of(order)[pdf_name(order)]
    path = document.path
    storages["private"].save(path, ContentFile(b"%PDF-1.4 half"))
    before = set(storages["private"].listdir("documents")[1])
    whole = open_document(document=document, now=NOW).read()
    document.refresh_from_db()
    assert storages["private"].open(path).read() == whole
    assert set(storages["private"].listdir("documents")[1]) == before


def test_a_lost_file_is_made_again_as_it_was(buyer: Buyer) -> None:
    order = make_order_at(S.CONFIRMED, buyer)
    first = file_of(order, pdf_name(order))
    document = documents_of(order)[pdf_name(order)]
    storages["private"].delete(document.path)
    assert file_of(order, pdf_name(order)) == first
    assert storages["private"].exists(document.path)


@pytest.fixture
def broken_storage(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Return a function that takes the private storage down; it is up again after the test, or
    after `undo`.
    """

    def fail(*_: Any, **__: Any) -> None:
        raise ConnectionError("the storage is down")

    def take_down() -> None:
        for call in ("save", "open", "delete", "exists", "size"):
            monkeypatch.setattr(storages["private"], call, fail)

    return take_down


def test_while_the_storage_is_down_a_click_says_so_and_the_file_is_made_later(
    api: ContractClient,
    buyer: Buyer,
    broken_storage: Callable[[], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    order = make_order_at(S.CONFIRMED, buyer)
    broken_storage()
    url = listed(api, order)[pdf_name(order)]
    answer = Client().get(url)
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "60")
    assert answer.content.decode() == f"{StorageUnavailable.message}\n"
    assert answer.headers["Cache-Control"] == "private, no-store"
    with pytest.raises(StorageUnavailable):
        make_document_files(NOW)
    assert not OrderDocument.objects.filter(rendered_at__isnull=False).exists()
    monkeypatch.undo()
    assert make_document_files(NOW) == 2
    assert Client().get(url).getvalue().startswith(b"%PDF-")


def test_a_made_file_says_so_too_while_the_storage_is_down(
    api: ContractClient, buyer: Buyer, broken_storage: Callable[[], None]
) -> None:
    order = make_order_at(S.CONFIRMED, buyer)
    make_document_files(NOW)
    broken_storage()
    assert Client().get(listed(api, order)[pdf_name(order)]).status_code == 503


def test_staff_are_told_on_the_orders_page(
    buyer: Buyer, broken_storage: Callable[[], None]
) -> None:
    order, admin = make_order_at(S.CONFIRMED, buyer), staff_client("Sales")
    document = documents_of(order)[pdf_name(order)]
    broken_storage()
    answer = admin.get(
        reverse("admin:orders_order_file", args=[order.pk, document.pk]), follow=True
    )
    assert shown_messages(answer) == [f"{document.title}: {StorageUnavailable.message}"]


def test_a_document_that_cannot_be_made_holds_up_no_other(buyer: Buyer) -> None:
    order, broken = make_order_at(S.CONFIRMED, buyer), make_order_at(S.CONFIRMED, buyer)
    IssuedDocument.objects.filter(order=broken).update(content={})
    assert make_document_files(NOW) == 2
    assert {
        document.order_id for document in OrderDocument.objects.filter(rendered_at__isnull=False)
    } == {order.pk}


def papers_of(mails: list[Any]) -> dict[str, list[Any]]:
    """Return the files that mails took along, by subject."""
    return {one.subject.partition(":")[0]: [*one.attachments] for one in mails if one.attachments}


def test_each_mail_takes_the_proforma_it_speaks_of_along_sent_again_too(
    buyer: Buyer, broken_storage: Callable[[], None]
) -> None:
    order = make_order_at(S.CONFIRMED, buyer)
    correct(order, shipping_fee=Decimal("12.00"))
    first, second = IssuedDocument.objects.order_by("pk")
    broken_storage()
    deliver_mails(NOW)
    name = f"Proforma_Invoice_{order.invoice_code}.pdf"
    papers = papers_of(outgoing.outbox)
    assert papers == {
        "Order confirmed": [(name, pdf_of(first), "application/pdf")],
        "Order corrected": [
            (name.replace("Invoice_", "Invoice_Revision_2_"), pdf_of(second), "application/pdf")
        ],
    }
    outgoing.outbox.clear()
    confirmed = Email.objects.get(subject__startswith="Order confirmed")
    queue_again(confirmed, to="colleague@buyer.test")
    deliver_mails(NOW)
    assert papers_of(outgoing.outbox)["Order confirmed"] == papers["Order confirmed"]
    page = staff_client("Sales").get(f"/admin/post_office/email/{confirmed.pk}/change/").text
    assert name in page


def test_a_proforma_that_cannot_be_made_loses_no_mail_and_staff_read_it(
    buyer: Buyer, monkeypatch: pytest.MonkeyPatch
) -> None:
    order = make_order_at(S.CONFIRMED, buyer)
    monkeypatch.setattr("apps.orders.services.documents.render", lambda *_, **__: 1 / 0)
    deliver_mails(NOW)
    assert papers_of(outgoing.outbox) == {}
    assert any(one.subject.startswith("Order confirmed") for one in outgoing.outbox)
    note = order.events.get(kind=OrderEvent.Kind.MAIL).text
    assert note == (
        f"Sent without Proforma_Invoice_{order.invoice_code}.pdf, which could not be made"
    )


def pdf_of(issued: IssuedDocument) -> bytes:
    return render(issued.content, content_type=PDF.content_type, issued_at=issued.issued_at)

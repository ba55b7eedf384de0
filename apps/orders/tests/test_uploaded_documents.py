"""Documents of an order, and the file of the buyer's own order: what may be stored, and links that
die by themselves.
"""

import io
import zipfile
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.files.base import ContentFile
from django.core.files.storage import storages
from django.db import IntegrityError, transaction
from django.test import Client
from django.test.client import MULTIPART_CONTENT
from django.utils import timezone

from apps.accounts.models import Company, User
from apps.accounts.selectors import Buyer
from apps.accounts.tests.factories import make_buyer
from apps.accounts.tests.hostile_uploads.documents import hostile_documents
from apps.accounts.tests.hostile_uploads.pictures import PAYLOAD, hostile_pictures, saved
from apps.accounts.tests.staff import staff_client
from apps.accounts.tests.uploads import form
from apps.common.errors import NotFound, Unavailable
from apps.common.storage.files import file_signer, signed_name
from apps.common.testing import SMALL_PDF, ContractClient
from apps.orders.errors import StaffRefusal
from apps.orders.models import BuyerFile, Order, OrderDocument
from apps.orders.services import documents
from apps.orders.services.documents import MAX_BYTES, add_document, remove_document
from apps.orders.status import OrderStatus
from apps.orders.tests.document_files import PRIVATE_PDF
from apps.orders.tests.factories import make_order, make_order_at, make_sales

S = OrderStatus
NOW = datetime.now(UTC)
PDF = SMALL_PDF


def office(*names: str, part: bytes = b"x") -> bytes:
    """Return a zip file with these entries, the same at any moment: tests are named after it."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name in names:
            archive.writestr(zipfile.ZipInfo(name), part, zipfile.ZIP_DEFLATED)
    return content.getvalue()


def add(
    order: Order, content: bytes = PDF, title: str = "Invoice", name: str = "any.pdf"
) -> OrderDocument:
    file = ContentFile(content, name=name)
    return add_document(order_id=order.pk, title=title, file=file, actor=make_sales(), now=NOW)


def link(
    order: Order, document: OrderDocument, buyer: Buyer, *, now: datetime | None = None
) -> str:
    """Return the link of a document as the details give it to a buyer."""
    signer, at = file_signer(buyer.uuid, buyer.session_version), now or datetime.now(UTC)
    code, name = order.invoice_code, document.storage_name
    return f"/files/{code}/{signed_name(signer=signer, scope=code, storage_name=name, now=at)}"


@pytest.mark.parametrize(
    ("content", "extension"),
    [
        (PDF, "pdf"),
        (saved("JPEG", comment=PAYLOAD), "jpg"),
        (saved("PNG") + PAYLOAD, "png"),
        (office("[Content_Types].xml", "xl/workbook.xml"), "xlsx"),
        (office("[Content_Types].xml", "word/document.xml"), "docx"),
        (office("[Content_Types].xml", "xl/workbook2.xml"), "xlsx"),
        (office("[Content_Types].xml", "word\\document2.xml"), "docx"),
        ("sku,pieces\nA,10\n크림,20\n".encode(), "csv"),
    ],
)
def test_a_documents_kind_is_told_by_its_content_and_name(
    buyer: Buyer, content: bytes, extension: str
) -> None:
    document = add(make_order(buyer), content, "Packing list.exe", f"any.{extension}")
    assert document.storage_name.endswith(f".{extension}")
    stored_content = storages["private"].open(document.path).read()
    assert PAYLOAD not in stored_content
    assert stored_content == content or extension in ("jpg", "png")  # pictures are written anew
    with pytest.raises(StaffRefusal):
        add(make_order(buyer), content, "Packing list", f"any.{extension}.exe")


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"<html><script>alert(1)</script>,</html>",
        b"<!-- -->" + b" " * 200 + b"%PDF-1.7",
        b"MZ\x90\x00",
        b"\x00,\x00,",
        b"no separators at all",
        office("readme.txt"),
        office("xl/workbook.xml", "xl/vbaProject.bin"),
        office("xl/workbook.xml", "../../etc/passwd"),
        office("xl/workbook.xml", "/etc/passwd"),
        office("xl/workbook.xml", "C:\\autoexec.bat"),
        office("xl/workbook.xml", *map(str, range(1_000))),
        office("xl/workbook.xml", part=bytes(30_000_000)),
        b"PK\x03\x04 broken",
        b"GIF89a",
        PDF + b" " * MAX_BYTES,
    ],
)
def test_anything_else_is_refused(buyer: Buyer, content: bytes) -> None:
    order = make_order(buyer)
    for extension in ("pdf", "xlsx", "csv"):
        with pytest.raises(StaffRefusal):
            add(order, content, name=f"any.{extension}")
    assert not OrderDocument.objects.exists()


@pytest.mark.parametrize(
    "name",
    ["script as a stream.pdf", "encrypted with AES.pdf", "file within.pdf", "41 megapixels.png"],
)
def test_what_no_certificate_may_hold_no_document_holds(buyer: Buyer, name: str) -> None:
    content = {**hostile_documents(), **hostile_pictures()}[name]()
    with pytest.raises(StaffRefusal, match="cannot be read"):
        add(make_order(buyer), content, name=name)


def test_a_refused_row_leaves_no_file(db: None) -> None:
    folder = Path(storages["private"].path("documents"))
    before = set(folder.rglob("*"))
    with pytest.raises(NotFound):
        add(Order(pk=0))
    assert set(folder.rglob("*")) == before


@pytest.mark.django_db(transaction=True)
def test_a_removed_document_is_gone(buyer: Buyer) -> None:
    order = make_order_at(S.CONFIRMED, buyer)
    document = add(order)
    path = document.path
    remove_document(document_id=document.pk, actor=make_sales(), now=NOW)
    assert not storages["private"].exists(path)
    events = [event.text for event in order.events.filter(kind="document")]
    assert events == ["Added: Invoice", "Removed: Invoice"]
    with pytest.raises(NotFound):
        remove_document(document_id=document.pk, actor=make_sales(), now=NOW)


# Links


@pytest.mark.parametrize("status", [S.CONFIRMED, S.PAID, S.SHIPPED])
def test_the_details_give_a_link_that_downloads(
    api: ContractClient, buyer: Buyer, status: OrderStatus
) -> None:
    order = make_order_at(status, buyer)
    document = add(order, title='Invoice "1/2" – 크림.pdf')
    files = api.get(f"/api/details/{order.invoice_code}").json()["fileList"]
    (file,) = [file for file in files if file["name"] == document.title]
    assert file["url"] == f"{settings.FILE_HOST}/{order.invoice_code}/{file['filename']}"
    answer = Client().get(file["url"])
    assert (answer.status_code, answer.getvalue()) == (200, PDF)
    assert PRIVATE_PDF.items() <= answer.headers.items()
    disposition = answer.headers["Content-Disposition"]
    assert disposition.startswith('attachment; filename="Invoice 12')
    assert "filename*=UTF-8''Invoice%2012%20%E2%80%93%20%ED%81%AC%EB%A6%BC.pdf" in disposition


@pytest.mark.parametrize("status", [S.CANCELLED, S.RECEIVED, S.PREPARING])
def test_documents_appear_at_the_confirmation(
    api: ContractClient, buyer: Buyer, status: OrderStatus
) -> None:
    order = make_order_at(status, buyer)
    document = add(order)
    assert api.get(f"/api/details/{order.invoice_code}").json()["fileList"] == []
    assert Client().get(link(order, document, buyer)).status_code == 404


def test_a_link_lives_for_an_hour(buyer: Buyer) -> None:
    order = make_order_at(S.CONFIRMED, buyer)
    document, now = add(order), datetime.now(UTC)
    for minutes, status in ((-59, 200), (-61, 404), (5, 404)):
        url = link(order, document, buyer, now=now + timedelta(minutes=minutes))
        assert Client().get(url).status_code == status


@pytest.mark.parametrize(
    "end",
    [
        {"is_active": False},
        {"session_version": 9},  # a new password
        {"approval": User.Approval.REJECTED},
        {"is_open": False},  # the company's
    ],
)
def test_a_link_dies_with_its_users_right(buyer: Buyer, end: dict[str, Any]) -> None:
    order = make_order_at(S.CONFIRMED, buyer)
    url = link(order, add(order), buyer)
    assert Client().get(url).status_code == 200
    if "is_open" in end:
        Company.objects.filter(pk=buyer.company_id).update(**end)
    else:
        User.objects.filter(pk=buyer.id).update(**end)
    assert Client().get(url).status_code == 404


def test_bad_and_foreign_links_are_unknown(buyer: Buyer) -> None:
    order, other = make_order_at(S.CONFIRMED, buyer), make_order_at(S.CONFIRMED, buyer)
    document = add(order)
    good = link(order, document, buyer)
    timestamp, signature, stem, extension = good.rpartition("/")[2].split(".")
    base = f"/files/{order.invoice_code}"
    for url in (
        f"/files/{other.invoice_code}/{timestamp}.{signature}.{stem}.{extension}",
        f"{base}/{int(timestamp) + 1}.{signature}.{stem}.{extension}",
        f"{base}/{timestamp}.{signature[::-1]}.{stem}.{extension}",
        f"{base}/{timestamp}.{signature}.{'0' * 32}.{extension}",
        f"{base}/{stem}.{extension}",
        f"{base}/..%2f..%2fsecret",
        f"{base}/%252e%252e",
        f"{base}/%00",
        link(order, document, make_buyer()),
    ):
        assert Client().get(url).status_code == 404, url
    assert Client().post(good).status_code in (403, 405)
    assert Client().get(good).status_code == 200


# The file of the buyer's own order
PNG = b"\x89PNG\r\n\x1a\n"


def give(
    client: ContractClient,
    order: Order,
    content: bytes = SMALL_PDF,
    name: str = "PO 12.pdf",
    call: str = "po-file",
) -> Any:
    """Send a file for an order as the screen does."""
    body, path = form({}, content, name, field="file"), f"/api/order/{call}/{order.invoice_code}"
    return client.generic("POST", path, body, MULTIPART_CONTENT)


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
    said = "Only files below 5MB can be uploaded."
    assert (large.status_code, large.json()["message"]) == (413, said)
    assert not BuyerFile.objects.exists()


def test_a_cancelled_order_takes_none(api: ContractClient, buyer: Buyer) -> None:
    order = make_order_at(OrderStatus.CANCELLED, buyer)
    assert give(api, order).status_code == 409
    assert api.delete(f"/api/order/po-file/{order.invoice_code}").status_code == 409


def test_a_file_is_its_company_s_alone(api: ContractClient, buyer: Buyer) -> None:
    order, other = make_order(buyer), make_order(buyer)
    give(api, order)
    url = shown(api, order)["url"]
    assert api.get(url).status_code == 200
    assert api.get(url.replace(order.invoice_code, other.invoice_code)).status_code == 404
    Order.objects.filter(pk=order.pk).update(company_id=make_buyer().company_id)
    assert api.get(url).status_code == 404


def test_an_order_has_one_po_file_whatever_a_service_does(buyer: Buyer) -> None:
    order = make_order(buyer)
    rest = {"size": 1, "uploaded_by_id": buyer.id, "uploaded_at": timezone.now()}
    BuyerFile.objects.create(order=order, kind="po", storage_name="a.pdf", **rest)
    with pytest.raises(IntegrityError), transaction.atomic():
        BuyerFile.objects.create(order=order, kind="po", storage_name="b.pdf", **rest)


def test_what_was_not_saved_leaves_no_file(
    buyer: Buyer, api: ContractClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    order, folder = make_order(buyer), Path(storages["private"].path(""))
    before = {path for path in folder.rglob("*") if path.is_file()}

    def fails(**_: Any) -> None:
        raise Unavailable

    monkeypatch.setattr(documents, "_replace_po_file", fails)
    assert give(api, order).status_code == Unavailable.http_status
    assert {path for path in folder.rglob("*") if path.is_file()} == before


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

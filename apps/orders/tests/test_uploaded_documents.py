"""Documents of an order: what may be stored, and links that die by themselves."""

import io
import zipfile
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from django.conf import settings
from django.core.files.base import ContentFile
from django.core.files.storage import storages
from django.test import Client

from apps.accounts.models import Company, User
from apps.accounts.selectors import Buyer
from apps.accounts.tests.factories import buyer_of, make_buyer, make_user
from apps.accounts.tests.hostile_uploads.documents import hostile_documents
from apps.accounts.tests.hostile_uploads.pictures import PAYLOAD, hostile_pictures, saved
from apps.common.errors import NotFound
from apps.common.storage.files import file_signer, signed_name
from apps.common.testing import SMALL_PDF, ContractClient
from apps.orders.errors import StaffRefusal
from apps.orders.models import Order, OrderDocument
from apps.orders.services.documents import MAX_BYTES, add_document, remove_document
from apps.orders.status import OrderStatus
from apps.orders.tests.document_files import PRIVATE_PDF
from apps.orders.tests.factories import make_order, make_order_at, make_sales

S = OrderStatus
NOW = datetime.now(UTC)
PDF = SMALL_PDF


def office(*names: str) -> bytes:
    """Return a zip file with these entries, the same at any moment: tests are named after it."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name in names:
            archive.writestr(zipfile.ZipInfo(name), "x")
    return content.getvalue()


def office_with(name: str, part: bytes) -> bytes:
    """Return a zip file whose one entry is packed."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
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
    signer = file_signer(buyer.uuid, buyer.session_version)
    name = signed_name(
        signer=signer,
        scope=order.invoice_code,
        storage_name=document.storage_name,
        now=now or datetime.now(UTC),
    )
    return f"/files/{order.invoice_code}/{name}"


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
        office_with("xl/workbook.xml", bytes(30_000_000)),
        b"PK\x03\x04 broken",
        b"GIF89a",
    ],
)
def test_anything_else_is_refused(buyer: Buyer, content: bytes) -> None:
    order = make_order(buyer)
    for extension in ("pdf", "xlsx", "csv"):
        with pytest.raises(StaffRefusal):
            add(order, content, name=f"any.{extension}")
    assert not OrderDocument.objects.exists()


@pytest.mark.parametrize(
    "name", ["script by name.pdf", "encrypted with AES.pdf", "file within.pdf", "41 megapixels.png"]
)
def test_what_no_certificate_may_hold_no_document_holds(buyer: Buyer, name: str) -> None:
    content = {**hostile_documents(), **hostile_pictures()}[name]()
    with pytest.raises(StaffRefusal, match="cannot be read"):
        add(make_order(buyer), content, name=name)


def test_a_document_has_a_limit(buyer: Buyer) -> None:
    order = make_order(buyer)
    with pytest.raises(StaffRefusal):
        add(order, PDF + b" " * MAX_BYTES)


def test_a_refused_row_leaves_no_file(db: None) -> None:
    sales = make_sales()
    before = (
        set(storages["private"].listdir("documents")[1])
        if storages["private"].exists("documents")
        else set()
    )
    with pytest.raises(NotFound):
        add_document(
            order_id=0, title="Invoice", file=ContentFile(PDF, name="a.pdf"), actor=sales, now=NOW
        )
    assert set(storages["private"].listdir("documents")[1]) == before


def test_a_storage_that_is_down_is_said_and_nothing_is_kept(
    buyer: Buyer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise ConnectionError

    order = make_order(buyer)
    monkeypatch.setattr(storages["private"], "save", fail)
    with pytest.raises(StaffRefusal, match="could not be stored"):
        add(order)
    assert not order.documents.exists()


@pytest.mark.django_db(transaction=True)
def test_a_removed_document_is_gone(buyer: Buyer) -> None:
    order = make_order_at(S.CONFIRMED, buyer)
    document = add(order)
    path = document.path
    remove_document(document_id=document.pk, actor=make_sales(), now=NOW)
    assert not storages["private"].exists(path)
    assert [event.text for event in order.events.filter(kind="document")] == [
        "Added: Invoice",
        "Removed: Invoice",
    ]
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
    assert (
        Client().get(link(order, document, buyer, now=now - timedelta(minutes=59))).status_code
        == 200
    )
    for moment in (now - timedelta(minutes=61), now + timedelta(minutes=5)):
        assert Client().get(link(order, document, buyer, now=moment)).status_code == 404


Ending = Callable[[User], object]
ENDINGS: list[Ending] = [
    lambda user: User.objects.filter(pk=user.pk).update(is_active=False),
    lambda user: User.objects.filter(pk=user.pk).update(session_version=9),
    lambda user: User.objects.filter(pk=user.pk).update(approval=User.Approval.REJECTED),
    lambda user: Company.objects.filter(users=user.pk).update(is_open=False),
]


@pytest.mark.parametrize("end", ENDINGS, ids=["deactivated", "new password", "withdrawn", "closed"])
def test_a_link_dies_with_its_users_right(db: None, end: Ending) -> None:
    user = make_user()
    buyer = buyer_of(user)
    order = make_order_at(S.CONFIRMED, buyer)
    url = link(order, add(order), buyer)
    assert Client().get(url).status_code == 200
    end(user)
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

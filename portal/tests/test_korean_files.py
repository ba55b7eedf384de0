"""Files with names in Hangul, also as macOS takes them apart: sent, kept, sent on."""

import io
import zipfile
from typing import Any
from unicodedata import normalize
from urllib.parse import unquote

import pytest
from django.core.files.base import ContentFile
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone
from PIL import Image

from apps.accounts.models import Certificate
from apps.accounts.tests.factories import make_buyer, make_link
from apps.accounts.tests.staff import staff_client, staff_in
from apps.accounts.tests.uploads import upload
from apps.catalog.tests.factories import make_product
from apps.catalog.tests.import_files import applied, sent, sent_file
from apps.common.storage.files import download
from apps.common.tables.download import table_file
from apps.common.testing import SMALL_PDF, ContractClient
from apps.notices.models import NoticeFile
from apps.notices.tests.pages import add as add_notice, upload as notice_file
from apps.orders.models import OrderDocument
from apps.orders.services.documents import add_document
from apps.orders.tests.factories import make_order, make_sales
from apps.payments.models import BankStatement
from apps.payments.tests.bank.statement_desk import import_statement

pytestmark = pytest.mark.django_db
NAME = "㈜한빛 사업자등록증.pdf"
APART = normalize("NFD", NAME)


def name_of(answer: Any) -> str:
    """Return the name under which a browser saves an answer."""
    return unquote(answer.headers["Content-Disposition"].lower().partition("filename*=utf-8''")[2])


def picture() -> bytes:
    file = io.BytesIO()
    Image.new("RGB", (640, 400)).save(file, "JPEG")
    return file.getvalue()


class Unmarked(zipfile.ZipInfo):
    """A part whose name is not marked as UTF-8, as Windows and macOS pack it."""

    encoding = "cp949"

    def _encodeFilenameFlags(self) -> tuple[bytes, int]:
        return self.filename.encode(self.encoding), self.flag_bits & ~0x800


def archive(*names: str, encoding: str) -> bytes:
    """Return a ZIP of pictures as other systems pack it."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name in names:
            part = Unmarked(name)
            part.encoding = encoding
            archive.writestr(part, picture())
    return file.getvalue()


def test_a_certificate_keeps_its_name() -> None:
    assert upload(ContractClient(), make_link(), SMALL_PDF, name=APART).status_code == 200
    assert Certificate.objects.get().given_name == NAME


def test_an_orders_document_keeps_its_name_for_staff() -> None:
    order = make_order(make_buyer())
    file = ContentFile(SMALL_PDF, name=APART)
    add_document(
        order_id=order.pk, title=APART[:-4], file=file, actor=make_sales(), now=timezone.now()
    )
    document = OrderDocument.objects.get(order=order)
    answer = staff_client("Sales").get(f"/admin/orders/order/{order.pk}/documents/{document.pk}/")
    assert name_of(answer) == NAME


def test_a_notices_file_keeps_its_name() -> None:
    sales = staff_client("Sales")
    notice = add_notice(sales, added=[notice_file(APART)])
    file = NoticeFile.objects.get()
    assert file.title == NAME
    answer = sales.get(f"/admin/notices/notice/{notice.pk}/files/{file.pk}/")
    assert name_of(answer) == NAME


def test_a_statement_and_an_import_keep_their_names() -> None:
    name, staff = "외화통장 11월.csv", staff_in("Sales")
    content = b"Date,Amount,Currency\n2026-11-20,10.00,USD\n"
    import_statement(content=content, name=normalize("NFD", name), actor=staff, now=timezone.now())
    assert BankStatement.objects.get().name == name
    make_product(sku="A-1")
    source = sent(("A-1", 7), head=("SKU", "On hand"), name=normalize("NFD", "단가표.csv"))
    assert source.name == "단가표.csv"
    answer = staff_client("Sales").get(f"/admin/catalog/import/{source.pk}/diff/")
    assert name_of(answer) == "단가표-differences.xlsx"


def test_a_picture_may_have_any_name() -> None:
    product = make_product(sku="A-1", image="")
    fields = {"picture": SimpleUploadedFile(normalize("NFD", "크림 앞면.jpg"), picture())}
    answer = staff_client("Sales").post(f"/admin/catalog/product/{product.pk}/picture/", fields)
    product.refresh_from_db()
    assert (answer.status_code, bool(product.image)) == (302, True)


@pytest.mark.parametrize("encoding", ["cp949", "utf-8"])  # Windows, macOS
def test_a_zip_of_pictures_has_its_names(encoding: str) -> None:
    product = make_product(sku="크림-1", image="")
    names = ("사진/크림-1.jpg", "사진/없는 상품.jpg")
    if encoding == "utf-8":
        names = tuple(normalize("NFD", name) for name in names)  # type: ignore[assignment]
    source = sent_file(archive(*names, encoding=encoding), name="사진.zip", kind="pictures")
    assert [row.sku for row in source.rows.order_by("number")] == ["크림-1", "없는 상품"]
    applied(source)
    product.refresh_from_db()
    assert product.image


def test_a_table_and_a_file_are_saved_under_korean_names() -> None:
    answer = table_file([("가",)], name="거래처 목록", title="목록", format_="csv")
    assert name_of(answer) == "거래처 목록.csv"
    file = io.BytesIO(SMALL_PDF)
    response: Any = download(
        file, title=APART, storage_name="1.pdf", content_type="application/pdf"
    )
    assert name_of(response) == NAME
    only: Any = download(file, title="견적서", storage_name="1.pdf", content_type="application/pdf")
    assert 'filename="document.pdf"' in only.headers["Content-Disposition"]

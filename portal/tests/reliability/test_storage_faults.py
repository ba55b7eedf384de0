"""A full disk under files and under the database (design/reliability-and-security.md, 19.3).

Whoever brings a file is refused clearly, nothing is half made, orders go on, and what the portal
makes itself is made later. Buckets that do not answer are tried in portal/tests/test_s3.py.
"""

import errno
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from django.core.files.base import ContentFile, File
from django.core.files.storage import storages
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.utils import timezone

from apps.accounts.models import Certificate
from apps.accounts.selectors import Buyer
from apps.accounts.tests.factories import PASSWORD, make_buyer, make_link, make_user
from apps.accounts.tests.uploads import upload
from apps.catalog.models import Import
from apps.catalog.tests.factories import make_product
from apps.catalog.tests.import_files import sent
from apps.common.errors import Unavailable
from apps.common.testing import SMALL_PDF, ContractClient
from apps.notices.errors import NoticeRefused
from apps.notices.models import Notice, NoticeFile
from apps.notices.selectors import Audience
from apps.notices.services.writing import save_notice
from apps.orders.errors import StaffRefusal
from apps.orders.models import Order, OrderDocument
from apps.orders.services.documents import add_document
from apps.orders.tests.factories import make_order, make_sales, stock_of
from apps.payments.tests.factories import make_confirmed_order
from apps.payments.tests.paypal.support import audit
from portal.ops.storage import Folder
from portal.ops.sweeps import run_sweep
from portal.tests.reliability.journey import Journey
from portal.tests.test_staff_permissions import NEWS


class Disk:
    """A disk that may be full: then it takes the first bytes of a file, and no more."""

    is_full = False


@pytest.fixture
def disk(
    db: None, settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Disk]:
    """Keep the private files in a folder of the test's own, on a disk that is full until the test
    makes room.
    """
    disk, chunks = Disk(), File.chunks
    disk.is_full = True

    def cut_off(self: File, *args: Any) -> Iterator[bytes]:
        for chunk in chunks(self, *args):
            if disk.is_full:
                yield chunk[:10]
                raise OSError(errno.ENOSPC, "No space left on device")
            yield chunk

    monkeypatch.setattr(File, "chunks", cut_off)
    private = {**settings.STORAGES["private"], "OPTIONS": {"location": tmp_path, "base_url": None}}
    settings.STORAGES = {**settings.STORAGES, "private": private}
    yield disk
    assert not disk.is_full, "the test ends with room on the disk"


def files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


def send_certificate() -> None:
    answer = upload(ContractClient(), make_link(), SMALL_PDF)
    if answer.status_code == 503:
        assert answer.json()["code"] == "unavailable"
        raise Unavailable
    assert answer.status_code == 200


def add_to_an_order() -> None:
    file, order = SimpleUploadedFile("paper.pdf", SMALL_PDF), make_order(make_buyer())
    step: dict[str, Any] = {"actor": make_sales(), "now": timezone.now()}
    add_document(order_id=order.pk, title="Paper", file=file, **step)


def write_a_notice() -> None:
    file = SimpleUploadedFile("news.pdf", SMALL_PDF)
    step: dict[str, Any] = {"actor": make_sales(), "now": timezone.now()}
    save_notice(fields=NEWS, audience=Audience(), added=[file], **step)
    assert Notice.objects.count() == 1


def import_a_file() -> None:
    sent(("A-1", 5), head=("SKU", "On hand"), actor=make_sales())


@pytest.mark.parametrize(
    ("keep", "refusal", "message", "row"),
    [
        (send_certificate, Unavailable, None, Certificate),
        (add_to_an_order, StaffRefusal, "could not be stored", OrderDocument),
        (write_a_notice, NoticeRefused, "could not be stored", NoticeFile),
        (import_a_file, Unavailable, None, Import),
    ],
)
def test_a_file_that_finds_no_room_is_refused_and_leaves_nothing(
    disk: Disk,
    tmp_path: Path,
    keep: Callable[[], None],
    refusal: type[Exception],
    message: str | None,
    row: Any,
) -> None:
    with pytest.raises(refusal, match=message):
        keep()
    assert (files(tmp_path), row.objects.count(), Notice.objects.count()) == ([], 0, 0)
    disk.is_full = False
    keep()
    assert (len(files(tmp_path)), row.objects.count()) == (1, 1)


def test_papers_are_listed_at_once_and_made_later(
    disk: Disk, tmp_path: Path, buyer: Buyer, api: ContractClient
) -> None:
    order = make_confirmed_order(buyer)  # the order goes on; its invoice's files are what waits
    run_sweep("papers")
    assert files(tmp_path) == []
    listed = api.get(f"/api/details/{order.invoice_code}").json()["fileList"]
    assert listed
    assert Client().get(listed[0]["url"]).status_code == 503
    disk.is_full = False
    run_sweep("papers")
    assert len(files(tmp_path)) == len(listed)
    assert Client().get(listed[0]["url"]).status_code == 200


def test_what_is_cut_off_takes_no_file_of_another_writer_along(disk: Disk, tmp_path: Path) -> None:
    """Two writers may ask for one name: the second finds out when it opens the file."""
    storage, other = Folder(location=tmp_path), tmp_path / "documents" / "paper.pdf"
    other.parent.mkdir()
    other.write_bytes(SMALL_PDF)
    with pytest.raises(OSError, match="No space left"):
        storage._save("documents/paper.pdf", ContentFile(b"%PDF-another paper"))
    assert [(path, path.read_bytes()) for path in files(tmp_path)] == [(other, SMALL_PDF)]
    disk.is_full = False
    saved = storage._save("documents/paper.pdf", ContentFile(b"%PDF-another paper"))
    assert storage.open(saved).read() == b"%PDF-another paper"
    assert (len(files(tmp_path)), other.read_bytes()) == (2, SMALL_PDF)


def test_a_file_has_its_name_when_it_is_whole(disk: Disk, monkeypatch: pytest.MonkeyPatch) -> None:
    storage, calls = storages["private"], []
    disk.is_full = False

    def chunks(content: ContentFile, *_: Any) -> Iterator[bytes]:
        yield b"%PDF-"
        calls.append(storage.exists("documents/paper.pdf"))
        yield b"1.7"

    monkeypatch.setattr(ContentFile, "chunks", chunks)
    assert storage.save("documents/paper.pdf", ContentFile(b"")) == "documents/paper.pdf"
    assert (calls, storage.open("documents/paper.pdf").read()) == ([False], b"%PDF-1.7")


def full_file() -> Callable[[], None]:
    """Let SQLite's file grow no more, and return what lets it grow again."""
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        cursor.execute("PRAGMA page_count")
        pages = cursor.fetchone()[0]
        cursor.execute(f"PRAGMA max_page_count = {pages}")

    def room() -> None:
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA max_page_count = 1073741823")

    return room


def full_table(table: str) -> Callable[[], None]:
    """Let PostgreSQL refuse to write to a table as it does on a full disk, and return what ends
    that.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            "CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS $$ "
            "BEGIN RAISE EXCEPTION 'could not extend file: the disk is full' "
            "USING ERRCODE = 'disk_full'; END $$"
        )
        cursor.execute(
            f"CREATE TRIGGER no_room BEFORE INSERT OR UPDATE ON {table} EXECUTE FUNCTION no_room()"
        )

    def room() -> None:
        with connection.cursor() as cursor:
            cursor.execute("DROP FUNCTION no_room() CASCADE")

    return room


# What an order writes: SQLite's one file, or any of these tables as the first that finds no room.
WRITTEN = (
    "orders_temporaryorder",
    "catalog_stock",
    "orders_order",
    "orders_orderline",
    "orders_orderevent",
    "orders_ordertally",
    "payments_payment",
    "post_office_email",
)
FULL: dict[str, Callable[[], Callable[[], None]]] = (
    {"file": full_file}
    if connection.vendor == "sqlite"
    else {table: partial(full_table, table) for table in WRITTEN}
)


@pytest.mark.usefixtures("transactional_db")
@pytest.mark.parametrize("place", FULL)
def test_a_database_that_is_full_takes_orders_whole_or_not_at_all(place: str) -> None:
    user, product = make_user(password=PASSWORD), make_product(on_hand=100_000)
    journey = Journey(user, product)
    journey.sign_in()

    def fill() -> None:
        for _ in range(200):
            journey.request()
            journey.check_out()

    room = FULL[place]()
    try:
        with pytest.raises(AssertionError, match="503"):
            fill()
        assert audit() == ""
        assert stock_of(product)[1] == 20 * Order.objects.count()
    finally:
        room()
    journey.request()
    journey.check_out()
    assert audit() == ""

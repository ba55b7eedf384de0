"""Private files that no row names go after a day; what a row names stays, whatever its age."""

import io
import os
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import storages
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from apps.accounts.selectors import Buyer
from apps.accounts.tests.registrations import make_certificate, make_registration
from apps.accounts.tests.staff import staff_in
from apps.catalog.models import Import
from apps.catalog.services.imports import send_import
from apps.catalog.tests.import_files import sent
from apps.common.testing import SMALL_PDF
from apps.common.tests.kills import Killed, killed_at
from apps.notices.tests.test_api_notices import attach, make_notice
from apps.orders.intake.answer import keep_sheet
from apps.orders.models import OrderDocument
from apps.orders.services.documents import set_po_file
from apps.orders.sweeps import make_document_files
from apps.orders.tests.test_uploaded_documents import add
from apps.payments.tests.factories import make_confirmed_order
from portal.ops import leftovers
from portal.ops.leftovers import FOLDERS, remove_leftovers
from portal.ops.sweeps import run_sweep

OLD, YOUNG = timedelta(hours=25), timedelta(hours=23)


@pytest.fixture(autouse=True)
def private(db: None, settings: Any, tmp_path: Path) -> Path:
    """Give each test a private storage of its own, and return its folder."""
    options = {**settings.STORAGES["private"]["OPTIONS"], "location": tmp_path}
    settings.STORAGES = {
        **settings.STORAGES,
        "private": {**settings.STORAGES["private"], "OPTIONS": options},
    }
    return tmp_path


def files(private: Path) -> set[Path]:
    return {path for path in private.rglob("*") if path.is_file()}


def grow_old(private: Path, age: timedelta = OLD) -> None:
    written_at = (timezone.now() - age).timestamp()
    for path in files(private):
        os.utime(path, (written_at, written_at))


def leave(folder: str) -> str:
    """Leave a file, as a process does that is killed before it writes the row."""
    return storages["private"].save(f"{folder}/{uuid4().hex}.pdf", ContentFile(b"%PDF-"))


def test_what_a_row_names_stays_and_the_rest_goes(private: Path, buyer: Buyer) -> None:
    order = make_confirmed_order(buyer)
    make_document_files(timezone.now())
    add(order)
    sent(("A-1", 5, 5))
    attach(make_notice("News", timezone.now()))
    make_certificate(make_registration(), SMALL_PDF, "application/pdf")
    set_po_file(
        buyer=buyer,
        invoice_code=order.invoice_code,
        file=SimpleUploadedFile("PO.pdf", SMALL_PDF),
        now=timezone.now(),
    )
    sheet = SimpleUploadedFile("KW48.csv", b"SKU,Qty\nA,1\n")
    keep_sheet(buyer=buyer, file=sheet, uuid=None, answers=[], now=timezone.now())
    file_names = files(private)
    assert {path.parent.name for path in file_names} == set(FOLDERS)
    assert len(file_names) == 6 + OrderDocument.objects.filter(issued__isnull=False).count()

    for folder in FOLDERS:
        leave(folder)
    assert run_sweep("leftovers") == 0  # perhaps their rows come in a moment
    grow_old(private, YOUNG)
    assert run_sweep("leftovers") == 0
    grow_old(private)
    assert run_sweep("leftovers") == len(FOLDERS)
    assert files(private) == file_names
    assert run_sweep("leftovers") == 0


def test_the_file_of_an_import_whose_process_was_killed_goes(
    private: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sender = staff_in("Sales")
    sender.has_perm("catalog.add_import")  # remembered: the first statement is the row's
    with pytest.raises(Killed), killed_at(1, monkeypatch):
        send_import(
            file=io.BytesIO(b"SKU,On hand\nA-1,5\n"),
            name="stock.csv",
            actor=sender,
            now=timezone.now(),
            kind="table",
        )
    assert (len(files(private)), Import.objects.count()) == (1, 0)
    grow_old(private)
    assert remove_leftovers(timezone.now()) == 1
    assert files(private) == set()


def test_a_run_is_bounded_and_the_next_goes_on(
    private: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(leftovers, "AT_MOST", 5)
    monkeypatch.setattr(leftovers, "AT_ONCE", 2)
    for number in range(9):
        leave(list(FOLDERS)[number % 2])
    grow_old(private)
    assert [remove_leftovers(timezone.now()) for _ in range(3)] == [5, 4, 0]


def test_what_was_removed_is_logged_without_a_name_that_opens_it(
    private: Path, caplog: pytest.LogCaptureFixture
) -> None:
    name = leave("documents").rpartition("/")[2]
    grow_old(private)
    remove_leftovers(timezone.now())
    assert f"removed documents/{name[:8]}… of " in caplog.text
    assert name not in caplog.text


def test_other_files_of_the_storage_are_left_alone(private: Path) -> None:
    storages["private"].save("probe", ContentFile(b""))
    storages["private"].save("other/file.txt", ContentFile(b"x"))
    grow_old(private)
    assert remove_leftovers(timezone.now()) == 0
    assert len(files(private)) == 2

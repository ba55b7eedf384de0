"""Backup and restore: what goes in comes out, whole or not at all, and no mail goes out
by itself.
"""

import json
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.apps import apps
from django.conf import settings
from django.core.files.base import ContentFile
from django.core.files.storage import storages
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils import timezone
from post_office.models import STATUS, Email

from apps.accounts.selectors import Buyer
from apps.catalog.tests.factories import make_product
from apps.common.testing import ContractClient
from apps.notices.models import Notice, NoticeFile, stored_path
from apps.orders.models import Order
from apps.orders.tests.factories import make_draft
from apps.orders.tests.test_races import URL as CHECKOUT, body_of
from portal.models import SweepRun
from portal.ops.backup import back_up
from portal.ops.leftovers import FOLDERS
from portal.ops.sweeps import MAILS, run_sweep

pytestmark = pytest.mark.django_db(transaction=True)

Manage = Callable[..., "subprocess.CompletedProcess[str]"]
PAPER = b"%PDF-1.4 catalogue"
# What is run elsewhere, in one process each: starting one takes longer than the work.
FOUND = """
import json, os
from django.core.files.storage import storages
from django.core.management import call_command
from post_office.models import STATUS, Email
from apps.notices.models import NoticeFile
from portal.models import SweepRun
file = NoticeFile.objects.get()
print(json.dumps({
    "title": file.notice.title,
    "file": storages["private"].open(file.path).read().decode(),
    "mails": Email.objects.filter(subject="Waits", status=STATUS.queued).count(),
    "held": SweepRun.objects.get(name="mails").is_held,
}), flush=True)
call_command("restore", os.environ["FOLDER"])
"""
REFUSED = """
import json, os, pathlib
from django.core.management import CommandError, call_command
from django.db import connection
refused = {}
for folder in pathlib.Path(os.environ["FOLDERS"]).iterdir():
    try:
        call_command("restore", folder)
    except CommandError:
        refused[folder.name] = connection.introspection.table_names()
print(json.dumps(refused))
"""


@pytest.fixture
def notice_file(settings: Any, tmp_path: Path) -> NoticeFile:
    """Return a notice's file, stored, beside a mail that waits."""
    settings.STORAGES = {
        **settings.STORAGES,
        "private": {
            "BACKEND": "django.core.files.storage.FileSystemStorage",
            "OPTIONS": {"location": tmp_path / "private", "base_url": None},
        },
    }
    name = f"{uuid4().hex}.pdf"
    storages["private"].save(stored_path(name), ContentFile(PAPER))
    text = {"title": "겨울 café", "content": "<p>Text</p>"}
    notice = Notice.objects.create(**text, published_at=timezone.now())
    waits = {"subject": "Waits", "status": STATUS.queued, "backend_alias": "default"}
    Email.objects.create(from_email="a@b.test", to=["c@d.test"], **waits)
    file = {"storage_name": name, "content_type": "application/pdf", "size": len(PAPER)}
    return NoticeFile.objects.create(notice=notice, title="Catalogue", **file)


def _without_settings() -> dict[str, str]:
    return {key: value for key, value in os.environ.items() if key != "DJANGO_SETTINGS_MODULE"}


def _of_postgresql(command: str) -> None:
    """Run a command that may take its time: PostgreSQL copies or deletes a whole database."""
    with connection.cursor() as cursor:
        cursor.execute("SET statement_timeout = 0")
        cursor.execute(command)
        cursor.execute("RESET statement_timeout")


@pytest.fixture
def elsewhere(tmp_path: Path) -> Iterator[Manage]:
    """Return a function that runs a command on a machine of its own: an empty database, an empty
    data folder.
    """
    data = tmp_path / "elsewhere"
    environment: Mapping[str, str] = {
        **_without_settings(),
        "PORTAL_DATA_DIR": str(data),
        "PORTAL_ENV": "development",
    }
    url = f"sqlite:///{data}/portal.sqlite3"
    if connection.vendor == "postgresql":
        name = f"restored_{uuid4().hex[:12]}"
        _of_postgresql(f"CREATE DATABASE {name}")
        url = settings.DATABASE_URL.rpartition("/")[0] + f"/{name}"

    def manage(*arguments: str | Path, **extra: str) -> "subprocess.CompletedProcess[str]":
        command = [sys.executable, "manage.py", *map(str, arguments)]
        env = {**environment, "DATABASE_URL": url, **extra}
        return subprocess.run(  # noqa: S603 - our own commands
            command, env=env, cwd=settings.BASE_DIR, check=False, capture_output=True, text=True
        )

    yield manage
    if connection.vendor == "postgresql":
        _of_postgresql(f"DROP DATABASE {name}")


def test_what_goes_in_comes_out_of_one_moment_while_buyers_order(
    notice_file: NoticeFile,
    buyer: Buyer,
    sign_in: Callable[[Buyer], ContractClient],
    elsewhere: Manage,
    tmp_path: Path,
) -> None:
    product, client = make_product(on_hand=1_000_000), sign_in(buyer)
    first, over = threading.Event(), threading.Event()

    def order() -> int:
        count = 0
        try:
            while not over.is_set():
                draft = make_draft(buyer, [(product, 10)])
                assert client.send("POST", CHECKOUT, body_of(buyer, draft)).json()["success"] == 1
                count += 1
                first.set()
        finally:
            first.set()
            connection.close()
        return count

    with ThreadPoolExecutor(2) as buyers:
        ordering = [buyers.submit(order) for _ in range(2)]
        try:
            first.wait()
            manifest = back_up(tmp_path / "backup", now=timezone.now())
        finally:
            over.set()
        count = sum(work.result() for work in ordering)

    assert 0 < manifest.counts[Order._meta.db_table] <= count == Order.objects.count()
    restored = elsewhere("restore", tmp_path / "backup")  # counts again, and runs the audit
    assert restored.returncode == 0, restored.stderr
    assert "rules hold" in restored.stdout
    again = elsewhere("shell", "--no-imports", "-c", FOUND, FOLDER=str(tmp_path / "backup"))
    assert json.loads(again.stdout) == {
        "title": "겨울 café",
        "file": PAPER.decode(),
        "mails": 1,
        "held": True,
    }
    assert again.returncode == 1
    assert "The database is not empty" in again.stderr
    assert "Traceback" not in again.stderr


def test_held_mail_goes_when_it_is_released(notice_file: NoticeFile) -> None:
    SweepRun.objects.create(name=MAILS, is_held=True)
    assert run_sweep(MAILS) == 0
    assert Email.objects.get().status == STATUS.queued

    call_command("release_mails")

    assert run_sweep(MAILS) == 1
    assert Email.objects.get().status == STATUS.sent


def test_a_backup_that_is_not_whole_is_refused(
    notice_file: NoticeFile, elsewhere: Manage, tmp_path: Path
) -> None:
    whole, folders = tmp_path / "backup", tmp_path / "harmed"
    call_command("backup", whole)
    paper = Path("files", "private", notice_file.path)

    def rewrite(folder: Path, part: str, key: str, value: object) -> None:
        manifest = json.loads((folder / "manifest.json").read_text())
        manifest[part][key] = value
        (folder / "manifest.json").write_text(json.dumps(manifest))

    harms: dict[str, Callable[[Path], object]] = {
        "no manifest": lambda folder: (folder / "manifest.json").unlink(),
        "altered dump": lambda folder: next(folder.glob("database.*")).open("ab").write(b"x"),
        "altered file": lambda folder: (folder / paper).write_bytes(b"%PDF-1.4 another"),
        "file gone": lambda folder: (folder / paper).unlink(),
        "later release": lambda folder: rewrite(folder, "release", "notices", "9999_to_come"),
    }
    for name, harm in harms.items():
        harm(shutil.copytree(whole, folders / name))

    tried = elsewhere("shell", "--no-imports", "-c", REFUSED, FOLDERS=str(folders))

    assert tried.returncode == 0, tried.stderr
    assert json.loads(tried.stdout) == {name: [] for name in harms}
    rewrite(whole, "counts", "notices_notice", 9)  # what only shows once it is restored
    assert (
        "do not hold what the backup counted: notices_notice" in elsewhere("restore", whole).stderr
    )


def test_a_file_without_content_is_named(notice_file: NoticeFile, tmp_path: Path) -> None:
    storages["private"].delete(notice_file.path)
    with pytest.raises(CommandError, match=notice_file.storage_name):
        call_command("backup", tmp_path / "backup")


def test_a_target_that_cannot_be_written_is_said_in_a_sentence(
    notice_file: NoticeFile, tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(CommandError, match=r"There is no backup: .*file.*\.$"):
        call_command("backup", tmp_path / "file" / "backup")


def test_a_folder_with_something_in_it_is_refused(notice_file: NoticeFile, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter").write_text("mine")
    with pytest.raises(CommandError, match="not empty"):
        call_command("backup", tmp_path / "mine")
    assert (tmp_path / "mine" / "letter").read_text() == "mine"


def test_every_table_that_names_files_says_where_they_lie() -> None:
    def names_files(model: Any) -> bool:
        return any(field.name == "storage_name" for field in model._meta.concrete_fields)

    assert set(filter(names_files, apps.get_models())) == set(FOLDERS.values())


def test_nobody_else_reads_a_backup(tmp_path: Path) -> None:
    storages["private"].save("papers/a.pdf", ContentFile(PAPER))
    folder = tmp_path / "backup"
    folder.mkdir(mode=0o755)
    back_up(folder, now=timezone.now())
    assert folder.stat().st_mode & 0o777 == 0o700
    assert [path for path in folder.rglob("*") if path.stat().st_mode & 0o077] == []

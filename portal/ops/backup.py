"""Backup and restore: the database, the files that it names, and a manifest
(reliability-and-security, section 18).
"""

import hashlib
import json
import os
import shutil
import sqlite3
import subprocess
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from django.apps import apps
from django.core.files import File
from django.core.files.storage import storages
from django.core.management import call_command
from django.db import connection, transaction
from django.db.migrations.executor import MigrationExecutor
from django.db.models import Model
from psycopg.conninfo import make_conninfo

from apps.catalog.models import Import
from apps.catalog.services import pictures
from apps.orders.models import OrderDocument
from portal.models import SweepRun
from portal.ops.leftovers import FOLDERS
from portal.ops.sweeps import MAILS

MANIFEST, FILES = "manifest.json", "files"
DUMPS = {"postgresql": "database.dump", "sqlite": "database.sqlite3"}
# An issued document is listed before its file is made; the file of an import that is over is not
# needed any more.
STORED_WHEN: dict[type[Model], str] = {
    Import: "state IN ('reading', 'review', 'applying')",
    OrderDocument: "paper_id IS NULL OR rendered_at IS NOT NULL",
}

Query = Callable[[str], list[tuple[Any, ...]]]


class BackupError(Exception):
    """Nothing was written, or what was written is not whole; the text says why."""


@dataclass(frozen=True)
class StoredFile:
    """A file that a row names: in which storage, under which name, with what content."""

    storage: str
    name: str
    sha256: str


@dataclass(frozen=True)
class Manifest:
    """What a backup holds. `release` is the last migration of each app; `missing` are files that no
    storage has.
    """

    made_at: str
    vendor: str
    release: dict[str, str]
    counts: dict[str, int]
    database_sha256: str
    files: list[StoredFile]
    missing: list[str]


def back_up(folder: Path, *, now: datetime) -> Manifest:
    """Write a backup into an empty or new folder and return its manifest.

    Raises:
        BackupError: the folder holds something or cannot be written, or the database's own tool
            failed.
    """
    before = os.umask(0o077)  # nobody else on this machine reads a backup
    try:
        if folder.exists() and any(folder.iterdir()):
            raise BackupError(f"{folder} is not empty.")
        folder.mkdir(parents=True, exist_ok=True)
        folder.chmod(0o700)
        return _write(folder, now)
    except OSError as error:  # no permission, no folder, no space
        raise BackupError(
            f"There is no backup: {error.filename or folder}: {error.strerror or error}."
        ) from None
    finally:
        os.umask(before)


def _write(folder: Path, now: datetime) -> Manifest:
    dump = folder / DUMPS[connection.vendor]
    with (
        _postgresql_dump(dump) if connection.vendor == "postgresql" else _sqlite_dump(dump) as query
    ):
        counts, names = _counts(query), list(_stored_names(query))
        release = dict(query("SELECT app, name FROM django_migrations ORDER BY app, name"))
    files, missing = _copy_out(names, folder / FILES)
    manifest = Manifest(
        now.isoformat(), connection.vendor, release, counts, _sha256(dump), files, missing
    )
    # Written last: a folder without it is not a backup.
    (folder / MANIFEST).write_text(json.dumps(asdict(manifest), indent=1))
    return manifest


def restore(folder: Path) -> Manifest:
    """Restore a backup into an empty database and empty storages, and bring its tables up to this
    release.

    Outgoing mail stays held until it is released. Nothing else may use the database meanwhile.

    Raises:
        BackupError: not a whole backup, of another kind of database, or the target holds something.
    """
    manifest = read_manifest(folder)
    if manifest.vendor != connection.vendor:
        raise BackupError(
            f"The backup is of {manifest.vendor}, the database here is {connection.vendor}."
        )
    _check_whole(folder, manifest)
    if manifest.vendor == "sqlite":
        Path(connection.settings_dict["NAME"]).parent.mkdir(parents=True, exist_ok=True)
    if connection.introspection.table_names():
        raise BackupError("The database is not empty: a backup is restored into a new one.")
    for file in manifest.files:
        if storages[file.storage].exists(file.name):
            raise BackupError(f"The storage is not empty: it holds {file.name}.")
    for file in manifest.files:
        with (folder / FILES / file.storage / file.name).open("rb") as content:
            storages[file.storage].save(file.name, File(content))
    dump = folder / DUMPS[manifest.vendor]
    if manifest.vendor == "postgresql":
        _run(
            "pg_restore",
            "--no-owner",
            "--no-privileges",
            "--exit-on-error",
            "--single-transaction",
            str(dump),
        )
    else:
        _sqlite_restore(dump)
    with connection.cursor() as cursor:
        counts = _counts(_reader(cursor))
    differing = {table for table, count in manifest.counts.items() if counts.get(table) != count}
    if differing:
        raise BackupError(
            f"These tables do not hold what the backup counted: {', '.join(sorted(differing))}."
        )
    call_command("migrate", interactive=False, verbosity=0)
    SweepRun.objects.update_or_create(name=MAILS, defaults={"is_held": True})
    return manifest


def release_mails() -> None:
    """Let outgoing mail go again, after a restore that somebody looked at."""
    SweepRun.objects.filter(name=MAILS).update(is_held=False)


def read_manifest(folder: Path) -> Manifest:
    """Return a backup's manifest.

    Raises:
        BackupError: there is none, so the backup was never finished.
    """
    try:
        fields = json.loads((folder / MANIFEST).read_text())
    except FileNotFoundError:
        raise BackupError(f"{folder} holds no finished backup.") from None
    return Manifest(**{**fields, "files": [StoredFile(**file) for file in fields["files"]]})


@contextmanager
def _postgresql_dump(dump: Path) -> Iterator[Query]:
    """Dump the database; what is read inside is of the same moment as the dump."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        cursor.execute("SET LOCAL idle_in_transaction_session_timeout = 0")
        cursor.execute("SELECT pg_export_snapshot()")
        snapshot = cursor.fetchone()[0]
        _run(
            "pg_dump",
            "--format=custom",
            "--no-owner",
            "--no-privileges",
            f"--snapshot={snapshot}",
            f"--file={dump}",
        )
        yield _reader(cursor)


@contextmanager
def _sqlite_dump(dump: Path) -> Iterator[Query]:
    """Write the database anew into a file (copying a file in WAL mode loses rows); what is read
    inside is that file.
    """
    with connection.cursor() as cursor:
        cursor.execute("VACUUM INTO %s", [str(dump)])
    with closing(sqlite3.connect(dump)) as copy:
        yield _reader(copy.cursor())


def _reader(cursor: Any) -> Query:
    def query(sql: str) -> list[tuple[Any, ...]]:
        cursor.execute(sql)
        return list(cursor.fetchall())

    return query


def _sqlite_restore(dump: Path) -> None:
    connection.close()
    target = Path(connection.settings_dict["NAME"])
    for leftover in (
        target,
        *(target.with_name(target.name + suffix) for suffix in ("-wal", "-shm")),
    ):
        leftover.unlink(missing_ok=True)
    shutil.copyfile(dump, target)
    with sqlite3.connect(target) as database:
        database.execute("PRAGMA journal_mode=WAL")


def _run(program: str, *arguments: str) -> None:
    """Run one of PostgreSQL's programs on our database; the password goes by the environment, out
    of sight of `ps`.
    """
    where = connection.settings_dict
    parts = {
        "dbname": where["NAME"],
        "user": where["USER"],
        "host": where["HOST"],
        "port": where["PORT"],
    }
    ssl = {key: value for key, value in where["OPTIONS"].items() if key.startswith("ssl")}
    target = make_conninfo("", **{key: value for key, value in {**parts, **ssl}.items() if value})
    environment = {**os.environ, **({"PGPASSWORD": where["PASSWORD"]} if where["PASSWORD"] else {})}
    command = [program, f"--dbname={target}", *arguments]
    try:
        subprocess.run(  # noqa: S603 - our own words
            command, env=environment, check=True, capture_output=True, text=True
        )
    except FileNotFoundError:
        raise BackupError(f"{program} is needed (Debian: postgresql-client).") from None
    except subprocess.CalledProcessError as error:
        raise BackupError(f"{program} failed: {error.stderr.strip()}") from None


def _counts(query: Query) -> dict[str, int]:
    """Return how many rows each of our tables holds."""
    tables = [
        model._meta.db_table
        for model in apps.get_models()
        if model._meta.managed and not model._meta.proxy
    ]
    return {table: query(f'SELECT COUNT(*) FROM "{table}"')[0][0] for table in tables}  # noqa: S608


def _stored_names(query: Query) -> Iterator[tuple[str, str]]:
    """Return storage and name of every file that a row names."""
    folders = {model: folder for folder, model in FOLDERS.items()}
    for model in apps.get_models():
        if any(field.column == "storage_name" for field in model._meta.concrete_fields):
            table, folder = model._meta.db_table, folders[model]
            condition = STORED_WHEN.get(model, "1 = 1")
            names = query(f"SELECT storage_name FROM {table} WHERE {condition}")  # noqa: S608
            yield from (("private", f"{folder}/{name}") for (name,) in names)
    images = "SELECT DISTINCT image, more_images FROM catalog_product WHERE image <> ''"
    for image, others in query(images):
        for name in (image, *others.split()):
            yield from (("default", f"products/{size}/{name}") for size in pictures.sizes_of(name))
            if original := pictures.original_of(name):
                yield "private", original[0]


def _copy_out(names: Iterable[tuple[str, str]], folder: Path) -> tuple[list[StoredFile], list[str]]:
    files, missing = [], []
    for storage, name in names:
        target = folder / storage / name
        target.parent.mkdir(parents=True, exist_ok=True)
        try:
            with storages[storage].open(name) as source, target.open("wb") as copy:
                shutil.copyfileobj(source, copy)
            files.append(StoredFile(storage, name, _sha256(target)))
        except FileNotFoundError:
            missing.append(f"{storage}/{name}")
    return files, missing


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _check_whole(folder: Path, manifest: Manifest) -> None:
    """Check every byte before anything is touched.

    Raises:
        BackupError: a file is missing or altered, or the backup is of a later release than this
            one.
    """
    checksums: Mapping[Path, str] = {
        folder / DUMPS[manifest.vendor]: manifest.database_sha256,
        **{folder / FILES / file.storage / file.name: file.sha256 for file in manifest.files},
    }
    for path, sha256 in checksums.items():
        if not path.is_file() or _sha256(path) != sha256:
            raise BackupError(f"{path.relative_to(folder)} is missing or was altered.")
    migrations: set[Any] = set(MigrationExecutor(connection).loader.disk_migrations or ())
    later = [
        f"{app}.{name}" for app, name in manifest.release.items() if (app, name) not in migrations
    ]
    if later:
        raise BackupError(
            f"The backup is of another release; this one does not know {', '.join(later)}."
        )

"""The test database, copied from one that the same migrations made before: they take ten seconds,
and seldom change.
"""

import fcntl
import hashlib
import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import django
from django.conf import settings
from django.db import connection
from django.test.utils import setup_databases

from portal.ops.steps import fingerprint

KEPT = Path(sys.prefix, "migrated")
Databases = list[tuple[Any, str, bool]]


def make_database() -> Databases:
    """Make the test database, and keep a copy for the next one where the migrations are new."""
    KEPT.mkdir(exist_ok=True)
    migrations = sorted(settings.BASE_DIR.glob("[ap]*/**/migrations/*.py"))
    state = fingerprint(migrations, also=django.__version__)
    return copied_in_postgresql(state) if connection.vendor == "postgresql" else copied_file(state)


def copied_file(state: str) -> Databases:
    """Make the database of SQLite from the file kept of these migrations."""
    file, new = KEPT / f"{state}.sqlite3", settings.DATABASES["default"]["TEST"]["NAME"]
    with one_at_a_time():
        if not file.exists():
            databases = migrated()
            part = file.with_suffix(f".{os.getpid()}")
            with connection.cursor() as cursor:
                cursor.execute("VACUUM INTO %s", [str(part)])
            part.replace(file)
            return databases
    shutil.copyfile(file, new)
    return used(str(new))


def copied_in_postgresql(state: str) -> Databases:
    """Make the database of PostgreSQL from this checkout's template; its comment tells which
    migrations made it.
    """
    template = f"portal_migrated_{hashlib.sha256(str(settings.BASE_DIR).encode()).hexdigest()[:12]}"
    with one_at_a_time(), connection._nodb_cursor() as cursor:
        cursor.execute(
            "SET statement_timeout = 0"
        )  # a busy disk takes its time to copy or delete a database
        cursor.execute(
            "SELECT shobj_description(oid, 'pg_database') FROM pg_database WHERE datname = %s",
            [template],
        )
        if cursor.fetchone() == (state,):
            connection.settings_dict["TEST"]["TEMPLATE"] = template
            return used(connection.creation._create_test_db(verbosity=0, autoclobber=True))  # type: ignore[attr-defined]
        file = migrated()
        connection.close()  # what is in use is not copied
        cursor.execute(f"DROP DATABASE IF EXISTS {template}")
        cursor.execute(f'CREATE DATABASE {template} TEMPLATE "{connection.settings_dict["NAME"]}"')
        cursor.execute(f"COMMENT ON DATABASE {template} IS '{state}'")
    return file


def migrated() -> Databases:
    """Make the database by all migrations."""
    databases: Databases = setup_databases(verbosity=0, interactive=False, serialized_aliases=())
    return databases


def used(name: str) -> Databases:
    """Use a database that is migrated already."""
    before = connection.settings_dict["NAME"]
    connection.close()
    settings.DATABASES["default"]["NAME"] = connection.settings_dict["NAME"] = name
    return [(connection, before, True)]


@contextmanager
def one_at_a_time() -> Iterator[None]:
    """Let other processes wait: what they need is being made."""
    with (KEPT / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield

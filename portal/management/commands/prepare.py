"""Makes a database and its data folder ready to serve: tables, static files, demo data where there
is nothing.
"""

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import OperationalError, connection
from django.db.migrations.executor import MigrationExecutor

from apps.accounts.services.owner import owner_notice
from apps.common.db.failures import is_read_only
from portal.ops.steps import Stamp, fingerprint, step
from portal.ops.texts import compile_texts

STATIC_STAMP = ".made-from"


class Command(BaseCommand):
    """Does what has to be done and nothing twice."""

    help = __doc__

    def add_arguments(self, parser: CommandParser) -> None:
        """Take --no-demo."""
        parser.add_argument("--no-demo", action="store_true", help="leave an empty database empty")

    def handle(self, *args: Any, no_demo: bool, **options: Any) -> None:
        """Prepare."""
        try:
            settings.DATA_DIR.mkdir(parents=True, exist_ok=True)
            settings.DATA_DIR.chmod(0o700)  # nobody else on this machine reads data and keys
            compile_texts()
            self.connect()
            self.migrate()
            self.collect_static_files()
            if no_demo:
                self.stdout.write(owner_notice())
            else:
                self.load_demo()
        except PermissionError as error:
            raise CommandError(
                f"{error.filename} cannot be written: this user has no permission."
            ) from None
        except OperationalError as error:
            if not is_read_only(error):
                raise
            raise CommandError(
                f"The database {connection.settings_dict['NAME']} can only be read: let this user "
                "write that file and its folder, or name another in DATABASE_URL."
            ) from None

    @staticmethod
    def connect() -> None:
        """Reach the database, or say why not."""
        try:
            connection.ensure_connection()
        except OperationalError as error:
            if is_read_only(error):
                raise
            raise CommandError(
                f"The database of DATABASE_URL does not answer: {str(error).strip()}"
            ) from None

    @staticmethod
    def load_demo() -> None:
        """Load the demo where nobody has used the database yet."""
        from portal.demo.load import is_empty, load_demo  # here: the image holds no demo

        if is_empty():
            with step("Loading the demo data"):
                load_demo()

    @staticmethod
    def migrate() -> None:
        """Bring the tables up to date."""
        executor = MigrationExecutor(connection)
        missing = executor.migration_plan(executor.loader.graph.leaf_nodes())
        if missing:
            with step(f"Bringing the tables up to date ({len(missing)} migrations)"):
                call_command("migrate", interactive=False, verbosity=0)

    @staticmethod
    def collect_static_files() -> None:
        """Collect, hash and compress the static files, unless they are as they were."""
        base = Path(settings.BASE_DIR)
        sources = [base / "static", Path(settings.FRONTEND_DIST), base / "requirements.txt"]
        stamp = Stamp(Path(settings.STATIC_ROOT) / STATIC_STAMP, fingerprint(sources))
        if not stamp.fresh:
            with step("Collecting and compressing the static files"):
                call_command("collectstatic", interactive=False, clear=True, verbosity=0)
            stamp.write()

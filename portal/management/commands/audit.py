"""`manage.py audit`: what must always hold, asked of the database itself (reliability-and-security,
section 1).
"""

import re
from argparse import ArgumentParser
from collections.abc import Iterable, Iterator
from datetime import timedelta
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import connection
from django.db.models import Model
from django.utils import timezone

from apps.accounts.models import Company
from apps.catalog.models import Brand
from portal.ops.audit_rules import LISTS, RULES, Rule

EXAMPLES = 5
KEEP_MAILS = timedelta(days=1)
# How many rows a statement is asked about, of most tables and of those each row of which has many
# others behind it: however many there are, none takes longer than a statement may.
ROWS, FEW = 5_000, 20
OF_MANY: tuple[type[Model], ...] = (Company, Brand)
PART = re.compile(r"\{(\S+) in part\}")
Part = tuple[int, int]  # ids: beyond the first, up to the second


def id_ranges(model: type[Model]) -> Iterator[Part]:
    """Yield the parts that a model's rows are asked about in."""
    ids, after = model._default_manager.order_by("pk").values_list("pk", flat=True), 0
    while some := list(ids.filter(pk__gt=after)[: FEW if model in OF_MANY else ROWS]):
        yield after, some[-1]
        after = some[-1]


class Command(BaseCommand):
    """Ask every rule, print what is broken, and fail if anything is."""

    help = "Check that what must always hold does hold; prints each broken rule and exits 1."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Let the mails be left out, where a restored database holds none."""
        parser.add_argument(
            "--without-mails", action="store_true", help="leave out the rule about queued mails"
        )

    def handle(self, *args: Any, without_mails: bool = False, **options: Any) -> None:
        """Check.

        Raises:
            CommandError: a rule is broken.
        """
        rules = [rule for rule in RULES if not (without_mails and rule.since)]
        parts = {model: list(id_ranges(model)) for model in {rule.of for rule in rules}}
        broken = [text for rule in rules if (text := self.ask(rule, parts[rule.of]))]
        for text in broken:
            self.stderr.write(text)
        if broken:
            raise CommandError(f"{len(broken)} of {len(rules)} rules are broken.")
        self.stdout.write(f"{len(rules)} rules hold.")

    @staticmethod
    def ask(rule: Rule, parts: Iterable[Part]) -> str:
        """Return what breaks a rule, in words; nothing if it holds."""
        since = (
            [connection.ops.adapt_datetimefield_value(timezone.now() - KEEP_MAILS)]
            if rule.since
            else []
        )
        sql, places = PART.subn(r"(\1 > %s AND \1 <= %s)", rule.sql)
        names: set[str] = set()
        with connection.cursor() as cursor:
            for part in parts:
                cursor.execute(sql.format(**LISTS), [*part * places, *since])
                names.update(str(row[0]) for row in cursor.fetchall())
        if not names:
            return ""
        more = f" and {len(names) - EXAMPLES} more" if len(names) > EXAMPLES else ""
        return f"{rule.number}. {rule.text}: {', '.join(sorted(names)[:EXAMPLES])}{more}"

"""Files of banks as tests send them: read as their headings say, and taken in."""

from datetime import datetime
from typing import Any

from apps.accounts.models import User
from apps.payments.bank import statements
from apps.payments.bank.lines import StatementFile
from apps.payments.bank.reader import files_in, has_columns, read_files
from apps.payments.bank.table import open_table, read_table
from apps.payments.models import BankStatement


def read_statement(content: bytes, *, currency: str = "", **answers: Any) -> StatementFile:
    """Return what a file says, a table by its headings and what is answered about it."""
    files = files_in(content)
    if len(files) > 1 or not has_columns(files[0]):
        return read_files(files, currency=currency)
    table = open_table(files[0])
    return read_table(table, table.columns, currency=currency, **answers)


def import_statement(
    *, content: bytes, name: str, actor: User, now: datetime, **answers: Any
) -> BankStatement:
    """Take in a file as its headings say."""
    file = read_statement(content, **answers)
    return statements.import_statement(content=content, file=file, name=name, actor=actor, now=now)

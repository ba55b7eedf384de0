"""Statements taken in, through the desk or straight from a file."""

from datetime import datetime
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from apps.accounts.models import User
from apps.payments.bank import statements
from apps.payments.bank.lines import StatementFile
from apps.payments.bank.reader import files_in, has_columns, read_files
from apps.payments.bank.table import open_table, read_table
from apps.payments.models import BankStatement

DAY = {"value_date": f"{timezone.localdate()}"}  # what the form of a wire is filled with
HEAD = "Date,Amount,Currency,Name,Details,Bank reference"


def page(name: str, *args: int) -> str:
    return reverse(f"admin:payments_payment_{name}", args=args)


DESK, STATEMENTS = "/admin/payments/payment/desk/", "/admin/payments/payment/desk/statements/"
COLUMNS = f"{STATEMENTS}columns/"


def import_rows(client: Client, *rows: str, head: str = HEAD, **fields: str) -> Any:
    """Send a file and store it with its columns as they were read."""
    return store(client, send(client, *rows, head=head, **fields))


def send(client: Client, *rows: str, head: str = HEAD, **fields: str) -> Any:
    """Send a file; nothing is stored yet."""
    content = "\n".join([head, *rows]).encode()
    return client.post(STATEMENTS, {"file": SimpleUploadedFile("nov.csv", content), **fields})


def named(answer: Any) -> dict[str, str]:
    """Return what the form of the columns sends as it was shown."""
    naming = answer.context["naming"]
    columns = {f"column-{row.index}": row.column.name if row.column else "" for row in naming.rows}
    hidden = {"file": answer.context["file"], "name": answer.context["name"], "seen": naming.token}
    return {**columns, **hidden, "currency": naming.currency}


def store(client: Client, answer: Any, **changes: str) -> Any:
    return client.post(COLUMNS, {**named(answer), "store": "1", **changes}, follow=True)


def row(
    amount: Any, text: str = "", name: str = "", currency: str = "USD", reference: str = ""
) -> str:
    reference = reference or f"R{amount}{text}".replace("-", "")
    return f"2026-11-20,{amount},{currency},{name},{text},{reference}"


def ticks(answer: Any) -> list[str]:
    return [row.choice for row in answer.context["rows"] if row.match.is_sure]


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

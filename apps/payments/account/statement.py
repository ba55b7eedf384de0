"""The statement of a company's account over days of the seller: opening, each line, closing."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import NamedTuple

from apps.accounts.selectors import Buyer
from apps.common.errors import Invalid
from apps.common.money import ZERO
from apps.common.tables.download import Cell
from apps.common.types import Json
from apps.orders.selectors import issued_papers, seller_date
from apps.payments.account.entries import order_lines
from apps.payments.account.reading import orders_of, transfers_of

HEADINGS = ("Date", "Description", "Order", "Charge $", "Payment or credit $", "Balance $")
WRONG_DAYS = "The first day is after the last."


class StatementLine(NamedTuple):
    """A line of a statement: US dollars, `charge` above zero or `credit` below it, and what is owed
    after it.

    `paper` is the kind of document behind it, or empty; so is `invoice_code` where it is of no
    order.
    """

    on: date
    text: str
    invoice_code: str
    charge: Decimal
    credit: Decimal
    balance: Decimal
    paper: str


@dataclass(frozen=True)
class Statement:
    """A statement of account; both days are included. Amounts are US dollars, above zero what the
    company owes.
    """

    since: date
    until: date
    opening: Decimal
    charges: Decimal
    credits: Decimal
    closing: Decimal
    lines: list[StatementLine]


def statement_of(*, buyer: Buyer, since: date, until: date) -> Statement:
    """Return the statement of the buyer's company. Eight statements of the database at most,
    whatever the days.

    Raises:
        Invalid: the first day is after the last.
    """
    if since > until:
        raise Invalid(errors={"since": [WRONG_DAYS]})
    found = orders_of(company_id=buyer.company_id)
    everything = [
        (line.at, place, code, line)
        for place, (code, order) in enumerate(found.items())
        for line in order_lines(order)
    ]
    places = {code: place for place, code in enumerate(found)}
    everything += [
        (line.at, places.get(code, len(found)), code, line)
        for code, transfer in transfers_of(company_id=buyer.company_id)
        for line in transfer
    ]
    opening = balance = charges = credits_ = ZERO
    lines: list[StatementLine] = []
    for at, _, code, line in sorted(everything, key=lambda found: found[:2]):
        on = seller_date(at)
        if on > until:
            break
        balance += line.amount
        if on < since:
            opening = balance
            continue
        charge, credit = max(ZERO, line.amount), min(ZERO, line.amount)
        charges, credits_ = charges + charge, credits_ + credit
        lines.append(StatementLine(on, line.text, code, charge, credit, balance, line.paper))
    return Statement(since, until, opening, charges, credits_, balance, lines)


def as_json(statement: Statement, *, buyer: Buyer, now: datetime) -> Json:
    """Return a statement as the call answers it, each line with the document that it opens, where
    there is one.

    One statement of the database.
    """
    codes = {line.invoice_code for line in statement.lines if line.paper}
    papers = issued_papers(buyer=buyer, codes=codes, now=now)
    lines = [
        {
            **line._asdict(),
            "paper": papers.get((line.invoice_code, line.paper)) if line.paper else None,
        }
        for line in statement.lines
    ]
    return {**vars(statement), "lines": lines}


def as_rows(statement: Statement) -> Iterator[tuple[Cell, ...]]:
    """Yield a statement as rows of a table, the headings first; a side of a line without an amount
    is empty.
    """
    yield HEADINGS
    yield (str(statement.since), "Opening balance", "", "", "", statement.opening)
    for line in statement.lines:
        yield (
            str(line.on),
            line.text,
            line.invoice_code,
            line.charge or "",
            line.credit or "",
            line.balance,
        )
    yield (
        str(statement.until),
        "Closing balance",
        "",
        statement.charges,
        statement.credits,
        statement.closing,
    )

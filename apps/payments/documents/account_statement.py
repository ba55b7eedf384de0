"""A company's statement of account as a document."""

from decimal import Decimal

from apps.accounts.models import Company
from apps.accounts.selectors import postal_address
from apps.orders.documents import content as cells
from apps.orders.documents.content import Content, row_of_sum
from apps.orders.documents.parties import address_lines, brand, seller_box, seller_name
from apps.payments.account import Statement, as_rows

COLUMNS = [
    cells.column("Date", 26),
    cells.column("Description"),
    cells.column("Order", 35),
    cells.column("Charge $", 24, numbers=True),
    cells.column("Credit $", 24, numbers=True),
    cells.column("Balance $", 26, numbers=True),
]


def account_statement(*, company: Company, statement: Statement) -> Content:
    """Return what the statement of a company's account says."""
    _headings, *table = as_rows(statement)
    *rows, total = [
        [cells.usd(cell) if isinstance(cell, Decimal) else cells.text(str(cell)) for cell in row]
        for row in table
    ]
    rows[0][1] = cells.head("Opening balance")
    period = f"{statement.since} to {statement.until}"
    return {
        "title": "STATEMENT OF ACCOUNT",
        "number": period,
        "brand": brand(),
        "seller": seller_name(),
        "boxes": [
            seller_box(),
            {
                "label": "Company",
                "lines": [company.name, *address_lines(postal_address(company)), company.phone],
            },
            {"label": "Period", "lines": [period]},
            {
                "label": "Note",
                "lines": [
                    "A balance above zero is owed to us. Your wallet balance is not included."
                ],
            },
        ],
        "table": {
            "columns": COLUMNS,
            "rows": rows,
            "total": total,
        },
        "sums": [
            row_of_sum("Opening balance", statement.opening),
            row_of_sum("Charges", statement.charges),
            row_of_sum("Payments and credits", statement.credits),
            row_of_sum("Closing balance", statement.closing, strong=True),
        ],
        "sections": [],
    }

"""A company's statement of account as a document."""

from apps.accounts.models import Company
from apps.accounts.selectors import postal_address
from apps.orders.documents import cells
from apps.orders.documents.cells import row_of_sum
from apps.orders.documents.content import Content
from apps.orders.documents.parties import address_lines, brand, seller_box, seller_name
from apps.payments.account.statement import Statement

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
                "label": "How to read it",
                "lines": [
                    "A balance above zero is owed to us. Your wallet balance is not part of it."
                ],
            },
        ],
        "table": {
            "columns": COLUMNS,
            "rows": [
                [
                    cells.text(str(statement.since)),
                    cells.head("Opening balance"),
                    *[cells.text("")] * 3,
                    cells.usd(statement.opening),
                ],
                *(
                    [
                        cells.text(str(line.on)),
                        cells.text(line.text),
                        cells.text(line.invoice_code),
                        cells.usd(line.charge) if line.charge else cells.text(""),
                        cells.usd(line.credit) if line.credit else cells.text(""),
                        cells.usd(line.balance),
                    ]
                    for line in statement.lines
                ),
            ],
            "total": [
                cells.text(str(statement.until)),
                cells.text("Closing balance"),
                cells.text(""),
                cells.usd(statement.charges),
                cells.usd(statement.credits),
                cells.usd(statement.closing),
            ],
        },
        "sums": [
            row_of_sum("Opening balance", statement.opening),
            row_of_sum("Charges", statement.charges),
            row_of_sum("Payments and credits", statement.credits),
            row_of_sum("Closing balance", statement.closing, strong=True),
        ],
        "sections": [],
    }

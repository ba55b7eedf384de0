"""The papers of payments: the receipt of a paid order, and a company's statement of account."""

from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal

from apps.accounts.models import Company
from apps.accounts.selectors import postal_address
from apps.common.money import ZERO
from apps.orders import rules
from apps.orders.documents import content as cells
from apps.orders.documents.content import (
    Cell,
    Content,
    address_lines,
    brand,
    buyer_box,
    number_box,
    row_of_sum,
    seller_box,
    seller_name,
)
from apps.orders.models import Order
from apps.orders.selectors.orders import seller_date
from apps.payments.account import Statement, as_rows
from apps.payments.models import Payment

COLUMNS = [
    cells.column("Date", 24),
    cells.column("Payment"),
    cells.column("For", 26),
    cells.column("Received $", 28, numbers=True),
]
WITH_FEE = [
    *COLUMNS,
    cells.column("PayPal fee $", 26, numbers=True),
    cells.column("Paid $", 28, numbers=True),
]


def receipt(*, order: Order, payments: Sequence[Payment], paid_at: datetime) -> Content:
    """Return what the receipt of an order says, as of the moment it was paid in full (readings,
    Money).

    `payments` are those that brought money and kept any of it; PayPal's fee, where there is one,
    was paid on top of what the order received.
    """
    fees = sum((payment.fee for payment in payments), ZERO)
    cost: dict[str, Decimal] = {"real_total": order.real_total, "shipping_fee": order.shipping_fee}
    rows = [
        row_of_sum("Confirmed products", order.real_total),
        row_of_sum("Shipping fee", order.shipping_fee),
        row_of_sum("Total", order.real_total + order.shipping_fee),
        row_of_sum("Received", -order.received or ZERO),
    ]
    if order.written_off:
        rows.append(row_of_sum("Written off", -order.written_off))
    # The receipt is made as the payment comes in, the credit just after it.
    beyond = max(order.credited, rules.overpayment(**cost, received=order.received))
    if beyond:
        rows.append(row_of_sum("Credited to your wallet", beyond))
    balance = rules.balance_due(**cost, received=order.received - beyond + order.written_off)
    return {
        "title": "RECEIPT",
        "number": order.invoice_code,
        "brand": brand(),
        "seller": seller_name(),
        "boxes": [
            seller_box(),
            number_box(order, ("Paid in full", paid_at)),
            buyer_box(order, label="Received from"),
            {"label": "Status", "lines": ["This order is paid in full.", "We will ship it next."]},
        ],
        "table": {
            "columns": WITH_FEE if fees else COLUMNS,
            "rows": [
                [
                    cells.text(str(seller_date(payment.settled_at or payment.created_at))),
                    cells.text(payment.get_method_display(), _reference(payment)),
                    cells.text(payment.get_kind_display()),
                    *_sum(payment.kept, payment.fee, fees),
                ]
                for payment in payments
            ],
            "total": [
                *(cells.text(text) for text in ("Total", "", "")),
                *_sum(sum((payment.kept for payment in payments), ZERO), fees, fees),
            ],
        },
        "sums": [*rows, row_of_sum("Balance due", balance, strong=True)],
        "sections": [],
    }


def _sum(received: Decimal, fee: Decimal, fees: Decimal) -> list[Cell]:
    """Return what came, with its fee beside it on a receipt that has `fees`."""
    beside = [cells.usd(fee), cells.usd(received + fee)] if fees else []
    return [cells.usd(received), *beside]


def _reference(payment: Payment) -> str:
    """Return what the buyer knows a payment by: the name on the wire, or PayPal's number."""
    if payment.method == Payment.Method.PAYPAL:
        return f"Transaction {payment.sale_id}" if payment.sale_id else ""
    return f"From {payment.depositor}" if payment.depositor else ""


OF_ACCOUNT = [
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
    rows[0][1] = {"text": "Opening balance", "strong": True}
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
            "columns": OF_ACCOUNT,
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

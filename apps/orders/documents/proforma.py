"""The proforma invoice of a confirmed order: what is sold, what it costs, what is due and how to
pay it.
"""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal

from apps.common.money import ZERO, percent
from apps.common.seller import seller
from apps.orders import rules
from apps.orders.documents import content as cells
from apps.orders.documents.content import (
    Cell,
    Content,
    Section,
    bank_box,
    brand,
    buyer_box,
    number_box,
    row_of_sum,
    seller_box,
    seller_name,
    ship_to_box,
)
from apps.orders.models import Order, OrderLine
from apps.orders.rules import FREE_OFFER_TAG, NOT_CONFIRMED_TAG, line_tag, line_total

COLUMNS = [
    cells.column("No.", 10),
    cells.column("SKU", 27),
    cells.column("Description of goods"),
    cells.column("Qty", 16, numbers=True),
    cells.column("Unit price $", 23, numbers=True),
    cells.column("Amount $", 26, numbers=True),
]

# The terms of use and of the checkout, in substance (section 1; section 2, Deposit checkout).
TERMS = [
    "The shipping fee is part of this final invoice and is the customer's responsibility.",
    (
        "A confirmed order cannot be modified. It can be cancelled only if it has not "
        "shipped: the balance is refunded except a 100 USD deposit, as a credit to your "
        "wallet within 5 to 15 business days."
    ),
    "We notify you if the order cannot ship within 2 business days.",
    (
        "Returns are accepted within 7 days of receipt for damaged or wrong goods. Claims "
        "must be made within 6 months of purchase."
    ),
    "Customs duties are borne by the buyer. These terms are governed by Korean law.",
]


def proforma(
    *,
    order: Order,
    lines: Sequence[OrderLine],
    confirmed_at: datetime,
    corrected_at: datetime | None = None,
    revision: int = 1,
) -> Content:
    """Return what the proforma invoice of an order says, as of its confirmation or of a correction
    of it (readings, Money).

    `lines` come with their products. Money received later does not show.
    """
    paid = order.received - order.deposit_received if corrected_at else ZERO
    figures = {
        "real_total": order.real_total,
        "shipping_fee": order.shipping_fee,
        "received": order.deposit_received + paid,
    }
    balance, beyond = rules.balance_due(**figures), rules.overpayment(**figures)
    # The rows and their order are those of the order's screen (readings, Money).
    sums = [row_of_sum("Subtotal as ordered", order.total)]
    if order.real_total != order.total:
        sums.append(row_of_sum("Not confirmed", order.real_total - order.total))
    sums += [
        row_of_sum("Shipping fee", order.shipping_fee),
        row_of_sum("Total", order.real_total + order.shipping_fee),
        row_of_sum("Deposit received", -order.deposit_received or ZERO),
    ]
    if paid:
        sums.append(row_of_sum("Paid", -paid))
    if beyond:
        sums.append(row_of_sum("Credited to your wallet", beyond))
    sums.append(row_of_sum("Balance due", balance, strong=True))
    corrected = [("Corrected", corrected_at)] if corrected_at else []
    ordered: Counter[tuple[str, Decimal]] = Counter()  # a line that was split is one again
    for line in lines:
        ordered[line.sku, line.price] += line.quantity if line.is_ordered else 0
    sold = [line for line in _by_sku(lines) if tag_of(line) != NOT_CONFIRMED_TAG]
    refused = []
    for line in _by_sku(lines):
        if tag_of(line) == NOT_CONFIRMED_TAG:
            whole = ordered[line.sku, line.price] or line.quantity
            text = f"{line.sku} {line.product.eng_name}: {line.quantity:,} of {whole:,} pieces"
            reason = line.get_reason_display() if line.reason else ""
            refused.append(". ".join(filter(None, [text, reason, line.comment])))
    sections: list[Section] = [{"title": "Terms", "lines": TERMS}]
    if refused:
        sections.insert(0, {"title": "Ordered and not confirmed", "lines": refused})
    return {
        "title": "PROFORMA INVOICE",
        "number": (
            order.invoice_code if revision == 1 else f"{order.invoice_code}, revision {revision}"
        ),
        "brand": brand(),
        "seller": seller_name(),
        "boxes": [
            seller_box(),
            number_box(order, ("Confirmed", confirmed_at), *corrected),
            buyer_box(order),
            ship_to_box(order),
            bank_box(order),
            {"label": "Payment", "lines": _payment(order, balance)},
        ],
        "table": {
            "columns": COLUMNS,
            "rows": [
                _row(number, line, ordered[line.sku, line.price])
                for number, line in enumerate(sold, 1)
            ],
            "total": [
                cells.text(""),
                cells.text(""),
                cells.text("Confirmed products"),
                cells.pieces(sum(line.quantity for line in sold)),
                cells.text(""),
                cells.usd(order.real_total),
            ],
        },
        "sums": sums,
        "sections": sections,
    }


def tag_of(line: OrderLine) -> str:
    """Return what papers call a line."""
    price = line_total(price=line.price, quantity=line.quantity)
    return line_tag(is_confirmed=line.is_confirmed, order_price=price)


def _by_sku(lines: Sequence[OrderLine]) -> list[OrderLine]:
    """Return the lines as ordered, the parts of a SKU beside each other."""
    place: dict[str, int] = {}
    for line in lines:
        place.setdefault(line.sku, line.pk)
    return sorted(lines, key=lambda line: (place[line.sku], line.pk))


def _row(number: int, line: OrderLine, ordered: int) -> list[Cell]:
    notes = [line.comment.rstrip(".")]
    if tag_of(line) == FREE_OFFER_TAG:
        notes.insert(0, FREE_OFFER_TAG)
    elif not line.is_ordered:
        notes.insert(0, line.get_reason_display())
    elif ordered != line.quantity:
        notes.insert(0, f"{line.quantity:,} of {ordered:,} ordered")
    return [
        cells.text(str(number)),
        cells.text(line.sku),
        cells.text(line.product.eng_name, ". ".join(filter(None, notes))),
        cells.pieces(line.quantity),
        cells.usd(line.price),
        cells.usd(line_total(price=line.price, quantity=line.quantity)),
    ]


def _payment(order: Order, balance: Decimal) -> list[str]:
    if not balance:
        return ["There is nothing left to pay. We will ship the order next."]
    fee = percent(seller().paypal_fee_rate)
    paypal = f"PayPal payments carry a fee of {fee} of the amount."
    if not order.export_declared:
        how = f"by PayPal on the order's page in the portal. {paypal}"
        if not seller().paypal_on:
            how = f"as agreed with us: {seller().sales_email}."
        return [
            f"Please pay the balance of ${balance:,.2f} {how}",
            "Without an export declaration it cannot be paid by bank wire.",
        ]
    return [
        (
            f"Please wire the balance of ${balance:,.2f} to the bank account given "
            "here, with the invoice number as reference, and announce the wire on "
            "the order's page in the portal."
        ),
        *([f"Or pay it there by PayPal. {paypal}"] if seller().paypal_on else []),
    ]

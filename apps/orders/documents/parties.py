"""What the documents of an order share: who sells, who buys, where the goods go, and the dates."""

from datetime import datetime

from apps.accounts.selectors import PostalAddress, postal_address
from apps.common.seller import seller
from apps.orders.documents.content import Box
from apps.orders.models import Order
from apps.orders.rules import kilograms
from apps.orders.selectors.orders import seller_date


def brand() -> str:
    """Return the name that heads a document."""
    return seller().title


def seller_name() -> str:
    """Return the seller's company, where one is configured."""
    return seller().shipper["name"]


def seller_box() -> Box:
    """Return who sells."""
    own = seller()
    lines = [own.shipper["name"] or own.title, own.shipper["address"], own.second_address]
    lines += [own.shipper["phone"], own.sales_email, *tax_lines(own.tax_number)]
    return {"label": "Seller", "lines": lines}


def shipper_box() -> Box:
    """Return who ships."""
    own = seller()
    lines = [own.shipper["name"], own.shipper["address"], own.second_address, own.shipper["phone"]]
    return {"label": "Shipper", "lines": [*lines, *tax_lines(own.tax_number)]}


def buyer_box(order: Order, *, label: str = "Buyer") -> Box:
    """Return who buys: the company with its own address, and the person who ordered."""
    company, person = order.company, order.user
    lines = address_lines(postal_address(company))
    who = f"{person.manager}, {person.email}"
    return {
        "label": label,
        "lines": [company.name, *lines, company.phone, who, *tax_lines(company.tax_number)],
    }


def ship_to_box(order: Order) -> Box:
    """Return where the goods go."""
    lines = address_lines(postal_address(order, prefix="ship_"))
    return {"label": "Ship to", "lines": [order.company.name, *lines, order.ship_phone]}


def consignee_box(order: Order) -> Box:
    """Return to whom the goods go, for customs."""
    lines = [*ship_to_box(order)["lines"], *tax_lines(order.company.tax_number)]
    return {"label": "Consignee", "lines": lines}


def tax_lines(number: str) -> list[str]:
    """Return the line of a tax or EORI number, where there is one."""
    return [f"Tax/EORI number {number}"] if number else []


def notify_box(order: Order) -> Box:
    """Return whom the carrier tells of the arrival (readings, On the screens)."""
    return {
        "label": "Notify party",
        "lines": (order.packing_notify or "Same as consignee").splitlines(),
    }


def address_lines(address: PostalAddress) -> list[str]:
    """Return an address in lines."""
    place = " ".join(part for part in (address.zipcode, address.city) if part)
    names = (place, address.state, address.country)
    return [address.address1, address.address2, ", ".join(name for name in names if name)]


def po_lines(order: Order) -> list[str]:
    """Return the line of the buyer's own number, where there is one."""
    return [f"PO number {order.po_number}"] if order.po_number else []


def number_box(order: Order, *dates: tuple[str, datetime]) -> Box:
    """Return the invoice number, the order's date and further ones, and what the products weigh."""
    lines = [
        f"{label} {seller_date(moment)}" for label, moment in (("Ordered", order.placed_at), *dates)
    ]
    declared = "YES" if order.export_declared else "NO"
    return {
        "label": "Invoice number and date",
        "lines": [
            order.invoice_code,
            *po_lines(order),
            *lines,
            f"Order type {order.type}, export declaration {declared}",
            f"Net weight {kilograms(order.weight_g)} kg",
        ],
    }


def bank_box(order: Order) -> Box:
    """Return the seller's accounts, and what to write on the transfer."""
    lines: list[str] = []
    for title, bank in seller().titled_banks:
        lines += [
            *([title] if title else []),
            bank["bank"],
            bank["address"],
            f"Account holder {bank['holder']}",
            f"Account number {bank['account_number']}",
            f"SWIFT or routing number {bank['routing_number']}",
        ]
    if not lines:
        lines = [f"Please ask {seller().sales_email} for our bank details"]
    return {"label": "Bank", "lines": [*lines, f"Reference {order.invoice_code}"]}

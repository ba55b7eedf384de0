"""What a document says, whether PDF or spreadsheet: plain values, kept as JSON from the moment it
is issued; how its cells, columns and sums are made, and how each is read.
"""

from datetime import datetime
from decimal import Decimal
from typing import NotRequired, TypedDict

from apps.accounts.selectors import PostalAddress, postal_address
from apps.common.seller import seller
from apps.orders import rules
from apps.orders.models import Order
from apps.orders.selectors.orders import seller_date


class Cell(TypedDict, total=False):
    """A cell of a table: a text, pieces, grams (shown as kilograms), cubic metres ("0.212") or US
    dollars ("1234.50").

    There may be a quieter `note` below it; `strong` heads its row.
    """

    text: str
    note: str
    pieces: int
    grams: int
    cbm: str
    usd: str
    strong: bool


class Column(TypedDict):
    """A column: `width` in mm, 0 for what the others leave; numbers stand on the right."""

    title: str
    width: int
    numbers: bool


class Table(TypedDict):
    """The document's one long table, with a row of totals.

    `groups` are the numbers of rows that belong together, such as a box's: the first row heads its
    group.
    """

    columns: list[Column]
    rows: list[list[Cell]]
    total: list[Cell]
    groups: NotRequired[list[int]]


class Box(TypedDict):
    """A labelled block of lines; two stand beside each other."""

    label: str
    lines: list[str]


class Sum(TypedDict):
    """A row of the money below the table, US dollars; the `strong` one is what the document is
    about.
    """

    label: str
    usd: str
    strong: NotRequired[bool]


class Section(TypedDict):
    """A titled list of sentences below the sums."""

    title: str
    lines: list[str]


class Content(TypedDict):
    """A whole document. `brand` and `seller` head it; `number` and `title` stand on every page."""

    title: str
    number: str
    brand: str
    seller: str
    boxes: list[Box]
    table: Table
    sums: list[Sum]
    sections: list[Section]


def text(words: str, note: str = "") -> Cell:
    """Return a cell of text, perhaps with a note below it."""
    return _noted({"text": words}, note)


def pieces(count: int, note: str = "") -> Cell:
    """Return a cell of pieces, perhaps with a note below it."""
    return _noted({"pieces": count}, note)


def grams(weight_g: int, note: str = "") -> Cell:
    """Return a cell of a weight, perhaps with a note below it."""
    return _noted({"grams": weight_g}, note)


def _noted(cell: Cell, note: str) -> Cell:
    return {**cell, "note": note} if note else cell


def cubic(volume: Decimal | None) -> Cell:
    """Return a cell of cubic metres; a dash where they are not known."""
    return text("–") if volume is None else {"cbm": f"{volume:.3f}"}


def usd(amount: Decimal) -> Cell:
    """Return a cell of US dollars."""
    return {"usd": f"{amount:.2f}"}


def row_of_sum(label: str, amount: Decimal, *, strong: bool = False) -> Sum:
    """Return a row of the money below the table."""
    return {"label": label, "usd": f"{amount:.2f}", "strong": strong}


def column(title: str, width: int = 0, *, numbers: bool = False) -> Column:
    """Return a column of a table; `width` in mm, 0 for what the others leave."""
    return {"title": title, "width": width, "numbers": numbers}


def money(amount: str) -> str:
    """Return US dollars of a content as people read them: `1,234.50`, a minus before what is taken
    off.

    A price of one piece may have more than cents: `0.0823`.
    """
    places = max(2, len(amount.partition(".")[2]))
    return f"{Decimal(amount):,.{places}f}".replace("-", "−")


def kilograms(weight_g: int) -> str:
    """Return a weight in kilograms to the gram, so that a column adds up: `1,014.235`."""
    return f"{Decimal(weight_g) / 1000:,.3f}"


def cell_text(cell: Cell) -> str:
    """Return what a cell says as people read it."""
    if "pieces" in cell:
        return f"{cell['pieces']:,}"
    if "grams" in cell:
        return kilograms(cell["grams"])
    if "cbm" in cell:
        return f"{Decimal(cell['cbm']):,}"
    return money(cell["usd"]) if "usd" in cell else cell.get("text", "")


# What documents share: who sells, who buys, where the goods go.


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
            f"Net weight {rules.kilograms(order.weight_g)} kg",
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

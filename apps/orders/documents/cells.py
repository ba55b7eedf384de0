"""Makes the cells, columns and sums of a document, and says how each is read."""

from decimal import Decimal

from apps.orders.documents.content import Cell, Column, Sum


def text(words: str, note: str = "") -> Cell:
    """Return a cell of text, perhaps with a note below it."""
    return {"text": words, "note": note} if note else {"text": words}


def head(words: str) -> Cell:
    """Return a cell that heads its row."""
    return {"text": words, "strong": True}


def pieces(count: int, note: str = "") -> Cell:
    """Return a cell of pieces, perhaps with a note below it."""
    return {"pieces": count, "note": note} if note else {"pieces": count}


def grams(weight_g: int, note: str = "") -> Cell:
    """Return a cell of a weight, perhaps with a note below it."""
    return {"grams": weight_g, "note": note} if note else {"grams": weight_g}


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


def shown(cell: Cell) -> str:
    """Return what a cell says as people read it."""
    if "pieces" in cell:
        return f"{cell['pieces']:,}"
    if "grams" in cell:
        return kilograms(cell["grams"])
    if "cbm" in cell:
        return f"{Decimal(cell['cbm']):,}"
    return money(cell["usd"]) if "usd" in cell else cell.get("text", "")

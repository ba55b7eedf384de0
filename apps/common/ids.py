"""Numbers of rows, as addresses and bodies name them."""

MAX_ID = 2**53  # browsers keep whole numbers apart up to here


def id_in(text: str) -> int | None:
    """Return the id that a text names; None where it names none."""
    is_number = text.isascii() and text.isdigit() and len(text) <= len(str(MAX_ID))
    return int(text) if is_number and int(text) <= MAX_ID else None

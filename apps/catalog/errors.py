"""Refusals of the catalog app."""

from apps.common.errors import PortalError, TooLarge


class OutOfStock(PortalError):
    """A line has less stock than it asks for; `errors` names the SKUs (section 5, Ordering)."""

    code = "out_of_stock"
    message = "Some products are out of stock. Please check and try again"
    http_status = 409


class BelowMoq(PortalError):
    """A quantity below the effective MOQ (section 5, Ordering)."""

    message = "Check the minimum quantity to purchase.(MOQ)"


class NotMultipleOfMoq(PortalError):
    """A quantity that is not a multiple of the step (section 5, Ordering)."""

    message = "Purchases are only available in multiples of the MOQ (Minimum Order Quantity)"


class StockBelowZero(PortalError):
    """A movement that would take more off the shelf, or give more back, than there is; staff see
    it.
    """

    message = "There are fewer pieces than that."
    http_status = 409


class TooManyOwnCodes(PortalError):
    """A company keeps as many codes of its own as there may be."""

    message = "Your company keeps as many codes as there may be. Remove some first."


class OrderListTooLarge(TooLarge):
    """A list of SKUs and quantities that is larger than any price list."""

    message = (
        "This file is larger than 5 MB. Save the sheet with the quantities as a file of its own."
    )


class TooManyLists(PortalError):
    """As many long lists of the buyer as may be are being read."""

    code = "too_many_lists"
    message = "Three of your lists are being read. Send this one when they are ready."
    http_status = 409


class ListsFull(PortalError):
    """As many lists of the buyer as may be are in hand: none of them is dropped for another one."""

    code = "lists_full"
    message = "Ten of your lists are in hand. Put one into the basket or drop one, then send this one again."
    http_status = 409


class MessageRefused(PortalError):
    """A message that staff cannot paste so; says why, and at which field."""

    message = "This message cannot be read."

    def __init__(self, text: str, *, field: str) -> None:
        super().__init__(errors={field: [text]})
        self.text = text

    def __str__(self) -> str:
        return self.text


class MessageGone(PortalError):
    """The link to a pasted message is too old."""

    code = "expired"
    message = "This link is too old. Write to us, and we send another one."
    http_status = 410


class MessageUsed(PortalError):
    """The lines of a pasted message are in the basket already."""

    code = "used"
    message = "The lines of this message are in your basket already."
    http_status = 410


class ListUsed(PortalError):
    """The lines of a list in hand are in the basket already."""

    code = "used"
    message = "The lines of this list are in your basket already."
    http_status = 410


class ImportRefused(PortalError):
    """A step of an import that cannot be taken, or a file that is not; the text says why."""

    message = "This import cannot be changed."
    http_status = 409

    def __init__(self, text: str) -> None:
        super().__init__(errors={"file": [text]})
        self.text = text

    def __str__(self) -> str:
        return self.text

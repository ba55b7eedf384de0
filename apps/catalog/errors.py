"""Refusals of the catalog app."""

from apps.common.errors import PortalError


def _(key: str) -> str:
    """Mark a sentence: it is translated where staff read it."""
    return key


class OutOfStock(PortalError):
    """A line has less stock than it asks for; `errors` names the SKUs (section 5, Ordering)."""

    code = "out_of_stock"
    message = _("Some products are out of stock. Please check and try again")
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

    message = _("There are fewer pieces than that.")
    http_status = 409


class ImportRefused(PortalError):
    """A step of an import that cannot be taken, or a file that is not; the text says why."""

    message = "This import cannot be changed."
    http_status = 409

    def __init__(self, text: str) -> None:
        super().__init__(text, file=text)


class TooManyPictures(PortalError):
    """A product has as many pictures as it may have."""

    message = _("A product has at most 20 pictures.")
    http_status = 409


class PicturesChanged(PortalError):
    """The picture that is meant is not the product's any more."""

    message = _("The pictures of this product changed meanwhile. Look at them again.")
    http_status = 409

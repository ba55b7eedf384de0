"""Refusals of the orders app; the texts are the specification's (sections 5 and 8)."""

from decimal import Decimal
from typing import ClassVar

from apps.common.errors import FieldErrors, Invalid, PortalError, TooLarge, WrongStatus
from apps.common.money import dollars
from apps.common.texts import phrase


class NoLines(PortalError):
    """An order request without a line (section 5, Ordering)."""

    message = "There are no selected products. Select products."


class BasketNameTaken(PortalError):
    """The buyer has another basket of this name."""

    message = "You already have a basket with this name."


class TooManyBaskets(PortalError):
    """The buyer has as many named baskets as there may be."""

    message = "You have reached the limit of saved baskets. Delete one first."


class NotSoldOut(PortalError):
    """A wish for a product that can be ordered now."""

    message = "You can order this product now."


class NotBack(PortalError):
    """A wish for a product that is not sold any more, or on request alone."""

    message = "This product will not come back into stock."


class TooManyWishes(PortalError):
    """The buyer has as many open wishes of their own as there may be."""

    message = "Your waiting list is full. Remove a product first."


class WishTooLarge(PortalError):
    """A wish for more pieces of a product than one buyer may wait for."""

    message = (
        "The waiting list takes at most 10,000 pieces of a product. "
        "Please ask your sales representative for more."
    )


class MessageRequired(PortalError):
    """A memo or a shipping request without text (section 5, Order pages)."""

    message = "Please enter a message."


class BuyerFileTooLarge(TooLarge):
    """A file that a buyer gives with an order, or the body that brings it, is over its limit."""

    message = "Only files below 5MB can be uploaded."


class BelowMinimumOrder(PortalError):
    """The basket comes to less than the seller's minimum order; `errors` has what is missing, in US
    dollars.
    """

    code = "below_minimum"
    message = "{missing} more to reach our minimum order of {least}."

    def __init__(self, *, missing: Decimal, least: Decimal) -> None:
        text = self.message.format(missing=dollars(missing), least=dollars(least))
        super().__init__(text, total=f"{missing:.2f}")


class OrderExists(PortalError):
    """The temporary order was checked out already (section 8)."""

    code = "order_exists"
    message = "This order already exists. Go to the order page."
    http_status = 409


class Expired(PortalError):
    """The temporary order is older than 7 days (api.md, Deposit checkout)."""

    code = "expired"
    http_status = 409


class PriceChanged(PortalError):
    """A price is not the one that the buyer was shown when he confirmed; `errors` has both by SKU:
    the one shown, the one of now.
    """

    code = "price_changed"
    message = "Some prices have changed. Check the new prices and confirm again."
    http_status = 409


class ProposalClosed(PortalError):
    """A proposal that somebody answered, took back or let run out before; `errors` says who and
    when, by its number.
    """

    code = "proposal_closed"
    message = "One of these proposals is already closed. Please check your answers."
    http_status = 409


class KeyUsed(Invalid):
    """The Idempotency-Key came before with another body."""

    def __init__(self) -> None:
        super().__init__(idempotency_key="This key was used with another body.")


class StaleOrder(WrongStatus):
    """Somebody else changed the order since the page was opened; says who and when."""

    def __init__(self, *, who: str, when: str) -> None:
        text = phrase(
            "%(who)s changed this order (%(when)s). Look at it again before you go on.",
            who=who,
            when=when,
        )
        super().__init__(version=text)


class StaffRefusal(Invalid):
    """A step that a member of staff cannot take; the message says what is missing, with its
    `values`, and stands at the `field` that is at fault.
    """

    message: ClassVar[str] = "This step cannot be taken."

    def __init__(
        self, text: str, *, field: str = "", errors: FieldErrors | None = None, **values: object
    ) -> None:
        message = text % values if values else text
        super().__init__(message, errors={field: [message]} if field else errors)


class AlreadyStated(StaffRefusal):
    """This answer or note was kept before, of the same opened page; it is not said twice."""


class AlreadyMailed(StaffRefusal):
    """The buyer has this mail already; says from whom and when."""


class NotLate(StaffRefusal):
    """The order is in time; says until when."""


class TooManyOwnCodes(PortalError):
    """A company keeps as many codes of its own as there may be."""

    message = "Your company has reached the limit of item codes. Remove some first."


class OrderListTooLarge(TooLarge):
    """A list of SKUs and quantities that is larger than any price list."""

    message = (
        "This file is larger than 5 MB. "
        "Please save the sheet with the quantities as a separate file."
    )


class ListUsed(PortalError):
    """The lines of a list in hand are in the basket already."""

    code = "used"
    message = "The lines of this list are already in your basket."
    http_status = 410

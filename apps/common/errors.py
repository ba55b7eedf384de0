"""The one family of refusals. A service raises, the handler in `api.py` answers, nobody else builds
an error.
"""

from collections.abc import Mapping, Sequence
from typing import ClassVar, Protocol, TypeVar


def _(key: str) -> str:
    """Mark what staff read in Korean."""
    return key


SOMETHING_WENT_WRONG = _("Something went wrong. Please contact the administrator.")
LOGIN_EXPIRED = "Your login information has expired. Please log in again."

Row = TypeVar("Row", covariant=True)


class Rows(Protocol[Row]):
    """What a row is taken of: a query set."""

    def first(self) -> Row | None:
        """Return the first one, if there is any."""


FieldErrors = Mapping[str, Sequence[str]]


class PortalError(Exception):
    """A refusal that the caller can act on; subclasses fix code, message and HTTP status (api.md,
    Rules). A `text` says more than the message.

    `retry_seconds`: when to ask again, where that may help. Which fields are at fault stands in
    `errors`; where each has one text, it is given by the field's name.
    """

    code: ClassVar[str] = "invalid"
    message: ClassVar[str] = SOMETHING_WENT_WRONG
    http_status: ClassVar[int] = 400
    success: ClassVar[int] = 0
    retry_seconds: ClassVar[int | None] = None

    def __init__(
        self, text: str = "", /, *, errors: FieldErrors | None = None, **texts: str
    ) -> None:
        super().__init__(text or self.message)
        self.errors: FieldErrors | None = (
            errors or {field: [text] for field, text in texts.items()} or None
        )


class Invalid(PortalError):
    """The request is not well formed; `errors` says which field and why."""


class NotFound(PortalError):
    """Unknown, or not the caller's: never told apart."""

    code = "not_found"
    message = "Not found."
    http_status = 404


def row_or_404(rows: Rows[Row]) -> Row:
    """Return the row that is meant.

    Raises:
        NotFound: there is none.
    """
    row = rows.first()
    if row is None:
        raise NotFound
    return row


class WrongStatus(PortalError):
    """The order's status does not allow it."""

    code = "wrong_status"
    http_status = 409


class TooLarge(PortalError):
    """A body or a file over its limit."""

    code = "too_large"
    message = _("The request is too large.")
    http_status = 413


class Busy(PortalError):
    """What the call would change is being changed by somebody else, and has been for
    some seconds.
    """

    code = "busy"
    message = _("Somebody else is changing this right now. Please try again in a moment.")
    http_status = 409
    retry_seconds = 5


class Unavailable(PortalError):
    """The database, the storage or the virus scanner cannot do this now: away, silent, full or
    read-only.
    """

    code = "unavailable"
    message = _("This does not work right now. Please try again in a moment.")
    http_status = 503
    retry_seconds = 5


class TooSlow(PortalError):
    """A body that did not come in time."""

    code = "too_slow"
    message = "The request took too long to arrive. Please try again."
    http_status = 408


class StorageUnavailable(PortalError):
    """The storage of private files does not answer now."""

    code = "storage_unavailable"
    message = _("This file cannot be opened now. Please try again in a few minutes.")
    http_status = 503
    retry_seconds = 60


class ProviderUnavailable(PortalError):
    """The payment provider did not answer."""

    code = "provider_unavailable"
    http_status = 502


class ProviderSilent(ProviderUnavailable):
    """The payment provider let a call wait in vain a moment ago, and is not asked for a while."""

    http_status = 503
    retry_seconds = 30

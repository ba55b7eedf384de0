"""The one family of refusals. A service raises, the handler in `api.py` answers, nobody else builds an error."""

from collections.abc import Mapping, Sequence
from typing import ClassVar

SOMETHING_WENT_WRONG = "Something went wrong. Please contact the administrator."
LOGIN_EXPIRED = "Your login information has expired. Please log in again."

FieldErrors = Mapping[str, Sequence[str]]


class PortalError(Exception):
    """A refusal that the caller can act on; subclasses fix code, message and HTTP status (api.md, Rules)."""

    code: ClassVar[str] = "invalid"
    message: ClassVar[str] = SOMETHING_WENT_WRONG
    http_status: ClassVar[int] = 400
    success: ClassVar[int] = 0

    def __init__(self, *, errors: FieldErrors | None = None) -> None:
        super().__init__(self.message)
        self.errors = errors


class Invalid(PortalError):
    """The request is not well formed; `errors` says which field and why."""


class NotFound(PortalError):
    """Unknown, or not the caller's: never told apart."""

    code = "not_found"
    message = "Not found."
    http_status = 404


class WrongStatus(PortalError):
    """The order's status does not allow it."""

    code = "wrong_status"
    http_status = 409


class TooLarge(PortalError):
    """A body or a file over its limit."""

    code = "too_large"
    message = "The request is too large."
    http_status = 413


class StorageUnavailable(PortalError):
    """The storage of private files does not answer now."""

    code = "storage_unavailable"
    message = "This file cannot be opened now. Please try again in a few minutes."
    http_status = 503


class ProviderUnavailable(PortalError):
    """The payment provider did not answer."""

    code = "provider_unavailable"
    http_status = 502

"""Request limits of the catalogue's calls."""

from apps.accounts.api.identity import BuyerRequest
from apps.common.http.throttles import MINUTE, SignedInLimit

LONG_LIST = 128 * 1024  # bytes: a workbook of about 4,000 rows


class ListReviewLimit(SignedInLimit):
    """Lists to review: 20 a minute for each buyer, as each is opened in a process of its own."""

    name, uses, seconds = "list-review", 20, MINUTE


class LongListLimit(SignedInLimit):
    """Long lists to be given back: 6 a minute for each buyer, as 20,000 rows take six seconds of
    work.

    Those to review wait for their sweep, three of a buyer at once.
    """

    name, uses, seconds = "long-list", 6, MINUTE


def check_long_list(request: BuyerRequest, *, size: int) -> None:
    """Count a list of so many bytes that was sent, where it is a long one.

    Raises:
        Throttled: it is over the limit.
    """
    if size > LONG_LIST:
        LongListLimit().check(str(request.user.uuid))

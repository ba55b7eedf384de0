"""Request limits of the catalogue's calls."""

from apps.common.http.throttles import MINUTE, SignedInLimit


class ListReviewLimit(SignedInLimit):
    """Lists to review: 20 a minute for each buyer, as each is opened in a process of its own."""

    name, uses, seconds = "list-review", 20, MINUTE

"""Request limits of the orders' calls (design/reliability-and-security.md, section 9)."""

from apps.common.http.throttles import MINUTE, SignedInLimit


class OrderRequestLimit(SignedInLimit):
    """Order requests: 30 a minute for each buyer."""

    name, uses, seconds = "temp-order", 30, MINUTE


class CheckoutLimit(SignedInLimit):
    """Checkouts: 30 a minute for each buyer."""

    name, uses, seconds = "checkout", 30, MINUTE


class BuyerFileLimit(SignedInLimit):
    """Files given with an order: 20 a minute for each buyer, as each is opened in a process of its
    own.
    """

    name, uses, seconds = "buyer-file", 20, MINUTE


class QuickSearchLimit(SignedInLimit):
    """Quick searches: 60 a minute for each buyer."""

    name, uses, seconds = "quick-search", 60, MINUTE

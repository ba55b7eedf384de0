"""Request limits: fixed windows, counted in Redis or the instance's memory
(reliability-and-security, section 9).
"""

from hashlib import blake2b
from ipaddress import IPv6Address, ip_address
from time import time
from typing import ClassVar

from django.conf import settings
from django.core.cache import DEFAULT_CACHE_ALIAS, caches
from django.http import HttpRequest
from rest_framework.exceptions import Throttled
from rest_framework.throttling import BaseThrottle
from rest_framework.views import APIView

from apps.common.counters import SharedCounters

MINUTE, QUARTER, HOUR, DAY = 60, 900, 3600, 86_400
USES = (
    SharedCounters()
)  # made as this module loads, before the server forks its workers (portal.wsgi)


def client_address(request: HttpRequest) -> str:
    """Return the caller's address: the peer's, or what the last of our own NUM_PROXIES
    proxies saw.

    Of IPv6 it is the network of 64 bits, which one caller has as a whole.
    """
    forwarded = request.META.get("HTTP_X_FORWARDED_FOR", "")
    hops = [hop.strip() for hop in forwarded.split(",") if hop.strip()]
    is_seen = settings.NUM_PROXIES and hops
    text = (
        hops[-min(settings.NUM_PROXIES, len(hops))]
        if is_seen
        else request.META.get("REMOTE_ADDR", "")
    )
    try:
        address = ip_address(text)
    except ValueError:
        return ""
    if address.version == 4:
        return str(address)
    return str(address.ipv4_mapped or IPv6Address(int(address) >> 64 << 64))


def count_within(*, key: str, seconds: int) -> tuple[int, int]:
    """Count one more use of a key in the running window; return the count and the seconds to the
    window's end.

    Redis counts for all instances. Without it, or while it is down, the processes of each instance
    count together.
    """
    now = int(time())
    left = seconds - now % seconds
    if in_redis := getattr(
        caches[DEFAULT_CACHE_ALIAS], "count", None
    ):  # apps.common.cache, where Redis is configured
        # Hashed, because a key may hold what a caller wrote: any length, any characters, an e-mail
        # address.
        name = f"limit:{blake2b(key.encode(), digest_size=16).hexdigest()}:{now // seconds}"
        if (used := in_redis(name, seconds + 1)) is not None:
            return used, left
    return USES.count(key, until=now + left), left


class Limit(BaseThrottle):
    """A limit of `uses` in `seconds`, by what `identify` says; subclasses name it."""

    name: ClassVar[str]
    uses: ClassVar[int]
    seconds: ClassVar[int]
    left: int = 0

    def identify(self, request: HttpRequest, view: APIView) -> str:
        """Return what the limit counts by: the caller's address unless a subclass says
        otherwise.
        """
        return client_address(request)

    def count(self, who: str) -> bool:
        """Count one more use by somebody and say whether it is within the limit."""
        used, self.left = count_within(key=f"{self.name}:{who}", seconds=self.seconds)
        return used <= self.uses * settings.THROTTLE_FACTOR

    def check(self, who: str) -> None:
        """Count one more use by somebody, where that is known only once the call is read.

        Raises:
            Throttled: it is over the limit.
        """
        if not self.count(who):
            raise Throttled(self.wait())

    def allow_request(self, request: HttpRequest, view: APIView) -> bool:
        """Count this request and say whether it is within the limit."""
        return self.count(self.identify(request, view))

    def wait(self) -> float:
        """Return the seconds until the window ends."""
        return float(self.left)


class SignedInLimit(Limit):
    """Any signed-in call: 600 a minute for each buyer."""

    name, uses, seconds = "signed-in", 600, MINUTE

    def identify(self, request: HttpRequest, view: APIView) -> str:
        """Return the buyer's uuid, or the address of a visitor."""
        uuid = getattr(request.user, "uuid", None)
        return str(uuid) if uuid else client_address(request)

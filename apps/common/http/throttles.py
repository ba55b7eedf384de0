"""Request limits: fixed windows, counted in Redis, or in memory that all processes of an instance
share (reliability-and-security, section 9).
"""

import mmap
import os
from fcntl import LOCK_EX, LOCK_UN, lockf
from hashlib import blake2b
from ipaddress import IPv6Address, ip_address
from operator import itemgetter
from struct import Struct
from threading import Lock
from time import time
from typing import ClassVar

from django.conf import settings
from django.core.cache import DEFAULT_CACHE_ALIAS, caches
from django.http import HttpRequest
from rest_framework.exceptions import Throttled
from rest_framework.throttling import BaseThrottle
from rest_framework.views import APIView

MINUTE, QUARTER, HOUR, DAY = 60, 900, 3600, 86_400
BUCKETS, DEPTH = 16_384, 8
# What is counted, hashed; the end of its window (seconds since 1970); how often.
ENTRY = Struct("=16sII")
BUCKET_SIZE = DEPTH * ENTRY.size
SIZE = BUCKETS * BUCKET_SIZE  # 3 MB; what is never written takes no memory
WINDOW_AND_USES = itemgetter(1, 2)


class SharedCounters:
    """Counts uses within windows, exactly, for every process forked from the one that made it.

    The kernel releases the lock of a process that dies with it. A name has 8 places, which it
    shares with those of the same hash: if all are in use, the one whose window ends first is given
    up. Nobody outside can choose names that meet there, because the hash has a random key.
    """

    def __init__(self) -> None:
        self._file = os.memfd_create("limits")
        os.ftruncate(self._file, SIZE)
        self._memory = mmap.mmap(self._file, SIZE)
        self._key = os.urandom(16)
        # The file's lock is the process's own, and does not keep its threads apart.
        self._threads = Lock()

    def count(self, name: str, *, until: int) -> int:
        """Count one more use of a name in the window that ends then, and return how many there
        were.
        """
        digest = blake2b(name.encode(), digest_size=16, key=self._key).digest()
        bucket = int.from_bytes(digest[:4], "little") % BUCKETS * BUCKET_SIZE
        with self._threads:
            lockf(self._file, LOCK_EX)
            try:
                entries = list(ENTRY.iter_unpack(self._memory[bucket : bucket + BUCKET_SIZE]))
                mine = [entry for entry in entries if entry[0] == digest]
                entry = mine[0] if mine else min(entries, key=WINDOW_AND_USES)
                used = entry[2] + 1 if mine and entry[1] == until else 1
                place = bucket + entries.index(entry) * ENTRY.size
                ENTRY.pack_into(self._memory, place, digest, until, used)
            finally:
                lockf(self._file, LOCK_UN)
        return used

    def clear(self) -> None:
        """Forget every use; for tests, while no other process counts."""
        os.ftruncate(self._file, 0)
        os.ftruncate(self._file, SIZE)


# Made as this module loads, before the server forks its workers (portal.wsgi).
USES = SharedCounters()


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
    remaining = seconds - now % seconds
    if in_redis := getattr(
        caches[DEFAULT_CACHE_ALIAS], "count", None
    ):  # apps.common.cache, where Redis is configured
        # Hashed, because a key may hold what a caller wrote: any length, any characters, an e-mail
        # address.
        name = f"limit:{blake2b(key.encode(), digest_size=16).hexdigest()}:{now // seconds}"
        if (used := in_redis(name, seconds + 1)) is not None:
            return used, remaining
    return USES.count(key, until=now + remaining), remaining


class Limit(BaseThrottle):
    """A limit of `uses` in `seconds`, by what `identify` says; subclasses name it."""

    name: ClassVar[str]
    uses: ClassVar[int]
    seconds: ClassVar[int]
    seconds_left: int = 0

    def identify(self, request: HttpRequest, view: APIView) -> str:
        """Return what the limit counts by: the caller's address unless a subclass says
        otherwise.
        """
        return client_address(request)

    def count(self, who: str) -> bool:
        """Count one more use by somebody and say whether it is within the limit."""
        used, self.seconds_left = count_within(key=f"{self.name}:{who}", seconds=self.seconds)
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
        return float(self.seconds_left)


class SignedInLimit(Limit):
    """Any signed-in call: 600 a minute for each buyer."""

    name, uses, seconds = "signed-in", 600, MINUTE

    def identify(self, request: HttpRequest, view: APIView) -> str:
        """Return the buyer's uuid, or the address of a visitor."""
        uuid = getattr(request.user, "uuid", None)
        return str(uuid) if uuid else client_address(request)

"""Counters that all processes of an instance share: in memory that is made before the server forks
them.
"""

import mmap
import os
from fcntl import LOCK_EX, LOCK_UN, lockf
from hashlib import blake2b
from operator import itemgetter
from struct import Struct
from threading import Lock

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

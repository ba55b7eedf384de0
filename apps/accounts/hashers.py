"""How passwords are hashed: few at once, because each hash takes 100 MB and every core."""

from threading import BoundedSemaphore
from typing import Any

from django.contrib.auth.hashers import Argon2PasswordHasher

AT_ONCE = BoundedSemaphore(2)


class FewArgon2Hashes(Argon2PasswordHasher):
    """Django's Argon2, at most two hashes at once in a process."""

    def encode(self, *args: Any, **options: Any) -> str:
        """Return the hash of a password."""
        with AT_ONCE:
            return str(super().encode(*args, **options))

    def verify(self, *args: Any, **options: Any) -> bool:
        """Return whether a hash is a password's."""
        with AT_ONCE:
            return bool(super().verify(*args, **options))

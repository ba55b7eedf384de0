"""The staff's sessions: Django's, in the database. While that only reads, a new one travels signed
in its cookie.
"""

from typing import Any

from django.conf import settings
from django.contrib.sessions.backends import db
from django.core import signing
from django.db import Error

from apps.common.db.failures import is_read_only, unless_read_only

SIGNED = "signed."
SALT = "portal.staff.sessions"


class SessionStore(db.SessionStore):
    """A session that no table can take now is a signed one, for as long as a session may be idle.

    It becomes an ordinary one with the first page that finds the database writable.
    """

    def load(self) -> dict[str, Any]:
        """Return what the session holds."""
        if not self.is_signed:
            return super().load()
        text = str(self.session_key).removeprefix(SIGNED)
        try:
            data: dict[str, Any] = signing.loads(
                text, salt=SALT, max_age=settings.SESSION_IDLE_SECONDS
            )
        except signing.BadSignature:
            self._session_key = None
            return {}
        return data

    def save(self, must_create: bool = False) -> None:
        """Keep the session, in its own cookie where it cannot be kept in the database."""
        data = self._get_session(no_load=must_create)  # type: ignore[attr-defined]  # of the stubs
        is_new = must_create or self.is_signed
        if self.is_signed:
            self._session_key = self._get_new_session_key()  # type: ignore[attr-defined]
        try:
            super().save(must_create=is_new)
        except Error as error:
            if not (is_new and is_read_only(error)):
                raise
            self._session_key = SIGNED + signing.dumps(data, salt=SALT, compress=True)

    def cycle_key(self) -> None:
        """Give the session another key; the row of the former one stays where nothing can be
        deleted.
        """
        with unless_read_only():
            super().cycle_key()

    def delete(self, session_key: str | None = None) -> None:
        """Delete a session; a signed one has no row, and ends with its cookie."""
        if not (session_key or self.session_key or "").startswith(SIGNED):
            super().delete(session_key)

    @property
    def is_signed(self) -> bool:
        """Return whether the session travels in its cookie."""
        return (self.session_key or "").startswith(SIGNED)

"""Colleagues whom an internal note names with @, and that they have seen it (design/admin-2.md,
section 3).
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from apps.accounts.models import Mention, User
from apps.common.errors import NotFound

# Not what stands behind the @ of an e-mail address.
NAMED = re.compile(r"(?<![\w.+-])@(\w[\w.+-]*)")
MAY_OPEN = {
    Mention.Kind.ORDER: "orders.view_order",
    Mention.Kind.COMPANY: "accounts.view_company",
    Mention.Kind.REGISTRATION: "accounts.change_user",
}


@dataclass(frozen=True)
class Named:
    """Whom a note reached, and the names in it that reached nobody."""

    colleagues: tuple[User, ...] = ()
    unknown: tuple[str, ...] = ()


def mention_colleagues(
    *, kind: Mention.Kind, object_id: int, about: str, note: str, actor: User, now: datetime
) -> Named:
    """Keep for each colleague whom a note names that it does, and return whom it reached.

    A name is the part of a colleague's e-mail address before the @, or the first name where one
    alone has it. Whoever may not open the page of the note is not reached, nor is its writer. For
    the transaction that keeps the note.
    """
    names = dict.fromkeys(name.rstrip(".-").lower() for name in NAMED.findall(note))
    if not names:
        return Named()
    staff = User.objects.filter(is_staff=True, is_active=True).exclude(pk=actor.pk)
    found = {name: _colleague(name, staff) for name in names}
    reached = {one for one in found.values() if one is not None and one.has_perm(MAY_OPEN[kind])}
    Mention.objects.bulk_create(
        Mention(
            colleague=one,
            kind=kind,
            object_id=object_id,
            about=about,
            note=note,
            actor=actor,
            at=now,
        )
        for one in sorted(reached, key=lambda one: one.pk)
    )
    return Named(
        tuple(sorted(reached, key=lambda one: one.manager)),
        tuple(name for name, one in found.items() if one not in reached),
    )


def mark_seen(*, mention_id: int, colleague: User, now: datetime) -> None:
    """Take a note off the home page of the colleague whom it names; once more changes nothing.

    Raises:
        NotFound: it names nobody, or somebody else.
    """
    own = Mention.objects.filter(pk=mention_id, colleague=colleague)
    if not own.filter(seen_at__isnull=True).update(seen_at=now) and not own.exists():
        raise NotFound


def _colleague(name: str, staff: Iterable[User]) -> User | None:
    by_address = [one for one in staff if one.email.partition("@")[0] == name]
    found = by_address or [one for one in staff if one.manager.lower().partition(" ")[0] == name]
    return found[0] if len(found) == 1 else None

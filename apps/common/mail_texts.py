"""What mails to customers say: the portal's own words, or the seller's where staff changed them.

`{name}` stands for a value.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from django.utils.translation import gettext_lazy as _

from apps.common.seller import seller
from apps.common.types import Label

PLACE = re.compile(r"\{(\w+)\}")
Value = str | Callable[[], str]
Places = Mapping[str, Label]
EVERYWHERE: Places = {"title": _("Name of the portal"), "sales_email": _("Sales mailbox")}


@dataclass(frozen=True)
class MailKind:
    """A mail to customers: its name for staff, the portal's words, and what stands for what in
    them.

    What is `needed` stands in the text, and never in the subject: a link is its reader's alone.
    """

    key: str
    name: Label
    subject: str
    body: str
    places: Places
    needed: tuple[str, ...] = ()


class Words(NamedTuple):
    """The subject and the plain text of a mail."""

    subject: str
    body: str


def words_of(kind: MailKind) -> Words:
    """Return what a mail says, its places open."""
    return Words(kind.subject, kind.body)


def say(kind: MailKind, values: Mapping[str, Value]) -> Words:
    """Return what a mail says, with its values. A function is asked only for what is said."""
    return filled(words_of(kind), values)


def filled(words: Words, values: Mapping[str, Value]) -> Words:
    """Return words with their values; a place that has none stays as it is."""
    known = {"title": seller().title, "sales_email": seller().sales_email, **values}

    def value(match: re.Match[str]) -> str:
        found = known.get(match[1], match[0])
        return found() if callable(found) else found

    return Words(*(PLACE.sub(value, text) for text in words))

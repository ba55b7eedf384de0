"""What mails to customers say: the portal's own words, or the seller's where staff changed them.

`{name}` stands for a value.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from django.utils.translation import gettext, gettext_lazy as _, gettext_noop, pgettext

from apps.common.db.transactions import one_transaction
from apps.common.errors import FieldErrors, PortalError
from apps.common.models import MAX_BODY, MAX_SUBJECT, MailText
from apps.common.permissions import needs
from apps.common.seller import per_version, seller, touch_seller
from apps.common.staff_lists import moment_text
from apps.common.texts import phrase
from apps.common.types import Label

PLACE = re.compile(r"\{(\w+)\}")
PLACE_AND_STOP = re.compile(PLACE.pattern + r"(\.?)")
BRACE = re.compile(r"[{}].{0,20}")
Value = str | Callable[[], str]
Places = Mapping[str, Label]
EVERYWHERE: Places = {"title": _("Name of the portal"), "sales_email": _("Sales mailbox")}


class Words(NamedTuple):
    """The subject and the plain text of a mail."""

    subject: str
    body: str


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

    def __post_init__(self) -> None:
        """Let the history call the mail by its name."""
        MailText.names[self.key] = self.name

    @property
    def default(self) -> Words:
        """Return the portal's own words."""
        return Words(self.subject, self.body)


class MailTextRefused(PortalError):
    """A text that staff wrote cannot be sent like this; `errors` says why."""

    message = gettext_noop("The mail text was not saved.")


_tried: ContextVar[tuple[str, Words] | None] = ContextVar("_tried", default=None)


@contextmanager
def trying(kind: MailKind, words: Words) -> Iterator[None]:
    """Let a mail say other words for as long as the block runs."""
    token = _tried.set((kind.key, words))
    try:
        yield
    finally:
        _tried.reset(token)


@per_version(dict[str, Words])
def _changed() -> dict[str, Words]:
    rows = MailText.objects.exclude(body="").values_list("key", "subject", "body")
    return {key: Words(subject, body) for key, subject, body in rows}


def words_of(kind: MailKind) -> Words:
    """Return what a mail says, its places open."""
    tried = _tried.get()
    if tried is not None and tried[0] == kind.key:
        return tried[1]
    return _changed().get(kind.key) or kind.default


def say(kind: MailKind, values: Mapping[str, Value]) -> Words:
    """Return what a mail says, with its values. A function is asked only for what is said."""
    return filled(words_of(kind), values)


def filled(words: Words, values: Mapping[str, Value]) -> Words:
    """Return words with their values; a place that has none stays as it is. A value's own full
    stop ends the sentence, too.
    """
    blanks = {"title": seller().title, "sales_email": seller().sales_email, **values}

    def value(match: re.Match[str]) -> str:
        value = blanks.get(match[1], f"{{{match[1]}}}")
        text = value() if callable(value) else value
        return text if text.endswith(".") else text + match[2]

    return Words(*(PLACE_AND_STOP.sub(value, text) for text in words))


def faults_of(kind: MailKind, words: Words) -> FieldErrors:
    """Return what is wrong with a text for a mail, by field."""
    subject = [name for name in kind.needed if f"{{{name}}}" in words.subject]
    body = [name for name in kind.needed if f"{{{name}}}" not in words.body]
    faults = {
        "subject": [
            *_faults(kind, words.subject, most=MAX_SUBJECT),
            *(gettext("%(place)s stands in the text alone.") % _place(one) for one in subject),
        ],
        "body": [
            *_faults(kind, words.body, most=MAX_BODY),
            *(gettext("Keep %(place)s: the mail needs it.") % _place(one) for one in body),
        ],
    }
    return {name: texts for name, texts in faults.items() if texts}


def _faults(kind: MailKind, text: str, *, most: int) -> Iterator[str]:
    if not text:
        yield gettext("Write something, or take the portal's own text.")
    if len(text) > most:
        yield phrase("At most %(most)s characters.", most=most)
    for name in dict.fromkeys(PLACE.findall(text)):
        if name not in {*EVERYWHERE, *kind.places}:
            yield gettext("This mail has no %(place)s.") % _place(name)
    if stray := BRACE.search(PLACE.sub("", text)):
        yield phrase("A brace that belongs to no placeholder: %(text)s", text=stray[0])


def _place(name: str) -> dict[str, str]:
    return {"place": f"{{{name}}}"}


def clean(subject: str, body: str) -> Words:
    """Return words as they are kept: one line, and LF as the line's end."""
    return Words(" ".join(subject.split()), body.replace("\r\n", "\n").strip())


@needs("common.change_mailtext")
@one_transaction
def save_mail_text(
    *, kind: MailKind, words: Words, seen: str, actor: Any, now: datetime
) -> tuple[MailText, Words]:
    """Let a mail say other words from now on, and return what it said before. The portal's own
    words are kept as none.

    `seen` is the version (`version_of`) that was open when they were written.

    Raises:
        MailTextRefused: an unknown place, a needed one missing, a stray brace, no text, or somebody
            was quicker.
    """
    words = clean(*words)
    if faults := faults_of(kind, words):
        raise MailTextRefused(errors=faults)
    touch_seller()  # first: its row lets one change wait for the other
    row = MailText.objects.filter(key=kind.key).first()
    if seen != version_of(row):
        text = gettext("This page is older than the text.")
        if row is not None:
            moment = moment_text(row.changed_at)
            text = pgettext(
                "mail text", "%(who)s changed it at %(moment)s. Save again to replace that."
            )
            text %= {"who": row.changed_by.manager, "moment": moment}
        raise MailTextRefused(version=text)
    before = Words(row.subject, row.body) if row and row.body else kind.default
    row = row or MailText(key=kind.key)
    row.subject, row.body = ("", "") if words == kind.default else words
    row.changed_at, row.changed_by = now, actor
    row.save()
    return row, before


def version_of(row: MailText | None) -> str:
    """Return what tells one saved text of a mail from the next."""
    return row.changed_at.isoformat() if row else ""

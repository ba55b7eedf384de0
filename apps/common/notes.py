"""What staff write for each other and to buyers: one rule for its text."""

from django.utils.translation import gettext as _

from apps.common.errors import Invalid
from apps.common.texts import phrase

MAX_TEXT = 2000


class TextRefused(Invalid):
    """A note or an answer that cannot be kept so; says why, at the field `text`."""

    def __init__(self, text: str) -> None:
        super().__init__(text, text=text)


def checked_text(text: str) -> str:
    """Return a text as it is kept: without space around it, its lines ended alike.

    Raises:
        TextRefused: it is empty or too long.
    """
    text = text.replace("\r\n", "\n").strip()
    if not text:
        raise TextRefused(_("Write something."))
    if len(text) > MAX_TEXT:
        raise TextRefused(phrase("At most %(count)s characters.", count=f"{MAX_TEXT:,}"))
    return text

"""Refusals of what staff do with notices."""

from typing import ClassVar

from apps.common.errors import Invalid


class NoticeRefused(Invalid):
    """A notice that cannot be saved as it is; the message says why."""

    message: ClassVar[str] = "The notice was not saved."

    def __init__(self, text: str, *, field: str = "") -> None:
        super().__init__(text, errors={field: [text]} if field else None)


class StaleNotice(NoticeRefused):
    """Somebody else changed or deleted the notice since the page was opened; says who and when."""

    http_status = 409

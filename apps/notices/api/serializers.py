"""Answers of the notices' calls."""

from datetime import date

from apps.common.http.serializers import Answer, Success


class NoticeItem(Answer):
    """A notice's line."""

    notice_id: int
    title: str
    build_date: date


class NoticeList(Success):
    """Every notice meant for the caller, newest first."""

    notice: list[NoticeItem]


class NoticeFileItem(Answer):
    """A file: `filename` is a signed name that works for an hour, `url` the whole address, `name`
    what people read.
    """

    notice_id: int
    filename: str
    name: str
    url: str


class NoticeDetail(Answer):
    """A notice's text, as sanitised HTML, and its files."""

    noticeDetailTitle: str
    noticeDetailContent: str
    fileList: list[NoticeFileItem]


class OpenedNotice(Success):
    """A notice in full."""

    notice: NoticeDetail

"""Answers of the notices' calls."""

from rest_framework import serializers


class NoticeItem(serializers.Serializer):
    """A notice's line."""

    notice_id = serializers.IntegerField()
    title = serializers.CharField()
    build_date = serializers.DateField()


class NoticeList(serializers.Serializer):
    """Every notice meant for the caller, newest first."""

    success = serializers.IntegerField()
    notice = NoticeItem(many=True)


class NoticeFileItem(serializers.Serializer):
    """A file: `filename` is a signed name that works for an hour, `url` the whole address, `name`
    what people read.
    """

    notice_id = serializers.IntegerField()
    filename = serializers.CharField()
    name = serializers.CharField()
    url = serializers.CharField()


class NoticeDetail(serializers.Serializer):
    """A notice's text, as sanitised HTML, and its files."""

    noticeDetailTitle = serializers.CharField()
    noticeDetailContent = serializers.CharField()
    fileList = NoticeFileItem(many=True)


class OpenedNotice(serializers.Serializer):
    """A notice in full."""

    success = serializers.IntegerField()
    notice = NoticeDetail()

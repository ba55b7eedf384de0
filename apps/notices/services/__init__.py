"""What readers and staff do with notices."""

from apps.notices.services.reading import open_notice
from apps.notices.services.writing import NoticeFields, save_notice

__all__ = ["NoticeFields", "open_notice", "save_notice"]

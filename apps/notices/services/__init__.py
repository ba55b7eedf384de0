"""What readers and staff do with notices."""

from apps.notices.services.reading import open_notice
from apps.notices.services.writing import NoticeFields, save_notice

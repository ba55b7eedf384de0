"""Staff pages of notices."""

from apps.notices.admin import notices

__all__ = ["notices"]

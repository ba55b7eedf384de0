"""Staff pages of notices."""

from apps.notices.admin import pages

__all__ = ["pages"]

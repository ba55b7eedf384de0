"""The addresses of the pages of one notice, each with its permission."""

from apps.common.staff import staff_paths
from apps.notices.admin import notices as pages

PAGES = (
    ("add/", pages.notice_page, pages.ADD, "add"),
    ("preview/", pages.preview, pages.CHANGE),
    ("reach/", pages.reach, pages.CHANGE),
    ("<int:pk>/change/", pages.notice_page, pages.VIEW, "change"),
    ("<int:pk>/readers/", pages.readers, pages.VIEW),
    ("<int:pk>/files/<int:file>/", pages.open_file, pages.VIEW, "file"),
)

urlpatterns = staff_paths("notices/notice", PAGES, of_one=False)

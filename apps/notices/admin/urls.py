"""The addresses of the pages of one notice, each with its permission."""

from apps.common.staff import staff_paths
from apps.notices.admin import notices as pages

PAGES = (
    ("add/", pages.notice_page, "add", pages.ADD),
    ("preview/", pages.preview, "preview", pages.CHANGE),
    ("reach/", pages.reach, "reach", pages.CHANGE),
    ("<int:pk>/change/", pages.notice_page, "change", pages.VIEW),
    ("<int:pk>/readers/", pages.readers, "readers", pages.VIEW),
    ("<int:pk>/files/<int:file>/", pages.open_file, "file", pages.VIEW),
)

urlpatterns = staff_paths("notices/notice", PAGES, of_one=False)

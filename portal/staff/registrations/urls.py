"""The addresses of the pages of one registration, for those who decide."""

from apps.accounts.services.approval import DECIDE
from apps.common.staff import staff_path
from portal.staff.registrations import certificates

CERTIFICATE = "certificate/<str:name>/"
PAGES = (
    ("note/", certificates.note, "note"),
    (CERTIFICATE, certificates.picture, "picture"),
    (f"{CERTIFICATE}page/<int:number>/", certificates.page_picture, "page"),
    (f"{CERTIFICATE}download/", certificates.certificate_file, "download"),
)

urlpatterns = [
    staff_path(
        f"accounts/registration/<int:pk>/{route}",
        view,
        name=f"accounts_registration_{name}",
        permission=DECIDE,
    )
    for route, view, name in PAGES
]

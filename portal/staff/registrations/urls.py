"""The addresses of the pages of one registration, for those who decide."""

from apps.accounts.services.approval import DECIDE
from apps.common.staff import staff_paths
from portal.staff.registrations import certificates
from portal.staff.registrations.colleague import decide_colleague

CERTIFICATE = "certificate/<str:name>/"
PAGES = (
    ("colleague/", decide_colleague, "colleague", DECIDE),
    ("note/", certificates.note, "note", DECIDE),
    (CERTIFICATE, certificates.picture, "picture", DECIDE),
    (f"{CERTIFICATE}page/<int:number>/", certificates.page_picture, "page", DECIDE),
    (f"{CERTIFICATE}download/", certificates.certificate_file, "download", DECIDE),
)

urlpatterns = staff_paths("accounts/registration", PAGES)

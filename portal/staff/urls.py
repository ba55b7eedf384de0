"""The addresses of the mails' own pages."""

from apps.common.staff import staff_paths
from portal.staff import mails
from portal.staff.resend import AGAIN, resend_of_order

urlpatterns = [
    *staff_paths(
        "post_office/email",
        (
            ("html/", mails.mail_html, "html", "post_office.view_email"),
            ("again/", mails.again, "again", AGAIN),
        ),
    ),
    *staff_paths(
        "post_office/email",
        (("order/<int:pk>/resend/", resend_of_order, "resend", AGAIN),),
        of_one=False,
    ),
]

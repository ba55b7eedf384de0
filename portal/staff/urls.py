"""The addresses of the mails' own pages, and of the first day's."""

from django.contrib import admin
from django.contrib.auth.decorators import permission_required
from django.urls import path

from apps.common.staff import staff_paths
from portal.staff import first_day, mails
from portal.staff.resend import AGAIN, resend_of_order

urlpatterns = [
    *(
        path(
            f"first-day/{route}/",
            admin.site.admin_view(
                permission_required(first_day.CHANGE, raise_exception=True)(view)
            ),
            name=name,
        )
        for route, view, name in (
            ("away", first_day.put_away_page, "put_away"),
            ("nothing", first_day.bring_nothing_page, "nothing_to_bring"),
            ("mail", first_day.test_mail_page, "test_mail"),
        )
    ),
    *staff_paths(
        "post_office/email",
        (
            ("html/", mails.mail_html, "html", "post_office.view_email"),
            ("again/", mails.again, "again", AGAIN),
        ),
    ),
    *staff_paths("orders/order", (("resend/", resend_of_order, "resend", AGAIN),)),
]

"""The addresses of the pages of one person, for those who decide on registrations."""

from apps.accounts.admin import user_pages as pages
from apps.accounts.services.approval import DECIDE
from apps.common.staff import staff_path

PAGES = (
    ("password-mail/", pages.password_mail, "password_mail"),
    ("end-sign-ins/", pages.end_sign_ins_page, "end_sign_ins"),
    ("withdraw/", pages.withdraw, "withdraw"),
    ("second-factor/", pages.forget_second_factor, "second_factor"),
)

urlpatterns = [
    staff_path(
        f"accounts/user/<int:pk>/{route}", view, name=f"accounts_user_{name}", permission=DECIDE
    )
    for route, view, name in PAGES
]

"""The addresses of the pages of one person, for those who decide on registrations."""

from apps.accounts.admin import user_pages as pages
from apps.accounts.services.approval import DECIDE
from apps.common.staff import staff_paths

PAGES = (
    ("password-mail/", pages.password_mail, DECIDE),
    ("end-sign-ins/", pages.end_sign_ins_page, DECIDE, "end_sign_ins"),
    ("withdraw/", pages.withdraw, DECIDE),
    ("second-factor/", pages.forget_second_factor, DECIDE, "second_factor"),
)

urlpatterns = [
    *staff_paths("accounts/user", PAGES),
    *staff_paths("accounts/user", (("invite/", pages.invite_all, DECIDE, "invite"),), of_one=False),
]

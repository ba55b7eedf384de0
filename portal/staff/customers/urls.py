"""The addresses of the pages of one customer, each with the permission that it needs."""

from apps.common.staff import staff_paths
from portal.staff.customers import message, terms

PAGES = (
    ("note/", terms.note, "note", "accounts.view_company"),
    ("deposit/", terms.deposit, "deposit", terms.SHARE),
    ("price-group/", terms.price_group, "price_group", terms.PRICES),
    ("message/", message.message, "message", message.PASTE),
)

urlpatterns = staff_paths("accounts/company", PAGES)

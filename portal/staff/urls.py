"""The addresses of the portal's own pages for staff, each with the permission that it needs."""

from apps.accounts.services.approval import DECIDE
from apps.common.staff import staff_path, staff_paths
from portal.staff import first_day, mail_texts as texts, mails, policy
from portal.staff.customers import terms
from portal.staff.mails import AGAIN, resend_of_order
from portal.staff.registrations import page as registrations
from portal.staff.reports import pages as reports
from portal.staff.seller import paper, settings_page

SETTINGS, SEE_REPORTS = first_day.CHANGE, "orders.view_salestally"
CERTIFICATE = "certificate/<str:name>/"
MAIL = (
    ("html/", mails.mail_html, "html", "post_office.view_email"),
    ("again/", mails.again, "again", AGAIN),
)
CUSTOMER = (
    ("note/", terms.note, "note", "accounts.view_company"),
    ("deposit/", terms.deposit, "deposit", terms.SHARE),
    ("price-group/", terms.price_group, "price_group", terms.PRICES),
    ("message/", terms.message, "message", terms.PASTE),
)
REGISTRATION = (
    ("colleague/", registrations.decide_colleague, "colleague", DECIDE),
    ("note/", registrations.note, "note", DECIDE),
    (CERTIFICATE, registrations.picture, "picture", DECIDE),
    (f"{CERTIFICATE}page/<int:number>/", registrations.page_picture, "page", DECIDE),
    (f"{CERTIFICATE}download/", registrations.certificate_file, "download", DECIDE),
)
REPORTS = (
    ("", reports.sales_page, reports.SALES, SEE_REPORTS),
    ("receivables/", reports.receivables_page, "receivables", SEE_REPORTS),
    ("stock/", reports.stock_page, "stock", SEE_REPORTS),
)
TEXTS = (
    ("", texts.mail_texts, "changelist", texts.CHANGE),
    ("<slug:key>/text/", texts.mail_text, "text", texts.CHANGE),
    ("<slug:key>/preview/", texts.preview, "preview", texts.CHANGE),
    ("<slug:key>/typed/", texts.preview_of_typed, "typed", texts.CHANGE),
)
POLICY = (
    ("", policy.versions, "changelist", policy.PUBLISH),
    ("new/", policy.new_version, "new", policy.PUBLISH),
    ("version/<int:number>/", policy.version, "version", policy.PUBLISH),
)

urlpatterns = [
    staff_path("first-day/away/", first_day.put_away_page, "put_away", SETTINGS),
    staff_path("first-day/nothing/", first_day.bring_nothing_page, "nothing_to_bring", SETTINGS),
    staff_path("first-day/mail/", first_day.test_mail_page, "test_mail", SETTINGS),
    staff_path("settings/", settings_page, "settings", SETTINGS),
    staff_path("settings/paper.pdf", paper, "paper", SETTINGS),
    *staff_paths("post_office/email", MAIL),
    *staff_paths("orders/order", (("resend/", resend_of_order, "resend", AGAIN),)),
    *staff_paths("accounts/company", CUSTOMER),
    *staff_paths("accounts/registration", REGISTRATION),
    *staff_paths("orders/salestally", REPORTS, of_one=False),
    *staff_paths("common/mailtext", TEXTS, of_one=False),
    *staff_paths("common/policy", POLICY, of_one=False),
]

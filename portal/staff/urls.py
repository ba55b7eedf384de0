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
    ("html/", mails.mail_html, "post_office.view_email", "html"),
    ("again/", mails.again, AGAIN),
)
CUSTOMER = (
    ("note/", terms.note, "accounts.view_company"),
    ("deposit/", terms.deposit, terms.SHARE),
    ("price-group/", terms.price_group, terms.PRICES),
    ("message/", terms.message, terms.PASTE),
)
REGISTRATION = (
    ("colleague/", registrations.decide_colleague, DECIDE, "colleague"),
    ("note/", registrations.note, DECIDE),
    (CERTIFICATE, registrations.picture, DECIDE),
    (f"{CERTIFICATE}page/<int:number>/", registrations.page_picture, DECIDE, "page"),
    (f"{CERTIFICATE}download/", registrations.certificate_file, DECIDE, "download"),
)
REPORTS = (
    ("", reports.sales_page, SEE_REPORTS, reports.SALES),
    ("receivables/", reports.receivables_page, SEE_REPORTS, "receivables"),
    ("stock/", reports.stock_page, SEE_REPORTS, "stock"),
)
TEXTS = (
    ("", texts.mail_texts, texts.CHANGE, "changelist"),
    ("<slug:key>/text/", texts.mail_text, texts.CHANGE, "text"),
    ("<slug:key>/preview/", texts.preview, texts.CHANGE),
    ("<slug:key>/typed/", texts.preview_of_typed, texts.CHANGE, "typed"),
)
POLICY = (
    ("", policy.versions, policy.PUBLISH, "changelist"),
    ("new/", policy.new_version, policy.PUBLISH, "new"),
    ("version/<int:number>/", policy.version, policy.PUBLISH),
)

urlpatterns = [
    staff_path("first-day/away/", first_day.put_away_page, SETTINGS, "put_away"),
    staff_path("first-day/nothing/", first_day.bring_nothing_page, SETTINGS, "nothing_to_bring"),
    staff_path("first-day/mail/", first_day.test_mail_page, SETTINGS, "test_mail"),
    staff_path("settings/", settings_page, SETTINGS, "settings"),
    staff_path("settings/paper.pdf", paper, SETTINGS, "paper"),
    *staff_paths("post_office/email", MAIL),
    *staff_paths("orders/order", (("resend/", resend_of_order, AGAIN, "resend"),)),
    *staff_paths("accounts/company", CUSTOMER),
    *staff_paths("accounts/registration", REGISTRATION),
    *staff_paths("orders/salestally", REPORTS, of_one=False),
    *staff_paths("common/mailtext", TEXTS, of_one=False),
    *staff_paths("common/policy", POLICY, of_one=False),
]

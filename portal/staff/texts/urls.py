"""The addresses of the pages of texts, each with the permission that it needs."""

from apps.common.staff import staff_paths
from portal.staff.texts import mails, policy

MAILS = (
    ("", mails.mail_texts, "changelist", mails.CHANGE),
    ("<slug:key>/text/", mails.mail_text, "text", mails.CHANGE),
    ("<slug:key>/preview/", mails.preview, "preview", mails.CHANGE),
    ("<slug:key>/typed/", mails.preview_of_typed, "typed", mails.CHANGE),
)
POLICY = (
    ("", policy.versions, "changelist", policy.PUBLISH),
    ("new/", policy.new_version, "new", policy.PUBLISH),
    ("version/<int:number>/", policy.version, "version", policy.PUBLISH),
)

urlpatterns = [
    *staff_paths("common/mailtext", MAILS, of_one=False),
    *staff_paths("common/policy", POLICY, of_one=False),
]

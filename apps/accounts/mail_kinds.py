"""What the mails to buyers about their account say, in the portal's own words."""

from django.utils.translation import gettext_lazy as _, gettext_noop

from apps.common.mail_texts import MailKind, Places

PERSON: Places = {"name": _("Who gets the mail"), "company": _("The customer's company")}
LOGIN: Places = {**PERSON, "login": _("Address of the sign-in")}
LINK: Places = {"link": _("The person's own link")}
REASON: Places = {"reason": _("What you write when you decide")}
AT: Places = {"at_company": _("“ at ” and the customer's company"), "email": _("E-mail address")}

REGISTRATION_LINK = MailKind(
    "registration_link",
    _("Link to the registration form"),
    "Confirm your e-mail address",
    "Somebody, hopefully you, asked to register this e-mail address at {title}. The link below "
    "opens the registration form. It is valid for 24 hours and can be used once.\n\n"
    "{link}\n\n"
    "If it was not you, you can ignore this mail: without the link nobody can register this "
    "address.",
    LINK,
    needed=("link",),
)
APPROVED = MailKind(
    "registration_approved",
    _("Registration approved"),
    "Your wholesale account is approved",
    "Dear {name},\n\n"
    "Your registration for {company} is approved. You can sign in now with this e-mail address "
    "and the password that you chose.\n\n"
    "Sign in: {login}\n\n"
    "{title}",
    LOGIN,
)
ASKED = MailKind(
    "registration_asked",
    _("Registration: more asked for"),
    "Your registration: more information needed",
    "Dear {name},\n\n"
    "Thank you for registering {company}. Before we can decide, we need more information from "
    "you:\n\n"
    "{reason}\n\n"
    "Open your registration, complete it and send it again: {link}\n\n"
    "The link is valid for 24 hours. Your entries have been kept; only the password has to be "
    "chosen again.\n\n"
    "{title}",
    {**PERSON, **REASON, **LINK},
    needed=("reason", "link"),
)
REJECTED = MailKind(
    "registration_rejected",
    _("Registration rejected"),
    "Your registration",
    "Dear {name},\n\n"
    "We cannot open a wholesale account for {company}.\n\n"
    "{reason}\n\n"
    "If you have questions, please write to {sales_email}.\n\n"
    "{title}",
    {**PERSON, **REASON},
    needed=("reason",),
)
PASSWORD_CHANGED = MailKind(
    "password_changed",
    _("Password changed"),
    "Your password has been changed",
    "Dear {name},\n\n"
    "The password of your account at {company} has just been changed. You have been signed out "
    "everywhere else.\n\n"
    "If this was not you, please write to {sales_email} at once.",
    PERSON,
)
# Colleagues get these two in their own language.
PASSWORD_RESET = MailKind(
    "password_reset",
    _("Link to a new password"),
    gettext_noop("Choose a new password"),
    gettext_noop(
        "Dear {name},\n\n"
        "You can choose a new password for your account{at_company} here: {link}\n\n"
        "The link is valid for 24 hours and can be used once. Your old password works until then. "
        "If you did not ask for this, please write to {sales_email}.\n\n"
        "{title}"
    ),
    {**PERSON, **AT, **LINK},
    needed=("link",),
)
INVITATION = MailKind(
    "invitation",
    _("Invitation: link to the first password"),
    gettext_noop("Your account at {title}"),
    gettext_noop(
        "Dear {name},\n\n"
        "We have created an account for you{at_company}. Choose your password here: {link}\n\n"
        "The link is valid for 14 days and can be used once; if it has expired, ask us for a new "
        "one. You sign in with this e-mail address, {email}.\n\n"
        "{title}"
    ),
    {**PERSON, **AT, **LINK},
    needed=("link",),
)
KINDS = (
    REGISTRATION_LINK,
    APPROVED,
    ASKED,
    REJECTED,
    PASSWORD_CHANGED,
    PASSWORD_RESET,
    INVITATION,
)

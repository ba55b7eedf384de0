"""Texts of Django's own pages that stand in our catalogue too: its Korean is clumsy, ours wins."""

from django.utils.translation import gettext_noop as _

OURS = (
    _(
        "Please enter your old password, for security’s sake, and then enter your new password "
        "twice so we can verify you typed it in correctly."
    ),
    _("Old password"),
    _("New password confirmation"),
    _("Enter the same password as before, for verification."),
    _("Your old password was entered incorrectly. Please enter it again."),
    _("Toggle theme (current theme: auto)"),
    _("Toggle theme (current theme: light)"),
    _("Toggle theme (current theme: dark)"),
    _("Add another %(verbose_name)s"),
    _("No action selected."),
    _("Items must be selected in order to perform actions on them. No items have been changed."),
)

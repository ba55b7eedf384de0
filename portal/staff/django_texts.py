"""Texts of Django's own pages that stand in our catalogue too: its Korean is clumsy, ours wins."""

from typing import Any

from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _
from django.views.i18n import JavaScriptCatalog

# Django's script counts the ticked rows by it, in one form for every count.
TICKED = _("%(sel)s of %(cnt)s selected")
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
    _("Any date"),
    _("Past 7 days"),
    _("This year"),
    _("Clear selection"),
    _("Click here to select the objects across all pages"),
    _("Select all %(total_count)s %(module_name)s"),
    _("0 of %(cnt)s selected"),
    _("%(total_count)s selected"),
)


class Scripts(JavaScriptCatalog):
    """Django's texts for its scripts, with our Korean."""

    def get_catalog(self) -> dict[str, Any]:
        """Return Django's catalogue, with ours over it."""
        ticked = gettext(TICKED)
        return {**super().get_catalog(), TICKED: [ticked, ticked]}

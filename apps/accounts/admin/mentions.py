"""What staff's pages say after a note was kept: whom it reached."""

from django.contrib import messages
from django.http import HttpRequest

from apps.accounts.services.mentions import Named


def say_whom_it_reached(request: HttpRequest, named: Named) -> None:
    """Say on whose home pages a note stands, and which names in it are nobody's who may open the
    page.
    """
    if named.colleagues:
        messages.info(
            request, f"On the home page of {' and '.join(one.manager for one in named.colleagues)}."
        )
    for name in named.unknown:
        messages.warning(
            request,
            f"@{name} reached nobody: no colleague who may open this page has that name alone.",
        )

"""The first member of staff: whoever opens the link that the start command prints."""

from datetime import timedelta

from django.conf import settings
from django.contrib.auth.models import Group
from django.core.signing import BadSignature, TimestampSigner
from django.urls import reverse

from apps.accounts.errors import LinkExpired
from apps.accounts.models import User
from apps.common.db.transactions import one_transaction
from apps.common.logs import log_event
from apps.common.models import Seller
from apps.common.seller import touch_seller

LIFETIME = timedelta(hours=24)
SIGNER = TimestampSigner(salt="accounts.owner")


def has_staff() -> bool:
    """Return whether the portal has an owner, or any other colleague, already."""
    return User.objects.filter(is_staff=True).exists()


def owner_link() -> str:
    """Return the address at which the owner's account is made; nothing of it is stored."""
    return f"{settings.SITE_URL}{reverse('admin:first_owner', args=[SIGNER.sign('owner')])}"


def owner_notice() -> str:
    """Return what a command that starts the portal prints while nobody can sign in to admin."""
    if has_staff():
        return ""
    return f"\n  Nobody owns this portal yet. Within 24 hours, open\n\n  {owner_link()}\n\n"


def opens(token: str) -> bool:
    """Return whether a token is ours and of the last 24 hours, and nobody was quicker."""
    try:
        SIGNER.unsign(token, max_age=LIFETIME)
    except BadSignature:
        return False
    return not has_staff()


@one_transaction
def make_owner(*, token: str, email: str, manager: str, password: str, language: str) -> User:
    """Make the first superuser and return it; mails to the mailboxes begin in the owner's language.

    Raises:
        LinkExpired: the link is forged or older than 24 hours, or there is a colleague already.
    """
    list(Group.objects.select_for_update().order_by("pk"))  # of two at once, one waits here
    if not opens(token):
        raise LinkExpired
    owner = User.objects.create_superuser(email, password, manager=manager, language=language)
    touch_seller()
    Seller.objects.filter(staff_language="").update(staff_language=language)
    log_event("owner_made", user=owner.uuid)
    return owner

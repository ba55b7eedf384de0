"""A member of staff keeps filters of the orders' list under a name, for himself alone."""

from urllib.parse import parse_qsl, urlencode

from apps.accounts.models import User
from apps.common.db.transactions import one_transaction
from apps.common.permissions import needs
from apps.orders.errors import StaffRefusal
from apps.orders.models import SavedFilter

MOST = 12
MOST_NAME, MOST_QUERY = 40, 500
NOT_KEPT = ("p", "all", "e")  # the page, and Django's own


def filter_query(text: str) -> str:
    """Return an address's filters in one spelling: sorted, without the page."""
    pairs = [(name, value) for name, value in parse_qsl(text.lstrip("?")) if name not in NOT_KEPT]
    return urlencode(sorted(pairs))


@needs("orders.view_order")
@one_transaction
def save_filter(*, name: str, query: str, actor: User) -> SavedFilter:
    """Keep filters under a name; a name that is there already gets the new ones.

    Raises:
        StaffRefusal: no name, nothing to keep, or too much of it.
    """
    name, query = " ".join(name.split()), filter_query(query)
    if not name or len(name) > MOST_NAME:
        raise StaffRefusal(f"A filter needs a name of at most {MOST_NAME} characters.")
    if not query or len(query) > MOST_QUERY:
        raise StaffRefusal("Choose filters first: there is nothing to keep.")
    User.objects.select_for_update().get(pk=actor.pk)  # so that two tabs do not both save the twelfth
    kept = SavedFilter.objects.filter(owner=actor, name__iexact=name).first()
    if kept is None and SavedFilter.objects.filter(owner=actor).count() >= MOST:
        raise StaffRefusal(f"{MOST} filters are kept already. Remove one first.")
    kept = kept or SavedFilter(owner=actor)
    kept.name, kept.query = name, query
    kept.save()
    return kept


@needs("orders.view_order")
@one_transaction
def remove_filter(*, filter_id: int, actor: User) -> None:
    """Remove a filter of one's own; what is not there stays away."""
    SavedFilter.objects.filter(pk=filter_id, owner=actor).delete()

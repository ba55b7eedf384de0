"""A member of staff keeps filters of a list under a name, for himself alone."""

from urllib.parse import parse_qsl, urlencode

from django.core.exceptions import PermissionDenied

from apps.accounts.models import User
from apps.common.db.transactions import one_transaction
from apps.orders.errors import StaffRefusal
from apps.orders.models import SavedFilter

Page = SavedFilter.Page
MOST = 12
MOST_NAME, MOST_QUERY = 40, 500
NOT_KEPT = ("p", "all", "e")  # the page, and Django's own
MAY_SEE: dict[str, str] = {
    Page.ORDERS: "orders.view_order",
    Page.CUSTOMERS: "accounts.view_company",
}


def filter_query(text: str) -> str:
    """Return an address's filters in one spelling: sorted, without the page."""
    pairs = [(name, value) for name, value in parse_qsl(text.lstrip("?")) if name not in NOT_KEPT]
    return urlencode(sorted(pairs))


def _check(actor: User, page: str) -> None:
    if not actor.has_perm(MAY_SEE[page]):
        raise PermissionDenied


@one_transaction
def save_filter(*, page: str, name: str, query: str, actor: User) -> SavedFilter:
    """Keep filters of a list under a name; a name that this list has already gets the new ones.

    Raises:
        PermissionDenied: the member of staff may not see the list.
        StaffRefusal: no name, nothing to keep, or too much of it.
    """
    _check(actor, page)
    name, query = " ".join(name.split()), filter_query(query)
    if not name or len(name) > MOST_NAME:
        raise StaffRefusal(f"A filter needs a name of at most {MOST_NAME} characters.")
    if not query or len(query) > MOST_QUERY:
        raise StaffRefusal("Choose filters first: there is nothing to keep.")
    User.objects.select_for_update().get(
        pk=actor.pk
    )  # so that two tabs do not both save the twelfth
    own = SavedFilter.objects.filter(owner=actor, page=page)
    kept = own.filter(name__iexact=name).first()
    if kept is None and own.count() >= MOST:
        raise StaffRefusal(f"{MOST} filters are kept already. Remove one first.")
    kept = kept or SavedFilter(owner=actor, page=page)
    kept.name, kept.query = name, query
    kept.save()
    return kept


@one_transaction
def remove_filter(*, page: str, filter_id: int, actor: User) -> None:
    """Remove a filter of one's own from a list; what is not there stays away.

    Raises:
        PermissionDenied: the member of staff may not see the list.
    """
    _check(actor, page)
    SavedFilter.objects.filter(pk=filter_id, owner=actor, page=page).delete()

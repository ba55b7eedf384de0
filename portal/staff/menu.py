"""The sidebar: Work, Catalogue, Buyers, Content, Records, each entry only for those who may open
it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest
from django.urls import reverse

from apps.common.staff import staff_of
from portal.staff.waiting import Waiting, Work


@dataclass(frozen=True)
class Entry:
    """A line of the sidebar: an address of the admin, the permission that it needs, and what waits
    there.

    `pages_of` names a list whose single pages belong to this line, while the list has a line of its
    own.
    """

    name: str
    route: str
    permission: str = ""
    query: str = ""
    pages_of: str = ""
    waiting: Callable[[Work], Waiting] | None = None

    def __str__(self) -> str:
        return self.name

    def url(self) -> str:
        """Return the address."""
        return reverse(f"admin:{self.route}") + self.query

    def pages(self) -> str:
        """Return what the addresses of its pages begin with."""
        return reverse(f"admin:{self.pages_of or self.route}")


MENU: tuple[tuple[str, tuple[Entry, ...]], ...] = (
    (
        "Work",
        (
            Entry("Work that waits", "index"),
            Entry(
                "Registrations",
                "accounts_registration_changelist",
                "accounts.change_user",
                waiting=lambda work: work.to_decide,
            ),
            Entry(
                "Orders",
                "orders_order_changelist",
                "orders.view_order",
                waiting=lambda work: work.orders,
            ),
            Entry(
                "Payment desk",
                "payments_payment_desk",
                "payments.change_payment",
                pages_of="payments_payment_changelist",
                waiting=lambda work: work.desk,
            ),
            Entry(
                "Messages",
                "orders_order_changelist",
                "orders.view_order",
                "?status=all&sign=unread",
                waiting=lambda work: work.buyers_words,
            ),
            Entry(
                "Mail",
                "post_office_email_changelist",
                "post_office.view_email",
                waiting=lambda w: w.mail_failed,
            ),
            Entry("Reports", "orders_salestally_changelist", "orders.view_salestally"),
        ),
    ),
    (
        "Catalogue",
        (
            Entry("Products", "catalog_product_changelist", "catalog.view_product"),
            Entry("Brands", "catalog_brand_changelist", "catalog.view_brand"),
            Entry("Stock", "catalog_stock_changelist", "catalog.view_stock"),
            Entry(
                "Wanted",
                "orders_wish_changelist",
                "orders.view_wish",
                waiting=lambda work: work.wanted,
            ),
            Entry("Promotions", "catalog_promotion_changelist", "catalog.view_promotion"),
            Entry("Imports", "catalog_import_changelist", "catalog.view_import"),
        ),
    ),
    (
        "Buyers",
        (
            Entry("Customers", "accounts_company_changelist", "accounts.view_company"),
            Entry("Users", "accounts_user_changelist", "accounts.view_user"),
            Entry("Own item codes", "orders_owncode_changelist", "orders.view_owncode"),
            Entry("Layouts of lists", "orders_listlayout_changelist", "orders.view_listlayout"),
            Entry("Wallets", "payments_walletentry_changelist", "payments.view_walletentry"),
        ),
    ),
    (
        "Content",
        (
            Entry("Notices", "notices_notice_changelist", "notices.view_notice"),
            Entry(
                "Order documents", "orders_orderdocument_changelist", "orders.view_orderdocument"
            ),
        ),
    ),
    (
        "Records",
        (
            Entry("Order history", "orders_orderevent_changelist", "orders.view_orderevent"),
            Entry("Payments", "payments_payment_changelist", "payments.view_payment"),
            Entry("Stock movements", "catalog_stockchange_changelist", "catalog.view_stockchange"),
            Entry("Staff actions", "admin_logentry_changelist", "admin.view_logentry"),
        ),
    ),
)


# Lists whose single pages belong to another line.
LISTS_ALONE = {entry.pages_of for _, entries in MENU for entry in entries if entry.pages_of}


def sections(*, request: HttpRequest, work: Work) -> list[dict[str, Any]]:
    """Return the sidebar of a request's user, in the shape of admin's own list of apps."""
    user = staff_of(request)
    found = []
    for name, entries in MENU:
        models = [
            _line(entry, work, request)
            for entry in entries
            if not entry.permission or user.has_perm(entry.permission)
        ]
        if models:
            _keep_the_exact(models)
            found.append(
                {
                    "name": name,
                    "app_label": name.lower(),
                    "app_url": reverse("admin:index"),
                    "models": models,
                }
            )
    return found


def _keep_the_exact(models: list[dict[str, Any]]) -> None:
    """Where a line with a query is the current one, no other line of its section is."""
    exact = any(model["current"] and "?" in model["admin_url"] for model in models)
    for model in models:
        model["current"] = model["current"] and (not exact or "?" in model["admin_url"])


def _is_current(entry: Entry, request: HttpRequest) -> bool:
    """Return whether a page belongs to a line of the sidebar."""
    url = entry.url()
    if entry.query:
        return request.get_full_path() == url
    if entry.pages_of:
        pages = reverse(f"admin:{entry.pages_of}")
        return request.path.startswith(pages) and request.path != pages
    if entry.route == "index" or entry.route in LISTS_ALONE:
        return request.path == url
    return request.path.startswith(url)


def _line(entry: Entry, work: Work, request: HttpRequest) -> dict[str, Any]:
    waiting = entry.waiting(work) if entry.waiting else Waiting()
    failed = entry.name == "Mail" and waiting.count
    return {
        "name": entry.name,
        "object_name": entry.name.replace(" ", ""),
        "admin_url": entry.url(),
        "count": "" if failed else waiting.count or "",
        "late": f"{waiting.count:,} failed"
        if failed
        else (f"{waiting.late:,} late" if waiting.late else ""),
        "current": _is_current(entry, request),
    }

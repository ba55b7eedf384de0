"""The sidebar and the page of records: each entry only for those who may open it."""

from collections.abc import Callable
from dataclasses import dataclass

from django.apps import apps
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext_lazy as _, pgettext_lazy

from apps.common.staff import Context, list_of, staff_of
from apps.common.staff_lists import figure_text
from apps.common.texts import phrase
from apps.common.types import Label
from portal.staff.work import Waiting, Work


@dataclass(frozen=True)
class Entry:
    """A line of the sidebar or of the page of records: an address of the admin, its name and the
    permission that it needs where they are not those of the list there, and what waits there.

    `pages_of` names a list whose single pages belong to this line, while the list has a line of its
    own. What the page of records lists has its `hint`. What waits where something went wrong is
    named by its `alarm`, which has a place for the `count`.
    """

    route: str
    named: Label = ""
    named_permission: str = ""
    pages_of: str = ""
    waiting: Callable[[Work], Waiting] | None = None
    alarm: Label = ""
    hint: Label = ""

    def __str__(self) -> str:
        return str(self.name)

    @property
    def listed(self) -> tuple[str, str]:
        """Return the app and the model that it lists; no app where it lists none."""
        app, _name, model = self.route.removesuffix("_changelist").rpartition("_")
        return app, model

    @property
    def name(self) -> Label:
        """Return its own name, else that of the list."""
        return self.named or list_of(apps.get_model(*self.listed))[0]

    @property
    def permission(self) -> str:
        """Return the permission that is named, else that to view what it lists, if it lists any."""
        app, model = self.listed
        return self.named_permission or (app and f"{app}.view_{model}")

    def url(self) -> str:
        """Return the address."""
        return reverse(f"admin:{self.route}")

    def pages(self) -> str:
        """Return what the addresses of its pages begin with."""
        return reverse(f"admin:{self.pages_of or self.route}")


Lines = tuple[tuple[Label, tuple[Entry, ...]], ...]
MENU: Lines = (
    (
        _("Work"),
        (
            Entry("index", _("To do")),
            Entry(
                "accounts_registration_changelist",
                named_permission="accounts.change_user",
                waiting=lambda work: work.to_decide,
            ),
            Entry(
                "orders_order_changelist",
                waiting=lambda work: work.orders,
            ),
            Entry(
                "orders_message_list",
                _("Messages"),
                "orders.view_order",
                waiting=lambda work: work.buyers_words,
            ),
            Entry(
                "payments_payment_desk",
                _("Payment desk"),
                "payments.change_payment",
                pages_of="payments_payment_changelist",
                waiting=lambda work: work.desk,
            ),
        ),
    ),
    (
        _("Catalogue"),
        (
            Entry("catalog_product_changelist"),
            Entry("catalog_import_changelist"),
            Entry(
                "orders_wish_changelist",
                _("Wanted"),
                waiting=lambda work: work.wanted,
            ),
        ),
    ),
    (
        _("Buyers"),
        (
            Entry("accounts_company_changelist"),
            Entry("notices_notice_changelist"),
        ),
    ),
    (
        pgettext_lazy("menu", "Business"),
        (
            Entry("orders_salestally_changelist", _("Reports")),
            Entry(
                "records",
                _("Records"),
                waiting=lambda work: work.mail_failed,
                alarm=_("%(count)s mail failed"),
            ),
        ),
    ),
)
RECORDS: Lines = (
    (
        _("Catalogue"),
        (
            Entry(
                "catalog_brand_changelist",
                hint=_("Names, products, who sees them"),
            ),
            Entry(
                "catalog_promotion_changelist",
                hint=_("Special prices for a period"),
            ),
            Entry(
                "accounts_pricegroup_changelist",
                hint=_("Whose prices differ, and how"),
            ),
            Entry(
                "catalog_stockchange_changelist",
                hint=_("Deliveries, shipments and counts"),
            ),
        ),
    ),
    (
        pgettext_lazy("records", "People"),
        (
            Entry(
                "accounts_user_changelist",
                hint=_("Buyers and colleagues who may sign in"),
            ),
            Entry(
                "orders_owncode_changelist",
                hint=_("What customers call our products"),
            ),
        ),
    ),
    (
        _("Orders and money"),
        (
            Entry(
                "orders_orderevent_changelist",
                hint=_("Each step, message and change"),
            ),
            Entry(
                "orders_shippingrate_changelist",
                hint=_("USD per kilogram, by country"),
            ),
            Entry(
                "payments_payment_changelist",
                hint=_("How each was paid, and its outcome"),
            ),
            Entry(
                "payments_walletentry_changelist",
                hint=_("What we owe customers"),
            ),
        ),
    ),
    (
        _("Portal"),
        (
            Entry(
                "settings",
                _("Settings"),
                "common.change_seller",
                hint=_("The seller, bank accounts, money, days"),
            ),
            Entry(
                "post_office_email_changelist",
                waiting=lambda work: work.mail_failed,
                alarm=_("%(count)s failed"),
                hint=_("Sent, queued and failed"),
            ),
            Entry(
                "common_mailtext_changelist",
                named_permission="common.change_mailtext",
                hint=_("What mails and the checkout say"),
            ),
            Entry(
                "common_policy_changelist",
                named_permission="common.add_policy",
                hint=_("What buyers accept, by version"),
            ),
            Entry(
                "admin_logentry_changelist",
                hint=_("Who changed what"),
            ),
            Entry(
                "portal_sweeprun_changelist",
                hint=_("What the portal does by itself"),
            ),
        ),
    ),
)
# Lists whose single pages belong to another line.
LISTS_ALONE = {entry.pages_of for _, entries in MENU for entry in entries if entry.pages_of}


def sections(*, request: HttpRequest, work: Work, lines: Lines = MENU) -> list[Context]:
    """Return the sidebar of a request's user, or another menu, in the shape of admin's own list of
    apps.
    """
    user, sections_shown = staff_of(request), []
    for name, entries in lines:
        models = [
            _line(one, work, request)
            for one in entries
            if not one.permission or user.has_perm(one.permission)
        ]
        if models:
            sections_shown.append({"name": name, "models": models})
    return sections_shown


def _is_current(entry: Entry, request: HttpRequest) -> bool:
    """Return whether a page belongs to a line of the sidebar."""
    url = entry.url()
    if entry.pages_of:
        pages = reverse(f"admin:{entry.pages_of}")
        return request.path.startswith(pages) and request.path != pages
    if entry.route == "records":
        records = (record for _, entries in RECORDS for record in entries)
        return request.path == url or any(_is_current(record, request) for record in records)
    if entry.route == "index" or entry.route in LISTS_ALONE:
        return request.path == url
    return request.path.startswith(url)


def _line(entry: Entry, work: Work, request: HttpRequest) -> Context:
    waiting = entry.waiting(work) if entry.waiting else Waiting()
    late = phrase("%(count)s late", count=figure_text(waiting.late)) if waiting.late else ""
    if entry.alarm and waiting.count:
        late = str(entry.alarm) % {"count": figure_text(waiting.count)}
    return {
        "name": entry.name,
        "admin_url": entry.url(),
        "count": "" if entry.alarm else waiting.count or "",
        "late": late,
        "current": _is_current(entry, request),
        "hint": entry.hint,
    }

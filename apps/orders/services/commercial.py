"""Staff issue the commercial invoice of a packed order, and issue it again when something has
changed.
"""

from datetime import datetime

from django.core.exceptions import PermissionDenied
from django.utils.translation import gettext as _, gettext_lazy

from apps.accounts.models import User
from apps.catalog.rules import Price
from apps.catalog.selectors import prices_for
from apps.common.errors import WrongStatus
from apps.common.money import ZERO
from apps.common.texts import Text
from apps.orders.documents.content import Content
from apps.orders.documents.customs import (
    Terms,
    commercial_invoice,
    goods_of,
    is_free,
    is_sent,
)
from apps.orders.errors import StaffRefusal
from apps.orders.models import IssuedDocument, Order, OrderEvent, OrderLine
from apps.orders.rules import CURRENCY
from apps.orders.services.documents import issue_document, latest_document
from apps.orders.services.moves import changes_order, locked_order, record, save_changed
from apps.orders.services.packing import check_packed
from apps.orders.status import OrderStatus

DECLARE = "orders.declare_value"
KIND = IssuedDocument.Kind.COMMERCIAL
NOT_CONFIRMED = gettext_lazy("A commercial invoice needs a confirmed order.")


@changes_order
def issue_commercial_invoice(
    *, order_id: int, version: int, terms: Terms, reason: str = "", actor: User, now: datetime
) -> IssuedDocument:
    """Issue the commercial invoice of a packed order as PDF and XLSX, or its next revision.

    The value is the actual one; another needs the permission `orders.declare_value`, a reason, and
    is entered into the history. Earlier revisions stay for staff; the buyer sees the newest.

    Raises:
        PermissionDenied: another value by somebody who may not declare one.
        NotFound: there is no such order.
        StaleOrder: it was changed since the page was opened. WrongStatus, StaffRefusal: see
        `check_issuable`; no reason, or nothing has changed.
    """
    if terms.declared is not None and not actor.has_perm(DECLARE):
        raise PermissionDenied
    if terms.declared is not None and not reason:
        why = [_("Why is another value declared?")]
        raise StaffRefusal(_("Another value needs a reason."), errors={"reason": why})
    order = locked_order(order_id, version=version)
    lines = list(order.lines.select_related("product"))
    check_issuable(order, lines)
    prices, last = _prices(order, lines, now), latest_document(order, KIND)
    if last is not None and last.content == commercial_invoice(
        order, lines, prices, terms, revision=last.revision, at=last.issued_at
    ):
        raise StaffRefusal(
            _("Nothing has changed since revision %(number)s."), number=last.revision
        )
    revision = last.revision + 1 if last else 1
    content = commercial_invoice(order, lines, prices, terms, revision=revision, at=now)
    invoice = issue_document(order=order, kind=KIND, revision=revision, content=content, now=now)
    save_changed(order)
    actual = sum((item.amount for item in goods_of(lines, prices)), ZERO)
    name = Text("Commercial invoice")
    if revision > 1:
        name = Text("Commercial invoice, revision %(number)s", number=revision)
    worth = f"{actual if terms.declared is None else terms.declared:,.2f} {CURRENCY}"
    note = Text(
        "Issued: %(invoice)s, %(terms)s, value of goods %(value)s",
        invoice=name,
        terms=terms,
        value=worth,
    )
    record(order, OrderEvent.Kind.DOCUMENT, note, actor=actor, now=now)
    if terms.declared is not None:
        note = Text(
            "%(invoice)s: %(value)s declared instead of %(actual)s. %(reason)s",
            invoice=name,
            value=worth,
            actual=f"{actual:,.2f}",
            reason=reason,
        )
        record(order, OrderEvent.Kind.DECLARED, note, actor=actor, now=now)
    return invoice


def preview_commercial_invoice(*, order: Order, terms: Terms, now: datetime) -> Content:
    """Return what the next commercial invoice of an order would say, were it issued now. Changes
    nothing.
    """
    last = latest_document(order, KIND)
    lines = list(order.lines.select_related("product"))
    revision, prices = last.revision + 1 if last else 1, _prices(order, lines, now)
    return commercial_invoice(order, lines, prices, terms, revision=revision, at=now)


def _prices(order: Order, lines: list[OrderLine], now: datetime) -> dict[int, Price]:
    """Return what the order's company would pay now for what it is given, by product id."""
    return prices_for(order.company, [line.product for line in lines if is_free(line)], now)


def check_issuable(order: Order, lines: list[OrderLine]) -> None:
    """Raise a refusal unless a commercial invoice can be issued; `lines` come with their products.

    Raises:
        WrongStatus: the order is not confirmed, or is cancelled.
        StaffRefusal: it is not packed completely, or a product has no HS code.
    """
    if order.status < OrderStatus.CONFIRMED:
        raise WrongStatus(status=str(NOT_CONFIRMED))
    check_packed(order)
    missing = sorted({line.sku for line in lines if is_sent(line) and not line.product.hs_code})
    if missing:
        raise StaffRefusal(_("Without an HS code: %(skus)s."), skus=", ".join(missing))

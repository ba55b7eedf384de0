"""Staff confirm an order line by line: lines split, stock given back or taken, the final invoice
made.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from apps.accounts.models import User
from apps.catalog.models import Product, Stock
from apps.catalog.selectors import quantities
from apps.catalog.services import stock
from apps.common.mail import Mail, queue
from apps.common.money import ZERO, dollars, usd
from apps.common.texts import Text, gettext as _, phrase
from apps.common.types import Json
from apps.orders import mail, rules
from apps.orders.errors import StaffRefusal
from apps.orders.models import ConfirmationDraft, Order, OrderLine, Wish
from apps.orders.selectors.conversation import open_proposals, waiting_text
from apps.orders.selectors.orders import due_of
from apps.orders.services.documents import attach_document, issue_proforma
from apps.orders.services.lines import (
    LineKey,
    allocated_pieces,
    freeze,
    line_key,
    split_unconfirmed,
    unconfirmed_parts,
)
from apps.orders.services.moves import changes_order, locked_order, move_order, stale_since
from apps.orders.services.packing import reopen_if_it_differs
from apps.orders.services.wishes import UNGIVEN, Missing, keep_missing
from apps.orders.signals import order_overpaid
from apps.orders.status import OrderStatus, check_move

Reason = OrderLine.Reason
Why = Wish.Why
BATCH = 500  # lines changed in one statement


@dataclass(frozen=True)
class LineDecision:
    """How many pieces of an ordered line are confirmed; a reason where they are fewer
    than ordered.
    """

    line_id: int
    confirmed: int
    reason: str = ""
    comment: str = ""


@dataclass(frozen=True)
class AddedLine:
    """A line that staff add: a substitute at a price, or a free offer, which costs nothing."""

    product_id: int
    quantity: int
    price: Decimal
    reason: str
    comment: str = ""


@dataclass(frozen=True)
class ConfirmationTotals:
    """The figures of a confirmation: US dollars, and grams of what will be sent."""

    total: Decimal
    real_total: Decimal
    shipping_fee: Decimal
    received: Decimal
    balance_due: Decimal
    overpayment: Decimal
    weight_g: int


def confirmation_preview(
    *,
    order: Order,
    lines: Sequence[OrderLine],
    decisions: Sequence[LineDecision],
    added: Sequence[AddedLine],
    shipping_fee: Decimal,
    weights_g: Mapping[int, int],
) -> ConfirmationTotals:
    """Return the figures that a confirmation would have; `weights_g` gives a piece of each added
    product's grams.
    """
    confirmed = {decision.line_id: decision.confirmed for decision in decisions}
    pieces_by_line = [(line, confirmed.get(line.pk, line.quantity)) for line in lines]
    paid_extra = [line for line in added if line.reason != Reason.FREE_OFFER]
    real_total = rules.subtotal(
        [
            *(
                rules.line_total(price=line.price, quantity=pieces)
                for line, pieces in pieces_by_line
            ),
            *(rules.line_total(price=line.price, quantity=line.quantity) for line in paid_extra),
        ]
    )
    weight_g = sum(line.weight_g * pieces for line, pieces in pieces_by_line)
    weight_g += sum(weights_g.get(line.product_id, 0) * line.quantity for line in added)
    sums = {"real_total": real_total, "shipping_fee": usd(shipping_fee), "received": order.received}
    return ConfirmationTotals(
        total=order.total,
        balance_due=rules.balance_due(**sums),
        overpayment=rules.overpayment(**sums),
        weight_g=weight_g,
        **sums,
    )


def available_pieces(*, order: Order, product_ids: Sequence[int]) -> dict[int, int]:
    """Return the pieces of each product that this order may have, what it holds itself counted in.

    While a product is promised beyond its shelf, the pieces there are belong to the orders that
    came first.
    """
    own = allocated_pieces(order.lines.all())
    older = allocated_pieces(
        OrderLine.objects.filter(order_id__lt=order.pk, product_id__in=product_ids)
    )
    shelf = Stock.objects.filter(product_id__in=product_ids).values_list(
        "product_id", "on_hand", "allocated"
    )
    pieces = dict.fromkeys(product_ids, 0)
    for product_id, on_hand, allocated in shelf:
        mine = own.get(product_id, 0)
        by_age = min(mine, on_hand - older.get(product_id, 0))
        pieces[product_id] = max(0, on_hand - allocated + mine, by_age)
    return pieces


@changes_order
def save_draft(
    *, order_id: int, revision: int, sheet: Json | None, actor: User, now: datetime
) -> int:
    """Keep an order's confirmation sheet, or forget it where there is none; return its revision.

    Nothing of the order changes. `revision` is the one that the page showed, 0 for none.

    Raises:
        NotFound: there is no such order.
        WrongStatus: it is not at Preparing.
        StaleOrder: somebody saved the sheet since.
    """
    order = locked_order(order_id)
    check_move(order.state, OrderStatus.CONFIRMED)
    _check_draft(order, revision=revision)
    ConfirmationDraft.objects.filter(order=order).delete()
    if sheet is None:
        return 0
    ConfirmationDraft.objects.create(
        order=order, revision=revision + 1, sheet=sheet, saved_by=actor, saved_at=now
    )
    return revision + 1


def _check_draft(order: Order, *, revision: int) -> None:
    """Raise StaleOrder where a locked order's sheet is not the one that a page showed."""
    draft = ConfirmationDraft.objects.filter(order=order).select_related("saved_by").first()
    if (draft.revision if draft else 0) != revision:
        raise stale_since(
            draft.saved_by if draft else None, draft.saved_at if draft else order.status_at
        )


@changes_order
def confirm_order(
    *,
    order_id: int,
    version: int,
    decisions: Sequence[LineDecision],
    added: Sequence[AddedLine] = (),
    shipping_fee: Decimal,
    draft_revision: int = 0,
    actor: User,
    now: datetime,
) -> Order:
    """Confirm a preparing order (readings, Order life): every line decided, the shipping fee set.

    Lines that an answered proposal has taken out are decided already.

    A line confirmed for fewer pieces becomes two; what is not confirmed gives its stock back, what
    is added takes some. The proforma invoice is issued with it. With nothing due the order is paid
    at once; what it received beyond its cost is announced as `order_overpaid`. The sheet that was
    kept meanwhile is done with; a packing that does not agree any more is being edited again.

    Raises:
        NotFound: there is no such order.
        StaleOrder: somebody changed it, or saved its sheet, since the page was opened.
        WrongStatus: it is not at Preparing.
        StaffRefusal: a line without a decision or with a wrong one, or a proposal that waits for
            its answer; `errors` by line.
        OutOfStock: an added product has too few pieces.
    """
    order = locked_order(order_id, version=version)
    check_move(order.state, OrderStatus.CONFIRMED)
    _check_draft(order, revision=draft_revision)
    if waiting := list(open_proposals(order)):
        raise StaffRefusal(waiting_text(waiting))
    every = list(order.lines.all())
    lines = [line for line in every if line.is_confirmed]
    by_line = checked_decisions(order, lines, decisions)
    missing = missing_of(lines, by_line)
    ordered_total = order.real_total
    settle_lines(
        order=order,
        every=every,
        lines=lines,
        by_line=by_line,
        added=added,
        shipping_fee=shipping_fee,
    )
    keep_missing(order, missing, now=now)
    ConfirmationDraft.objects.filter(order=order).delete()
    note = confirmed_text(order, was=ordered_total)
    move_order(order=order, target=OrderStatus.CONFIRMED, actor=actor, note=note, now=now)
    proforma = issue_proforma(order=order, now=now)
    reopen_if_it_differs(order, actor=actor, now=now)
    settled = settle_balance(order, actor=actor, now=now)
    queue([attach_document(mail.confirmed(order), proforma), *settled])
    return order


def settle_lines(
    *,
    order: Order,
    every: Sequence[OrderLine],
    lines: Sequence[OrderLine],
    by_line: Mapping[int, LineDecision],
    added: Sequence[AddedLine],
    shipping_fee: Decimal,
    dropped: Sequence[OrderLine] | None = None,
) -> None:
    """Write what is decided of a locked order's `lines`, of `every` one that stays, and what it
    costs then. Of a correction lines are `dropped`: they give their stock back and are deleted.

    Raises:
        StaffRefusal: an added line is wrong.
        OutOfStock: a product has too few pieces.
    """
    products = _checked_additions(every, by_line, added)
    totals = confirmation_preview(
        order=order,
        lines=lines,
        decisions=list(by_line.values()),
        added=added,
        shipping_fee=shipping_fee,
        weights_g={product.pk: product.weight_g for product in products.values()},
    )
    # Taken is what the order will send beyond what it holds of each product, given back what it
    # holds beyond that; each in one statement.
    change: Counter[int] = Counter()
    for line in (*lines, *(dropped or ())):
        pieces = by_line[line.pk].confirmed if line.pk in by_line else 0
        change[line.product_id] += pieces - line.allocated
        line.allocated = pieces
    for extra in added:
        change[extra.product_id] += extra.quantity
    # Both movements lock their rows by product; locking all of them first keeps that order across
    # the two.
    stock.lock_shelves(product_ids=[product for product, pieces in change.items() if pieces])
    stock.release(quantities=-change)
    stock.allocate(quantities=+change, stock_free=order.user.stock_free)
    if dropped:
        OrderLine.objects.filter(pk__in=[line.pk for line in dropped]).delete()
    _decide(lines, by_line, unconfirmed_parts(every), is_correction=dropped is not None)
    ordered = {line.product_id for line in every if line.is_ordered}
    new = []
    for extra in added:
        product = products[extra.product_id]
        # Of a product that was ordered it is no substitute.
        is_other_price = extra.reason == Reason.SUBSTITUTE and product.pk in ordered
        moq, _step = quantities(product.minimum, product.is_special)
        new.append(
            OrderLine(
                order=order,
                quantity=extra.quantity,
                allocated=extra.quantity,
                is_confirmed=extra.reason != Reason.FREE_OFFER,
                is_ordered=False,
                reason=Reason.PRICE if is_other_price else extra.reason,
                comment=extra.comment,
                **freeze(product, price=usd(extra.price), moq=moq),
            )
        )
    OrderLine.objects.bulk_create(new)
    order.real_total, order.shipping_fee, order.weight_g = (
        totals.real_total,
        totals.shipping_fee,
        totals.weight_g,
    )
    order.save(update_fields=["real_total", "shipping_fee", "weight_g"])


def settle_balance(order: Order, *, actor: User, now: datetime) -> list[Mail]:
    """Announce what a locked, priced order has received beyond its cost; with nothing due it is
    paid, and the mail that owes is returned.
    """
    beyond = rules.overpayment(
        real_total=order.real_total, shipping_fee=order.shipping_fee, received=order.received
    )
    if beyond:
        order_overpaid.send(sender=Order, order=order, amount=beyond, actor=actor, now=now)
    if due_of(order):
        return []
    move_order(order=order, target=OrderStatus.PAID, actor=actor, now=now)
    return [mail.paid(order)]


def confirmed_text(order: Order, *, was: Decimal) -> Text:
    """Return what an order was confirmed with, for its history; `was` is what its products cost
    before, in US dollars.
    """
    figures = {"now": dollars(order.real_total), "fee": dollars(order.shipping_fee)}
    if was == order.real_total:
        return Text("Confirmed %(now)s, shipping %(fee)s", **figures)
    return Text("Confirmed %(was)s → %(now)s, shipping %(fee)s", was=dollars(was), **figures)


def checked_decisions(
    order: Order, lines: Sequence[OrderLine], decisions: Sequence[LineDecision]
) -> dict[int, LineDecision]:
    """Return the decisions by line, each within what was ordered and what there is.

    Raises:
        StaffRefusal: one is missing, wrong, or of no line of these; `errors` by line.
    """
    by_line = {decision.line_id: decision for decision in decisions}
    available = available_pieces(order=order, product_ids=[line.product_id for line in lines])
    faults: dict[str, list[str]] = {}
    for line in lines:
        if fault := _fault(
            line, by_line.get(line.pk), available[line.product_id], order.user.stock_free
        ):
            faults[f"line-{line.pk}"] = [f"{line.sku}: {fault}"]
    if by_line.keys() - {line.pk for line in lines}:
        faults["lines"] = [_("A line does not belong to this order.")]
    if faults:
        raise StaffRefusal(_("Some lines cannot be confirmed like this."), errors=faults)
    return by_line


def _fault(line: OrderLine, decision: LineDecision | None, available: int, stock_free: bool) -> str:
    if decision is None:
        return _("Not decided yet.")
    if not 0 <= decision.confirmed <= line.quantity:
        return phrase("From 0 to %(most)s.", most=line.quantity)
    if decision.confirmed > available and not stock_free:
        return phrase("Only %(pieces)s available.", pieces=available)
    return _("A reason is needed.") if not (decision.confirmed or decision.reason) else ""


def _checked_additions(
    lines: Sequence[OrderLine], by_line: Mapping[int, LineDecision], added: Sequence[AddedLine]
) -> dict[int, Product]:
    """Return the added lines' products by id, each line checked."""
    products = Product.objects.in_bulk([line.product_id for line in added])
    # Product, confirmed or not, and price: such a line stands once in an order.
    confirmed = {one.pk: by_line[one.pk].confirmed if one.is_confirmed else 0 for one in lines}
    existing = {(one.product_id, True, one.price) for one in lines if confirmed[one.pk]}
    existing |= {
        (one.product_id, False, one.price) for one in lines if confirmed[one.pk] < one.quantity
    }
    faults: dict[str, list[str]] = {}
    for place, line in enumerate(added, 1):
        key = (line.product_id, line.reason != Reason.FREE_OFFER, usd(line.price))
        fault = ""
        if (line.reason == Reason.FREE_OFFER) != (line.price == ZERO):
            fault = _("A free offer costs nothing, and only a free offer does.")
        elif key in existing:
            fault = _("This product is in the order already at this price.")
        if fault:
            text = phrase("Added line %(number)s: %(fault)s", number=place, fault=fault)
            faults[f"added-{place}"] = [text]
        existing.add(key)
    if faults:
        raise StaffRefusal(_("Some added lines are wrong."), errors=faults)
    return products


def _decide(
    lines: Sequence[OrderLine],
    by_line: Mapping[int, LineDecision],
    aside: Mapping[LineKey, OrderLine],
    *,
    is_correction: bool,
) -> None:
    """Write the decisions into their lines; a part that is not confirmed becomes a line
    of its own.
    """
    changed, parts, dropped = [], [], []
    for line in lines:
        decision = by_line[line.pk]
        comment, refused = decision.comment, line.quantity - decision.confirmed
        if refused:
            before = aside.get(line_key(line))
            reason = decision.reason or Reason.SHORT
            part = split_unconfirmed(
                line, part=before, pieces=refused, reason=reason, comment=comment
            )
            if part is not None:
                parts.append(part)
            elif before is not None:
                dropped.append(before.pk)
        elif line.comment != comment or is_correction:
            line.comment = comment
        else:
            continue
        changed.append(line)
    if dropped:
        OrderLine.objects.filter(pk__in=dropped).delete()
    columns = ["quantity", "allocated", "is_confirmed", "reason", "comment"]
    changed += [part for part in parts if part.pk]
    OrderLine.objects.bulk_update(changed, columns, batch_size=BATCH)
    OrderLine.objects.bulk_create([part for part in parts if not part.pk])


def missing_of(lines: Sequence[OrderLine], by_line: Mapping[int, LineDecision]) -> list[Missing]:
    """Return what the decisions do not give of lines, before they are written into them."""
    return [
        Missing(line, line.quantity - by_line[line.pk].confirmed, Why.CUT)
        for line in lines
        if (by_line[line.pk].reason or Reason.SHORT) in UNGIVEN
    ]

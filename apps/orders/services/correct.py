"""Staff correct a confirmation until its balance is paid: lines, fee, a new proforma, the mail."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal

from apps.accounts.models import User
from apps.catalog.services import stock
from apps.common.errors import WrongStatus
from apps.common.mail import queue
from apps.common.money import dollars
from apps.common.texts import Text, gettext as _, joined, phrase
from apps.orders import mail
from apps.orders.errors import StaffRefusal
from apps.orders.models import LineProposal, Order, OrderEvent, OrderLine
from apps.orders.selectors.orders import due_of
from apps.orders.services.confirm import (
    AddedLine,
    LineDecision,
    checked_decisions,
    missing_of,
    settle_balance,
    settle_lines,
)
from apps.orders.services.documents import attach_document, issue_proforma
from apps.orders.services.lines import line_key
from apps.orders.services.moves import changes_order, locked_order, record, save_changed
from apps.orders.services.packing import reopen_if_it_differs
from apps.orders.services.tallies import count_sale
from apps.orders.services.wishes import end_wishes, keep_missing
from apps.orders.status import OrderStatus

Reason, Answer, Kind = OrderLine.Reason, LineProposal.Answer, LineProposal.Kind


@dataclass
class ConfirmedLine:
    """A line as it was before it was confirmed, unsaved: `line` has all its pieces again, `now` is
    what was decided of them, `part` the stored line of those that were not confirmed.

    Of one that its buyer's answer had settled there are only the pieces that were left.
    """

    line: OrderLine
    now: LineDecision
    part: OrderLine | None = None
    is_answered: bool = False


@dataclass
class BeforeConfirmation:
    """What a confirmation decided: lines, those that staff added to them, and the parts that an
    answer to a proposal had taken out before, which stay.
    """

    lines: list[ConfirmedLine] = field(default_factory=list)
    added: list[OrderLine] = field(default_factory=list)
    settled: list[OrderLine] = field(default_factory=list)


def _answers(order: Order) -> tuple[set[tuple[str, Decimal]], set[tuple[int, Decimal]]]:
    """Return which ordered lines a buyer's answers settled, by SKU and price, and at which price
    he took which products for them.
    """
    applied = [one for one in order.proposals.select_related("line") if one.applied]
    answered = {(one.line.sku, one.ordered_price) for one in applied}
    agreed = {
        (one.product_id or one.line.product_id, one.price)
        for one in applied
        if one.applied == Answer.ACCEPT and one.kind in (Kind.SUBSTITUTE, Kind.PRICE)
    }
    return answered, agreed


def _confirmed(line: OrderLine, part: OrderLine | None, *, is_answered: bool) -> ConfirmedLine:
    """Return a line as it was ordered, with what was confirmed of it; `part` is what was not."""
    reason, comment = (part.reason, part.comment) if part else ("", line.comment)
    now = LineDecision(line.pk, line.quantity, reason, comment)
    line.quantity += part.quantity if part else 0
    return ConfirmedLine(line, now, part, is_answered)


def before_confirmation(order: Order) -> BeforeConfirmation:
    """Return what the confirmation of an order decided. Two statements."""
    every = list(order.lines.select_related("product"))
    answered, agreed = _answers(order)
    confirmed_keys = {line_key(line) for line in every if line.is_ordered and line.is_confirmed}
    parts = {line_key(line): line for line in every if line.is_ordered and not line.is_confirmed}
    before = BeforeConfirmation()
    for line in every:
        key = line_key(line)
        is_agreed = line.is_confirmed and (line.product_id, line.price) in agreed
        if line.is_confirmed and (line.is_ordered or is_agreed):
            part = parts.get(key) if line.is_ordered and key not in answered else None
            before.lines.append(_confirmed(line, part, is_answered=is_agreed or key in answered))
        elif line.is_confirmed or line.reason == Reason.FREE_OFFER:
            before.added.append(line)
        elif not line.is_ordered or key in answered:
            before.settled.append(line)
        elif key not in confirmed_keys:
            now = LineDecision(line.pk, 0, line.reason, line.comment)
            line.is_confirmed, line.reason, line.comment = True, "", ""
            before.lines.append(ConfirmedLine(line, now))
    return before


def added_before(before: BeforeConfirmation) -> list[AddedLine]:
    """Return the lines that staff added, as they are given to a service."""
    return [
        AddedLine(
            line.product_id,
            line.quantity,
            line.price,
            Reason.SUBSTITUTE if line.is_confirmed else Reason.FREE_OFFER,
            line.comment,
        )
        for line in before.added
    ]


def check_correctable(order: Order) -> None:
    """Raise unless a confirmation may be corrected: the balance is neither paid nor on its way.

    An open link to PayPal is no obstacle: it is for an amount, and what is due is compared with it
    before any money is taken.

    Raises:
        WrongStatus: it is not at Confirmed.
        StaffRefusal: an announced wire or a PayPal payment of the balance is under way.
    """
    status = order.state
    if status is not OrderStatus.CONFIRMED:
        text = phrase(
            "%(status)s: a confirmation is corrected until its balance is paid",
            status=status.staff_label,
        )
        raise WrongStatus(status=text)
    if order.payment_pending:
        raise StaffRefusal(
            _("A payment of the balance is under way. Confirm or close it before you correct.")
        )


@changes_order
def correct_confirmation(
    *,
    order_id: int,
    version: int,
    decisions: Sequence[LineDecision],
    added: Sequence[AddedLine] = (),
    shipping_fee: Decimal,
    reason: str,
    actor: User,
    now: datetime,
) -> Order:
    """Decide the lines and the fee of a confirmed order anew; `added` are all lines that staff add.

    Stock, sales, wishes and money follow; a new proforma takes the place of the one before, which
    stays for staff; the buyer is mailed the difference. With nothing due any more the order is
    paid at once, and what it received beyond its cost is announced as `order_overpaid`.

    Raises:
        NotFound: there is no such order.
        StaleOrder: somebody changed it since the page was opened.
        WrongStatus, StaffRefusal: see `check_correctable`.
        StaffRefusal: a line without a decision or with a wrong one, or nothing is changed.
        OutOfStock: a product has too few pieces.
    """
    order = locked_order(order_id, version=version)
    check_correctable(order)
    before = before_confirmation(order)
    lines = [one.line for one in before.lines]
    by_line = checked_decisions(order, lines, decisions)
    fee_was, goods_was, due_was = order.shipping_fee, order.real_total, due_of(order)
    is_same = all(by_line[one.line.pk] == one.now for one in before.lines)
    if is_same and set(added_before(before)) == set(added) and fee_was == shipping_fee:
        raise StaffRefusal(_("Nothing is changed."))
    product_ids = {line.product_id for line in (*lines, *before.added)}
    stock.lock_shelves(product_ids=product_ids | {line.product_id for line in added})
    count_sale(order, sign=-1)
    changed = [one for one in before.lines if by_line[one.line.pk].confirmed != one.now.confirmed]
    missing = missing_of([one.line for one in changed], by_line)
    end_wishes(order, lines=[one.line for one in changed if not one.is_answered], now=now)
    settle_lines(
        order=order,
        every=[*lines, *before.settled],
        lines=lines,
        by_line=by_line,
        added=added,
        shipping_fee=shipping_fee,
        dropped=[*before.added, *(one.part for one in before.lines if one.part)],
    )
    keep_missing(order, missing, now=now)
    count_sale(order)
    save_changed(order)
    changes = []
    if goods_was != order.real_total:
        goods = {"was": dollars(goods_was), "now": dollars(order.real_total)}
        changes.append(Text("products %(was)s → %(now)s", **goods))
    if fee_was != order.shipping_fee:
        fee = {"was": dollars(fee_was), "now": dollars(order.shipping_fee)}
        changes.append(Text("shipping %(was)s → %(now)s", **fee))
    summary = joined(", ", changes) if changes else Text("the lines")
    note = Text("Corrected: %(changes)s. %(reason)s", changes=summary, reason=reason)
    record(order, OrderEvent.Kind.LINES, note, actor=actor, now=now)
    proforma = issue_proforma(order=order, is_correction=True, now=now)
    reopen_if_it_differs(order, actor=actor, now=now)
    corrected = mail.corrected(
        order, goods_was=goods_was, fee_was=fee_was, due_was=due_was, reason=reason
    )
    queue([attach_document(corrected, proforma), *settle_balance(order, actor=actor, now=now)])
    return order

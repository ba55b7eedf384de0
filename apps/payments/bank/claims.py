"""What is asked for now: announced wires, and what open orders still wait for without one; and how
well a statement's credits are matched with it, kept in the database, which counts, pages and
searches them.
"""

from hashlib import sha256
from typing import Any

from django.db.models import Count, Q, Sum
from django.db.models.functions import Length

from apps.common.db.transactions import one_transaction
from apps.common.seller import seller
from apps.orders.models import Order
from apps.orders.status import OrderStatus
from apps.payments.bank.lines import USD
from apps.payments.bank.matching import Book, Claim
from apps.payments.models import BankStatement, CreditMatch, Payment, WireMove
from apps.payments.selectors import kind_of, open_amount
from apps.payments.states import PaymentState

ASKING = (OrderStatus.RECEIVED, OrderStatus.PREPARING, OrderStatus.CONFIRMED)
# These ask again only where a wire of theirs was moved away.
PAID_BEFORE = (OrderStatus.PAID, OrderStatus.SHIPPED)
# Raised where matching says something else of the same credits, so that kept matches are found anew
MATCHING = 2
BATCH = 500
UNSETTLED = Q(booked_at__isnull=True, sent_back_at__isnull=True)
OPEN = UNSETTLED & Q(currency=USD, like=None)


def open_claims(*, orders: Q | None = None) -> list[Claim]:
    """Return the claims of all orders, or of those of a condition on orders, by code. Three
    statements.

    An order with a PayPal payment under way asks for no wire.
    """
    chosen = Order.objects.filter(orders or Q()).select_related("company")
    wires = Payment.objects.filter(
        method=Payment.Method.WIRE, state=PaymentState.ANNOUNCED, order__in=chosen
    ).select_related("order__company")
    moved = WireMove.objects.values("source__order")
    paid_before = chosen.filter(status__in=PAID_BEFORE, pk__in=moved)
    asking: list[tuple[Order, str, Payment | None]] = [
        (wire.order, wire.kind, wire) for wire in wires if wire.order is not None
    ]
    announced = {(order.pk, kind) for order, kind, _ in asking}
    for order in (*chosen.filter(status__in=ASKING), *paid_before):
        kind = kind_of(order)
        if (order.pk, kind) not in announced and not order.payment_pending:
            asking.append((order, kind, None))
    claims = [
        Claim(
            order_id=order.pk,
            payment_id=wire.pk if wire else None,
            invoice_code=order.invoice_code,
            company_id=order.company_id,
            company=order.company.name,
            depositor=wire.depositor if wire else "",
            kind=kind,
            amount=open_amount(order, kind, wire),
        )
        for order, kind, wire in asking
    ]
    return sorted(
        (claim for claim in claims if claim.amount),
        key=lambda claim: (claim.invoice_code, claim.kind),
    )


def compare(statement: BankStatement) -> Book:
    """Keep how well each open credit of a statement is matched, and return what it was compared
    with.

    Credits are compared anew only where what is asked for, or the open credits, are not what they
    were. Four statements where nothing has changed.
    """
    claims = open_claims()
    book = Book(claims, seller().invoice_prefix)
    # A credit's words only ever grow (`take_in`): their length says whether they have changed.
    words = Length("text") + Length("debtor")
    state = statement.credits.filter(OPEN).aggregate(
        count=Count("pk"), which=Sum("pk"), words=Sum(words)
    )
    facts = [MATCHING, seller().invoice_prefix, *state.values()]
    facts += [value for claim in claims for value in vars(claim).values()]
    seen = sha256("\n".join(map(str, facts)).encode()).hexdigest()

    @one_transaction
    def keep() -> None:  # whoever opens the same statement meanwhile waits
        stored = BankStatement.objects.select_for_update().get(pk=statement.pk)
        if stored.compared == seen:
            return
        credits: list[Any] = list(
            stored.credits.filter(OPEN).values_list("pk", "amount", "debtor", "text", named=True)
        )
        kept = {
            pk: (kind, choice)
            for pk, kind, choice in stored.matches.values_list("credit", "kind", "choice")
        }
        changed = []
        for credit, match in zip(credits, book.match_all(credits), strict=True):
            choice = match.chosen.token if match.chosen else ""
            if kept.get(credit.pk) != (match.kind, choice):
                new = {"credit_id": credit.pk, "kind": match.kind, "choice": choice}
                changed.append(CreditMatch(statement=stored, **new))
        CreditMatch.objects.bulk_create(
            changed,
            batch_size=BATCH,
            update_conflicts=True,
            unique_fields=["statement", "credit"],
            update_fields=["kind", "choice"],
        )
        stored.compared = seen
        stored.save(update_fields=["compared"])

    if statement.compared != seen:
        keep()
        statement.compared = seen
    return book

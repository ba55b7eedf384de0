"""`manage.py audit`: silent on what the services made, and it names each rule that
somebody broke.
"""

from collections.abc import Callable
from datetime import UTC, datetime
from decimal import Decimal
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, transaction
from post_office.models import Email

from apps.accounts.selectors import Buyer
from apps.accounts.tests.factories import make_buyer, make_company
from apps.catalog.models import Brand, Stock, StockHold
from apps.catalog.tests.factories import make_product, make_products
from apps.common.models import MailText
from apps.orders.models import Order, OrderEvent, OrderTally, TemporaryOrder
from apps.orders.services.confirm import AddedLine, LineDecision
from apps.orders.services.moves import start_preparing
from apps.orders.services.packing import ship_order
from apps.orders.tests.factories import TRACKING, confirm, make_sales, pack
from apps.payments.bank.statements import book_credit
from apps.payments.models import (
    BankCredit,
    BankTransfer,
    Payment,
    PaymentEvent,
    Refund,
    WalletEntry,
)
from apps.payments.services.cancel import cancel_order
from apps.payments.services.receive import WirePart, move_wire
from apps.payments.services.refunds import Way, refund_wire
from apps.payments.services.wire import book_wire, refuse_wire
from apps.payments.tests.bank.statement_desk import import_statement
from apps.payments.tests.factories import announced, arrive, make_announced_balance, make_wire_order
from portal.management.commands import audit as command
from portal.ops.audit_rules import RULES


def audit() -> str:
    """Return what the command says; the broken rules when there are some."""
    out, errors = StringIO(), StringIO()
    try:
        call_command("audit", stdout=out, stderr=errors)
    except CommandError:
        return errors.getvalue()
    return out.getvalue()


@pytest.fixture
def history(buyer: Buyer) -> Order:
    """Make orders on every road there is; return a confirmed one with a wire announced."""
    now, sales = datetime.now(UTC), make_sales()
    make_wire_order(make_buyer())
    one, two, gift = make_products(3)
    order = make_wire_order(buyer, [(one, 30), (two, 20)])
    arrive(order, Decimal("300.00"))
    start_preparing(order_id=order.pk, actor=sales, now=now)
    first, second = order.lines.order_by("id")
    decisions = [LineDecision(first.pk, 10, "short"), LineDecision(second.pk, 0, "discontinued")]
    added = [
        AddedLine(gift.pk, 5, Decimal("0.00"), "free_offer"),
        AddedLine(two.pk, 7, Decimal("1.10"), "substitute"),
    ]
    confirm(order, decisions, added=added)
    pack(order)
    ship_order(order_id=order.pk, actor=sales, now=now, **TRACKING)
    cancelled = make_wire_order(buyer)
    arrive(cancelled, Decimal("400.00"))
    cancel_order(order_id=cancelled.pk, by_terms=True, reason="Sold out", actor=sales, now=now)
    rest = make_announced_balance(buyer)
    arrive(rest, Decimal("45.00"), write_off_reason="Bank charges")
    booked = make_wire_order(make_buyer(stock_free=True), [(make_product(on_hand=0), 20)])
    refuse_wire(payment_id=announced(booked).pk, reason="From another bank", actor=sales, now=now)
    wrong = book_wire(
        order_id=booked.pk, amount=Decimal("10.00"), depositor="Glow", actor=sales, now=now
    )
    other = make_wire_order(make_buyer())
    part = WirePart(other.pk, announced(other).pk, other.deposit, Decimal("4.00"))
    move_wire(
        payment_id=wrong.pk, part=part, seen=wrong.received, reason="Theirs", actor=sales, now=now
    )
    unannounced = make_wire_order(make_buyer())
    less: Any = {
        "seen": Decimal("6.00"),
        "amount": Decimal("1.00"),
        "way": Way.WALLET,
        "reason": "Less",
    }
    refund_wire(payment_id=wrong.pk, actor=sales, now=now, **less)
    less |= {"seen": Decimal("5.00"), "way": Way.BANK}
    refund_wire(payment_id=wrong.pk, actor=sales, now=now, **less)
    statement = import_statement(
        content=b"Date,Amount USD\n2026-11-20,90.00\n2026-11-20,5.00\n",
        name="x.csv",
        actor=sales,
        now=now,
    )
    wire = WirePart(
        unannounced.pk, announced(unannounced).pk, unannounced.deposit, Decimal("90.00")
    )
    book_credit(credit_id=statement.credits.get(amount=90).pk, parts=[wire], actor=sales, now=now)
    return make_announced_balance(buyer)


def other_company(order: Order) -> None:
    Order.objects.filter(pk=order.pk).update(company=make_company())


def unshort(order: Order) -> None:
    Stock.objects.filter(short__gt=0).update(short=100)


def foreign_message(order: Order) -> None:
    OrderEvent.objects.create(
        order=order, kind="message", actor_id=make_buyer().id, at=datetime.now(UTC)
    )


def hold(order: Order) -> None:
    line = order.lines.all()[0]
    StockHold.objects.create(invoice_code="MHW-1", product_id=line.product_id, quantity=1)


def spend(order: Order) -> None:
    WalletEntry.objects.create(
        company_id=order.company_id, order=order, kind="use", amount=-9999, at=NOW
    )


def forge_event(before: str, after: str, *, state: str) -> None:
    """Write a step of its own into the history of a wire in a state."""
    payment = Payment.objects.filter(state=state)[0]
    PaymentEvent.objects.create(
        payment=payment, from_state=before, to_state=after, source="admin", at=NOW
    )


NOW = datetime.now(UTC)
PAYPAL = Payment.objects.filter(state="captured")

BREAKS: list[tuple[str, Callable[[Order], object]]] = [
    ("1. What is promised beyond the shelf", unshort),
    (
        "1. Allocated pieces are those",
        lambda order: Stock.objects.filter(allocated=20, short=0).update(allocated=10),
    ),
    ("1. A shipped or cancelled order", lambda order: order.lines.update(allocated=0)),
    (
        "3. A checked-out temporary order",
        lambda order: TemporaryOrder.objects.update(ordered_at=None),
    ),
    ("3. An order has the lines", lambda order: order.lines.update(is_ordered=False)),
    (
        "3. An order's pieces are those",
        lambda order: Order.objects.filter(pk=order.pk).update(pieces=1),
    ),
    ("3. The confirmed lines make", lambda order: order.lines.update(is_confirmed=False)),
    (
        "3. Every status that an order reached",
        lambda order: order.events.filter(to_status=3).delete(),
    ),
    (
        "3. The running figures of statuses and months",
        lambda order: OrderTally.objects.filter(bucket="status:3").update(count=9),
    ),
    (
        "3. The running figures of statuses and months",
        lambda order: OrderTally.objects.filter(bucket__contains="month").update(total=0),
    ),
    (
        "3. Every order is in the running",
        lambda order: OrderTally.objects.filter(bucket="status:3").delete(),
    ),
    ("3. The counters of brands", lambda order: Brand.objects.update(product_count=0)),
    (
        "4. What an order has received",
        lambda order: Order.objects.filter(pk=order.pk).update(received=1),
    ),
    (
        "4. Money is received on evidence",
        lambda order: Payment.objects.filter(state="announced").update(state="refused"),
    ),
    (
        "4. Money is received on evidence",
        lambda order: forge_event("captured", "refused", state="refused"),
    ),
    (
        "4. Money is received on evidence",
        lambda order: forge_event("announced", "captured", state="captured"),
    ),
    (
        "4. Money is received on evidence",
        lambda order: forge_event("", "refused", state="announced"),
    ),
    ("4. Money that PayPal took", lambda order: PAYPAL.update(method="PAYPAL")),
    (
        "4. No more is sent back",
        lambda order: Refund.objects.create(payment=PAYPAL[0], amount=9999, created_at=NOW),
    ),
    ("4. What is held until a payment settles", hold),
    ("4. No company has spent more", spend),
    (
        "4. What an order gave back",
        lambda order: Order.objects.filter(pk=order.pk).update(credited=1),
    ),
    (
        "4. A credit of the bank is booked whole",
        lambda order: BankCredit.objects.filter(amount=90).update(amount=91),
    ),
    (
        "4. A credit of the bank is booked whole",
        lambda order: BankCredit.objects.filter(amount=5).update(booked_at=NOW),
    ),
    (
        "4. No more is moved and refunded",
        lambda order: Payment.objects.filter(moved_in__amount=4).update(received=5),
    ),
    (
        "4. What was refunded to the wallet is in the ledger",
        lambda order: WalletEntry.objects.create(
            company_id=order.company_id, kind="refund", amount=1, at=NOW
        ),
    ),
    (
        "4. What is owed by bank of a wallet left it",
        lambda order: WalletEntry.objects.create(
            company_id=order.company_id, kind="paid_out", amount=1, at=NOW
        ),
    ),
    (
        "4. A refund of a wire is in the wallet or owed by bank",
        lambda order: BankTransfer.objects.filter(refund__isnull=False).delete(),
    ),
    (
        "4. A credit of the bank is booked whole",
        lambda order: BankCredit.objects.filter(amount=5).update(sent_back_at=NOW),
    ),
    (
        "4. A paid order has nothing due",
        lambda order: Order.objects.filter(status=4).update(written_off=0),
    ),
    (
        "5. The mail of every step",
        lambda order: Email.objects.filter(subject__startswith="Order shipped").delete(),
    ),
    ("6. An order belongs to the company", other_company),
    (
        "6. Payments and ledger entries",
        lambda order: Payment.objects.filter(order=order).update(company=make_company()),
    ),
    ("6. Only staff and the company", foreign_message),
]


def test_what_the_services_make_breaks_no_rule_and_each_broken_one_is_named(
    history: Order, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However small the parts are in which the database is asked."""
    monkeypatch.setattr(command, "ROWS", 2)
    monkeypatch.setattr(command, "FEW", 1)
    assert audit() == f"{len(RULES)} rules hold.\n"
    for rule, spoil in BREAKS:
        rules = [one for one in RULES if one.text.startswith(rule.partition(" ")[2])]
        monkeypatch.setattr(command, "RULES", rules)
        with transaction.atomic():
            spoil(history)
            with pytest.raises(CommandError, match=" rules are broken"):
                call_command("audit", stderr=(output := StringIO()))
            assert rule in output.getvalue()
            transaction.set_rollback(True)


def test_a_mail_in_the_sellers_words_is_one(history: Order) -> None:
    MailText.objects.create(
        key="order_shipped", subject="On its way", body="x", changed_at=NOW, changed_by=make_sales()
    )
    for mail in Email.objects.filter(subject__startswith="Order shipped"):
        mail.subject = mail.subject.replace("Order shipped", "On its way")
        mail.save()
    assert "rules hold" in audit()
    MailText.objects.update(subject="{company}, on its way")
    for mail in Email.objects.filter(subject__startswith="On its way"):
        mail.subject = f"Glow, {mail.subject}"
        mail.save()
    assert "rules hold" in audit()
    MailText.objects.update(key="order_paid")  # the words of another step are not this one's
    assert "The mail of every step" in audit()


def test_no_statement_asks_about_all_rows() -> None:
    for rule in RULES:
        queries = rule.sql.split("UNION SELECT")
        assert all(command.PART.search(part) for part in queries), rule.text


def test_an_empty_portal_breaks_no_rule(db: None) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT COUNT(*) FROM orders_order")
        assert cursor.fetchone() == (0,)
    assert "rules hold" in audit()

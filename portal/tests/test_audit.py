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
from django.db.models import QuerySet
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
    less: Any = {"amount": Decimal("1.00"), "reason": "Less", "actor": sales, "now": now}
    for seen, way in (("6.00", Way.WALLET), ("5.00", Way.BANK)):
        refund_wire(payment_id=wrong.pk, seen=Decimal(seen), way=way, **less)
    content = b"Date,Amount USD\n2026-11-20,90.00\n2026-11-20,5.00\n"
    statement = import_statement(content=content, name="x.csv", actor=sales, now=now)
    wire = WirePart(
        unannounced.pk, announced(unannounced).pk, unannounced.deposit, Decimal("90.00")
    )
    book_credit(credit_id=statement.credits.get(amount=90).pk, parts=[wire], actor=sales, now=now)
    return make_announced_balance(buyer)


NOW = datetime.now(UTC)
PAYPAL = Payment.objects.filter(state="captured")
ANNOUNCED = Payment.objects.filter(state="announced")
ALL_THERE = Stock.objects.filter(allocated=20, short=0)
CONFIRMED = OrderTally.objects.filter(bucket="status:3")
MONTHS = OrderTally.objects.filter(bucket__contains="month")
CREDIT = BankCredit.objects.filter(amount=5)
SHIPPED = Email.objects.filter(subject__startswith="Order shipped")
OWED = BankTransfer.objects.filter(refund__isnull=False)
Break = Callable[[Order], object]


def on(rows: QuerySet[Any], **fields: Any) -> Break:
    """Return what writes fields into rows."""
    return lambda order: rows.all().update(**fields)


def on_order(**fields: Any) -> Break:
    """Return what writes fields into the order."""
    return lambda order: Order.objects.filter(pk=order.pk).update(**fields)


def add_event(before: str, after: str, *, state: str) -> Break:
    """Return what writes a step of its own into the history of a wire in a state."""
    step = {"from_state": before, "to_state": after, "source": "admin", "at": NOW}
    return lambda order: PaymentEvent.objects.create(
        payment=Payment.objects.filter(state=state)[0], **step
    )


def enter(kind: str, amount: int = 1) -> Break:
    """Return what writes an entry of its own into the company's wallet."""
    return lambda order: WalletEntry.objects.create(
        company_id=order.company_id, order=order, kind=kind, amount=amount, at=NOW
    )


def other_company(order: Order) -> None:
    Order.objects.filter(pk=order.pk).update(company=make_company())


def write(order: Order) -> None:
    OrderEvent.objects.create(order=order, kind="message", actor_id=make_buyer().id, at=NOW)


def hold(order: Order) -> None:
    product = order.lines.all()[0].product_id
    StockHold.objects.create(invoice_code="MHW-1", product_id=product, quantity=1)


def refund(order: Order) -> None:
    Refund.objects.create(payment=PAYPAL[0], amount=9999, created_at=NOW)


BREAKS: list[tuple[str, Break]] = [
    ("1. What is promised beyond the shelf", on(Stock.objects.filter(short__gt=0), short=100)),
    ("1. Allocated pieces are those", on(ALL_THERE, allocated=10)),
    ("1. Allocated pieces are those", hold),
    ("1. A shipped or cancelled order", lambda order: order.lines.update(allocated=0)),
    ("3. A checked-out temporary order", on(TemporaryOrder.objects.all(), ordered_at=None)),
    ("3. An order has the lines", lambda order: order.lines.update(is_ordered=False)),
    ("3. An order's pieces are those", on_order(pieces=1)),
    ("3. The confirmed lines make", lambda order: order.lines.update(is_confirmed=False)),
    (
        "3. Every status that an order reached",
        lambda order: order.events.filter(to_status=3).delete(),
    ),
    ("3. The running figures of statuses and months", on(CONFIRMED, count=9)),
    ("3. The running figures of statuses and months", on(MONTHS, total=0)),
    ("3. Every order is in the running", lambda _: CONFIRMED.all().delete()),
    ("3. The counters of brands", on(Brand.objects.all(), product_count=0)),
    ("4. What an order has received", on_order(received=1)),
    ("4. What an order has received", on_order(deposit_received=1)),
    ("4. Money is received on evidence", on(ANNOUNCED, state="refused")),
    ("4. Money is received on evidence", add_event("captured", "refused", state="refused")),
    ("4. Money is received on evidence", add_event("announced", "captured", state="captured")),
    ("4. Money is received on evidence", add_event("", "refused", state="announced")),
    ("4. Money that PayPal took", on(PAYPAL, method="PAYPAL")),
    ("4. No more is sent back", refund),
    ("4. What is held until a payment settles", hold),
    ("4. No company has spent more", enter("use", -9999)),
    ("4. What an order gave back", on_order(credited=1)),
    (
        "4. A credit of the bank is booked whole",
        on(BankCredit.objects.filter(amount=90), amount=91),
    ),
    ("4. A credit of the bank is booked whole", on(CREDIT, booked_at=NOW)),
    ("4. A credit of the bank is booked whole", on(CREDIT, sent_back_at=NOW)),
    (
        "4. No more is moved and refunded",
        on(Payment.objects.filter(moved_in__amount=4), received=5),
    ),
    ("4. What was refunded to the wallet is in the ledger", enter("refund")),
    ("4. What is owed by bank of a wallet left it", enter("paid_out")),
    ("4. A refund of a wire is in the wallet or owed by bank", lambda _: OWED.all().delete()),
    ("4. A paid order has nothing due", on(Order.objects.filter(status=4), written_off=0)),
    ("5. The mail of every step", lambda _: SHIPPED.all().delete()),
    ("6. An order belongs to the company", other_company),
    ("6. Payments and ledger entries", lambda order: order.payments.update(company=make_company())),
    ("6. Only staff and the company", write),
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

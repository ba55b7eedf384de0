"""What a buyer is told of an order: what is to be done now, how its payment stands, which promises
were kept.
"""

from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from types import SimpleNamespace
from typing import Any

import pytest
from django.test import Client

from apps.accounts.selectors import Buyer
from apps.common.types import Json
from apps.orders.models import Order
from apps.orders.selectors.lists import PAYMENTS
from apps.orders.selectors.progress import PaymentStatus, Progress, next_step, timeline
from apps.orders.status import OrderStatus
from apps.orders.tests.factories import make_order

P, S = PaymentStatus, OrderStatus
MONDAY = datetime(2026, 11, 16, 1, tzinfo=UTC)  # ten in the morning in Seoul
ZERO, HUNDRED, MORE = Decimal(0), Decimal(100), Decimal(150)
DEPOSITED, OWED = {"deposit_received": HUNDRED}, {"balance": HUNDRED}


@pytest.mark.parametrize(
    ("status", "payment", "fields"),
    [
        (S.RECEIVED, P.WIRE_AWAITED, {"wire_announced": True}),
        (S.RECEIVED, P.REVIEWED, {"payment_pending": True}),
        (S.RECEIVED, P.DEPOSIT_DUE, {}),
        (S.RECEIVED, P.PARTLY_PAID, {"deposit_received": Decimal(40)}),
        (S.PREPARING, P.DEPOSIT_RECEIVED, DEPOSITED),
        (S.CONFIRMED, P.BALANCE_DUE, {**DEPOSITED, "received": HUNDRED, **OWED}),
        (S.CONFIRMED, P.PARTLY_PAID, {**DEPOSITED, "received": MORE, **OWED}),
        (S.CONFIRMED, P.REVIEWED, {"received": MORE, **OWED, "wire_announced": True}),
        (S.CONFIRMED, P.REVIEWED, {**OWED, "payment_pending": True}),
        (S.CONFIRMED, P.PAID, {"received": MORE}),
        (S.SHIPPED, P.PAID, {"received": MORE}),
        (S.CANCELLED, P.REFUNDED, {"received": MORE, "credited": HUNDRED}),
        (S.CANCELLED, P.NONE, {"received": MORE}),
    ],
)
@pytest.mark.django_db
def test_each_state_of_payment_reads_differently(
    buyer: Buyer, api: Client, status: OrderStatus, payment: PaymentStatus, fields: dict[str, Any]
) -> None:
    order = make_order(buyer)
    known: dict[str, Any] = {
        "deposit": HUNDRED,
        "received": ZERO,
        "balance": ZERO,
        "tracking_number": "T1",
        "cancelled_at": MONDAY if status is S.CANCELLED else None,
        **fields,
    }
    known["real_total"] = known.pop("balance") + known["received"]
    Order.objects.filter(pk=order.pk).update(status=status, **known)
    (listed,) = api.get("/api/order/0").json()["orderList"]
    order_json = api.get(f"/api/details/{order.invoice_code}").json()["order"]
    assert listed["payment"] == order_json["payment"] == payment
    assert listed["payment_tone"] == order_json["payment_tone"]
    groups = [
        name for name in PAYMENTS if api.get(f"/api/order/0?payment={name}").json()["orderList"]
    ]
    assert groups == [name for name, (_, states) in PAYMENTS.items() if payment in states]


def situation(status: OrderStatus, payment: PaymentStatus, **fields: Any) -> Progress:
    """Return an order that took a step a day since Monday."""
    reached = {step: MONDAY + timedelta(days=step - 1) for step in S if 0 < step <= status}
    steps: dict[str, Any] = {
        "reached": reached,
        "paid_at": (),
        "deposit_at": None,
        "balance": ZERO,
        "due_at": MONDAY + timedelta(days=8),
        "now": MONDAY + timedelta(days=5),
    }
    columns: dict[str, Any] = {
        "placed_at": MONDAY,
        "deposit": fields.pop("deposit_missing", ZERO),
        **dict.fromkeys(("deposit_received", "real_total", "shipping_fee", "received"), ZERO),
        **dict.fromkeys(("credited", "written_off", "wire_announced"), ZERO),
        **dict.fromkeys(("open_proposals", "answer_by", "expected_on")),
        **dict.fromkeys(("cancel_reason", "ship_city", "former_number", "payment_type"), ""),
    }
    fields_of_steps = {name: fields.pop(name) for name in steps.keys() & fields.keys()}
    assert not fields.keys() - columns.keys()
    order = SimpleNamespace(status=status, payment=payment, **{**columns, **fields})
    return Progress(order=order, **{**steps, **fields_of_steps})


def test_a_deposit_in_part_is_not_told_as_received() -> None:
    part = situation(S.RECEIVED, P.PARTLY_PAID, **SIXTY_MISSING, deposit_at=MONDAY)
    assert timeline(part)[0]["note"] == "Part of the deposit received 16 Nov 2026"


def cancelled(**fields: Any) -> Progress:
    """Return an order that was cancelled the day after it was placed."""
    reached = {S.RECEIVED: MONDAY, S.CANCELLED: MONDAY + timedelta(days=1)}
    return situation(S.CANCELLED, P.REFUNDED, reached=reached, **fields)


THOUSAND: dict[str, Any] = {"deposit_missing": Decimal("1030.00")}
DEPOSITED_ON: dict[str, Any] = {"deposit_at": MONDAY}
LATE: dict[str, Any] = {"now": MONDAY + timedelta(days=10)}
WIRE, WIRE_DUE = "deposit_wire warn", "Pay the deposit by wire: $1,030.00"
DUE, BALANCE = {"balance": Decimal("535.50")}, "Pay the balance: $535.50"
SIXTY: dict[str, Any] = {"balance": Decimal(60)}
REVIEW, REVIEWED = "balance_review accent", "Your balance is under review: $60.00"
SHIPS = "We ship within 2 business days of your payment."
REST, ARRIVED_IN_PART = "The rest of the deposit is due: $60.00", "$40.00 has arrived."
SIXTY_MISSING = {"deposit_missing": HUNDRED, "deposit_received": Decimal(40)}
ARRIVED, SENT = "Deposit received on 16 Nov 2026", "On its way since 20 Nov 2026"


def sent(**fields: Any) -> Progress:
    """Return an order that has shipped."""
    return situation(S.SHIPPED, P.PAID, due_at=None, **fields)


@pytest.mark.parametrize(
    ("order", "kind", "title", "text"),
    [
        (
            situation(S.RECEIVED, P.WIRE_AWAITED, **THOUSAND, now=MONDAY),
            *(WIRE, WIRE_DUE, "By Tue 17 Nov. We start preparing once it arrives."),
        ),
        (
            situation(S.RECEIVED, P.WIRE_AWAITED, **THOUSAND),
            *(WIRE, WIRE_DUE),
            "It was due by Tue 17 Nov, 4 days late. We start preparing once it arrives.",
        ),
        (
            situation(S.PREPARING, P.WIRE_AWAITED, **THOUSAND, now=MONDAY),
            *(WIRE, WIRE_DUE, "By Tue 17 Nov. We are preparing it."),
        ),
        (
            situation(S.RECEIVED, P.DEPOSIT_RECEIVED, **DEPOSITED_ON),
            *("wait ok", ARRIVED, "We start preparing by Tue 24 Nov."),
        ),
        (
            situation(S.PREPARING, P.DEPOSIT_RECEIVED, **DEPOSITED_ON),
            *("wait ok", ARRIVED, "We confirm your lines by Tue 24 Nov."),
        ),
        (
            situation(S.PREPARING, P.DEPOSIT_RECEIVED, **DEPOSITED_ON, **LATE),
            *("wait warn", ARRIVED),
            "We promised to confirm your lines by Tue 24 Nov: 2 days late.",
        ),
        (
            situation(S.CONFIRMED, P.BALANCE_DUE, **DUE),
            *("balance warn", BALANCE, f"By Tue 24 Nov. {SHIPS}"),
        ),
        (
            situation(S.CONFIRMED, P.BALANCE_DUE, **DUE, **LATE),
            *("balance warn", BALANCE, f"It was due by Tue 24 Nov, 2 days late. {SHIPS}"),
        ),
        (
            situation(S.RECEIVED, P.PARTLY_PAID, **SIXTY_MISSING),
            *(
                "deposit_due warn",
                REST,
                f"{ARRIVED_IN_PART} Please write to us how you want to pay it.",
            ),
        ),
        (
            situation(S.RECEIVED, P.PARTLY_PAID, **SIXTY_MISSING, payment_type="T/T"),
            *(WIRE, REST, f"{ARRIVED_IN_PART} Please wire it with this reference."),
        ),
        (
            situation(S.RECEIVED, P.DEPOSIT_DUE, deposit_missing=Decimal(60), former_number="7"),
            *(WIRE, "The deposit is due: $60.00", "Please wire it with this reference."),
        ),
        (
            situation(S.CONFIRMED, P.PARTLY_PAID, **SIXTY),
            *("balance warn", "Pay the rest of the balance: $60.00", f"By Tue 24 Nov. {SHIPS}"),
        ),
        (
            situation(S.CONFIRMED, P.REVIEWED, **SIXTY, wire_announced=True),
            *(REVIEW, REVIEWED, "We check a wire within 1 business day."),
        ),
        (
            situation(S.CONFIRMED, P.REVIEWED, **SIXTY),
            *(REVIEW, REVIEWED, "PayPal has not confirmed it yet."),
        ),
        (
            situation(S.PAID, P.PAID),
            *("ship accent", "Paid on 19 Nov 2026", "We ship by Tue 24 Nov."),
        ),
        (
            situation(S.PAID, P.PAID, **LATE),
            *("ship warn", "Paid on 19 Nov 2026"),
            "We promised to ship by Tue 24 Nov: 2 days late.",
        ),
        (sent(), "shipped accent", SENT, ""),
        (
            sent(expected_on=date(2026, 11, 21), ship_city="Hamburg"),
            *("shipped accent", SENT, "Expected in Hamburg by Sat 21 Nov."),
        ),
        (
            sent(expected_on=date(2026, 11, 20)),
            *("shipped accent", SENT, "It was expected by Fri 20 Nov."),
        ),
        (
            cancelled(received=Decimal(400), credited=Decimal(300), cancel_reason="Sold out."),
            *("cancelled bad", "Cancelled on 17 Nov 2026", "Sold out."),
        ),
    ],
)
def test_an_order_says_what_is_to_be_done_now_and_by_when(
    order: Progress, kind: str, title: str, text: str
) -> None:
    step = next_step(order)
    assert (f"{step['kind']} {step['tone']}", step["title"], step["text"]) == (kind, title, text)


BOTH: dict[str, Any] = {"received": Decimal(400), "credited": Decimal(400)}


@pytest.mark.parametrize(
    ("order", "rows"),
    [
        (
            situation(
                *(S.CONFIRMED, P.BALANCE_DUE),
                real_total=Decimal(900),
                shipping_fee=Decimal(80),
                received=Decimal(500),
                balance=Decimal(480),
            ),
            [
                ("Confirmed goods", Decimal(900), ""),
                ("Shipping fee", Decimal(80), ""),
                ("Received from you", Decimal(-500), ""),
                ("Balance due", Decimal(480), ""),
            ],
        ),
        (
            cancelled(received=Decimal(400), credited=Decimal(300), paid_at=[MONDAY]),
            [
                ("Received from you", Decimal(400), "16 Nov 2026"),
                ("Retained under the terms of use", Decimal(-100), "17 Nov 2026"),
                ("Refunded to your wallet", Decimal(300), "17 Nov 2026"),
            ],
        ),
        (
            # Half of it came after the cancellation.
            cancelled(**BOTH, paid_at=[MONDAY, MONDAY + timedelta(days=3)]),
            [
                ("Received from you", Decimal(400), "16 Nov 2026, 19 Nov 2026"),
                ("Refunded to your wallet", Decimal(400), "17 Nov 2026, 19 Nov 2026"),
            ],
        ),
        (
            cancelled(received=Decimal(60), paid_at=[MONDAY]),
            [
                ("Received from you", Decimal(60), "16 Nov 2026"),
                ("Retained under the terms of use", Decimal(-60), "17 Nov 2026"),
                ("Refunded to your wallet", Decimal(0), ""),
            ],
        ),
        (cancelled(), []),
    ],
)
def test_a_step_names_what_its_money_is_made_of(
    order: Progress, rows: list[tuple[str, Decimal, str]]
) -> None:
    assert [(row["text"], row["amount"], row["note"]) for row in next_step(order)["rows"]] == rows


def test_the_timeline_tells_which_promises_were_late() -> None:
    order = situation(S.CONFIRMED, P.BALANCE_DUE, deposit_at=MONDAY + timedelta(hours=1))
    # Prepared on the promised day, some hours later; confirmed on the Monday after the promised
    # Friday.
    prepared = MONDAY + timedelta(days=1, hours=6)
    late = {**order.reached, S.PREPARING: prepared, S.CONFIRMED: MONDAY + timedelta(days=7)}
    steps = timeline(
        situation(S.CONFIRMED, P.BALANCE_DUE, deposit_at=order.deposit_at, reached=late)
    )
    assert [(step["message"], step["at"], step["note"], step["tone"]) for step in steps] == [
        ("Received", "2026-11-16", "Deposit received 16 Nov 2026", "mute"),
        ("Preparing", "2026-11-17", "", "ok"),
        ("Confirmed", "2026-11-23", "Promised for 20 Nov 2026, 3 days late", "bad"),
        ("Completed Payment", None, "Balance due Tue 24 Nov", "mute"),
        ("Shipment Completed", None, "Within 2 business days of your payment", "mute"),
    ]


def test_nothing_is_promised_before_the_deposit_is_there() -> None:
    (received, preparing, *_) = timeline(
        situation(S.RECEIVED, P.WIRE_AWAITED, deposit_missing=Decimal(1030))
    )
    assert (received["note"], received["tone"]) == ("Waiting for your deposit of $1,030.00", "warn")
    assert preparing["note"] == "Within 1 business day of your deposit"
    (received, *_) = timeline(situation(S.RECEIVED, P.REVIEWED, deposit_missing=Decimal(1030)))
    assert (received["note"], received["tone"]) == ("Payment under review", "mute")
    (_, preparing, *_) = timeline(
        situation(S.RECEIVED, P.DEPOSIT_RECEIVED, now=MONDAY + timedelta(days=10))
    )
    assert (preparing["note"], preparing["tone"]) == ("Promised for Tue 24 Nov, 2 days late", "bad")


def test_an_order_that_moved_in_was_promised_nothing_before() -> None:
    reached = {S.RECEIVED: MONDAY, S.PREPARING: MONDAY + timedelta(days=30)}
    for former_number, tone in (("", "bad"), ("HB-1", "mute")):
        order = situation(S.PREPARING, P.NO_DEPOSIT, reached=reached, former_number=former_number)
        assert timeline(order)[1]["tone"] == tone


def test_a_cancelled_order_ends_its_timeline() -> None:
    reached = {S.RECEIVED: MONDAY, S.CANCELLED: MONDAY + timedelta(days=1)}
    steps = timeline(situation(S.CANCELLED, P.NONE, reached=reached))
    assert [step["message"] for step in steps] == ["Received", "Cancelled"]


@pytest.mark.django_db
def test_list_and_details_tell_the_same(buyer: Buyer, api: Client) -> None:
    order = make_order(buyer)
    Order.objects.filter(pk=order.pk).update(wire_announced=True)
    listed: Json = api.get("/api/order/0").json()["orderList"][0]
    order_json: Json = api.get(f"/api/details/{order.invoice_code}").json()["order"]
    assert listed["amount"] == float(order.total)
    assert listed["pieces"] == sum(order.lines.values_list("quantity", flat=True)) == order.pieces
    assert (order_json["payment"], order_json["next_step"]["kind"]) == (
        P.WIRE_AWAITED,
        "deposit_wire",
    )
    assert order_json["next_step"]["amount"] == float(order.deposit)
    assert order_json["timeline"][0]["message"] == "Received"


def test_a_balance_under_review_is_not_told_as_due_and_late_too() -> None:
    late = MONDAY + timedelta(days=20)
    notes = [
        (step["note"], step["tone"])
        for payment in (P.BALANCE_DUE, P.REVIEWED)
        for step in timeline(situation(S.CONFIRMED, payment, balance=Decimal(60), now=late))
        if step["message"] == S.PAID.label
    ]
    assert notes == [
        ("Balance due Tue 24 Nov, 12 days late", "bad"),
        ("Payment under review", "mute"),
    ]

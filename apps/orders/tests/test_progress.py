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


@pytest.mark.parametrize(
    ("status", "payment", "fields"),
    [
        (S.RECEIVED, P.WIRE_AWAITED, {"wire_announced": True}),
        (S.RECEIVED, P.REVIEWED, {"payment_pending": True}),
        (S.RECEIVED, P.DEPOSIT_DUE, {}),
        (S.RECEIVED, P.PARTLY_PAID, {"deposit_received": Decimal(40)}),
        (S.PREPARING, P.DEPOSIT_RECEIVED, {"deposit_received": HUNDRED}),
        (
            S.CONFIRMED,
            P.BALANCE_DUE,
            {"deposit_received": HUNDRED, "received": HUNDRED, "balance": HUNDRED},
        ),
        (
            S.CONFIRMED,
            P.PARTLY_PAID,
            {"deposit_received": HUNDRED, "received": MORE, "balance": HUNDRED},
        ),
        (
            S.CONFIRMED,
            P.REVIEWED,
            {"received": MORE, "balance": HUNDRED, "wire_announced": True},
        ),
        (S.CONFIRMED, P.REVIEWED, {"balance": HUNDRED, "payment_pending": True}),
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
    balance = fields.pop("balance", ZERO)
    known: dict[str, Any] = {
        "deposit": HUNDRED,
        "deposit_received": ZERO,
        "received": ZERO,
        "credited": ZERO,
        "payment_pending": False,
        "wire_announced": False,
        "shipping_fee": ZERO,
        "tracking_number": "T1",
        "cancelled_at": MONDAY if status is S.CANCELLED else None,
        **fields,
    }
    Order.objects.filter(pk=order.pk).update(
        status=status, real_total=balance + known["received"], **known
    )
    (listed,) = api.get("/api/order/0").json()["orderList"]
    order_json = api.get(f"/api/details/{order.invoice_code}").json()["order"]
    assert listed["payment"] == order_json["payment"] == payment
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
        "due_at": MONDAY + timedelta(days=8),
        "balance": ZERO,
        "now": MONDAY + timedelta(days=5),
    }
    columns: dict[str, Any] = {
        "placed_at": MONDAY,
        "deposit": fields.pop("deposit_missing", ZERO),
        "deposit_received": ZERO,
        "real_total": ZERO,
        "shipping_fee": ZERO,
        "received": ZERO,
        "credited": ZERO,
        "written_off": ZERO,
        "wire_announced": False,
        "cancel_reason": "",
        "open_proposals": None,
        "answer_by": None,
        "expected_on": None,
        "ship_city": "",
        "former_number": "",
    }
    fields_of_steps = {name: fields.pop(name) for name in steps.keys() & fields.keys()}
    assert not fields.keys() - columns.keys()
    order = SimpleNamespace(status=status, payment=payment, **{**columns, **fields})
    return Progress(order=order, **{**steps, **fields_of_steps})


def cancelled(**fields: Any) -> Progress:
    """Return an order that was cancelled the day after it was placed."""
    reached = {S.RECEIVED: MONDAY, S.CANCELLED: MONDAY + timedelta(days=1)}
    return situation(S.CANCELLED, P.REFUNDED, reached=reached, **fields)


@pytest.mark.parametrize(
    ("order", "kind", "tone", "title", "text"),
    [
        (
            situation(S.RECEIVED, P.WIRE_AWAITED, deposit_missing=Decimal("1030.00"), now=MONDAY),
            "deposit_wire",
            "warn",
            "Pay the deposit by wire: $1,030.00",
            "By Tue 17 Nov. We start preparing once it arrives.",
        ),
        (
            situation(S.RECEIVED, P.WIRE_AWAITED, deposit_missing=Decimal("1030.00")),
            "deposit_wire",
            "warn",
            "Pay the deposit by wire: $1,030.00",
            "It was due by Tue 17 Nov, 4 days late. We start preparing once it arrives.",
        ),
        (
            situation(S.PREPARING, P.WIRE_AWAITED, deposit_missing=Decimal("1030.00"), now=MONDAY),
            "deposit_wire",
            "warn",
            "Pay the deposit by wire: $1,030.00",
            "By Tue 17 Nov. We are preparing it.",
        ),
        (
            situation(S.RECEIVED, P.DEPOSIT_RECEIVED, deposit_at=MONDAY),
            "wait",
            "ok",
            "Deposit received on 16 Nov 2026",
            "We start preparing by Tue 24 Nov.",
        ),
        (
            situation(S.PREPARING, P.DEPOSIT_RECEIVED, deposit_at=MONDAY),
            "wait",
            "ok",
            "Deposit received on 16 Nov 2026",
            "We confirm your lines by Tue 24 Nov.",
        ),
        (
            situation(
                S.PREPARING, P.DEPOSIT_RECEIVED, deposit_at=MONDAY, now=MONDAY + timedelta(days=10)
            ),
            "wait",
            "warn",
            "Deposit received on 16 Nov 2026",
            "We promised to confirm your lines by Tue 24 Nov: 2 days late.",
        ),
        (
            situation(S.CONFIRMED, P.BALANCE_DUE, balance=Decimal("535.50")),
            "balance",
            "warn",
            "Pay the balance: $535.50",
            "By Tue 24 Nov. We ship within 2 business days of your payment.",
        ),
        (
            situation(
                S.CONFIRMED,
                P.BALANCE_DUE,
                balance=Decimal("535.50"),
                now=MONDAY + timedelta(days=10),
            ),
            "balance",
            "warn",
            "Pay the balance: $535.50",
            (
                "It was due by Tue 24 Nov, 2 days late. We ship within 2 "
                "business days of your payment."
            ),
        ),
        (
            situation(S.RECEIVED, P.PARTLY_PAID, deposit_missing=Decimal(60)),
            "deposit_due",
            "warn",
            "The rest of the deposit is due: $60.00",
            "Please write to us how you want to pay it.",
        ),
        (
            situation(S.RECEIVED, P.DEPOSIT_DUE, deposit_missing=Decimal(60), former_number="7"),
            "deposit_wire",
            "warn",
            "The deposit is due: $60.00",
            "Please wire it with this reference.",
        ),
        (
            situation(S.CONFIRMED, P.PARTLY_PAID, balance=Decimal(60)),
            "balance",
            "warn",
            "Pay the rest of the balance: $60.00",
            "By Tue 24 Nov. We ship within 2 business days of your payment.",
        ),
        (
            situation(S.CONFIRMED, P.REVIEWED, balance=Decimal(60), wire_announced=True),
            "balance_review",
            "accent",
            "Your balance is under review: $60.00",
            "We check a wire within 1 business day.",
        ),
        (
            situation(S.CONFIRMED, P.REVIEWED, balance=Decimal(60)),
            "balance_review",
            "accent",
            "Your balance is under review: $60.00",
            "PayPal has not confirmed it yet.",
        ),
        (
            situation(S.PAID, P.PAID),
            "ship",
            "accent",
            "Paid on 19 Nov 2026",
            "We ship by Tue 24 Nov.",
        ),
        (
            situation(S.PAID, P.PAID, now=MONDAY + timedelta(days=10)),
            "ship",
            "warn",
            "Paid on 19 Nov 2026",
            "We promised to ship by Tue 24 Nov: 2 days late.",
        ),
        (
            situation(S.SHIPPED, P.PAID, due_at=None),
            "shipped",
            "accent",
            "On its way since 20 Nov 2026",
            "",
        ),
        (
            situation(
                S.SHIPPED, P.PAID, due_at=None, expected_on=date(2026, 11, 21), ship_city="Hamburg"
            ),
            "shipped",
            "accent",
            "On its way since 20 Nov 2026",
            "Expected in Hamburg by Sat 21 Nov.",
        ),
        (
            situation(S.SHIPPED, P.PAID, due_at=None, expected_on=date(2026, 11, 20)),
            "shipped",
            "accent",
            "On its way since 20 Nov 2026",
            "It was expected by Fri 20 Nov.",
        ),
        (
            situation(
                S.CANCELLED,
                P.REFUNDED,
                reached={S.RECEIVED: MONDAY, S.CANCELLED: MONDAY + timedelta(days=1)},
                received=Decimal(400),
                credited=Decimal(300),
                cancel_reason="Sold out.",
            ),
            "cancelled",
            "bad",
            "Cancelled on 17 Nov 2026",
            "Sold out.",
        ),
    ],
)
def test_an_order_says_what_is_to_be_done_now_and_by_when(
    order: Progress, kind: str, tone: str, title: str, text: str
) -> None:
    step = next_step(order)
    assert (step["kind"], step["tone"], step["title"], step["text"]) == (kind, tone, title, text)


@pytest.mark.parametrize(
    ("order", "rows"),
    [
        (
            situation(
                S.CONFIRMED,
                P.BALANCE_DUE,
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
            cancelled(
                received=Decimal(400),
                credited=Decimal(400),
                paid_at=[MONDAY, MONDAY + 3 * timedelta(days=1)],
            ),
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
    assert (listed["payment"], listed["payment_tone"]) == (
        order_json["payment"],
        order_json["payment_tone"],
    )
    assert order_json["payment"] == "Waiting for your wire"
    assert order_json["next_step"]["kind"] == "deposit_wire"
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

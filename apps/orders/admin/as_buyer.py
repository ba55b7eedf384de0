"""An order as its buyer sees it: made of what the buyer's calls answer, read only."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.dateparse import parse_date

from apps.accounts.selectors import identify
from apps.common.staff import staff_of
from apps.common.staff_lists import figure_text as figure
from apps.common.texts import gettext as _, in_english, phrase
from apps.common.types import Json
from apps.orders.admin.base import page_below
from apps.orders.models import Order
from apps.orders.selectors.conversation import conversation
from apps.orders.selectors.details import order_details
from apps.orders.services.conversation import note_seen_as_buyer
from apps.orders.status import OrderStatus

ADDRESS = (
    ("email", "E-mail"),
    ("company", "Company"),
    ("country", "Country"),
    ("state", "State"),
    ("ship_city", "City"),
    ("ship_address1", "Address 1"),
    ("ship_address2", "Address 2"),
    ("ship_zipcode", "Zipcode"),
    ("ship_phone", "Phone"),
)


def as_buyer(request: HttpRequest, order: Order) -> HttpResponse | None:
    """Show what the buyer's calls answer about an order, and note who looked."""
    now = timezone.now()
    if request.method != "GET":  # there is nothing to send
        return None
    buyer = identify(order.user.uuid)
    if buyer is None:
        text = phrase("%(name)s may not sign in, and sees nothing.", name=order.user.manager)
        messages.warning(request, text)
        return None
    note = note_seen_as_buyer(order=order, actor=staff_of(request), now=now)
    with in_english():  # as the buyer has it
        answer = order_details(buyer=buyer, invoice_code=order.invoice_code, now=now)
    buyer_order = answer["order"]
    for step in buyer_order["timeline"]:
        step["at"] = parse_date(step["at"] or "")
    return page_below(
        request,
        "staff/as_buyer.html",
        order,
        here=_("As the buyer"),
        buyer=buyer,
        seen_at=note.at,
        shown=buyer_order,
        lines=answer["details"],
        products=buyer_order["count"],
        files=[file["name"] for file in answer["fileList"]],
        money=money_rows(buyer_order),
        address_rows=[(label, buyer_order[name]) for name, label in ADDRESS if buyer_order[name]],
        said=conversation(buyer=buyer, invoice_code=order.invoice_code)["messages"],
    )


def money_rows(order: Json) -> list[tuple[str, str]]:
    """Return the rows under the buyer's products, as the buyer's page has them (`totalRows`;
    readings, Money).
    """
    status, not_confirmed = order["status_id"], order["real_total"] - order["total"]
    rows: list[tuple[str, Any, bool]] = [
        ("Subtotal", order["total"], True),
        ("Not confirmed", not_confirmed, not_confirmed != 0),
        ("Products weight", f"{order['products_weight_kg']:,.1f} kg", True),
        ("Measured weight", f"{order['weight_kg'] or 0:,.1f} kg", order["weight_kg"] is not None),
    ]
    if status == OrderStatus.CANCELLED:
        step_rows = order["next_step"]["rows"]
        refunded = step_rows[-1]["amount"] if step_rows else 0
        rows.append(("Nothing is due", f"Refunded {figure(refunded)}" if refunded else "", True))
    else:
        is_confirmed = status >= OrderStatus.CONFIRMED
        fee = order["shipping_fee"]
        is_fee_set = is_confirmed or fee > 0
        name, total = "Total" if is_fee_set else "Total without shipping", order["real_total"] + fee
        deposit = "Deposit" if order["deposit"] > total else "Deposit, part of the total"
        rows += [
            ("Shipping fee", fee if is_fee_set else "Set at confirmation", True),
            (name, total, True),
            (deposit, order["deposit"], not is_confirmed),
            ("Deposit", -order["deposit_received"], is_confirmed),
            ("Paid", -order["paid"], order["paid"] > 0),
            ("Waived", -order["waived"], order["waived"] > 0),
            ("Credited to your wallet", order["credited"], order["credited"] > 0),
            ("Balance due", order["balance_due"], is_confirmed),
        ]
    return [
        (label, value if isinstance(value, str) else figure(value))
        for label, value, is_shown in rows
        if is_shown
    ]

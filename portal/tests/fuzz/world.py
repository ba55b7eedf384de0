"""Two companies with all that a call can name; each one's texts are marked, so that a
leak shows.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from urllib.parse import parse_qs, urlsplit

from apps.accounts.selectors import Buyer
from apps.accounts.services.sessions import issue_token
from apps.accounts.tests.factories import (
    PASSWORD,
    buyer_of,
    make_link,
    make_state,
    make_user,
)
from apps.catalog.models import Product
from apps.catalog.tests.factories import make_products
from apps.orders.models import Order, TemporaryOrder
from apps.orders.status import OrderStatus
from apps.orders.tests.factories import (
    make_draft,
    make_order_at,
    make_sales,
    make_shipping,
    ship_body,
)
from apps.payments.models import Payment
from apps.payments.selectors import deposit_of, with_fee
from apps.payments.services.cancel import cancel_order
from apps.payments.services.deposit import Checkout, link_balance, link_deposit
from apps.payments.tests.factories import (
    arrive,
    make_announced_balance,
    make_confirmed_order,
    make_wire_order,
)
from portal.tests.reliability.world import make_side
from tools.paypal_simulator.simulator import Simulator


class Facts(dict[str, Any]):
    """Values by the names of the fields they belong in; a report names the scene, not all of it."""

    def __repr__(self) -> str:
        return f"<{self.get('invoice_code')}>"


PIECES = 20
Scene = dict[str, Any]
NOBODY: Scene = {
    "uuid": "0b6c9d52-8d0e-4a55-9b1e-0d6a4f3f7a11",
    "invoice_code": "MHW-260101-0001",
    "company_id": 2**31 - 1,
    "brand_id": 2**31 - 1,
    "notice_id": 2**31 - 1,
    "ship_country": 2**31 - 1,
    "ship_state": 2**31 - 1,
    "address_id": 2**31 - 1,
    "sku": "SKU-UNKNOWN",
    "email": "nobody@portal.test",
    "token": "EC-UNKNOWN",
}


@dataclass(frozen=True)
class House:
    """A company with its buyer. A scene is what belongs together in a call, by the names of the
    fields.
    """

    mark: str
    buyer: Buyer
    token: str
    scenes: list[Facts]

    @property
    def secrets(self) -> list[str]:
        """Return what no answer to another company may hold: its marked texts, its uuid, its
        invoice codes.
        """
        codes = {scene["invoice_code"] for scene in self.scenes} - {NOBODY["invoice_code"]}
        return [self.mark, str(self.buyer.uuid), *sorted(codes)]


@dataclass(frozen=True)
class World:
    """The caller's own house and a foreign one."""

    own: House
    foreign: House


def make_world(paypal: Simulator) -> World:
    """Return two houses alike, each with a brand that the other does not see."""
    return World(*(make_house(mark, paypal) for mark in ("Zv7Harbour", "Zq9Meadow")))


def make_house(mark: str, paypal: Simulator) -> House:
    """Return a company whose every text is marked, with orders at every status and payments of
    every kind.
    """
    now, side = datetime.now(UTC), make_side(mark)
    buyer, company = side.buyer, side.user.company
    colleague = buyer_of(make_user(company=company, manager=f"{mark} second"))
    products = [side.product, *make_products(2, brand=side.brand, eng_name=f"{mark} Serum")]
    state, token = make_state(), issue_token(buyer=buyer, signed_in_at=now, now=now)
    basket = [{"sku": product.sku, "count": PIECES} for product in products]
    side.list.delete()  # whatever a form has wrong, a list in hand would be shown
    side.user.set_password(PASSWORD)
    side.user.save()
    common: Scene = {
        **ship_body(ship_city=f"{mark} City", ship_address1=f"{mark} Street 1"),
        "uuid": side.ids["uuid"],
        "email": buyer.email,
        "token": token,
        "company_id": buyer.company_id,
        "brand_id": side.brand.pk,
        "notice_id": side.notice.pk,
        **dict.fromkeys(("password", "passwordConfirm", "confirm_password"), PASSWORD),
        **dict.fromkeys(("ship_country", "country", "address_id"), state.parent_id),
        **dict.fromkeys(("ship_state", "state"), state.pk),
        "export_report": 1,
        "type": "ORDER",
        "payment_type": "T/T",
        "amount": 0,
        "n": 5,
        "sku": side.product.sku,
        "count": PIECES,
        "product": basket,
        "skuData": basket,
    }
    orders = make_orders(mark, buyer, colleague, products)
    scenes = [*orders, *make_payments(buyer, products, paypal), make_registration()]
    return House(mark, buyer, token, [Facts({**common, **scene}) for scene in scenes])


def make_orders(
    mark: str, buyer: Buyer, colleague: Buyer, products: Sequence[Product]
) -> Iterator[Scene]:
    """Make orders of both people at every status and with every kind of wire; yield
    their scenes.
    """
    lines = [(product, PIECES) for product in products]
    cancelled = make_wire_order(buyer, lines)
    arrive(cancelled)
    cancel_order(
        order_id=cancelled.pk,
        by_terms=True,
        reason=f"{mark} called",
        actor=make_sales(),
        now=datetime.now(UTC),
    )
    for status in OrderStatus:
        make_order_at(status, buyer, lines)
    make_order_at(OrderStatus.PREPARING, colleague, lines)
    make_confirmed_order(buyer, lines)
    make_announced_balance(buyer, lines)
    make_wire_order(buyer, lines)
    own = Order.objects.filter(company_id=buyer.company_id)
    own.update(
        memo=f"{mark} note",
        customer_memo=f"{mark} message",
        ship_memo=f"{mark} request",
        ship_city=mark,
    )
    for order in own.order_by("pk"):
        yield {"invoice_code": order.invoice_code, "status_id": order.status}
    for who in (buyer, colleague):
        draft = make_draft(who, lines)
        yield {
            "invoice_code": draft.invoice_code,
            "amount": float(deposit_of(draft)),
            "payer_id": f"{mark} Trading",
        }
        yield {"invoice_code": draft.invoice_code, **paypal_facts(draft)}


def make_payments(buyer: Buyer, products: Sequence[Product], paypal: Simulator) -> Iterator[Scene]:
    """Make links of deposits and of balances, approved and not; yield what their returns bring."""
    lines = [(products[0], PIECES)]
    for is_approved in (True, False):
        draft = make_draft(buyer, lines)
        form = Checkout(
            invoice_code=draft.invoice_code,
            shipping=make_shipping(),
            export_declared=True,
            amount=with_fee(deposit_of(draft))["paypal_total"],
        )
        yield returned(
            link_deposit(buyer=buyer, form=form, now=datetime.now(UTC)), paypal, is_approved
        )
        order = make_confirmed_order(buyer, lines)
        link = link_balance(buyer=buyer, invoice_code=order.invoice_code, now=datetime.now(UTC))
        yield returned(link, paypal, is_approved)


def paypal_facts(draft: TemporaryOrder) -> Scene:
    """Return the amount that PayPal is asked for a temporary order's deposit."""
    return {"amount": float(with_fee(deposit_of(draft))["paypal_total"]), "payment_type": "PAYPAL"}


def returned(link: str, paypal: Simulator, is_approved: bool) -> Scene:
    """Return what the browser brings back from a link."""
    token = parse_qs(urlsplit(link).query)["token"][0]
    payment = Payment.objects.get(paypal_token=token)
    return {
        "invoice_code": payment.invoice_code,
        "payment_type": "PAYPAL",
        "payment_id": payment.paypal_payment_id,
        "token": token,
        "payer_id": paypal.approve(token) if is_approved else "PAYER12345678",
        "amount": f"{payment.amount:.2f}",
    }


def make_registration() -> Scene:
    """Return what a registration link gives to its reader."""
    link = make_link()
    return {"invoice_code": NOBODY["invoice_code"], "email": link.email, "token": link.token}

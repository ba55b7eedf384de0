"""Two companies with all that a call can name; each one's texts are marked, so that a
leak shows.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import parse_qs, urlsplit

from apps.accounts.selectors import Buyer
from apps.accounts.services.sessions import issue_token
from apps.accounts.tests.factories import (
    PASSWORD,
    buyer_of,
    make_company,
    make_link,
    make_state,
    make_user,
)
from apps.catalog.models import Product
from apps.catalog.tests.factories import make_brand, make_products, make_promotion, restrict
from apps.notices.models import Notice, NoticeAudience
from apps.orders.models import Order, TemporaryOrder
from apps.orders.status import OrderStatus
from apps.orders.tests.factories import make_draft, make_order_at, make_sales, make_shipping
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
    now = datetime.now(UTC)
    company = make_company(name=f"{mark} Trading")
    texts = {"ship_city": f"{mark} City", "ship_address1": f"{mark} Street 1", "password": PASSWORD}
    people = [
        make_user(
            company=company,
            email=f"{name}.{mark.lower()}@portal.test",
            manager=f"{mark} {name}",
            **texts,
        )
        for name in ("first", "second")
    ]
    brand = make_brand(eng=f"{mark} Brand")
    restrict(company, [brand])
    buyer, colleague = (buyer_of(person) for person in people)
    products = make_products(3, brand=brand, eng_name=f"{mark} Serum")
    make_promotion(products[:1])
    notice = make_notice(mark, company_id=company.pk, now=now)
    state = make_state()
    basket = [{"sku": product.sku, "count": PIECES} for product in products]
    common: Scene = {
        "uuid": str(buyer.uuid),
        "email": buyer.email,
        "company_id": company.pk,
        "brand_id": brand.pk,
        "notice_id": notice.pk,
        "password": PASSWORD,
        "passwordConfirm": PASSWORD,
        "confirm_password": PASSWORD,
        "ship_country": state.parent_id,
        "ship_state": state.pk,
        "country": state.parent_id,
        "state": state.pk,
        "address_id": state.parent_id,
        "token": issue_token(buyer=buyer, signed_in_at=now, now=now),
        "ship_city": f"{mark} City",
        "ship_zipcode": "00-682",
        "ship_address1": f"{mark} Street 1",
        "ship_phone": "+48 22 555 01 74",
        "export_report": 1,
        "type": "ORDER",
        "payment_type": "T/T",
        "amount": 0,
        "count": PIECES,
        "sku": products[0].sku,
        "product": basket,
        "skuData": basket,
        "n": 5,
    }
    orders = make_orders(mark, buyer, colleague, products)
    scenes = [*orders, *make_payments(buyer, products, paypal), make_registration()]
    return House(mark, buyer, common["token"], [Facts({**common, **scene}) for scene in scenes])


def make_notice(mark: str, *, company_id: int, now: datetime) -> Notice:
    """Return a notice that is meant for one company alone."""
    notice = Notice.objects.create(
        title=f"{mark} news",
        content=f"<p>{mark}</p>",
        published_at=now - timedelta(days=1),
        for_everybody=False,
    )
    NoticeAudience.objects.create(
        notice=notice, kind=NoticeAudience.Kind.COMPANY, object_id=company_id
    )
    return notice


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

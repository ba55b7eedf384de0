"""An order as a portal may have one, for previews before there is any; nothing of it is stored."""

from datetime import UTC, date, datetime, timedelta
from decimal import Decimal

from apps.accounts.models import Company, User
from apps.catalog.models import Product
from apps.common.seller import seller
from apps.orders.models import LineProposal, Order, OrderLine, Wish
from apps.orders.status import OrderStatus

AT = datetime(2026, 11, 23, 6, 0, tzinfo=UTC)
PRODUCT = Product(eng_name="Volcanic Ash Cleansing Oil 200 ml", sku="MOS-VO200")


def example_order(status: OrderStatus) -> Order:
    """Return an order in a status."""
    user = User(email="buyer@demo.test", manager="Lena Hartwig")
    company = Company(name="Nordlicht Beauty GmbH")
    user.company = company
    is_paid = status >= OrderStatus.PAID
    return Order(
        pk=1,
        invoice_code=f"{seller().invoice_prefix}-261123-0001",
        company=company,
        user=user,
        status=status,
        status_at=AT,
        due_at=AT + timedelta(days=2),
        placed_at=AT,
        payment_type="T/T",
        count=12,
        total=Decimal("1842.50"),
        real_total=Decimal("1790.00"),
        shipping_fee=Decimal("210.00"),
        deposit=Decimal("1842.50"),
        deposit_received=Decimal("1842.50"),
        received=Decimal("2000.00") if is_paid else Decimal("1842.50"),
        tracking_number="4471 0038 21",
        shipping_url="https://carrier.example/4471003821",
        carrier="dhl",
        expected_on=date(2026, 12, 1),
        cancel_reason="The maker cannot deliver this season.",
    )


def example_proposal(order: Order) -> LineProposal:
    """Return an open proposal for a line of an order."""
    return LineProposal(
        order=order,
        line=OrderLine(order=order, product=PRODUCT, sku=PRODUCT.sku),
        kind=LineProposal.Kind.FEWER,
        ordered_pieces=40,
        pieces=20,
        price=Decimal("8.40"),
        ordered_price=Decimal("8.40"),
        comment="The next batch comes in January",
        unanswered=LineProposal.Answer.ACCEPT,
        proposed_at=AT,
        answer_by=AT + timedelta(days=3),
    )


def example_wish(user: User) -> Wish:
    """Return a wish of somebody for which pieces are held."""
    until = AT + timedelta(days=3)
    return Wish(user=user, product=PRODUCT, held=1200, held_until=until)

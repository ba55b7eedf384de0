"""One price of a product for a company, to the cent, wherever buyers and staff meet it."""

from collections.abc import Callable
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any
from uuid import uuid4

import pytest
from django.urls import reverse

from apps.accounts.models import Company
from apps.accounts.selectors import Buyer
from apps.accounts.tests.factories import buyer_of, make_company, make_user
from apps.accounts.tests.staff import staff_client
from apps.catalog.models import Product
from apps.catalog.selectors import cart_stock, price_list, product_page, products_like
from apps.catalog.tests.factories import (
    make_group_price,
    make_price_group,
    make_product,
    make_promotion,
)
from apps.orders.documents.customs import Terms
from apps.orders.intake.answer import answers_of_basket
from apps.orders.intake.review import review_lines
from apps.orders.intake.typed import Line
from apps.orders.intake.words import Amount
from apps.orders.models import (
    ConfirmationDraft,
    IssuedDocument,
    Order,
    SalesTally,
    SavedBasket,
    SentSheet,
)
from apps.orders.selectors.waiting import order_again
from apps.orders.services.baskets import edit_basket, save_basket
from apps.orders.services.commercial import preview_commercial_invoice
from apps.orders.services.confirm import AddedLine
from apps.orders.status import OrderStatus
from apps.orders.tests.factories import (
    confirm,
    make_box,
    make_draft,
    make_order,
    make_order_at,
    mark_packed,
)
from apps.orders.tests.test_admin_proposals import proposing
from apps.orders.tests.test_admin_sheet import address, filled

pytestmark = pytest.mark.django_db
PIECES = 20
MINUS_EIGHTH = Decimal("-12.50")
OWN = Decimal("7.77")


def in_a_group(company: Company, product: Product) -> None:
    make_price_group(MINUS_EIGHTH, company)


def with_an_own_price(company: Company, product: Product) -> None:
    make_group_price(make_price_group(MINUS_EIGHTH, company), product, OWN, days=(-1, 1))


def in_a_promotion_too(company: Company, product: Product) -> None:
    with_an_own_price(company, product)
    make_promotion([product], price=Decimal("6.66"))


def beside_a_group(company: Company, product: Product) -> None:
    make_group_price(make_price_group(MINUS_EIGHTH), product, OWN)


def seen_by_the_buyer(buyer: Buyer, product: Product, before: Order) -> dict[str, Any]:
    """Return what the buyer reads as the price of a product, ordered `before`."""
    now, lines = datetime.now(UTC), [(product.sku, PIECES)]
    call: Any = {"buyer": buyer, "now": now}
    basket_fields: Any = {
        "uuid": uuid4(),
        "kind": SavedBasket.Kind.NAMED,
        "name": "May",
        "lines": lines,
    }
    basket, _, _ = edit_basket(device=uuid4(), sequence=1, edits=lines, **call)
    answer = {"rows": [3], "asked": [PIECES], "sku": product.sku, "count": PIECES, "why": ""}
    sheet = SentSheet(heads=[["Sheet", 1]], answers=[answer])
    [answered] = answers_of_basket(sheet=sheet, **call)
    draft = make_draft(buyer, [(product, PIECES)])
    order = make_order(buyer, [(product, PIECES)])
    return {
        "page": product_page(**call)["result"][0]["usd_supply"],
        "search": products_like(search=product.eng_name, **call)["products"][0]["usd_supply"],
        "stock check": cart_stock(lines=lines, **call)[0]["usd_supply"],
        "price list": next(price_list(**call))["usd_supply"],
        "order again": order_again(invoice_code=before.invoice_code, **call)[0]["product"][
            "usd_supply"
        ],
        "basket": basket.lines[0]["price"],
        "saved basket": save_basket(**basket_fields, **call).total / PIECES,
        "list": review_lines(lines=[Line(1, Amount(PIECES), sku=product.sku)], **call)[0][
            "product"
        ]["usd_supply"],
        "answered sheet": answered.rows[3][answered.titles.index("Price")],
        "request": draft.lines[0]["price"],
        "order": order.lines.get().price,
    }


def seen_by_staff(buyer: Buyer, product: Product) -> dict[str, Any]:
    """Return what staff's side takes as the price of a product where nobody types one."""
    sales = staff_client("Sales")
    other = make_product(hs_code="3304.99")
    opened = make_order_at(OrderStatus.PREPARING, buyer, [(other, PIECES)])
    response = sales.get(
        reverse("admin:orders_order_products", args=[opened.pk]), {"q": product.sku}
    )
    added = {"sku": product.sku, "quantity": 5, "reason": "substitute", "price": ""}
    sales.post(address(opened), filled(opened, added=(added,), save="1"))
    saved = ConfirmationDraft.objects.get(order=opened).sheet
    row = {"line_id": opened.lines.get().pk, "sku": product.sku, "pieces": "20", "price": ""}
    row["unanswered"] = "decline"
    sales.post(address(opened), proposing(opened, (20, "propose:substitute", ""), rows=(row,)))
    preparing = make_order_at(OrderStatus.PREPARING, buyer, [(product, PIECES)])
    free = AddedLine(product.pk, 4, Decimal("0.00"), "free_offer")
    confirm(preparing, added=[free])
    make_box(preparing, [(product, PIECES + 4)])
    paper = preview_commercial_invoice(
        order=mark_packed(preparing), terms=Terms("FCA", "Incheon"), now=datetime.now(UTC)
    )
    proforma = IssuedDocument.objects.get(order=preparing).content
    return {
        "found for the sheet": response.json()["products"][0]["price"],
        "added line": saved["added"][0]["price"],
        "substitute": opened.proposals.get().price,
        "proforma": proforma["table"]["rows"][0][4]["usd"],
        "commercial invoice": paper["table"]["rows"][0][6]["usd"],
        "report of sales": SalesTally.objects.get(product=product).total / PIECES,
        "free offer's value for customs": paper["table"]["rows"][1][6]["usd"],
    }


def met_everywhere(terms: Callable[[Company, Product], None]) -> dict[str, Decimal]:
    """Return the price of a product on these terms, by where it is met."""
    company = make_company()
    user = make_user(company=company)
    product = make_product(usd_supply=Decimal("10.20"), hs_code="3304.99")
    before = make_order(buyer_of(user), [(product, PIECES)])
    terms(company, product)
    buyer = buyer_of(user)
    prices = seen_by_the_buyer(buyer, product, before) | seen_by_staff(buyer, product)
    return {where: Decimal(one) for where, one in prices.items()}


@pytest.mark.parametrize(
    ("terms", "price"),
    [
        (in_a_group, "8.93"),  # 8.925
        (with_an_own_price, "7.77"),
        (in_a_promotion_too, "6.66"),
        (beside_a_group, "10.20"),
    ],
)
def test_a_product_has_one_price_everywhere(
    terms: Callable[[Company, Product], None], price: str
) -> None:
    prices = met_everywhere(terms)
    assert prices == dict.fromkeys(prices, Decimal(price))

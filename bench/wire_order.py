"""The two calls of an order that is paid by wire, as every load makes them, and those who make
them.
"""

import http.client
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any, NamedTuple

REQUEST = "/api/temp-order?shop=first"
CHECKOUT = "/api/order/checkout-deposit/tt?send=0"
SHIP = {
    "ship_city": "Warszawa",
    "ship_zipcode": "00-682",
    "ship_address1": "ul. Lipowa 51",
    "ship_phone": "+48 22 5",
}


class Line(NamedTuple):
    """Pieces of a product at a wholesale price."""

    sku: str
    pieces: int
    price: Decimal


def request_body(who: dict[str, Any], lines: Sequence[Line]) -> dict[str, Any]:
    """Return the body that requests an order; `who` holds the buyer's uuid and ship fields."""
    total = sum((line.price * line.pieces for line in lines), Decimal())
    products = [{"sku": line.sku, "count": line.pieces} for line in lines]
    return {
        **who,
        "export_report": 0,
        "count": len(lines),
        "total": float(total),
        "product": products,
    }


def checkout_body(who: dict[str, Any], *, code: str, amount: float, email: str) -> dict[str, Any]:
    """Return the body that checks a requested order out by wire."""
    return {
        **who,
        "email": email,
        "invoice_code": code,
        "type": "ORDER",
        "payment_type": "T/T",
        "export_report": 1,
        "ship_memo": "",
        "payer_id": "Bench",
        "amount": amount,
    }


def post(
    port: int, path: str, body: object, headers: Mapping[str, str], *, seconds: float
) -> tuple[int, dict[str, Any]]:
    """Return the status and the JSON of an answer of this machine; 0 and nothing where none
    came.
    """
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=seconds)
    try:
        connection.request(
            "POST", path, json.dumps(body), {**headers, "Content-Type": "application/json"}
        )
        response = connection.getresponse()
        return response.status, json.loads(response.read())
    except (OSError, http.client.HTTPException, ValueError):
        return 0, {}
    finally:
        connection.close()


def order(
    ask: Callable[[str, dict[str, Any]], dict[str, Any]],
    who: dict[str, Any],
    lines: Sequence[Line],
    *,
    email: str = "",
) -> str:
    """Request an order, check it out by wire, and return its invoice code."""
    draft = request_body(who, lines)
    code: str = ask(REQUEST, draft)["invoice_code"]
    ask(CHECKOUT, checkout_body(who, code=code, amount=draft["total"], email=email))
    return code


def make_products(lots: Iterable[Line], *, stock: int) -> None:
    """Put products sold in these lots, each with so many pieces, into the database that
    DATABASE_URL names.
    """
    from apps.catalog.models import Brand, Product, Running, Stock

    brand = Brand.objects.create(eng="Bench")
    for lot in lots:
        product = Product.objects.create(
            brand=brand,
            sku=lot.sku,
            eng_name=f"Product {lot.sku}",
            image="none.jpg",
            is_running=Running.ON_SALE,
            usd_price=2 * lot.price,
            usd_supply=lot.price,
            minimum=lot.pieces,
            weight_g=100,
        )
        Stock.objects.create(product=product, on_hand=stock)


def make_buyers(number: int) -> Iterable[tuple[Any, str, dict[str, Any]]]:
    """Put buyers, each with a company, into the same database; return each with a token, and who it
    is in a body.
    """
    from datetime import UTC, datetime

    from apps.accounts.models import AddressEntry, Company, User
    from apps.accounts.selectors import identify
    from apps.accounts.services.sessions import issue_token

    now, country = datetime.now(UTC), AddressEntry.objects.filter(parent=None).order_by("pk")[0].pk
    for index in range(number):
        user = User.objects.create_user(
            email=f"buyer{index}@bench.test",
            password=None,
            manager=f"Buyer {index}",
            company=Company.objects.create(name=f"Company {index}"),
            approval=User.Approval.APPROVED,
        )
        buyer = identify(user.uuid)
        assert buyer is not None
        token = issue_token(buyer=buyer, signed_in_at=now, now=now)
        yield buyer, token, {"uuid": str(user.uuid), "ship_country": country, **SHIP}

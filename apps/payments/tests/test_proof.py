"""The proof of payment at an announced wire: attached by its buyer, seen by staff
beside the wire.
"""

from datetime import UTC, datetime
from typing import Any

from apps.accounts.selectors import Buyer
from apps.accounts.tests.staff import staff_client
from apps.common.testing import SMALL_PDF, ContractClient
from apps.orders.models import BuyerFile, Order
from apps.orders.tests.factories import make_order, make_sales
from apps.orders.tests.test_buyer_files import give
from apps.payments.services.wire import refuse_wire
from apps.payments.tests.factories import announced, arrive, make_announced_balance, make_wire_order


def attach(client: ContractClient, order: Order, name: str = "slip.pdf") -> int:
    return int(give(client, order, name=name, call="wire-proof").status_code)


def wire_of(client: ContractClient, order: Order) -> Any:
    return client.get(f"/api/order/wire/{order.invoice_code}").json()["wire"]


def test_a_proof_is_attached_seen_replaced_and_removed(api: ContractClient, buyer: Buyer) -> None:
    order = make_wire_order(buyer)
    assert (wire_of(api, order)["kind"], wire_of(api, order)["proof"]) == ("deposit", None)
    assert attach(api, order) == 200
    proof = wire_of(api, order)["proof"]
    assert (proof["name"], proof["seen_on"]) == ("slip.pdf", None)
    opened: Any = api.get(proof["url"])
    assert b"".join(opened.streaming_content) == SMALL_PDF

    client, file = staff_client(), BuyerFile.objects.get()
    url = f"/admin/orders/order/{order.pk}/buyer-files/{file.pk}/"
    wire = f"/admin/payments/payment/{announced(order).pk}"
    pages = ["/admin/payments/payment/desk/", f"{wire}/confirm/", f"{wire}/change/"]
    pages.append(f"/admin/orders/order/{order.pk}/change/")
    assert [page for page in pages if url not in client.get(page).text] == []
    assert client.get(url).status_code == 200
    assert wire_of(api, order)["proof"]["seen_on"] is not None

    assert attach(api, order, "better.pdf") == 200
    assert (wire_of(api, order)["proof"]["name"], wire_of(api, order)["proof"]["seen_on"]) == (
        "better.pdf",
        None,
    )
    assert BuyerFile.objects.count() == 1
    assert api.delete(f"/api/order/wire-proof/{order.invoice_code}").status_code == 200
    assert (wire_of(api, order)["proof"], BuyerFile.objects.count()) == (None, 0)


def test_a_proof_stays_with_the_wire_that_arrived(api: ContractClient, buyer: Buyer) -> None:
    order = make_announced_balance(buyer)
    assert attach(api, order) == 200
    payment = announced(order)
    arrive(order)
    assert wire_of(api, order) is None
    assert attach(api, order) == 409
    assert api.delete(f"/api/order/wire-proof/{order.invoice_code}").status_code == 409
    page = f"/admin/payments/payment/{payment.pk}/change/"
    assert f"buyer-files/{BuyerFile.objects.get().pk}/" in staff_client().get(page).text


def test_a_refused_wire_keeps_its_proof_and_the_next_has_its_own(
    api: ContractClient, buyer: Buyer
) -> None:
    order = make_announced_balance(buyer)
    attach(api, order)
    refuse_wire(
        payment_id=announced(order).pk, reason="Not ours", actor=make_sales(), now=datetime.now(UTC)
    )
    assert attach(api, order) == 409
    body = {"invoice_code": order.invoice_code, "depositor_name": "Glow"}
    assert api.send("POST", "/api/order/tt", body).status_code == 200
    assert wire_of(api, order)["proof"] is None
    assert attach(api, order, "second.pdf") == 200
    assert BuyerFile.objects.count() == 2


def test_only_an_announced_wire_takes_a_proof(api: ContractClient, buyer: Buyer) -> None:
    assert attach(api, make_order(buyer)) == 409

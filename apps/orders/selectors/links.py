"""What a signed link of an order opens (design/reliability-and-security.md, section 11)."""

from datetime import datetime
from uuid import NAMESPACE_URL, uuid5

from apps.accounts.models import User
from apps.accounts.selectors import Buyer
from apps.common.storage.files import SignedName, file_signer, file_url, parse_name, signed_name
from apps.common.types import Json
from apps.orders.models import BuyerFile, Order, OrderDocument, SentSheet
from apps.orders.status import Allowed, OrderStatus, allowed

APPROVED = User.Approval.APPROVED
# The name of every order's packing list: whose it is, the link's scope says.
PACKING_LIST = f"{uuid5(NAMESPACE_URL, 'packing-list').hex}.pdf"


def packing_list_url(*, signer: str, invoice_code: str, now: datetime) -> str:
    """Return the address of an order's packing list as PDF, signed like a document's."""
    name = signed_name(signer=signer, scope=invoice_code, storage_name=PACKING_LIST, now=now)
    return file_url(scope=invoice_code, name=name)


def get_linked_document(*, invoice_code: str, name: str, now: datetime) -> OrderDocument | None:
    """Return the document of a signed name, if the link still holds; None for any link that does
    not.

    It must be fresh, and signed for a user who may come in now; the order must belong to that
    user's company and be far enough for documents, and no later revision may have replaced it.
    """
    signed = _fresh(name, invoice_code=invoice_code, now=now)
    if signed is None:
        return None
    document = (
        OrderDocument.objects.select_related("order")
        .filter(
            storage_name=signed.storage_name,
            order__invoice_code=invoice_code,
            replaced_at__isnull=True,
        )
        .first()
    )
    if document is None or not _allowed(document.order).documents:
        return None
    return document if _is_for_the_company(signed, document.order) else None


def get_linked_packing_list(*, invoice_code: str, name: str, now: datetime) -> Order | None:
    """Return the order whose packing list a signed name opens; None for any other link
    (`get_linked_document`).

    The order's packing must be complete, as on the order's page.
    """
    signed = _fresh(name, invoice_code=invoice_code, now=now)
    if signed is None or signed.storage_name != PACKING_LIST:
        return None
    order = Order.objects.filter(invoice_code=invoice_code).first()
    if order is None or not _allowed(order).packing_list:
        return None
    return order if _is_for_the_company(signed, order) else None


def buyer_file_json(
    *, name: str, storage_name: str, invoice_code: str, buyer: Buyer, now: datetime
) -> Json:
    """Return a file that the company gave with an order: its name, and an address that is good for
    an hour.
    """
    signer = file_signer(buyer.uuid, buyer.session_version)
    signed = signed_name(signer=signer, scope=invoice_code, storage_name=storage_name, now=now)
    return {"name": name, "url": file_url(scope=invoice_code, name=signed)}


def get_linked_buyer_file(*, invoice_code: str, name: str, now: datetime) -> BuyerFile | None:
    """Return the file of a signed name that the company gave with an order; None for any other
    link.

    It opens at any status, for as long as the buyer keeps it (`get_linked_document`).
    """
    signed = _fresh(name, invoice_code=invoice_code, now=now)
    if signed is None:
        return None
    files = BuyerFile.objects.select_related("order")
    file = files.filter(storage_name=signed.storage_name, order__invoice_code=invoice_code).first()
    return file if file is not None and _is_for_the_company(signed, file.order) else None


def get_linked_sheet(
    *, invoice_code: str, name: str, now: datetime
) -> tuple[SentSheet, Order] | None:
    """Return the sheet of a signed name and the order that came of it; None for any other link.

    Whoever could sign it for this order saw it there (`order_details`).
    """
    signed = _fresh(name, invoice_code=invoice_code, now=now)
    if signed is None:
        return None
    order = Order.objects.filter(invoice_code=invoice_code).first()
    if order is None or not _is_for_the_company(signed, order):
        return None
    sheet = SentSheet.objects.filter(
        storage_name=signed.storage_name, user_id=order.user_id
    ).first()
    return (sheet, order) if sheet is not None else None


def _fresh(name: str, *, invoice_code: str, now: datetime) -> SignedName | None:
    signed = parse_name(name, scope=invoice_code)
    return signed if signed is not None and signed.is_fresh(now=now) else None


def _allowed(order: Order) -> Allowed:
    return allowed(
        status=OrderStatus(order.status),
        packing_status=order.packing_status,
        balance_due=False,
        payment_pending=order.payment_pending,
    )


def _is_for_the_company(signed: SignedName, order: Order) -> bool:
    people = User.objects.filter(
        company_id=order.company_id,
        company__is_open=True,
        is_active=True,
        is_staff=False,
        approval=APPROVED,
    ).values_list("uuid", "session_version")
    return any(signed.is_for(file_signer(uuid, version)) for uuid, version in people)

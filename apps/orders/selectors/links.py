"""What a signed link of an order opens (design/reliability-and-security.md, section 11)."""

from datetime import datetime
from uuid import NAMESPACE_URL, uuid5

from apps.accounts.models import User
from apps.accounts.selectors import Buyer
from apps.common.errors import NotFound
from apps.common.storage.files import file_signer, file_url, is_signed, signed_name, storage_name_in
from apps.orders.models import BuyerFile, Order, OrderDocument, SentSheet
from apps.orders.status import OrderStatus, allowed

# The name of every order's packing list: whose it is, the link's scope says.
PACKING_LIST = f"{uuid5(NAMESPACE_URL, 'packing-list').hex}.pdf"


def file_link(*, buyer: Buyer, invoice_code: str, storage_name: str, now: datetime) -> str:
    """Return the address of a file of an order, good for an hour and for this buyer."""
    signer = file_signer(buyer.uuid, buyer.session_version)
    name = signed_name(signer=signer, scope=invoice_code, storage_name=storage_name, now=now)
    return file_url(scope=invoice_code, name=name)


def linked_file(
    *, invoice_code: str, name: str, now: datetime
) -> tuple[Order, OrderDocument | BuyerFile | SentSheet | None]:
    """Return the order of a signed name and its file that the link opens; None: its packing list.

    The link must be fresh, and signed for a user who may come in now; the order must belong to that
    user's company. Documents and packing list open as on the order's page, the buyer's own files at
    any status, for as long as they are kept.

    Raises:
        NotFound: any other link.
    """
    order = Order.objects.filter(invoice_code=invoice_code).first()
    if order is None:
        raise NotFound
    people = User.objects.who_may_come_in().filter(company=order.company_id)
    versions = people.values_list("uuid", "session_version")
    signers = (file_signer(uuid, version) for uuid, version in versions)
    if not is_signed(name, scope=invoice_code, signers=signers, now=now):
        raise NotFound
    may = allowed(
        status=OrderStatus(order.status),
        packing_status=order.packing_status,
        balance_due=False,
        payment_pending=False,
    )
    stored = storage_name_in(name)
    if stored == PACKING_LIST and may.packing_list:
        return order, None
    documents = OrderDocument.objects.filter(order=order, replaced_at__isnull=True)
    file = (
        (documents.filter(storage_name=stored).first() if may.documents else None)
        or BuyerFile.objects.filter(order=order, storage_name=stored).first()
        or SentSheet.objects.filter(user_id=order.user_id, storage_name=stored).first()
    )
    if file is None:
        raise NotFound
    return order, file

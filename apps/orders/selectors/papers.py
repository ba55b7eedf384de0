"""The documents of a company's orders in one place, and what a signed link of one opens
(design/reliability-and-security.md, section 11).
"""

from collections.abc import Collection
from datetime import datetime
from decimal import Decimal
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.fields.json import KeyTransform

from apps.accounts.models import User
from apps.accounts.selectors import Buyer
from apps.common.errors import NotFound, row_or_404
from apps.common.storage.files import (
    PDF,
    file_signer,
    file_url,
    is_signed,
    signed_name,
    storage_name_in,
)
from apps.common.types import Json
from apps.orders.models import BuyerFile, IssuedDocument, Order, OrderDocument, SentSheet
from apps.orders.selectors.orders import orders_for, seller_date
from apps.orders.status import PACKING_COMPLETE, OrderStatus, allowed

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
    order = row_or_404(Order.objects.filter(invoice_code=invoice_code))
    people = User.objects.who_may_come_in().filter(company=order.company_id)
    versions = people.values_list("uuid", "session_version")
    signers = (file_signer(uuid, version) for uuid, version in versions)
    if not is_signed(name, scope=invoice_code, signers=signers, now=now):
        raise NotFound
    may = allowed(order)
    stored = storage_name_in(name)
    if stored == PACKING_LIST and may.packing_list:
        return order, None
    documents = order.documents.filter(replaced_at__isnull=True)
    file = (
        (documents.filter(storage_name=stored).first() if may.documents else None)
        or order.buyer_files.filter(storage_name=stored).first()
        or row_or_404(SentSheet.objects.filter(user_id=order.user_id, storage_name=stored))
    )
    return order, file


ORDERS_A_PAGE = 25
PACKING, OTHER = "packing", "other"
SUMS = KeyTransform("sums", "issued__content")  # of a long document, its lines are not read
DOCUMENT_KINDS = (*IssuedDocument.Kind.values, PACKING, OTHER)


def documents_of(
    *, buyer: Buyer, search: str = "", kind: str = "", after: int | None = None, now: datetime
) -> Json:
    """Return a page of the company's documents, each with a signed address, as an order's page
    lists them.

    A search finds an order by its code or the buyer's own number, or a document by its name; `kind`
    is one of `DOCUMENT_KINDS`, or empty for all. Two statements.
    """
    listed = _of_kind(kind).filter(order=OuterRef("pk"))
    packed = Q(packing_status=PACKING_COMPLETE) if kind in ("", PACKING) else Q(pk__in=())
    orders = orders_for(buyer).filter(Exists(listed) | packed, status__gte=OrderStatus.CONFIRMED)
    for word in search.split()[:10]:
        has_document = Exists(listed.filter(title__icontains=word))
        orders = orders.filter(
            Q(invoice_code__icontains=word) | Q(po_number__icontains=word) | has_document
        )
    if after is not None:
        orders = orders.filter(pk__lt=after)
    page = list(orders.order_by("-id")[: ORDERS_A_PAGE + 1])
    orders_of_page = page[:ORDERS_A_PAGE]
    files: dict[int, list[Json]] = {order.pk: [] for order in orders_of_page}
    by_id = {order.pk: order for order in orders_of_page}
    documents = _of_kind(kind).filter(order_id__in=by_id).order_by("-id").annotate(sums=SUMS)
    columns = ("order_id", "title", "storage_name", "uploaded_at", "issued__kind", "sums")
    for order_id, title, stored, at, issued_kind, sums in documents.values_list(*columns):
        order = by_id[order_id]
        url = file_link(buyer=buyer, invoice_code=order.invoice_code, storage_name=stored, now=now)
        totals = (row["usd"] for row in sums or () if row["label"].startswith("Total"))
        total = next(map(Decimal, totals), None)  # what an issued document says, in US dollars
        paper = issued_kind or OTHER
        files[order_id].append(_entry(order, title, url, seller_date(at), kind=paper, amount=total))
    for order in orders_of_page if kind in ("", PACKING) else ():
        if order.packing_status == PACKING_COMPLETE:
            code = order.invoice_code
            url = file_link(buyer=buyer, invoice_code=code, storage_name=PACKING_LIST, now=now)
            entry = _entry(order, "Packing list", url, order.packing_build_date, kind=PACKING)
            files[order.pk].append(entry)
    return {
        "documents": [entry for order in orders_of_page for entry in files[order.pk]],
        "next": orders_of_page[-1].pk if len(page) > ORDERS_A_PAGE else None,
    }


def documents_count(*, buyer: Buyer) -> int:
    """Return how many documents `documents_of` lists in all. Two statements."""
    orders = orders_for(buyer).filter(status__gte=OrderStatus.CONFIRMED)
    packed = orders.filter(packing_status=PACKING_COMPLETE).count()
    return packed + _of_kind("").filter(order__in=orders).count()


def _of_kind(kind: str) -> QuerySet[OrderDocument]:
    """Return the documents that hold, of a kind; all of them for no kind, none for the packing
    list's.
    """
    documents = OrderDocument.objects.filter(replaced_at__isnull=True)
    if kind == OTHER:
        return documents.filter(issued__isnull=True)
    return documents.filter(issued__kind=kind) if kind else documents


def _entry(
    order: Order, title: str, url: str, on: Any, *, kind: str, amount: Decimal | None = None
) -> Json:
    return {
        "name": title,
        "kind": kind,
        "amount": amount,
        "invoice_code": order.invoice_code,
        "po_number": order.po_number,
        "on": on,
        "url": url,
    }


def issued_papers(
    *, buyer: Buyer, codes: Collection[str], now: datetime
) -> dict[tuple[str, str], Json]:
    """Return the issued documents of orders as PDF, by the order's code and the document's kind:
    name and address.

    Of one that was issued again, the newest. One statement.
    """
    documents = OrderDocument.objects.filter(
        order__company_id=buyer.company_id,
        order__invoice_code__in=codes,
        order__status__gte=OrderStatus.CONFIRMED,
        issued__isnull=False,
        content_type=PDF.content_type,
        replaced_at__isnull=True,
    ).order_by("id")
    papers = {}
    columns = ("order__invoice_code", "issued__kind", "title", "storage_name")
    for code, kind, title, storage_name in documents.values_list(*columns):
        url = file_link(buyer=buyer, invoice_code=code, storage_name=storage_name, now=now)
        papers[code, kind] = {"name": title, "url": url}
    return papers

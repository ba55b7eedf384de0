"""Two companies that own one of everything; what belongs to the other one carries a mark."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any
from uuid import uuid4

from django.apps import apps
from django.core.files.base import ContentFile
from django.core.files.storage import storages
from django.db import connection, models

from apps.accounts.models import CompanyAddress, PriceGroup, User
from apps.accounts.selectors import Buyer
from apps.accounts.tests.factories import Link, buyer_of, make_company, make_link, make_user
from apps.catalog.models import Brand, Product
from apps.catalog.tests.factories import (
    make_brand,
    make_group_price,
    make_product,
    make_promotion,
    restrict,
)
from apps.common.testing import SMALL_PDF
from apps.notices.models import Notice, NoticeAudience, NoticeFile, stored_path as notice_path
from apps.orders.models import (
    ListInHand,
    Order,
    OrderDocument,
    OwnCode,
    SavedBasket,
    TemporaryOrder,
    Wish,
)
from apps.orders.services.baskets import save_basket
from apps.orders.status import OrderStatus
from apps.orders.tests.factories import make_draft, make_order_at
from apps.orders.tests.intake.factories import list_of
from apps.payments.tests.factories import make_confirmed_order, make_wire_order

MARK = "Zzforeign"
FOREIGN_PRICE = Decimal("713.79")  # what groups of other companies pay, from before any order
HIGH = 2**53 - 100_000  # browsers tell whole numbers apart up to there


@contextmanager
def high_ids() -> Iterator[None]:
    """Let the database number new rows as it does after very many."""
    metas = [model._meta for model in apps.get_models()]
    numbered = [meta for meta in metas if isinstance(meta.pk, models.BigAutoField)]
    with connection.cursor() as cursor:
        # A table like any other: the test's rollback sets it back.
        if connection.vendor == "sqlite":
            cursor.execute("DELETE FROM sqlite_sequence")
            rows = [(meta.db_table, HIGH) for meta in numbered]
            cursor.executemany("INSERT INTO sqlite_sequence (name, seq) VALUES (%s, %s)", rows)
            yield
            return
        before = {}
        for meta in numbered:
            cursor.execute("SELECT pg_get_serial_sequence(%s, %s)", [meta.db_table, meta.pk.column])
            (name,) = cursor.fetchone()
            cursor.execute(f"SELECT last_value, is_called FROM {name}")
            before[name] = cursor.fetchone()
            cursor.execute("SELECT setval(%s, %s)", [name, HIGH])
    yield
    rows = [(name, *was) for name, was in before.items()]
    with connection.cursor() as cursor:
        cursor.executemany("SELECT setval(%s, %s, %s)", rows)


@dataclass
class Side:
    """A company with its user and one of everything that a call may name."""

    user: User
    buyer: Buyer
    brand: Brand
    product: Product
    draft: TemporaryOrder
    order: Order
    confirmed: Order
    shipped: Order
    notice: Notice
    document: OrderDocument
    notice_file: NoticeFile
    link: Link
    basket: SavedBasket
    place: CompanyAddress
    code: OwnCode
    wish: Wish
    list: ListInHand

    ids: dict[str, str] = field(init=False)

    def __post_init__(self) -> None:
        self.ids = {
            "uuid": str(self.buyer.uuid),
            "email": self.buyer.email,
            "company": str(self.buyer.company_id),
            "brand": str(self.brand.pk),
            "sku": self.product.sku,
            "basket": str(self.basket.uuid),
            "place": str(self.place.pk),
            "code": str(self.code.pk),
            "wish": str(self.wish.pk),
            "list": str(self.list.uuid),
            "draft": self.draft.invoice_code,
            "order": self.order.invoice_code,
            "confirmed": self.confirmed.invoice_code,
            "notice": str(self.notice.pk),
            "link": self.link.token,
            "address": self.link.email,
        }


def make_side(name: str) -> Side:
    """Return a company of this name, which sees its own brand alone."""
    now = datetime.now(UTC)
    brand = make_brand(eng=f"{name} brand")
    product = make_product(brand=brand, sku=f"{name.upper()}-1", eng_name=f"{name} serum")
    make_promotion([product])
    for other in PriceGroup.objects.all():
        make_group_price(other, product, FOREIGN_PRICE)
    group = PriceGroup.objects.create(name=f"{name} group")
    company = make_company(name=f"{name} Ltd", price_group=group)
    restrict(company, [brand])
    places = {"ship_city": f"{name} city", "ship_address1": f"{name} street"}
    places["ship_phone"] = f"+1 {name}"
    said: dict[str, Any] = {"ship_memo": f"{name} memo", "depositor": f"{name} depositor"}
    user = make_user(
        company=company, email=f"{name.lower()}@portal.test", manager=f"{name} manager", **places
    )
    buyer, lines = buyer_of(user), [(product, 20)]
    confirmed = make_confirmed_order(buyer, lines, **said)
    news = {"title": f"{name} news", "content": f"<p>{name} text</p>", "for_everybody": False}
    notice = Notice.objects.create(published_at=now - timedelta(days=1), **news)
    readers = {"kind": NoticeAudience.Kind.COMPANY, "object_id": company.pk}
    NoticeAudience.objects.create(notice=notice, **readers)
    names = [f"{uuid4().hex}.pdf", f"{uuid4().hex}.pdf"]
    pdf = {"content_type": "application/pdf", "size": len(SMALL_PDF)}
    for path in (f"{OrderDocument.FOLDER}/{names[0]}", notice_path(names[1])):
        storages["private"].save(path, ContentFile(SMALL_PDF))
    return Side(
        user=user,
        buyer=buyer,
        brand=brand,
        product=product,
        draft=make_draft(buyer, lines),
        order=make_wire_order(buyer, lines, **said),
        confirmed=confirmed,
        shipped=make_order_at(OrderStatus.SHIPPED, buyer, lines),
        notice=notice,
        document=OrderDocument.objects.create(
            order=confirmed, title=f"{name} paper", storage_name=names[0], uploaded_at=now, **pdf
        ),
        notice_file=NoticeFile.objects.create(
            notice=notice, title=f"{name} file", storage_name=names[1], **pdf
        ),
        link=make_link(),
        place=CompanyAddress.objects.create(company=company, name=f"{name} warehouse", **places),
        code=OwnCode.objects.create(
            company=company, code=f"{name.upper()} CODE", product=product, learned_at=now
        ),
        wish=Wish.objects.create(
            company=company,
            user=user,
            why=Wish.Why.UNKNOWN_SKU,
            code=f"{name.upper()} WISH",
            pieces=20,
            since=now,
        ),
        list=list_of(buyer, f"SKU,Quantity\n{product.sku},10\n".encode()),
        basket=save_basket(
            buyer=buyer,
            uuid=uuid4(),
            kind=SavedBasket.Kind.NAMED,
            name=f"{name} basket",
            is_shared=True,
            lines=[(product.sku, 20)],
            now=now,
        ),
    )

"""Fill the portal's database with the volume that speed is judged at, in a few set-based
statements.

Run as `python -m bench.seed`; DATABASE_URL names an empty, migrated database of its own.
"""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from bench import tools

if TYPE_CHECKING:
    from django.db.models import Field, Model

PRODUCTS, BRANDS, COMPANIES, ORDERS, LINES = 10_000, 100, 500, 50_000, 10
EMAIL, PASSWORD = "buyer1@bench.test", "bench-buyer-1"
RACE_SKU, RACE_LOTS, MOQ = "RACE", 10, 10
SHELF = 100_000_000
PRICE = "12.34"
# Looking up what each row names would take most of the time; a superuser may leave it out.
TRUSTING = """SELECT set_config('session_replication_role', 'replica', true) FROM pg_roles
 WHERE rolname = current_user AND rolsuper"""
TOTAL = str(Decimal(PRICE) * MOQ * LINES)


@dataclass(frozen=True)
class Dialect:
    """What differs between the two databases in the statements below."""

    uuid: str
    random_uuid: str
    placed_at: str
    month: str
    now: str
    tab: str


POSTGRESQL = Dialect(
    uuid="md5('c' || i)::uuid",
    random_uuid="gen_random_uuid()",
    placed_at="now() - (2 + i % 900) * interval '1 day'",
    month="to_char(now() - (2 + i % 900) * interval '1 day', 'YYYY-MM')",
    now="now()",
    tab="chr(9)",
)
SQLITE = Dialect(
    uuid="lower(hex(randomblob(16)))",
    random_uuid="lower(hex(randomblob(16)))",
    placed_at="datetime('now', '-' || (2 + i % 900) || ' days')",
    month="strftime('%Y-%m', 'now', '-' || (2 + i % 900) || ' days')",
    now="datetime('now')",
    tab="char(9)",
)
SHIP = {
    "ship_city": "'Santiago'",
    "ship_zipcode": "'8320000'",
    "ship_address1": "'Street ' || i",
    "ship_phone": "'+56 2 0'",
    "ship_country_id": "(SELECT id FROM accounts_addressentry WHERE code = 'CL')",
}


def _default(field: "Field[Any, Any]", now: str) -> str:
    """Return the SQL of what a column holds when nothing is said of it."""
    value = field.get_default() if field.has_default() else ""
    if field.get_internal_type() == "DateTimeField":
        return now
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    return str(value) if value != "" and not isinstance(value, str | datetime) else f"'{value}'"


def insert(model: "type[Model]", now: str, source: str, columns: dict[str, str]) -> str:
    """Return an INSERT … SELECT of these columns; the others that may not be empty get their
    defaults.
    """
    rest: dict[str, str] = {
        field.column: _default(field, now)
        for field in model._meta.concrete_fields
        if field.column and not field.null and not field.primary_key and field.column not in columns
    }
    given = {**columns, **rest}
    return f"INSERT INTO {model._meta.db_table} ({', '.join(given)}) {source.format(', '.join(given.values()))}"


EVERY_STATUS = "i % 5 + 1"


def statements(
    d: Dialect,
    *,
    products: int,
    brands: int,
    companies: int,
    orders: int,
    status: str = EVERY_STATUS,
) -> list[str]:
    """Return the statements that make brands, products, companies with a buyer each, orders and
    their figures.

    `status` says in SQL at which status the order of number `i` stands.
    """
    from apps.accounts.models import Company, User
    from apps.catalog.models import Brand, BrandAccess, Product, Stock
    from apps.notices.models import Notice
    from apps.orders.models import IssuedDocument, Order, OrderEvent, OrderLine, OrderTally
    from apps.payments.models import Payment, PaymentEvent

    def series(count: int) -> str:
        return f"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {count}) SELECT {{}} FROM n"

    of_orders = "SELECT {} FROM orders_order"
    paid = f"CASE WHEN {status} >= 4 THEN {TOTAL} ELSE 0 END"
    tally = {"company_id": "company_id", "count": "count(*)", "total": "sum(total)"}
    amounts = dict.fromkeys(("total", "real_total", "deposit"), TOTAL)
    return [
        insert(
            Brand,
            d.now,
            series(brands),
            {
                "id": "i",
                "eng": "'Brand ' || (1000 + i)",
                "list_key": f"'brand ' || (1000 + i) || {d.tab}",
            },
        ),
        insert(
            Product,
            d.now,
            series(products),
            {
                "id": "i",
                "sku": "'SKU' || i",
                "eng_name": "'Hydrating essence serum number ' || i || ' 50ml'",
                "brand_id": f"i % {brands} + 1",
                "image": "i || '.jpg'",
                "is_running": "CASE WHEN i % 20 = 0 THEN 0 ELSE 1 END",
                "usd_price": "(i % 900) / 10.0 + 5",
                "usd_supply": "(i % 900) / 20.0 + 2",
                "minimum": f"{MOQ} * (1 + i % 3)",
                "weight_g": "50 + i % 400",
                "sort_key": f"'brand ' || (1000 + i % {brands} + 1) || {d.tab} || 'serum ' || (10000000 + i)",
                "search_text": "'hydrating serum sku' || i",
            },
        ),
        insert(
            Stock,
            d.now,
            "SELECT {} FROM catalog_product",
            {"product_id": "id", "on_hand": str(SHELF), "allocated": "0"},
        ),
        insert(
            Company,
            d.now,
            series(companies),
            {"id": "i", "name": "'Company ' || i", "is_open": "TRUE", "brands_restricted": "TRUE"},
        ),
        # Every company sees about 70 per cent of the brands, as the floor's do.
        insert(
            BrandAccess,
            d.now,
            "SELECT {} FROM accounts_company c, catalog_brand b WHERE (c.id * 31 + b.id * 17) % 10 < 7",
            {"company_id": "c.id", "brand_id": "b.id"},
        ),
        insert(
            User,
            d.now,
            series(companies),
            {
                "id": "i",
                "password": "'!'",
                "uuid": d.uuid,
                "email": "'buyer' || i || '@bench.test'",
                "manager": "'Buyer ' || i",
                "approval": "'approved'",
                "company_id": "i",
                **SHIP,
            },
        ),
        insert(
            Order,
            d.now,
            series(orders),
            {
                "id": "i",
                "invoice_code": "'BENCH-' || i",
                "company_id": f"i % {companies} + 1",
                "user_id": f"i % {companies} + 1",
                "status": status,
                "status_at": d.placed_at,
                "placed_at": d.placed_at,
                "cancelled_at": f"CASE WHEN {status} = 0 THEN {d.placed_at} END",
                "month": d.month,
                "payment_type": "'T/T'",
                "count": str(LINES),
                "pieces": str(LINES * MOQ),
                "weight_g": "1000",
                "tracking_number": f"CASE WHEN {status} = 5 THEN 'T' || i ELSE '' END",
                "received": paid,
                "deposit_received": paid,
                **amounts,
                **SHIP,
            },
        ),
        insert(
            OrderLine,
            d.now,
            f"{series(LINES)}, orders_order o",
            {
                "order_id": "o.id",
                "product_id": f"(o.id * 7 + i * 13) % {products} + 1",
                "sku": f"'SKU' || ((o.id * 7 + i * 13) % {products} + 1)",
                "price": PRICE,
                "usrp": "24.5",
                "box_qty": str(MOQ),
                "weight_g": "100",
                "quantity": str(MOQ),
                "allocated": f"CASE WHEN o.status IN (0, 5) THEN 0 ELSE {MOQ} END",
            },
        ),
        """UPDATE catalog_stock SET allocated = COALESCE((SELECT SUM(l.allocated) FROM orders_orderline l
            WHERE l.product_id = catalog_stock.product_id), 0)""",
        insert(
            OrderEvent,
            d.now,
            f"{series(5)}, orders_order o WHERE i <= o.status",
            {"order_id": "o.id", "kind": "'status'", "to_status": "i", "at": "o.placed_at"},
        ),
        insert(
            Payment,
            d.now,
            f"{of_orders} WHERE status >= 4",
            {
                "uuid": d.random_uuid,
                "invoice_code": "invoice_code",
                "order_id": "id",
                "company_id": "company_id",
                "user_id": "user_id",
                "method": "'T/T'",
                "kind": "'deposit'",
                "state": "'captured'",
                "created_at": "placed_at",
                **dict.fromkeys(("base", "amount", "received"), TOTAL),
            },
        ),
        insert(
            PaymentEvent,
            d.now,
            "SELECT {} FROM payments_payment",
            {"payment_id": "id", "to_state": "'captured'", "source": "'admin'", "at": "created_at"},
        ),
        *(
            insert(
                IssuedDocument,
                d.now,
                f"{of_orders} WHERE status >= {since}",
                {
                    "order_id": "id",
                    "kind": f"'{kind}'",
                    "content": "'{}'",
                    "issued_at": "placed_at",
                },
            )
            for kind, since in ((IssuedDocument.Kind.PROFORMA, 3), (IssuedDocument.Kind.RECEIPT, 4))
        ),
        insert(
            OrderTally,
            d.now,
            f"{of_orders} GROUP BY company_id, status",
            {**tally, "bucket": "'status:' || status"},
        ),
        insert(
            OrderTally,
            d.now,
            f"{of_orders} GROUP BY company_id, month",
            {**tally, "bucket": "'month:' || month"},
        ),
        insert(
            Notice, d.now, series(20), {"id": "i", "title": "'Notice ' || i", "published_at": d.now}
        ),
    ]


def seed(
    *,
    products: int = PRODUCTS,
    brands: int = BRANDS,
    companies: int = COMPANIES,
    orders: int = ORDERS,
    status: str = EVERY_STATUS,
) -> None:
    """Load the volume unless it is there; the first buyer gets a password, one product just ten
    lots.
    """
    from django.core.management.color import no_style
    from django.db import connection, models, transaction

    from apps.accounts.models import Company, User
    from apps.catalog.models import Brand, Product, Stock
    from apps.notices.models import Notice
    from apps.orders.models import Order

    if Order.objects.filter(pk=orders).exists():
        return
    dialect = POSTGRESQL if connection.vendor == "postgresql" else SQLITE
    with transaction.atomic(), connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SET LOCAL statement_timeout = 0")
            cursor.execute(TRUSTING)
        sizes = {"products": products, "brands": brands, "companies": companies, "orders": orders}
        for statement in statements(dialect, **sizes, status=status):
            cursor.execute(statement)
        Brand.objects.recount_products(range(1, brands + 1))
        numbered: list[type[models.Model]] = [Brand, Product, Company, User, Order, Notice]
        for reset in connection.ops.sequence_reset_sql(no_style(), numbered):
            cursor.execute(reset)
        buyer = User.objects.get(email=EMAIL)
        buyer.set_password(PASSWORD)
        buyer.save()
        race = Product.objects.get(pk=2)
        race.sku, race.minimum = RACE_SKU, MOQ
        race.save()
        Stock.objects.filter(product=race).update(on_hand=models.F("allocated") + RACE_LOTS * MOQ)
    with connection.cursor() as cursor:
        # A running portal's rows were vacuumed; those just written would be looked up one by one
        # until they are.
        if connection.vendor == "postgresql":
            cursor.execute("SET statement_timeout = 0")
        cursor.execute("VACUUM ANALYZE" if connection.vendor == "postgresql" else "ANALYZE")


if __name__ == "__main__":
    tools.set_up()
    seed()

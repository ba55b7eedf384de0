"""Fill the portal's database with the volume that speed is judged at, in a few set-based
statements.

Run as `python -m bench.seed`; DATABASE_URL names an empty, migrated PostgreSQL of its own.
"""

from datetime import datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from bench import tools

if TYPE_CHECKING:
    from django.db.models import Field, Model

PRODUCTS, BRANDS, COMPANIES, ORDERS, LINES = 10_000, 100, 500, 50_000, 10
EMAIL, PASSWORD = "buyer1@bench.test", "bench-buyer-1"
MOQ, SHELF, PRICE = 10, 100_000_000, "12.34"
TOTAL = str(Decimal(PRICE) * MOQ * LINES)
PLACED_AT = "now() - (2 + i % 900) * interval '1 day'"
EVERY_STATUS = "i % 5 + 1"
SHIP = "ship_city, ship_zipcode, ship_address1, ship_phone, ship_country_id"
CHILE = "(SELECT id FROM accounts_addressentry WHERE code = 'CL')"
SHIP_VALUES = f"'Santiago', '8320000', 'Street ' || i, '+56 2 0', {CHILE}"
# Looking up what each row names would take most of the time; a superuser may leave it out.
TRUSTING = """SELECT set_config('session_replication_role', 'replica', true) FROM pg_roles
 WHERE rolname = current_user AND rolsuper"""


def _default(field: "Field[Any, Any]") -> str:
    """Return the SQL of what a column holds when nothing is said of it."""
    value = field.get_default() if field.has_default() else ""
    if field.get_internal_type() == "DateTimeField":
        return "now()"
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    return str(value) if value != "" and not isinstance(value, str | datetime) else f"'{value}'"


def insert(model: "type[Model]", columns: str, values: str, source: str) -> str:
    """Return an INSERT … SELECT of these columns; the others that may not be empty get their
    defaults.
    """
    rest = {
        field.column: _default(field)
        for field in model._meta.concrete_fields
        if field.column and not field.null and not field.primary_key
        and field.column not in columns.split(", ")
    }  # fmt: skip
    names, selected = ", ".join([columns, *rest]), ", ".join([values, *rest.values()])
    return f"INSERT INTO {model._meta.db_table} ({names}) SELECT {selected} FROM {source}"


def statements(
    *, products: int, brands: int, companies: int, orders: int, status: str = EVERY_STATUS
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
        return f"generate_series(1, {count}) i"

    paid = f"CASE WHEN {status} >= 4 THEN {TOTAL} ELSE 0 END"
    product = f"(o.id * 7 + i * 13) % {products} + 1"
    papers = ((IssuedDocument.Kind.PROFORMA, 3), (IssuedDocument.Kind.RECEIPT, 4))
    return [
        insert(
            Brand,
            "id, eng, list_key",
            "i, 'Brand ' || (1000 + i), 'brand ' || (1000 + i) || chr(9)",
            series(brands),
        ),
        insert(
            Product,
            "id, sku, eng_name, brand_id, image, is_running, usd_price, usd_supply, minimum, "
            "weight_g, search_text, sort_key",
            "i, 'SKU' || i, 'Hydrating essence serum number ' || i || ' 50ml', "
            f"i % {brands} + 1, i || '.jpg', CASE WHEN i % 20 = 0 THEN 0 ELSE 1 END, "
            f"(i % 900) / 10.0 + 5, (i % 900) / 20.0 + 2, {MOQ} * (1 + i % 3), 50 + i % 400, "
            "'hydrating serum sku' || i, "
            f"'brand ' || (1000 + i % {brands} + 1) || chr(9) || 'serum ' || (10000000 + i)",
            series(products),
        ),
        insert(Stock, "product_id, on_hand, allocated", f"id, {SHELF}, 0", "catalog_product"),
        insert(
            Company,
            "id, name, is_open, brands_restricted",
            "i, 'Company ' || i, TRUE, TRUE",
            series(companies),
        ),
        # Every company sees about 70 per cent of the brands, as the floor's do.
        insert(
            BrandAccess,
            "company_id, brand_id",
            "c.id, b.id",
            "accounts_company c, catalog_brand b WHERE (c.id * 31 + b.id * 17) % 10 < 7",
        ),
        insert(
            User,
            f"id, password, uuid, email, manager, approval, company_id, {SHIP}",
            "i, '!', md5('c' || i)::uuid, 'buyer' || i || '@bench.test', 'Buyer ' || i, "
            f"'approved', i, {SHIP_VALUES}",
            series(companies),
        ),
        insert(
            Order,
            "id, invoice_code, company_id, user_id, status, status_at, placed_at, cancelled_at, "
            "month, payment_type, count, pieces, weight_g, tracking_number, received, "
            f"deposit_received, total, real_total, deposit, {SHIP}",
            f"i, 'BENCH-' || i, i % {companies} + 1, i % {companies} + 1, {status}, {PLACED_AT}, "
            f"{PLACED_AT}, CASE WHEN {status} = 0 THEN {PLACED_AT} END, "
            f"to_char({PLACED_AT}, 'YYYY-MM'), 'T/T', {LINES}, {LINES * MOQ}, 1000, "
            f"CASE WHEN {status} = 5 THEN 'T' || i ELSE '' END, {paid}, {paid}, {TOTAL}, {TOTAL}, "
            f"{TOTAL}, {SHIP_VALUES}",
            series(orders),
        ),
        insert(
            OrderLine,
            "order_id, product_id, sku, price, usrp, box_qty, weight_g, quantity, allocated",
            f"o.id, {product}, 'SKU' || ({product}), {PRICE}, 24.5, {MOQ}, 100, {MOQ}, "
            f"CASE WHEN o.status IN (0, 5) THEN 0 ELSE {MOQ} END",
            f"{series(LINES)}, orders_order o",
        ),
        """UPDATE catalog_stock SET allocated = COALESCE((SELECT SUM(l.allocated)
            FROM orders_orderline l WHERE l.product_id = catalog_stock.product_id), 0)""",
        insert(
            OrderEvent,
            "order_id, kind, to_status, at",
            "o.id, 'status', i, o.placed_at",
            f"{series(5)}, orders_order o WHERE i <= o.status",
        ),
        insert(
            Payment,
            "uuid, invoice_code, order_id, company_id, user_id, method, kind, state, created_at, "
            "base, amount, received",
            "gen_random_uuid(), invoice_code, id, company_id, user_id, 'T/T', 'deposit', "
            f"'captured', placed_at, {TOTAL}, {TOTAL}, {TOTAL}",
            "orders_order WHERE status >= 4",
        ),
        insert(
            PaymentEvent,
            "payment_id, to_state, source, at",
            "id, 'captured', 'admin', created_at",
            "payments_payment",
        ),
        *(
            insert(
                IssuedDocument,
                "order_id, kind, content, issued_at",
                f"id, '{kind}', '{{}}', placed_at",
                f"orders_order WHERE status >= {since}",
            )
            for kind, since in papers
        ),
        *(
            insert(
                OrderTally,
                "company_id, bucket, count, total",
                f"company_id, '{column}:' || {column}, count(*), sum(total)",
                f"orders_order GROUP BY company_id, {column}",
            )
            for column in ("status", "month")
        ),
        insert(Notice, "id, title, published_at", "i, 'Notice ' || i, now()", series(20)),
    ]


def seed(
    *,
    products: int = PRODUCTS,
    brands: int = BRANDS,
    companies: int = COMPANIES,
    orders: int = ORDERS,
    status: str = EVERY_STATUS,
) -> None:
    """Load the volume unless it is there; the first buyer gets a password."""
    from django.core.management.color import no_style
    from django.db import connection, models, transaction

    from apps.accounts.models import Company, User
    from apps.catalog.models import Brand, Product
    from apps.notices.models import Notice
    from apps.orders.models import Order

    if Order.objects.filter(pk=orders).exists():
        return
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL statement_timeout = 0")
        cursor.execute(TRUSTING)
        sizes = {"products": products, "brands": brands, "companies": companies, "orders": orders}
        for statement in statements(**sizes, status=status):
            cursor.execute(statement)
        Brand.objects.recount_products(range(1, brands + 1))
        numbered: list[type[models.Model]] = [Brand, Product, Company, User, Order, Notice]
        for reset in connection.ops.sequence_reset_sql(no_style(), numbered):
            cursor.execute(reset)
        buyer = User.objects.get(email=EMAIL)
        buyer.set_password(PASSWORD)
        buyer.save()
    with connection.cursor() as cursor:
        # A running portal's rows were vacuumed; those just written would be looked up one by one
        # until they are.
        cursor.execute("SET statement_timeout = 0")
        cursor.execute("VACUUM ANALYZE")


if __name__ == "__main__":
    tools.set_up()
    seed()

"""Plans of the notices' calls on a filled PostgreSQL: DATABASE_URL=postgresql:///portal_plans
python -m bench.notices.

Loads 10,000 notices, 1,000,000 orders and 5,000 companies into an empty, migrated database of its
own, and prints for each call its answer's size, its median
time and the plan of each statement (docs/plans.md).
"""

import statistics
import time
from collections.abc import Callable
from typing import Any

from bench import tools
from bench.seed import POSTGRESQL, insert, statements

NOTICES, ORDERS, COMPANIES, BRANDS, PRODUCTS = 10_000, 1_000_000, 5_000, 100, 2_000
WANTED = (
    "catalog_brand",
    "catalog_product",
    "accounts_company",
    "accounts_user",
    "orders_order",
    "orders_ordertally",
)
REPEATS = 15


def fill() -> None:
    """Load the volume unless it is there."""
    from django.db import connection

    from apps.notices.models import Notice, NoticeAudience, NoticeFile, NoticeRead
    from apps.orders.models import Order, OrderLine

    if Order.objects.exists():
        return
    d = POSTGRESQL
    volume = statements(d, products=PRODUCTS, brands=BRANDS, companies=COMPANIES, orders=ORDERS)
    chosen = [text for text in volume if text.split()[2] in WANTED]
    notices = f"SELECT {{}} FROM generate_series(1, {NOTICES}) i"
    some = f"SELECT {{}} FROM generate_series(1, {NOTICES}) i, generate_series(1, {{n}}) k WHERE i % 20 {{which}}"
    chosen += [
        insert(
            OrderLine,
            d.now,
            "SELECT {} FROM orders_order o, generate_series(1, 2) k",
            {
                "order_id": "o.id",
                "product_id": f"(o.id * 7 + k * 13) % {PRODUCTS} + 1",
                "sku": "'SKU' || k",
                "price": "1",
                "usrp": "2",
                "box_qty": "10",
                "weight_g": "1",
                "quantity": "10",
                "allocated": "0",
            },
        ),
        "UPDATE accounts_company SET country_id = (SELECT id FROM accounts_addressentry WHERE parent_id IS NULL"
        " ORDER BY id OFFSET accounts_company.id % 60 LIMIT 1)",
        insert(
            Notice,
            d.now,
            notices,
            {
                "id": "i",
                "title": "'Notice number ' || i || ' about shipping, prices and new products'",
                "content": "'<p>' || repeat('A paragraph of usual length. ', 50) || '</p>'",
                "published_at": "now() - i * interval '2 hours'",
                "for_everybody": "i % 20 < 14",
                "popup_from": "CASE WHEN i % 30 = 0 THEN now() - i * interval '2 hours' END",
                "popup_until": "CASE WHEN i % 30 = 0 THEN now() - i * interval '2 hours' + interval '14 days' END",
            },
        ),
        insert(NoticeFile, d.now, notices + " WHERE i % 3 = 0", {"notice_id": "i", "storage_name": "'f' || i",
               "title": "'a.pdf'", "content_type": "'application/pdf'", "size": "1"}),
        insert(NoticeRead, d.now, f"SELECT {{}} FROM generate_series(1, {NOTICES}) i, generate_series(1, 50) k",
               {"notice_id": "i", "user_id": f"(i * 17 + k * 31) % {COMPANIES} + 1", "at": d.now})
        + " ON CONFLICT DO NOTHING",
    ]  # fmt: skip
    country = f"(SELECT country_id FROM accounts_company WHERE id = (i + k * 7) % {COMPANIES} + 1)"
    kinds = (
        ("country", 5, "IN (14, 15, 16)", country),
        ("company", 20, "IN (17, 18)", f"(i * 11 + k * 97) % {COMPANIES} + 1"),
        ("brand", 3, "= 19", f"(i + k * 31) % {BRANDS} + 1"),
    )
    for kind, number, which, object_id in kinds:
        source = some.replace("{n}", str(number)).replace("{which}", which)
        row = {"notice_id": "i", "kind": f"'{kind}'", "object_id": object_id}
        chosen.append(insert(NoticeAudience, d.now, source, row) + " ON CONFLICT DO NOTHING")
    with connection.cursor() as cursor:
        cursor.execute("SET statement_timeout = 0")
        cursor.execute("SET session_replication_role = replica")  # no look-up for each foreign key
        for statement in chosen:
            began = time.perf_counter()
            cursor.execute(statement)
            print(
                f"{time.perf_counter() - began:6.1f} s  {' '.join(statement.split()[:3])}",
                flush=True,
            )
        cursor.execute("SET session_replication_role = DEFAULT")
        cursor.execute("VACUUM ANALYZE")


def explained(run: Callable[[], object]) -> list[str]:
    """Return the statements of a call with their plans."""
    from django.db import connection

    seen: list[tuple[str, Any]] = []

    def record(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        seen.append((sql, params))
        return execute(sql, params, many, context)

    with connection.execute_wrapper(record):
        run()
    plans = []
    for sql, params in seen:
        if not sql.lstrip().startswith(("WITH", "SELECT")):
            plans.append(sql[:100])
            continue
        with connection.cursor() as cursor:
            cursor.execute(f"EXPLAIN (ANALYZE, BUFFERS) {sql}", params)
            plans.append("\n".join(row[0] for row in cursor.fetchall()))
    return plans


def main() -> None:
    """Fill, then measure and explain each call."""
    from django.utils import timezone

    from apps.accounts.models import User
    from apps.accounts.selectors import identify
    from apps.common.http.renderers import json_response
    from apps.notices.models import Notice
    from apps.notices.selectors import Audience, notice_files, notice_list, reach_of
    from apps.notices.services import open_notice
    from portal.web.dashboard import dashboard

    fill()
    buyer = identify(User.objects.get(email="buyer77@bench.test").uuid)
    if buyer is None:
        raise SystemExit("The database holds something else.")
    now = timezone.now()
    company = buyer.company_id
    seen = {row["notice_id"] for row in notice_list(company_id=company, now=now)}
    narrow = Notice.objects.filter(pk__in=seen, for_everybody=False).order_by("-id")[0].pk
    calls: dict[str, Callable[[], object]] = {
        "GET /notice": lambda: json_response({"notice": notice_list(company_id=company, now=now)}),
        "POST /notice/detail": lambda: open_notice(notice_id=narrow, reader=buyer, now=now),
        "its files": lambda: notice_files(notice_id=narrow, reader=buyer, now=now),
        "POST /dashboard": lambda: json_response(dashboard(buyer=buyer, now=now)),
        "reach of three brands (staff)": lambda: reach_of(Audience("brand", frozenset((1, 2, 3)))),
    }
    for name, call in calls.items():
        times = []
        for _ in range(REPEATS):
            began = time.perf_counter()
            answer = call()
            times.append((time.perf_counter() - began) * 1000)
        size = (
            f", {len(getattr(answer, 'content', b'')):,} bytes"
            if hasattr(answer, "content")
            else ""
        )
        print(f"\n== {name}: median {statistics.median(times):.2f} ms{size}")
        print("\n".join(explained(call)))


if __name__ == "__main__":
    tools.set_up()
    main()

"""Measure how long staff's reports take to open on a portal with many orders.

`make bench REPORTS=1` runs this on PostgreSQL. REPORTS_ORDERS (1000000) says how many; the database
`portal_reports_…` is filled at the first run. Most orders are shipped, as on a portal that has been
running: a few thousand are open.
"""

import os
import subprocess
import sys
import time
from datetime import date, timedelta

from bench import figures, tools
from bench.growth import MANAGE

OPEN_ORDERS, OPENINGS, MOST_SECONDS = 5_000, 5, 1.0
NUMBER = 12  # after those of the portal's calls
STAFF = "reports@bench.test"
# What the one writer of the tally would have counted, all at once: month by month it takes a
# quarter of an hour.
DAYS = """
INSERT INTO orders_salesday (day, product_id, brand_id, company_id, pieces, total)
SELECT (e.at AT TIME ZONE %s)::date, l.product_id, MIN(p.brand_id), o.company_id,
 SUM(l.quantity), SUM(l.price * l.quantity)
FROM orders_orderevent e JOIN orders_order o ON o.id = e.order_id AND o.status <> 0
 JOIN orders_orderline l ON l.order_id = o.id AND l.is_confirmed JOIN catalog_product p ON p.id = l.product_id
WHERE e.kind = 'status' AND e.to_status = 3 GROUP BY 1, 2, 4 ORDER BY 1, 2, 4
"""
MONTHS = """
INSERT INTO orders_salestally (grain, product_id, month, brand_id, company_id, orders, pieces, total)
SELECT %s, {product}, to_char(day, 'YYYY-MM'), {brand}, {company},
 COUNT(DISTINCT (day, company_id)), SUM(pieces), SUM(total)
FROM orders_salesday GROUP BY 2, 3, 4, 5 ORDER BY 2, 3, 4, 5
"""


def addresses(today: date) -> dict[str, str]:
    """Return the reports to open: each of the three, and what of the first is the most work."""
    cut = f"since={today - timedelta(days=348)}&until={today - timedelta(days=44)}"
    return {
        "sales, brand by month": "",
        "sales, product by company": "?rows=product&columns=company",
        "sales, all products by month": "?rows=product&columns=month&all=1",
        "sales, 30 months by brand": f"?since={today - timedelta(days=890)}",
        "sales, days that cut two months": f"?{cut}",
        "products by company, cut": f"?rows=product&columns=company&{cut}",
        "receivables": "receivables/",
        "stock that runs out": "stock/?within=180",
    }


def measure() -> list[figures.Figure]:
    """Return how long each report took to open in this process, at most."""
    from django.test import Client
    from django.utils import timezone

    from apps.accounts.models import User

    staff = User.objects.filter(email=STAFF).first() or User.objects.create_superuser(
        email=STAFF, password=None
    )
    client = Client()
    client.force_login(staff, backend="django.contrib.auth.backends.ModelBackend")
    client.get("/admin/orders/salestally/")  # a process loads its pages once
    found = []
    for name, query in addresses(timezone.localdate()).items():
        times = []
        for _ in range(OPENINGS):
            begun = time.perf_counter()
            answer = client.get(f"/admin/orders/salestally/{query}")
            times.append(time.perf_counter() - begun)
            assert answer.status_code == 200, name
        found.append(figures.at_most(NUMBER, name, max(times), MOST_SECONDS, " s"))
    return found


def fill(orders: int) -> None:
    """Load the orders and their tallies, unless they are there."""
    from django.conf import settings
    from django.db import connection

    from apps.orders.models import SalesDay
    from apps.orders.services.sales import KEYS
    from bench.seed import seed

    seed(orders=orders, status=f"CASE WHEN i > {orders - OPEN_ORDERS} THEN i % 5 + 1 ELSE 5 END")
    with connection.cursor() as cursor:
        cursor.execute("SET statement_timeout = 0")
        if not SalesDay.objects.exists():
            cursor.execute(DAYS, [settings.TIME_ZONE])
            for grain, (product, brand, company) in KEYS.items():
                keys = {"product": product, "brand": brand, "company": company}
                names = {name: key.rpartition(".")[2] for name, key in keys.items()}
                cursor.execute(MONTHS.format(**names), [int(grain)])
        cursor.execute("VACUUM ANALYZE")


def main() -> None:
    """Fill the database unless it is filled, open every report, print the figures."""
    orders = int(os.environ.get("REPORTS_ORDERS", "1000000"))
    database = f"portal_reports_{orders}"
    subprocess.run(["createdb", database], capture_output=True, check=False)
    os.environ.update(DATABASE_URL=f"postgresql:///{database}", LOG_LEVEL="ERROR")
    for command in (MANAGE, [*MANAGE[:2], "collectstatic", "--noinput", "-v0"]):
        subprocess.run(command, cwd=tools.HERE.parent, check=True)
    tools.set_up()
    fill(orders)
    found = measure()
    print(f"{orders} orders, the slowest of {OPENINGS} openings\n")
    print(figures.table(found))
    sys.exit(not all(figure.holds for figure in found))


if __name__ == "__main__":
    main()

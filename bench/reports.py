"""Measure how long staff's reports take to open on a portal with many orders.

`make bench REPORTS=1` runs this on PostgreSQL. REPORTS_ORDERS (1000000) says how many; the database
`portal_reports_…` is filled at the first run. Most orders are shipped, as on a portal that has been
running: a few thousand are open.
"""

import os
import sys
import time
from datetime import date, timedelta

from bench import figures, tools

OPEN_ORDERS, OPENINGS, MOST_SECONDS = 5_000, 5, 2.0
NUMBER = 12  # after those of the portal's calls
STAFF = "reports@bench.test"


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
    from django.conf import settings
    from django.test import Client
    from django.utils import timezone

    from apps.accounts.models import User

    settings.ALLOWED_HOSTS = ["testserver"]
    staff = User.objects.filter(email=STAFF).first() or User.objects.create_superuser(
        email=STAFF, password=None
    )
    client = Client()
    client.force_login(staff, backend="django.contrib.auth.backends.ModelBackend")
    client.get("/admin/orders/salestally/")  # a process loads its pages once
    rows = []
    for name, query in addresses(timezone.localdate()).items():
        times = []
        for _ in range(OPENINGS):
            begun = time.perf_counter()
            answer = client.get(f"/admin/orders/salestally/{query}")
            times.append(time.perf_counter() - begun)
            assert answer.status_code == 200, name
        rows.append(figures.at_most(NUMBER, name, max(times), MOST_SECONDS, " s"))
    return rows


def fill(orders: int) -> None:
    """Load the orders and their tally, unless they are there."""
    from django.db import connection
    from django.utils import timezone

    from apps.orders.services.tallies import recount_sales
    from bench.seed import seed

    seed(orders=orders, status=f"CASE WHEN i > {orders - OPEN_ORDERS} THEN i % 5 + 1 ELSE 5 END")
    with connection.cursor() as cursor:
        cursor.execute("SET statement_timeout = 0")
        recount_sales(timezone.now())
        cursor.execute("VACUUM ANALYZE")


def main() -> None:
    """Fill the database unless it is filled, open every report, print the figures."""
    orders = int(os.environ.get("REPORTS_ORDERS", "1000000"))
    env = {"DATABASE_URL": tools.database(f"portal_reports_{orders}"), "LOG_LEVEL": "ERROR"}
    tools.python(env, "manage.py", "migrate", "-v0")
    tools.python(env, "manage.py", "collectstatic", "--noinput", "-v0")
    os.environ.update(env)
    tools.set_up()
    fill(orders)
    rows = measure()
    print(f"{orders} orders, the slowest of {OPENINGS} openings\n")
    print(figures.table(rows))
    sys.exit(not all(figure.holds for figure in rows))


if __name__ == "__main__":
    main()

"""Measure what growth costs: the same calls on a portal a hundred times as full (figure 6), and
staff's lists there.

`make bench GROWTH=1` runs this on PostgreSQL. GROWTH_SMALL and GROWTH_LARGE
(products,orders,companies; defaults 10000,25000,500 and 1000000,500000,10000: as many orders of
each company) say how full; each volume has a database of its own, `portal_growth_…`, filled at the
first run. GROWTH_ROUNDS (5) says how often both are measured in turn. Orders are those of a portal
that has been running: all but a few thousand are shipped, or cancelled.
"""

import base64
import json
import os
import sys
import time
from collections.abc import Callable, Sequence

from bench import figures, staff, tools
from bench.seed import EMAIL, LINES, MOQ

Calls = dict[str, dict[str, float]]
WARM, REPEATS, ROUNDS, MOST = 10, 60, int(os.environ.get("GROWTH_ROUNDS", "5")), 1.2
SLOW_SECONDS = 1.0  # a call that takes longer is measured three times
STAFF_MS = 300
OPEN_ORDERS = 3_000
STATUSES = (200, 302)
BLOCKS = "SELECT blks_hit + blks_read FROM pg_stat_database WHERE datname = current_database()"


def blocks() -> int:
    """Return the blocks that this database has read so far, this connection's own included."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_stat_force_next_flush()")
        cursor.execute("SELECT 1")
        cursor.execute(BLOCKS)
        return int(cursor.fetchone()[0])


def measured(call: Callable[[int], object]) -> dict[str, float]:
    """Return the blocks of a call and its p95 in milliseconds, once plans and caches are warm."""
    begun = time.perf_counter()
    call(0)
    repeats = 3 if time.perf_counter() - begun > SLOW_SECONDS else REPEATS
    for index in range(1, WARM if repeats == REPEATS else 2):
        call(index)
    before, empty = blocks(), blocks()
    times = []
    for index in range(repeats):
        begun = time.perf_counter()
        call(WARM + index)
        times.append((time.perf_counter() - begun) * 1000)
    # Asking costs blocks too: as many as between two questions with nothing in between.
    seconds = empty - before
    return {
        "blocks": (blocks() - empty - seconds) / repeats,
        "p95": sorted(times)[int(0.95 * repeats)],
    }


def measure() -> Calls:
    """Return the figures of each call in this process's database."""
    from django.utils import timezone

    from apps.accounts.models import User
    from apps.accounts.selectors import identify
    from apps.accounts.shipping import Shipping
    from apps.catalog.models import Product
    from apps.catalog.selectors import ProductListRequest, price_list_fingerprint, product_page
    from apps.orders.models import Order
    from apps.orders.selectors.details import order_details
    from apps.orders.selectors.lists import order_list
    from apps.orders.services.request import request_order
    from apps.payments.services.deposit import WireCheckout, checkout_deposit_by_wire
    from portal.web.dashboard import dashboard

    now = timezone.now()
    user = User.objects.get(email=EMAIL)
    buyer = identify(user.uuid)
    assert buyer is not None
    keys = Product.objects.filter(brand__company_access__company=buyer.company_id).order_by(
        "sort_key"
    )
    far = keys.values_list("sort_key", flat=True)[int(keys.count() * 0.9)]
    one, word = (
        ProductListRequest(search=keys.values_list("sku", flat=True)[500]),
        ProductListRequest(search="serum"),
    )
    after = base64.urlsafe_b64encode(far.encode()).decode().rstrip("=")  # as an answer's `next` is
    skus = list(keys.filter(is_running=1).values_list("sku", "minimum")[:200])
    code = Order.objects.filter(company_id=buyer.company_id).earliest("id").invoice_code
    country = user.ship_country_id
    shipping = Shipping(country, None, "Santiago", "8320000", "Street 1", "", "+56 2 0")

    def order(index: int) -> None:
        lines = [skus[(index * 7 + number) % len(skus)] for number in range(LINES)]
        draft = request_order(
            buyer=buyer, lines=[(sku, max(MOQ, n)) for sku, n in lines], shipping=shipping, now=now
        )
        form = WireCheckout(
            invoice_code=draft.invoice_code,
            shipping=shipping,
            export_declared=True,
            amount=draft.total,
            depositor="Bench",
        )
        checkout_deposit_by_wire(buyer=buyer, form=form, now=now)

    calls: dict[str, Callable[[int], object]] = {
        "page, first": lambda _: product_page(buyer=buyer, now=now),
        "page, at 90 %": lambda _: product_page(buyer=buyer, after=after, now=now),
        "search, a SKU": lambda _: product_page(buyer=buyer, request=one, now=now),
        "search, a word of all": lambda _: product_page(buyer=buyer, request=word, now=now),
        "order list": lambda _: order_list(buyer=buyer, status=None),
        "order details": lambda _: order_details(buyer=buyer, invoice_code=code, now=now),
        "dashboard": lambda _: dashboard(buyer=buyer, now=now),
        "order of 10 lines": order,
        "price list's fingerprint": lambda _: price_list_fingerprint(buyer=buyer, now=now),
    }
    return {name: measured(call) for name, call in calls.items()}


def volume(name: str, default: str) -> tuple[int, ...]:
    """Return products, orders and companies of a volume from its variable."""
    return tuple(int(number) for number in os.environ.get(name, default).split(","))


def at(*sizes: int, what: str = "calls") -> Calls:
    """Fill the volume's database unless it is filled, and measure there in a process of its own."""
    env = {"DATABASE_URL": tools.database("portal_growth_" + "_".join(map(str, sizes)))}
    env["LOG_LEVEL"] = "WARNING"
    tools.python(env, "manage.py", "migrate", "-v0")
    output = tools.python(env, "-m", "bench.growth", what, *map(str, sizes))
    calls: Calls = json.loads(output.splitlines()[-1])
    return calls


def compare(small: Calls, large: Calls) -> list[figures.Figure]:
    """Return figure 6: each call's blocks and p95, the large portal's over the small one's."""
    rows = []
    for name in small:
        for what, unit in (("blocks", ""), ("p95", " ms")):
            few, many = small[name][what], large[name][what]
            text, aim = (
                f"{few:.1f}{unit} to {many:.1f}{unit}, x{many / few:.2f}",
                f"at most x{MOST:g}",
            )
            rows.append(figures.Figure(6, f"{name}: {what}", text, aim, many <= MOST * few))
    return rows


def middle(rounds: Sequence[Calls]) -> Calls:
    """Return each figure's median: a call of a fifth of a millisecond takes twice as long when the
    machine hiccups.
    """
    return {name: tools.median_of([round_[name] for round_ in rounds]) for name in rounds[0]}


def main() -> None:
    """Measure both volumes and print figure 6, then the staff's lists."""
    small = volume("GROWTH_SMALL", "10000,25000,500")
    large = volume("GROWTH_LARGE", "1000000,500000,10000")
    print(f"products, orders, companies: {small} beside {large}, {ROUNDS} rounds in turn\n")
    rounds = [(at(*small), at(*large)) for _ in range(ROUNDS)]
    rows = compare(*map(middle, zip(*rounds, strict=True)))
    pages = at(*large, what="staff")
    late = {
        page: was
        for page, was in pages.items()
        if was["ms"] > STAFF_MS or was["status"] not in STATUSES
    }
    text, aim = f"{len(pages) - len(late)} of {len(pages)}", f"all in {STAFF_MS} ms"
    rows.append(figures.Figure(6, "staff's lists, filters, searches", text, aim, not late))
    print(figures.table(rows))
    for page, was in sorted(late.items(), key=lambda item: -item[1]["ms"]):
        print(
            f"  {page}: {was['ms']:.0f} ms, of processors {was['cpu']:.0f}, status "
            f"{was['status']:.0f}"
        )


def child(what: str, products: int, orders: int, companies: int) -> None:
    """Fill and measure this process's database; print the figures as JSON."""
    from bench.seed import seed

    tools.set_up()
    status = (
        f"CASE WHEN i > {orders - OPEN_ORDERS} THEN i % 5 + 1 WHEN i % 10 = 0 THEN 0 ELSE 5 END"
    )
    seed(products=products, orders=orders, companies=companies, status=status)
    print(json.dumps(measure() if what == "calls" else staff.measure()))


if __name__ == "__main__":
    if len(sys.argv) == 5:
        child(sys.argv[1], *map(int, sys.argv[2:]))
    else:
        main()

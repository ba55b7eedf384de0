"""500 companies fetch their price lists in 8 processes while their groups and the groups' prices
change: each list has the prices of its company's group, to the cent.

`python -m bench.lists` does it on PostgreSQL, in a database `portal_lists` of its own, gone
afterwards; then once more with the group left out of what names a kept list, which must be found.
It ends with 1 unless the first run met no foreign price and the second did.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import replace
from decimal import Decimal
from random import Random
from typing import Any
from unittest.mock import patch

from bench import tools, wire_order

COMPANIES, PROCESSES, GROUPS, PRODUCTS, ROUNDS, MOVED = 500, 8, 10, 40, 4, 25
SECONDS = 600
CHANCE = Random()  # noqa: S311 - which company, which price


def prices_of(group: int) -> dict[int, Decimal]:
    """Return random prices of all products, whose cents are the group's number; 0 is no group."""
    cents = Decimal(group) / 100
    return {product: CHANCE.randint(1, 90) + cents for product in range(1, PRODUCTS + 1)}


def set_prices(group: int) -> None:
    """Let a group pay other random prices."""
    from apps.accounts.models import User
    from apps.catalog.services.group_prices import set_group_prices

    set_group_prices(
        group_id=group,
        prices=prices_of(group),
        starts_at=None,
        ends_at=None,
        actor=User(is_superuser=True),
    )


def change() -> None:
    """Move some companies to other groups, and give a group other prices."""
    from django.db import transaction

    from apps.accounts.models import Company

    with transaction.atomic():
        for company in CHANCE.sample(range(1, COMPANIES + 1), MOVED):
            group = CHANCE.choice([None, *range(1, GROUPS + 1)])
            Company.objects.filter(pk=company).update(price_group=group)
    group = CHANCE.randint(1, GROUPS)
    set_prices(group)


def prepare() -> None:
    """Fill the database that DATABASE_URL names."""
    from apps.accounts.models import PriceGroup

    base = prices_of(0)
    wire_order.make_products((wire_order.Line(f"P{n}", 10, base[n]) for n in base), stock=100)
    for group in range(1, GROUPS + 1):
        PriceGroup.objects.create(pk=group, name=f"Group {group}")
        set_prices(group)
    list(wire_order.make_buyers(COMPANIES))


def fetch(place: int, *, is_control: bool) -> Counter[str]:
    """Fetch the lists of one process's companies, and count those with prices of another group."""
    from django.utils import timezone
    from openpyxl import load_workbook

    from apps.accounts.models import User
    from apps.accounts.selectors import identify
    from apps.catalog import pricelist
    from apps.catalog.selectors import price_list_fingerprint

    if is_control:
        patch(
            "apps.catalog.pricelist.price_list_fingerprint",
            lambda *, buyer, now: price_list_fingerprint(
                buyer=replace(buyer, price_group_id=None), now=now
            ),
        ).start()
    mine = list(User.objects.order_by("pk").values_list("uuid", flat=True))[place::PROCESSES]
    column = pricelist.TITLES.index("Wholesale ($)")
    count = Counter[str]()
    for uuid in mine * ROUNDS:
        buyer = identify(uuid)
        assert buyer is not None
        book = load_workbook(pricelist.price_list_file(buyer=buyer, now=timezone.now()))
        rows: Any = book.worksheets[0].iter_rows(min_row=pricelist.FIRST, values_only=True)
        found = [round(row[column] * 100) % 100 for row in rows]
        assert len(found) == PRODUCTS
        count["lists"] += 1
        count["foreign prices"] += sum(one != (buyer.price_group_id or 0) for one in found)
    return count


def together(env: dict[str, str], *, is_control: bool) -> Counter[str]:
    """Let all processes fetch while the groups change, and return what they counted."""
    total, changes = Counter[str](), 0
    with tempfile.TemporaryDirectory() as folder:
        words = [sys.executable, "-m", "bench.lists", "control" if is_control else "fetch"]
        environment = {**os.environ, **env, "PORTAL_DATA_DIR": folder}
        fetching = [
            subprocess.Popen(
                [*words, str(place)], env=environment, cwd=tools.HERE.parent, stdout=subprocess.PIPE
            )
            for place in range(PROCESSES)
        ]
        while any(one.poll() is None for one in fetching):
            change()
            changes += 1
        for one in fetching:
            answer, _ = one.communicate(timeout=SECONDS)
            total.update(json.loads(answer))
    total["changes"] = changes
    return total


def main() -> int:
    """Fetch with and without the group in what names a list; return 1 unless the groups count."""
    env = {"DATABASE_URL": tools.database("portal_lists"), "LOG_LEVEL": "WARNING"}
    try:
        tools.python(env, "manage.py", "migrate", "-v0")
        os.environ.update(env)
        tools.set_up()
        prepare()
        real, control = (together(env, is_control=is_control) for is_control in (False, True))
    finally:
        subprocess.run(["dropdb", "--force", "portal_lists"], check=False)
    good = not real["foreign prices"] and bool(control["foreign prices"])
    for name, count in (("as it is", real), ("control, without the group", control)):
        print(f"{name}: {', '.join(f'{number:,} {what}' for what, number in count.items())}")
    print("as it must be" if good else "FAILED")
    return int(not good)


if __name__ == "__main__":
    if len(sys.argv) == 3:
        tools.set_up()
        print(json.dumps(fetch(int(sys.argv[2]), is_control=sys.argv[1] == "control")))
    else:
        sys.exit(main())

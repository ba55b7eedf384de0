"""What codes in a buyer's sheet mean."""
# ruff: noqa: S608 - constant fragments only; every value is a parameter

from collections.abc import Collection
from typing import NamedTuple

from apps.accounts.selectors import Buyer
from apps.catalog.rules import ean_of
from apps.catalog.selectors.own_codes import skus_behind
from apps.catalog.selectors.products import LISTED, Part, all_of, one_of, visible_to
from apps.common.db.rows import fetch_all


class CodeRow(NamedTuple):
    """What a product is known by."""

    sku: str
    ean: str | None


def skus_of_codes(buyer: Buyer, codes: Collection[str]) -> dict[str, set[str]]:
    """Return the SKUs that codes can mean: SKUs themselves, EANs, and the company's own codes. Two statements.

    A SKU of ours always means itself.
    """
    eans = {ean: code for code in codes if (ean := ean_of(code))}
    condition = all_of([Part(LISTED), visible_to(buyer, "p.brand_id")])
    named = [one_of("p.sku", list(codes)), one_of("p.ean", list(eans))] if eans else [one_of("p.sku", list(codes))]
    either = " OR ".join(part.sql for part in named)
    values = [value for part in named for value in part.values]
    sql = f"SELECT p.sku, p.ean FROM catalog_product p WHERE ({either}) AND {condition.sql}"
    rows = fetch_all(CodeRow, sql, (*values, *condition.values)) if codes else []
    found: dict[str, set[str]] = {row.sku: {row.sku} for row in rows if row.sku in codes}
    for row in rows:
        if row.ean in eans and eans[row.ean] not in found:
            found.setdefault(eans[row.ean], set()).add(row.sku)
    for code, sku in skus_behind(buyer=buyer, codes=[code for code in codes if code not in found]).items():
        found[code] = {sku}
    return found

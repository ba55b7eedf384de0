"""What codes in a buyer's sheet mean."""
# ruff: noqa: S608 - constant fragments only; every value is a parameter

from collections.abc import Collection, Mapping
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

    A SKU of ours always means itself; an EAN that several products have means each of them.
    """
    eans = {code: ean for code in codes if (ean := ean_of(code))}
    rows = _known_by(buyer, codes, eans.values()) if codes else []
    found = _by_ean(rows, eans) | {row.sku: {row.sku} for row in rows if row.sku in codes}
    for code, sku in skus_behind(buyer=buyer, codes=[code for code in codes if code not in found]).items():
        found[code] = {sku}
    return found


def _known_by(buyer: Buyer, codes: Collection[str], eans: Collection[str]) -> list[CodeRow]:
    condition = all_of([Part(LISTED), visible_to(buyer, "p.brand_id")])
    named = [one_of("p.sku", list(codes)), *([one_of("p.ean", list(eans))] if eans else [])]
    either = " OR ".join(part.sql for part in named)
    sql = f"SELECT p.sku, p.ean FROM catalog_product p WHERE ({either}) AND {condition.sql}"
    return fetch_all(CodeRow, sql, [value for part in (*named, condition) for value in part.values])


def _by_ean(rows: Collection[CodeRow], eans: Mapping[str, str]) -> dict[str, set[str]]:
    found = {code: {row.sku for row in rows if row.ean == ean} for code, ean in eans.items()}
    return {code: skus for code, skus in found.items() if skus}

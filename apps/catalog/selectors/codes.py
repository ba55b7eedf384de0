"""What codes in a buyer's sheet mean."""
# ruff: noqa: S608 - constant fragments only; every value is a parameter

from collections.abc import Collection, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from apps.accounts.selectors import Buyer
from apps.catalog.reading.codes import Codes, code_key, is_code
from apps.catalog.rules import ean_of
from apps.catalog.selectors.own_codes import own_words, without_signs
from apps.catalog.selectors.products import LISTED, Part, all_of, one_of, visible_to
from apps.common.db.rows import fetch_all

CODES_AT_ONCE = 10_000


class CodeRow(NamedTuple):
    """What a product is known by."""

    sku: str
    ean: str | None


def skus_of_codes(buyer: Buyer, codes: Collection[str]) -> dict[str, set[str]]:
    """Return the SKUs that codes can mean: SKUs themselves, EANs, and a company's own codes.

    Three statements at most for each 10,000 codes: SQLite takes 32,766 parameters in one, built as
    it usually is.
    """
    left = iter(codes)
    meant: dict[str, set[str]] = {}
    while some := list(islice(left, CODES_AT_ONCE)):
        meant |= _meant_by(buyer, some)
    return meant


def _meant_by(buyer: Buyer, codes: Collection[str]) -> dict[str, set[str]]:
    """Return the SKUs that some codes can mean.

    A SKU of ours always means itself; an EAN that several products have means each of them, unless
    the company has said which. What is no code as it is written is one as messages are read
    (`Codes`): “aur gy025” for AUR-GY025.
    """
    eans = {code: ean for code in codes if (ean := ean_of(code))}
    rows, asked = _known_by(buyer, codes, eans.values()), set(codes)
    found = _by_ean(rows, eans) | {row.sku: {row.sku} for row in rows if row.sku in asked}
    unsure = [code for code in codes if len(found.get(code, ())) != 1]
    words = own_words(buyer=buyer, codes=unsure)
    settled = {code: {words[code]} for code in words.keys() & unsure}
    unknown = set(unsure) - found.keys() - words.keys()
    return found | _spelled_otherwise(buyer, unknown, words) | settled


def _spelled_otherwise(
    buyer: Buyer, codes: Collection[str], words: Mapping[str, str]
) -> dict[str, set[str]]:
    """Return what codes mean that nobody keeps as they are written. One statement, none without
    codes.
    """
    spelled = list(filter(is_code, codes))
    keys = sorted({code_key(code).upper() for code in spelled})
    known = Codes(_listed(buyer, [one_of(without_signs("p.sku"), keys)]) if keys else (), words)
    return {code: set(meant) for code in spelled if (meant := known.meant(code))}


def _known_by(buyer: Buyer, codes: Collection[str], eans: Collection[str]) -> list[CodeRow]:
    return _listed(
        buyer, [one_of("p.sku", list(codes)), *([one_of("p.ean", list(eans))] if eans else [])]
    )


def _listed(buyer: Buyer, named: Sequence[Part]) -> list[CodeRow]:
    """Return the products that the buyer sees of which one of these conditions holds. One
    statement.
    """
    condition = all_of([Part(LISTED), visible_to(buyer, "p.brand_id")])
    either = " OR ".join(part.sql for part in named)
    sql = f"SELECT p.sku, p.ean FROM catalog_product p WHERE ({either}) AND {condition.sql}"
    return fetch_all(CodeRow, sql, [value for part in (*named, condition) for value in part.values])


def _by_ean(rows: Collection[CodeRow], eans: Mapping[str, str]) -> dict[str, set[str]]:
    found = {code: {row.sku for row in rows if row.ean == ean} for code, ean in eans.items()}
    return {code: skus for code, skus in found.items() if skus}

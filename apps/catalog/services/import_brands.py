"""Brands that an import names and that are not there."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from django.db.models import Count, QuerySet
from django.utils.translation import gettext as _
from rapidfuzz.fuzz import ratio
from rapidfuzz.process import extractOne

from apps.accounts.models import User
from apps.catalog.errors import ImportRefused
from apps.catalog.models import Brand, Import, ImportRow
from apps.catalog.selectors.imports import PRODUCT_GUARDS, counts_of
from apps.catalog.services.imports import locked_import
from apps.catalog.sheet import BRAND
from apps.common.db.transactions import one_transaction
from apps.common.permissions import needs
from apps.common.tables.cells import heading

NEAR = 80  # percent of the letters
SKU_START = re.compile(r"[A-Z]+[ _-]")
HANGUL = re.compile(r"[가-힣]")
PART = 500


class UnknownBrand(NamedTuple):
    """A brand that is not there, with its rows, and the one of almost that name which is, or comes
    along; empty where there is none.
    """

    name: str
    rows: int
    near: str


def unknown_brands(rows: QuerySet[ImportRow], *, limit: int) -> Iterator[UnknownBrand]:
    """Yield the unknown brands of these rows, those with the most rows first."""
    counted = rows.order_by().values_list("new__brand").annotate(count=Count("pk"))
    counts = sorted(counted, key=lambda one: -one[1])
    known = {name: _spelling(name) for name in Brand.objects.values_list("eng", flat=True)}
    known |= {name: _spelling(name) for name, _count in counts}
    words = {name: f" {heading(name)} " for name in known}
    for name, count in counts[:limit]:
        others = {other: key for other, key in known.items() if other != name}
        part = next((other for other in others if _is_part(words[name], words[other])), "")
        near = extractOne(known[name], others, scorer=ratio, score_cutoff=NEAR)
        yield UnknownBrand(name, count, part or (near[2] if near else _by_skus(name, rows)))


def _is_part(one: str, other: str) -> bool:
    """Return whether one of two names, both in spaces, is whole words of the other (`니들리`,
    `Needly 니들리`).
    """
    return bool(one.strip() and other.strip()) and (one in other or other in one)


def _by_skus(name: str, rows: QuerySet[ImportRow]) -> str:
    """Return the one brand of the products whose SKUs begin as those of a brand in Korean letters,
    which may be it by its English name; empty where there is none, or several.
    """
    sku = rows.filter(new__brand=name).order_by("number").values_list("sku", flat=True).first()
    start = SKU_START.match(sku or "")
    if not start or not HANGUL.search(name):
        return ""
    same = Brand.objects.filter(products__sku__startswith=start[0]).distinct()[:2]
    return same[0].eng if len(same) == 1 else ""


def _spelling(brand: str) -> str:
    return heading(brand).replace(" ", "")


@needs("catalog.change_import")
@one_transaction
def use_near_brand(*, import_id: int, name: str, actor: User) -> str:
    """Give the rows of an unknown brand the one of almost that name; return its name.

    Raises:
        PermissionDenied: the kind of the import needs rights that the actor has not.
        ImportRefused: the import does not wait for review, or there is no such brand in it.
    """
    source = locked_import(import_id, actor)
    rows = source.rows.filter(PRODUCT_GUARDS["brand"].rows)
    found = unknown_brands(rows, limit=rows.count())
    near = next((one.near for one in found if one.name == name), "")
    if source.state != Import.State.REVIEW or not near:
        raise ImportRefused(_("This brand was decided on meanwhile. Look at the import again."))
    is_known = Brand.objects.filter(eng=near).exists()
    changed = list(rows.filter(new__brand=name))
    for row in changed:
        _rename(row, near, is_known=is_known)
    fields = ["new", "old", "guards", "result", "remark"]
    ImportRow.objects.bulk_update(changed, fields, batch_size=PART)
    source.counts |= counts_of(source.rows.all(), PRODUCT_GUARDS)
    source.save(update_fields=["counts"])
    return near


def _rename(row: ImportRow, brand: str, *, is_known: bool) -> None:
    row.new[BRAND] = brand
    if is_known:
        names = [name for name in row.guards.split(",") if name not in ("", "brand")]
        row.guards = f",{','.join(names)}," if names else ""
    if row.old.get(BRAND) == brand:
        del row.new[BRAND], row.old[BRAND]
    if not row.new:
        row.result, row.guards, row.remark = ImportRow.Result.SAME, "", ""

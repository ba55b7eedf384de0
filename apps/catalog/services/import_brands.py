"""Brands that an import names and that are not there."""

from collections.abc import Iterator
from typing import NamedTuple

from django.db.models import Count, QuerySet
from rapidfuzz.fuzz import ratio
from rapidfuzz.process import extractOne

from apps.catalog.models import Brand, ImportRow
from apps.common.tables.cells import heading

NEAR = 80  # percent of the letters


class UnknownBrand(NamedTuple):
    """A brand that is not there, with its rows, and the one of almost that name which is, or comes
    along; empty where there is none.
    """

    name: str
    rows: int
    near: str


def unknown_brands(rows: QuerySet[ImportRow]) -> Iterator[UnknownBrand]:
    """Yield the unknown brands of these rows, those with the most rows first; each may be one that
    is there or has more rows, never the rarer spelling.
    """
    counted = rows.order_by().values_list("new__brand").annotate(count=Count("pk"))
    counts = sorted(counted, key=lambda one: -one[1])
    known = {name: _spelling(name) for name in Brand.objects.values_list("eng", flat=True)}
    words = {name: f" {heading(name)} " for name in (*known, *(name for name, _ in counts))}
    for name, count in counts:
        spelling = _spelling(name)
        part = next((other for other in known if _is_part(words[name], words[other])), "")
        near = extractOne(spelling, known, scorer=ratio, score_cutoff=NEAR)
        yield UnknownBrand(name, count, part or (near[2] if near else ""))
        known[name] = spelling


def _is_part(one: str, other: str) -> bool:
    """Return whether one of two names, both in spaces, is whole words of the other (`니들리`,
    `Needly 니들리`).
    """
    return bool(one.strip() and other.strip()) and (one in other or other in one)


def _spelling(brand: str) -> str:
    return heading(brand).replace(" ", "")

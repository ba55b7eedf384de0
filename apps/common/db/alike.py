"""Texts that are almost like what was typed: by PostgreSQL's trigrams where it has them."""

from collections.abc import Sequence
from functools import cache, reduce
from operator import add, and_, or_
from typing import Any

from django.contrib.postgres.lookups import TrigramWordSimilar
from django.contrib.postgres.search import TrigramWordSimilarity
from django.db import connection
from django.db.models import Case, F, Q, Value, When


def almost_like(column: str, words: Sequence[str]) -> tuple[Q, Any]:
    """Return the condition that a text has something like every word in it, and how much it has.

    How like a word must be says `POSTGRES_SEARCH` (portal/settings/database.py). Without trigrams,
    as on SQLite, the condition is that the text has one of the words as it is.
    """
    if _has_trigrams():
        near = [Q(TrigramWordSimilar(F(column), word)) for word in words]
        return reduce(and_, near), reduce(
            add, (TrigramWordSimilarity(word, column) for word in words)
        )
    has = [Q((f"{column}__contains", word)) for word in words]
    number = [Case(When(one, then=1), default=0) for one in has]
    return reduce(or_, has), reduce(add, number, Value(0))


@cache
def _has_trigrams() -> bool:
    if connection.vendor != "postgresql":
        return False
    with connection.cursor() as cursor:
        cursor.execute("SELECT EXISTS (SELECT 1 FROM pg_extension WHERE extname = 'pg_trgm')")
        return bool(cursor.fetchone()[0])

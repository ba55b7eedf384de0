"""Clauses that only together make one line: a name, and its number behind a comma."""

from collections.abc import Iterable, Iterator

from apps.catalog.reading.candidates import Catalogue, Phrase
from apps.catalog.reading.clauses import JOINS, Clause
from apps.catalog.reading.quantities import NAME


def joined(clauses: Iterable[Clause], catalogue: Catalogue) -> Iterator[Clause]:
    """Yield clauses, those put together that only make one line together: a name, and its number behind a comma."""
    held: Clause | None = None
    each: Clause | None = None
    for clause in clauses:
        if clause.ended_by == ":" and not clause.has_name and clause.numbers:
            each = clause  # “10 of each:” stands before what it counts
            continue
        if each and each.row == clause.row and clause.has_name and not clause.numbers:
            clause.numbers = each.numbers
        if held is None:
            held = clause
        elif _is_another_shade(held, clause):
            clause.terms = list(held.terms)
            held.numbers += [] if _counts(held) else [number for number in clause.numbers if number.is_each]
            yield held
            held = clause
        elif _belong(held, clause, catalogue):
            held = held.with_next(clause)
        else:
            yield held
            held = clause
    if held is not None:
        yield held


def _belong(one: Clause, other: Clause, catalogue: Catalogue) -> bool:
    if not other.tokens or _counts(one) or not one.has_name or one.is_denied or one.is_last_time or other.is_last_time:
        return False
    if one.ended_by == ":" or (one.ended_by == "\n" and other.row > one.row + 1):
        return False
    if other.numbers and not other.has_name and not other.is_denied and not other.is_talk:
        return not any(number.is_each for number in other.numbers)
    if one.ended_by in JOINS and not one.sku and not other.sku:
        phrase = Phrase([*one.terms, *other.terms], [*one.sizes, *other.sizes])
        found = catalogue.candidates(phrase)
        return bool(found) and found[0].is_whole
    return False


def _is_another_shade(one: Clause, other: Clause) -> bool:
    """Return whether the second clause has only another shade of what the first names: cushion 13N 10, 23N 20."""
    is_shade = any(number.kind == NAME for number in other.numbers) and not other.has_name
    return is_shade and bool(one.terms) and one.row == other.row


def _counts(clause: Clause) -> bool:
    """Return whether a clause has a number that may be its quantity: that of a shade is none."""
    return any(number.kind != NAME for number in clause.numbers)

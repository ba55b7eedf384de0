"""Clauses that only together make one line: a name, and its number or “same as last time” behind a
comma.
"""

from collections.abc import Iterable, Iterator

from apps.catalog.reading.candidates import FORMS, Catalogue, Phrase
from apps.catalog.reading.clauses import JOINS, Clause
from apps.catalog.reading.quantities import NAME

COMMAS = frozenset(",、，")


def joined(clauses: Iterable[Clause], catalogue: Catalogue) -> Iterator[Clause]:
    """Yield clauses, those put together that only make one line together: a name, and its number
    behind a comma.
    """
    held: Clause | None = None
    for clause in _counted_before(clauses):
        if held and _is_another_shade(held, clause):
            _share(held, clause)
        elif held and _belong(held, clause, catalogue):
            held = held.with_next(clause)
            continue
        if held:
            yield held
        held = clause
    if held:
        yield held


def _counted_before(clauses: Iterable[Clause]) -> Iterator[Clause]:
    """Yield clauses; the names of a row that begins with “10 of each:” have its number."""
    each: Clause | None = None
    for clause in clauses:
        if clause.ended_by == ":" and not clause.has_name and clause.numbers:
            each = clause
            continue
        if each and each.row == clause.row and clause.has_name and not clause.numbers:
            clause.numbers = each.numbers
        yield clause


def _belong(one: Clause, other: Clause, catalogue: Catalogue) -> bool:
    """Return whether a clause goes on with what the one before it has begun."""
    if _is_as_before(one, other):
        return True
    if not (_lacks_quantity(one) and _follows(one, other)):
        return False
    if _is_quantity_alone(other):
        return not any(number.is_each for number in other.numbers)
    return (
        one.ended_by in JOINS
        and not one.sku
        and not other.sku
        and _is_one_name(one, other, catalogue)
    )


def _lacks_quantity(clause: Clause) -> bool:
    """Return whether a clause names a product that is asked for, and not how many."""
    return clause.has_name and not (_counts(clause) or clause.is_denied or clause.is_last_time)


def _follows(one: Clause, other: Clause) -> bool:
    """Return whether a clause stands right behind another one that is no heading: in its row, or in
    the next.
    """
    if not other.tokens or other.is_last_time or one.ended_by == ":":
        return False
    return one.ended_by != "\n" or other.row <= one.row + 1


def _is_as_before(one: Clause, other: Clause) -> bool:
    """Return whether a clause says of the product right before it, not of the order: calm serum,
    same as last time.

    A product is a code, or words with one for what it is: brands are greeted, too.
    """
    says_so = other.is_last_time and not (other.has_name or other.numbers or other.is_denied)
    is_right_behind = one.row == other.row and one.ended_by in COMMAS
    return says_so and is_right_behind and _is_product(one) and _lacks_quantity(one)


def _is_product(clause: Clause) -> bool:
    return bool(clause.sku or clause.code or any(FORMS & set(term.meant) for term in clause.terms))


def _is_quantity_alone(clause: Clause) -> bool:
    return bool(clause.numbers) and not (clause.has_name or clause.is_denied or clause.is_talk)


def _is_one_name(one: Clause, other: Clause, catalogue: Catalogue) -> bool:
    """Return whether a product has the words of both clauses: fig and oat."""
    found = catalogue.candidates(Phrase([*one.terms, *other.terms], [*one.sizes, *other.sizes]))
    return bool(found) and found[0].is_whole


def _is_another_shade(one: Clause, other: Clause) -> bool:
    """Return whether the second clause has only another shade of what the first names: cushion 13N
    10, 23N 20.
    """
    is_shade = any(number.kind == NAME for number in other.numbers) and not other.has_name
    return is_shade and bool(one.terms) and one.row == other.row


def _share(first: Clause, shade: Clause) -> None:
    """Give another shade the words of the first, and the first the quantity that is said of each
    behind them.
    """
    shade.terms = list(first.terms)
    if not _counts(first):
        first.numbers += [number for number in shade.numbers if number.is_each]


def _counts(clause: Clause) -> bool:
    """Return whether a clause has a number that may be its quantity: that of a shade is none."""
    return any(number.kind != NAME for number in clause.numbers)

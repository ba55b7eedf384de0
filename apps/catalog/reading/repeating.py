"""The last order asked for again: how much of it, and what the message leaves out."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise, takewhile

from apps.catalog.reading import vocabulary
from apps.catalog.reading.candidates import Catalogue, Phrase, Term
from apps.catalog.reading.clauses import AGAIN, Clause
from apps.catalog.reading.outcome import HOW_MANY, NO_LAST_TIME, ReadLine, Suggested
from apps.catalog.reading.quantities import HEDGES, TIMES
from apps.catalog.reading.words import tokens_of

SENTENCE_ENDS = frozenset((".", "!", "?", "。"))
UNCLEAR = HEDGES | TIMES
MULTIPLIED = re.compile(vocabulary.TWICE), re.compile(vocabulary.HALF)
CERTAIN = 90  # points of a word that means a product's


def lines_again(
    clause: Clause,
    clauses: Sequence[Clause],
    text: str,
    catalogue: Catalogue,
    last: Mapping[str, int],
) -> list[ReadLine]:
    """Return the lines of the last order, SKUs with pieces, without what the message denies."""
    if _is_of_a_product(clause):
        return []
    line = ReadLine(clause.start, clause.end, clause.row, text[clause.start : clause.end].strip())
    if not last:
        return [replace(line, question=NO_LAST_TIME, why="No earlier order is known.")]
    beside = _beside(clause, clauses)
    leaving_out = (other for other in clauses if _leaves_out(other, is_beside=other in beside))
    denied = [products_denied(other, catalogue, last) for other in leaving_out]
    factor, is_plain = _share_of(last, clause, text)
    if not (is_plain and _is_plain_denial(clause, denied)):
        line = replace(line, question=HOW_MANY, why="How much of the last order is meant?")
    left = set(last).intersection(catalogue.rows).difference(*denied)
    return _again(line, {sku: int(pieces * factor) for sku, pieces in last.items() if sku in left})


def _is_of_a_product(clause: Clause) -> bool:
    return not clause.is_denied and bool(clause.sku or _certain(clause.terms))


def products_denied(clause: Clause, catalogue: Catalogue, among: Collection[str]) -> set[str]:
    """Return the products that a clause denies: that of its SKU, or those among some that have all
    its words.
    """
    if clause.sku:
        return {clause.sku}
    phrase = Phrase(_certain(clause.terms), clause.sizes)
    return {
        one.item.sku
        for one in catalogue.candidates(phrase)
        if one.is_whole and one.item.sku in among
    }


def _beside(clause: Clause, clauses: Sequence[Clause]) -> list[Clause]:
    """Return the clauses of the sentence in which one stands; a row ends a sentence, too."""
    place = next(index for index, one in enumerate(clauses) if one is clause)
    before = list(
        takewhile(lambda one: one.ended_by not in SENTENCE_ENDS, reversed(clauses[:place]))
    )
    behind = [other for one, other in pairwise(clauses[place:]) if one.row == other.row]
    ends = next(
        (index for index, one in enumerate(clauses[place:]) if one.ended_by in SENTENCE_ENDS),
        len(behind),
    )
    return [one for one in [*before, clause, *behind[:ends]] if one.row == clause.row]


def _leaves_out(other: Clause, *, is_beside: bool) -> bool:
    """Return whether a clause denies something of the last order, which another one asks for."""
    return other.is_denied and bool(
        (is_beside and other.has_name) or _certain(other.terms) or other.sku
    )


def _is_plain_denial(clause: Clause, denied: Sequence[Collection[str]]) -> bool:
    """Return whether each denial names products, and there is one where the clause
    itself denies.
    """
    return all(denied) and (bool(denied) or not clause.is_denied)


def _again(line: ReadLine, order: Mapping[str, int]) -> list[ReadLine]:
    """Return a line as one for each product of an order, SKUs with pieces."""
    return [
        replace(
            line,
            sku=sku,
            pieces=pieces,
            suggested=(Suggested(sku, "in your last order"),),
            guess=pieces,
            is_repeated=True,
        )
        for sku, pieces in order.items()
    ]


def _share_of(last: Mapping[str, int], clause: Clause, text: str) -> tuple[float, bool]:
    """Return how many times the last order a clause asks for, and whether it says so plainly, in
    whole pieces.
    """
    factor, is_plain = _share_said(clause, text)
    return factor, is_plain and all((pieces * factor).is_integer() for pieces in last.values())


def _share_said(clause: Clause, text: str) -> tuple[float, bool]:
    """Return how many times the last order a clause asks for, and whether that is all it says."""
    twice, half = MULTIPLIED
    written = text[clause.start : clause.end].casefold()
    factor = 2.0 if twice.search(written) else 0.5 if half.search(written) else 1.0
    rest = AGAIN.sub(" ", half.sub(" ", twice.sub(" ", written)) if factor != 1 else written)
    is_unclear = any(token.word in UNCLEAR or token.is_number for token in tokens_of(rest))
    if factor == 1:
        return factor, not (is_unclear or clause.is_doubtful or clause.numbers)
    return factor, not is_unclear and clause.ended_by != "?"


def _certain(terms: Sequence[Term]) -> list[Term]:
    return [term for term in terms if max(term.meant.values(), default=0) >= CERTAIN]

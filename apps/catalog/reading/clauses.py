"""A message cut into clauses: what stands between two commas, full stops, line ends or an `and`.
Pure functions.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from apps.catalog.reading import vocabulary
from apps.catalog.reading.candidates import (
    LEAST_ALIKE,
    NOISE,
    TRANSLATED,
    Catalogue,
    Term,
    bare,
    is_name,
)
from apps.catalog.reading.codes import Code, Codes, known_codes, own_code
from apps.catalog.reading.quantities import (
    EACH,
    HEDGES,
    NAME,
    OTHER,
    PACKS,
    PIECES,
    SIZE,
    SPELLED,
    Number,
    numbers_of,
)
from apps.catalog.reading.words import Token, fold, stem, tokens_of

STOPS = frozenset(",;!?|•、，。；…\n")
JOINS = frozenset(fold(word) for word in vocabulary.JOINS.split())
DENIALS = frozenset(fold(word) for word in vocabulary.DENIALS.split())
ALL, SHADES = frozenset(vocabulary.ALL.split()), frozenset(vocabulary.SHADES.split())
OF_EACH = re.compile(vocabulary.OF_EACH)
ASKS = frozenset(fold(word) for word in f"{vocabulary.ASKS} {vocabulary.PAST}".split())
DOUBTS = HEDGES | ASKS
COUNTING = EACH | PIECES | SPELLED.keys()
CORRECTIONS = re.compile(vocabulary.CORRECTIONS, re.IGNORECASE)
AGAIN = re.compile("|".join(f"(?:{phrase})" for phrase in vocabulary.ORDER_AGAIN), re.IGNORECASE)
USUAL = re.compile("|".join(f"(?:{phrase})" for phrase in vocabulary.AS_USUAL), re.IGNORECASE)
ABOUT_PAPERS = re.compile(vocabulary.ABOUT_PAPERS, re.IGNORECASE)
NOT_SOLD = re.compile(vocabulary.NOT_SOLD)
QUOTED = re.compile(vocabulary.QUOTED, re.IGNORECASE)
ORDINAL = re.compile(r"\s*(?:[>•*–—-]\s*)*(\d{1,3}(?:[.)](?=\s)|\t(?=.*\t\s*\d+\s*$)))")
DENYING = ("빼", "제외")  # with any ending
PARTS_OF_ROW = ".,;!?"

Span = tuple[int, int]  # from where, to where in the text


@dataclass
class Clause:
    """A part of the message: its words, its numbers, and what makes it doubtful."""

    tokens: Sequence[Token]
    row: int
    terms: list[Term] = field(default_factory=list)
    numbers: list[Number] = field(default_factory=list)
    sizes: list[tuple[str, str]] = field(default_factory=list)
    sku: str = ""
    code: str = ""  # of the company's own, not known yet
    ended_by: str = ""  # the sign or word behind it
    is_denied: bool = False
    is_doubtful: bool = False
    is_last_time: bool = False
    is_all: bool = False  # it asks for each of several products
    is_talk: bool = False  # it has words that name nothing

    @property
    def start(self) -> int:
        """Return where it begins in the text."""
        return self.tokens[0].start

    @property
    def end(self) -> int:
        """Return where it ends in the text."""
        return self.tokens[-1].end

    @property
    def has_name(self) -> bool:
        """Return whether anything in it may name a product."""
        return bool(self.sku or self.terms or self.code)

    def with_next(self, other: "Clause") -> "Clause":
        """Return both as one."""
        return Clause(
            [*self.tokens, *other.tokens], self.row, [*self.terms, *other.terms], [*self.numbers, *other.numbers],
            [*self.sizes, *other.sizes], self.sku or other.sku, self.code or other.code, other.ended_by,
            self.is_denied or other.is_denied, self.is_doubtful or other.is_doubtful,
            self.is_last_time or other.is_last_time,
        )  # fmt: skip


class Cutter:
    """Cuts messages into clauses, with the words of one catalogue and the codes that certainly mean
    a SKU.
    """

    def __init__(self, catalogue: Catalogue, codes: Codes) -> None:
        """Keep what clauses are read with."""
        self.catalogue, self.codes = catalogue, codes

    def clauses(self, text: str) -> Iterator[Clause]:
        """Yield the clauses of a message with what is read in each; a blank row yields an empty
        one.
        """
        place, is_quoted = 0, False
        again = _asking_again(text)
        for number, row in enumerate(text.split("\n"), 1):
            is_quoted = bool(QUOTED.search(row)) or (is_quoted and row.lstrip().startswith(">"))
            if not is_quoted:
                repeats = [
                    span
                    for span in again
                    if span[0] >= place and not _is_about_papers(row, span[0] - place)
                ]
                yield from self._of_row(row, place, number, repeats)
            place += len(row) + 1

    def _of_row(
        self, row: str, place: int, number: int, repeats: Sequence[Span]
    ) -> Iterator[Clause]:
        tokens = _tokens_of_row(row, place)
        if not tokens:
            yield Clause([], number)
        for part, ended_by in _cut(tokens, repeats):
            is_last_time = _touches(part, repeats)
            outside = [token for token in part if not _is_within(token, repeats)]
            for some in self._parted(outside) or [outside]:
                yield self._read(
                    part if is_last_time else some or part, some, number, ended_by, is_last_time
                )
                is_last_time = False

    def _parted(self, tokens: Sequence[Token]) -> list[list[Token]]:
        """Return a clause of several marked quantities without a sign between them as several."""
        codes = known_codes(tokens, self.codes)
        if len({code.sku for code in codes}) > 1:
            edges = [code.first for code in codes[1:]]
            return [
                list(tokens[start:end])
                for start, end in zip([0, *edges], [*edges, len(tokens)], strict=True)
            ]
        numbers = [one for one in self._numbers(tokens) if one.kind not in (SIZE, OTHER, NAME)]
        counted = [one for one in numbers if one.is_marked]
        return self.parts(tokens, counted) if len(counted) > 1 else []

    def parts(self, tokens: Sequence[Token], counted: Sequence[Number]) -> list[list[Token]]:
        """Return tokens parted so that each part has one of the quantities and a name; empty where
        they do not.
        """
        leads = any(map(self._names, tokens[counted[-1].last :])) and not any(
            map(self._names, tokens[: counted[0].first])
        )
        edges = (
            [one.first for one in counted[1:]]
            if leads
            else [_behind(tokens, one) for one in counted[:-1]]
        )
        parts = [
            list(tokens[start:end])
            for start, end in zip([0, *edges], [*edges, len(tokens)], strict=True)
        ]
        return parts if all(any(self._names(token) for token in part) for part in parts) else []

    def split(self, clause: Clause) -> list[Clause]:
        """Return a clause as several, by its plain numbers, if each part has a name and
        a number.
        """
        tokens = clause.tokens
        numbers = [
            one
            for one in self._numbers(tokens)
            if one.kind not in (SIZE, OTHER, NAME) and one.value > 0
        ]
        parts = self.parts(tokens, numbers) if len(numbers) > 1 else []
        return [self._read(part, part, clause.row, clause.ended_by, False) for part in parts]

    def _names(self, token: Token) -> bool:
        return (
            is_name(token.word)
            and token.word not in PIECES
            and any(map(_is_strong, self.catalogue.terms(token.word)))
        )

    def _numbers(self, tokens: Sequence[Token]) -> list[Number]:
        names = frozenset(token.word for token in tokens if stem(token.word) in self.catalogue.at)
        return numbers_of(tokens, names=names)

    def _read(
        self,
        tokens: Sequence[Token],
        inner: Sequence[Token],
        row: int,
        ended_by: str,
        is_last_time: bool,
    ) -> Clause:
        """Return a clause with the codes, numbers, units and words of its inner tokens."""
        code = self._code(inner)
        clause = Clause(
            tokens, row, sku=code.sku, code=code.own, ended_by=ended_by, is_last_time=is_last_time
        )
        clause.is_all = _asks_for_all(inner)
        rest = [*inner[: code.first], *inner[code.last :]]
        numbers = self._numbers(rest)
        self._take_numbers(clause, rest, numbers)
        self._take_words(clause, rest, numbers)
        self._take_sets(clause)
        clause.is_doubtful |= ended_by == "?"
        clause.is_denied &= not _is_reason(clause, inner)
        if clause.is_all:
            clause.terms = [term for term in clause.terms if term.written not in SHADES]
        return clause

    def _code(self, tokens: Sequence[Token]) -> Code:
        """Return the first code that is known, else what looks like one of the company's own."""
        return next(iter(known_codes(tokens, self.codes)), None) or own_code(tokens)

    def _take_numbers(
        self, clause: Clause, tokens: Sequence[Token], numbers: Sequence[Number]
    ) -> None:
        """Keep a clause's sizes and the numbers that may be its quantity; a factor that nobody
        sells is doubtful.
        """
        factors = [one for one in numbers if _after_spf(one, tokens)]
        clause.is_doubtful = any(bare(one.written) not in self.catalogue.numbers for one in factors)
        clause.sizes = [(one.written, one.unit) for one in numbers if one.kind == SIZE]
        clause.numbers = [
            one for one in numbers
            if one.kind not in (SIZE, OTHER) and (one not in factors or clause.is_doubtful)
        ]  # fmt: skip

    def _take_words(
        self, clause: Clause, tokens: Sequence[Token], numbers: Sequence[Number]
    ) -> None:
        """Read the words beside the numbers."""
        counted = [one for one in clause.numbers if one.kind != NAME]
        inside = {place for number in numbers for place in range(number.first, number.last)}
        for place, token in enumerate(tokens):
            clause.is_doubtful |= token.word == "~" and _is_beside_number(tokens, place)
            if place not in inside:
                self._take_word(clause, token.word, at_edge=_is_at_edge(tokens, place, counted))

    def _take_word(self, clause: Clause, word: str, *, at_edge: bool) -> None:
        """Read a word: what the catalogue has is a name, whatever else it means."""
        is_known = stem(word) in self.catalogue.at
        if word in ALL:
            return
        if not is_known and _denies(word):
            clause.is_denied = True
        elif not is_known and word in DOUBTS:
            clause.is_doubtful = True
        elif is_known or word not in COUNTING:
            self._take_name(clause, word, at_edge=at_edge)

    def _take_name(self, clause: Clause, word: str, *, at_edge: bool) -> None:
        """Keep what a word may name; what nobody sells is talk where it stands before or behind
        what is counted.
        """
        if not is_name(word) or stem(word) in NOISE:
            return
        terms = self.catalogue.terms(word)
        named = [term for term in terms if _is_strong(term)]
        clause.is_talk |= len(named) < len(terms)
        clause.terms += named if at_edge else terms

    def _take_sets(self, clause: Clause) -> None:
        """Keep the word of what is counted in sets: the name of the product has it."""
        if "set" in self.catalogue.at:
            clause.terms += [
                Term(number.unit, {"set": 100.0}) for number in clause.numbers if number.is_of_sets
            ]


def _asking_again(text: str) -> list[Span]:
    """Return where a text asks for the last order; “as usual” means it only where nothing else
    does.
    """
    return [found.span() for found in AGAIN.finditer(text)] or [
        found.span() for found in USUAL.finditer(text)
    ]


def _tokens_of_row(row: str, place: int) -> list[Token]:
    """Return the tokens of a row by their places in the text, without its number in a list."""
    skipped = found.end() if (found := ORDINAL.match(row)) else 0
    start = place + skipped
    return [
        Token(token.start + start, token.end + start, token.word)
        for token in tokens_of(row[skipped:])
    ]


def _cut(tokens: Sequence[Token], repeats: Sequence[Span]) -> Iterator[tuple[list[Token], str]]:
    """Yield the tokens between two stops, and the stop; what asks for the last order
    stays whole.
    """
    part: list[Token] = []
    for place, token in enumerate(tokens):
        if _is_within(token, repeats) or not _stops(tokens, place):
            part.append(token)
        elif part:
            yield part, token.word
            part = []
    if part:
        yield part, "\n"


def _touches(part: Sequence[Token], spans: Sequence[Span]) -> bool:
    return any(start < part[-1].end and part[0].start < end for start, end in spans)


def _is_within(token: Token, spans: Sequence[Span]) -> bool:
    return any(start <= token.start < end for start, end in spans)


def _stops(tokens: Sequence[Token], place: int) -> bool:
    """Return whether a token ends a clause; a full stop behind an abbreviation and a sign within a
    code do not.
    """
    word = tokens[place].word
    if word in ("+", "/"):
        return place > 0 and tokens[place - 1].end < tokens[place].start
    if word == ":":
        return _is_before_word(tokens, place)
    if word == ".":
        return _is_full_stop(tokens, place)
    return word in STOPS or word in JOINS


def _is_before_word(tokens: Sequence[Token], place: int) -> bool:
    """Return whether something other than a number follows."""
    after = tokens[place + 1] if place + 1 < len(tokens) else None
    return after is not None and not after.is_number and after.word not in SPELLED


def _is_full_stop(tokens: Sequence[Token], place: int) -> bool:
    """Return whether a point ends a sentence: nothing is glued to it, and it ends no abbreviation
    of a unit.
    """
    if place + 1 < len(tokens) and tokens[place + 1].start == tokens[place].end:
        return False
    return place == 0 or tokens[place - 1].word not in PIECES | PACKS


def _asks_for_all(tokens: Sequence[Token]) -> bool:
    """Return whether words ask for each of several products."""
    words = [token.word for token in tokens]
    return not ALL.isdisjoint(words) or OF_EACH.search(" ".join(words)) is not None


def _denies(word: str) -> bool:
    return word in DENIALS or word.startswith(DENYING)


def _is_at_edge(tokens: Sequence[Token], place: int, counted: Sequence[Number]) -> bool:
    """Return whether a place is behind all quantities, or before a first one that stands before
    what it counts.
    """
    if not counted:
        return False
    return place >= counted[-1].last or (place < counted[0].first and _leads(tokens, counted[0]))


def _is_about_papers(row: str, place: int) -> bool:
    """Return whether the part of a row around a place is about invoices, parcels or prices rather
    than products.
    """
    start = max(row.rfind(sign, 0, place) for sign in PARTS_OF_ROW) + 1
    ends = [end for sign in PARTS_OF_ROW if (end := row.find(sign, place)) >= 0]
    is_usual = USUAL.match(row, place) is not None  # “, as usual” belongs to what stands before it
    return bool(
        ABOUT_PAPERS.search(row if is_usual else row[max(start, 0) : min(ends, default=len(row))])
    )


def _is_reason(clause: Clause, tokens: Sequence[Token]) -> bool:
    """Return whether a clause says why something is denied rather than what: “it is not
    selling”.
    """
    is_named = any(points >= TRANSLATED for term in clause.terms for points in term.meant.values())
    return not is_named and NOT_SOLD.search(" ".join(token.word for token in tokens)) is not None


def _is_beside_number(tokens: Sequence[Token], place: int) -> bool:
    """Return whether a number stands right before or behind a sign: “~40”, “20~30”; “hello~” has
    none.
    """
    return any(token.is_number for token in tokens[max(place - 1, 0) : place + 2])


def _is_strong(term: Term) -> bool:
    return max(term.meant.values(), default=0) >= LEAST_ALIKE


def _leads(tokens: Sequence[Token], number: Number) -> bool:
    """Return whether a number stands before what it counts."""
    return any(is_name(token.word) and token.word not in NOISE for token in tokens[number.last :])


def _behind(tokens: Sequence[Token], number: Number) -> int:
    """Return the place behind a number, and behind the bracket that it ends."""
    return number.last + (number.last < len(tokens) and tokens[number.last].word == ")")


def _after_spf(number: Number, tokens: Sequence[Token]) -> bool:
    return number.first > 0 and tokens[number.first - 1].word in ("spf", "сзф", "pa")

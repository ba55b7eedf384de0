"""A message cut into clauses: what stands between two commas, full stops, line ends or an `and`. Pure functions."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from apps.catalog.reading import vocabulary
from apps.catalog.reading.candidates import LEAST_ALIKE, NOISE, Catalogue, Term, bare, is_name
from apps.catalog.reading.quantities import (
    EACH,
    HEDGES,
    NAME,
    OTHER,
    PACK,
    PACKS,
    PIECES,
    SIZE,
    SPELLED,
    Number,
    numbers_of,
)
from apps.catalog.reading.words import Token, fold, stem, tokens_of
from apps.catalog.rules import EAN_LENGTHS

STOPS = frozenset(",;!?|•、，。；…\n")
JOINS = frozenset(fold(word) for word in vocabulary.JOINS.split())
DENIALS = frozenset(fold(word) for word in vocabulary.DENIALS.split())
ALL, SHADES = frozenset(vocabulary.ALL.split()), frozenset(vocabulary.SHADES.split())
OF_EACH = re.compile(vocabulary.OF_EACH)
ASKS = frozenset(fold(word) for word in f"{vocabulary.ASKS} {vocabulary.PAST}".split())
CORRECTIONS = re.compile(vocabulary.CORRECTIONS, re.IGNORECASE)
AGAIN = re.compile("|".join(f"(?:{phrase})" for phrase in vocabulary.ORDER_AGAIN), re.IGNORECASE)
USUAL = re.compile("|".join(f"(?:{phrase})" for phrase in vocabulary.AS_USUAL), re.IGNORECASE)
ABOUT_PAPERS = re.compile(vocabulary.ABOUT_PAPERS, re.IGNORECASE)
QUOTED = re.compile(vocabulary.QUOTED, re.IGNORECASE)
ORDINAL = re.compile(r"\s*(?:[>•*–—-]\s*)*(\d{1,3}(?:[.)](?=\s)|\t(?=.*\t\s*\d+\s*$)))")
DENYING = ("빼", "제외")  # with any ending
PARTS_OF_ROW = ".,;!?"
LONGEST_CODE = 7  # tokens
FOREIGN_LETTERS = str.maketrans("авсенкмортхуі", "abcehkmoptxyi")  # that look like Latin ones
OWN_CODE = re.compile(r"[^\W\d_]{1,5}-[^\W_]*\d[^\W_]*")
SHORT_CODE = re.compile(r"[a-z]{1,3}\d{2,5}")
NO_CODES = frozenset(("x", "spf", "pa", "no", "n", "po", "pi", "nr", "usd"))


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
    """Cuts messages into clauses, with the words of one catalogue and the codes that certainly mean a SKU."""

    def __init__(self, catalogue: Catalogue, codes: Mapping[str, str]) -> None:
        """Keep what clauses are read with."""
        self.catalogue, self.codes = catalogue, codes

    def clauses(self, text: str) -> Iterator[Clause]:
        """Yield the clauses of a message with what is read in each; a blank row yields an empty one."""
        place, is_quoted = 0, False
        again = [found.span() for found in AGAIN.finditer(text)] or [found.span() for found in USUAL.finditer(text)]
        for number, row in enumerate(text.split("\n"), 1):
            is_quoted = bool(QUOTED.search(row)) or (is_quoted and row.lstrip().startswith(">"))
            if not is_quoted:
                repeats = [span for span in again if span[0] >= place and not _is_about_papers(row, span[0] - place)]
                yield from self._of_row(row, place, number, repeats)
            place += len(row) + 1

    def _of_row(self, row: str, place: int, number: int, repeats: Sequence[tuple[int, int]]) -> Iterator[Clause]:
        skipped = found.end() if (found := ORDINAL.match(row)) else 0
        tokens = [
            Token(token.start + skipped + place, token.end + skipped + place, token.word)
            for token in tokens_of(row[skipped:])
        ]
        if not tokens:
            yield Clause([], number)
        for part, ended_by in self._cut(tokens, repeats):
            first, last = part[0].start, part[-1].end
            is_last_time = any(start < last and first < end for start, end in repeats)
            outside = [token for token in part if not any(start <= token.start < end for start, end in repeats)]
            for some in self._parted(outside) or [outside]:
                yield self._read(part if is_last_time else some or part, some, number, ended_by, is_last_time)
                is_last_time = False

    def _cut(self, tokens: Sequence[Token], repeats: Sequence[tuple[int, int]]) -> Iterator[tuple[list[Token], str]]:
        """Yield the tokens between two stops, and the stop."""
        part: list[Token] = []
        for place, token in enumerate(tokens):
            inside = any(start <= token.start < end for start, end in repeats)
            if inside or not self._stops(tokens, place):
                part.append(token)
            elif part:
                yield part, token.word
                part = []
        if part:
            yield part, "\n"

    def _stops(self, tokens: Sequence[Token], place: int) -> bool:
        """Return whether a token ends a clause; a full stop behind an abbreviation and a sign within a code do not."""
        word = tokens[place].word
        before = tokens[place - 1] if place else None
        after = tokens[place + 1] if place + 1 < len(tokens) else None
        if word in JOINS:
            return True
        if word == "+":
            return before is not None and before.end < tokens[place].start
        if word == ":":
            return after is not None and not after.is_number and after.word not in SPELLED
        if word == ".":
            glued = after is not None and after.start == tokens[place].end
            short = before is not None and before.word in (PIECES | PACKS)
            return not glued and not short
        if word == "/":
            return before is not None and before.end < tokens[place].start
        return word in STOPS

    def _parted(self, tokens: Sequence[Token]) -> list[list[Token]]:
        """Return a clause of several marked quantities without a sign between them as several."""
        codes = self._known_codes(tokens)
        if len({sku for _, _, sku in codes}) > 1:
            edges = [first for first, _, _ in codes[1:]]
            return [list(tokens[start:end]) for start, end in zip([0, *edges], [*edges, len(tokens)], strict=True)]
        numbers = [one for one in self._numbers(tokens) if one.kind not in (SIZE, OTHER, NAME)]
        counted = [one for one in numbers if one.is_marked]
        return self.parts(tokens, counted) if len(counted) > 1 else []

    def parts(self, tokens: Sequence[Token], counted: Sequence[Number]) -> list[list[Token]]:
        """Return tokens parted so that each part has one of the quantities and a name; empty where they do not."""
        leads = any(map(self._names, tokens[counted[-1].last :])) and not any(
            map(self._names, tokens[: counted[0].first])
        )
        edges = [one.first for one in counted[1:]] if leads else [_behind(tokens, one) for one in counted[:-1]]
        parts = [list(tokens[start:end]) for start, end in zip([0, *edges], [*edges, len(tokens)], strict=True)]
        return parts if all(any(self._names(token) for token in part) for part in parts) else []

    def split(self, clause: Clause) -> list[Clause]:
        """Return a clause as several, by its plain numbers, if each part has a name and a number."""
        tokens = clause.tokens
        numbers = [one for one in self._numbers(tokens) if one.kind not in (SIZE, OTHER, NAME) and one.value > 0]
        parts = self.parts(tokens, numbers) if len(numbers) > 1 else []
        return [self._read(part, part, clause.row, clause.ended_by, False) for part in parts]

    def _names(self, token: Token) -> bool:
        return (
            is_name(token.word) and token.word not in PIECES and any(map(_is_strong, self.catalogue.terms(token.word)))
        )

    def _numbers(self, tokens: Sequence[Token]) -> list[Number]:
        names = frozenset(token.word for token in tokens if stem(token.word) in self.catalogue.at)
        return numbers_of(tokens, names=names)

    def _read(
        self, tokens: Sequence[Token], inner: Sequence[Token], row: int, ended_by: str, is_last_time: bool
    ) -> Clause:
        """Return a clause with the codes, numbers, units and words of its inner tokens."""
        clause = Clause(tokens, row, ended_by=ended_by, is_last_time=is_last_time)
        written = " ".join(token.word for token in inner)
        clause.is_all = bool(OF_EACH.search(written)) or any(token.word in ALL for token in inner)
        taken = self._codes(clause, inner)
        rest = [token for place, token in enumerate(inner) if place not in taken]
        numbers = self._numbers(rest)
        inside = {place for number in numbers for place in range(number.first, number.last)}
        clause.sizes = [(one.written, one.unit) for one in numbers if one.kind == SIZE]
        after_spf = [one for one in numbers if _after_spf(one, rest)]
        clause.is_doubtful = any(bare(one.written) not in self.catalogue.numbers for one in after_spf)
        clause.numbers = [
            one for one in numbers
            if one.kind not in (SIZE, OTHER) and (one not in after_spf or clause.is_doubtful)
        ]  # fmt: skip
        counted = [one for one in clause.numbers if one.kind != NAME]
        for place, token in enumerate(rest):
            if place not in inside:
                at_edge = bool(counted) and (
                    (place < counted[0].first and counted[0].first > 0 and _leads(rest, counted[0]))
                    or place >= counted[-1].last
                )
                self._read_word(clause, token, at_edge=at_edge)
        # A set is counted in sets: the name of the product has the word.
        for number in clause.numbers:
            if number.kind == PACK and number.unit.startswith(("set", "세트")) and "set" in self.catalogue.at:
                clause.terms.append(Term(number.unit, {"set": 100.0}))
        clause.is_doubtful |= ended_by == "?"
        if clause.is_all:
            clause.terms = [term for term in clause.terms if term.written not in SHADES]
        return clause

    def _read_word(self, clause: Clause, token: Token, *, at_edge: bool) -> None:
        word = token.word
        if word in ALL:
            return
        known = stem(word) in self.catalogue.at
        if (word in DENIALS or word.startswith(DENYING)) and not known:
            clause.is_denied = True
        elif not known and (word in HEDGES or word in ASKS or word == "~"):
            clause.is_doubtful = True
        elif not known and (word in EACH or word in PIECES or word in SPELLED):
            return
        elif is_name(word) and stem(word) not in NOISE:
            terms = self.catalogue.terms(word)
            # What nobody sells is talk where it stands before or behind what is counted.
            named = [term for term in terms if _is_strong(term)]
            clause.is_talk |= len(named) < len(terms)
            clause.terms += named if at_edge else terms

    def _codes(self, clause: Clause, tokens: Sequence[Token]) -> set[int]:
        """Find the longest run of tokens that is a code; return their places."""
        for first, last, sku in self._known_codes(tokens):
            clause.sku = sku
            return set(range(first, last))
        return self._own_code(clause, tokens)

    def _known_codes(self, tokens: Sequence[Token]) -> list[tuple[int, int, str]]:
        """Return the codes among tokens, each as long as it can be: from where, to where, and its SKU."""
        found, first = [], 0
        while first < len(tokens):
            sizes = range(min(LONGEST_CODE, len(tokens) - first), 0, -1)
            runs = (("".join(token.word for token in tokens[first : first + size]), size) for size in sizes)
            known = next(((self.codes[key], size) for run, size in runs if (key := code_key(run)) in self.codes), None)
            if known and tokens[first].word[:1].isalnum():
                found.append((first, first + known[1], known[0]))
            first += known[1] if known else 1
        return found

    def _own_code(self, clause: Clause, tokens: Sequence[Token]) -> set[int]:
        """Find what looks like a code of the company's own, HB-101, or A11 where a clause begins with it."""
        for first in range(len(tokens)):
            last = first + 1
            while last < len(tokens) and tokens[last - 1].end == tokens[last].start:
                last += 1
            together = "".join(token.word for token in tokens[first:last])
            if together.isdigit() and len(together) in EAN_LENGTHS and not first:
                clause.code = together
                return set(range(first, last))
            is_short = not first and tokens[0].word not in NO_CODES and SHORT_CODE.fullmatch(together)
            if OWN_CODE.fullmatch(together) or is_short:
                clause.code = together.upper()
                return set(range(first, last))
        return set()


def _is_about_papers(row: str, place: int) -> bool:
    """Return whether the part of a row around a place is about invoices, parcels or prices rather than products."""
    start = max(row.rfind(sign, 0, place) for sign in PARTS_OF_ROW) + 1
    ends = [end for sign in PARTS_OF_ROW if (end := row.find(sign, place)) >= 0]
    is_usual = USUAL.match(row, place) is not None  # “, as usual” belongs to what stands before it
    return bool(ABOUT_PAPERS.search(row if is_usual else row[max(start, 0) : min(ends, default=len(row))]))


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


def code_key(code: str) -> str:
    """Return a SKU, EAN or own code without signs between its letters and digits, in small Latin letters."""
    return "".join(sign for sign in fold(code).translate(FOREIGN_LETTERS) if sign.isalnum())

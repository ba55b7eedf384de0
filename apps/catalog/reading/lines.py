"""The lines that a message asks for: each with the words it came from, its product or a question.
Orders nothing.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import filterfalse

from rapidfuzz import fuzz, process

from apps.catalog.reading.candidates import (
    FORMS,
    HEARD_ALIKE,
    LEAST_ALIKE,
    NOISE,
    SHOWN,
    Candidate,
    Catalogue,
    Item,
    Phrase,
    Term,
    ahead,
    bare,
    has_number,
)
from apps.catalog.reading.clauses import CORRECTIONS, Clause, Cutter
from apps.catalog.reading.codes import BY_CODE, Codes, code_key, may_be_several
from apps.catalog.reading.joining import joined
from apps.catalog.reading.outcome import HOW_MANY, WHICH, Company, Reading, ReadLine, Suggested
from apps.catalog.reading.quantities import NAME, PACK, PIECE, PLAIN, Number, unit_of
from apps.catalog.reading.repeating import lines_again, products_denied
from apps.catalog.reading.words import stem, tokens_of

MOST_OF_ALL = 12


@dataclass
class _State:
    """What is remembered from clause to clause of a message."""

    is_repeat: bool
    lines: list[ReadLine] = field(default_factory=list)
    inherited: list[Term] = field(
        default_factory=list
    )  # words of the last product's own line, in one row
    header: list[Term] = field(default_factory=list)
    row: int = 0
    is_corrected: bool = False  # the message takes something back
    denied: set[str] = field(default_factory=set)  # products that it says it does not want
    instead: dict[str, int] = field(
        default_factory=dict
    )  # by SKU the pieces that it says in place of others
    unread: list[str] = field(default_factory=list)  # words beside a number that name no product


class Reader:
    """Reads messages of one company with one catalogue."""

    def __init__(self, catalogue: Catalogue, company: Company) -> None:
        """Prepare the codes and the company's own words."""
        self.catalogue, self.company = catalogue, company
        self.codes = Codes(catalogue.rows.values(), company.words)
        self.cutter = Cutter(catalogue, self.codes)
        self.items = {item.sku: item for item in catalogue.items}
        self.own = {
            own_key(code): sku for code, sku in company.words.items() if sku in catalogue.rows
        }
        self.called: dict[str, list[tuple[frozenset[str], str]]] = {}  # by the first of its words
        for key, sku in self.own.items():
            self.called.setdefault(key.partition(" ")[0], []).append((frozenset(key.split()), sku))
        self.settled = frozenset(self.own.values()) | frozenset(company.last_order)

    def read(self, text: str) -> Reading:
        """Return the lines of a message in their order, and its words beside a number of which none
        comes.
        """
        clauses = list(joined(self.cutter.clauses(text), self.catalogue))
        state = _State(is_repeat=any(clause.is_last_time for clause in clauses))
        for clause in clauses:
            self._follow(clause, clauses, text, state)
        state.lines = [line for line in state.lines if not _is_told_elsewhere(line, state)]
        lines = [
            replace(_settled(line, state), words=text[line.start : line.end].strip())
            for line in state.lines
        ]
        return Reading(lines, state.unread)

    def _follow(self, clause: Clause, clauses: Sequence[Clause], text: str, state: _State) -> None:
        """Add what a clause asks for to the lines so far."""
        if not clause.tokens:
            state.header = []
            return
        self._take_back(clause, text, state)
        if clause.is_last_time:
            state.lines += lines_again(
                clause, clauses, text, self.catalogue, self.company.last_order
            )
        if clause.is_denied:
            return
        if not clause.has_name:
            state.unread += _unread(clause, text)
            return
        if clause.row != state.row:
            state.row, state.inherited = clause.row, []
        for part in self._whole_or_split(clause, state):
            self._add(part, text, state)

    def _take_back(self, clause: Clause, text: str, state: _State) -> None:
        """Note which lines so far a clause corrects or denies."""
        if CORRECTIONS.search(text[clause.start : clause.end + 1]):
            state.is_corrected = clause.is_doubtful = True
            state.denied |= {line.sku for line in state.lines[-1:]}
            self._put_instead(clause, state)
        if state.is_corrected:
            state.denied |= self._touched(clause, state)
        if clause.is_denied and not clause.is_last_time and not state.is_repeat:
            state.denied |= products_denied(
                clause, self.catalogue, {line.sku for line in state.lines if line.sku}
            )

    @staticmethod
    def _put_instead(clause: Clause, state: _State) -> None:
        """Note the number that a correction says of the line before it: it is proposed in place of
        the former.
        """
        pieces = 0 if clause.has_name else _guess(clause.numbers)
        if pieces:
            state.instead |= {line.sku: pieces for line in state.lines[-1:]}

    def _add(self, part: Clause, text: str, state: _State) -> None:
        line = self._line(part, text, state)
        if line is None:
            state.header = part.terms if _is_header(part) else state.header
            state.unread += _unread(part, text)
            return
        if line.sku:
            state.lines = [
                one for one in state.lines if not (one.is_repeated and one.sku == line.sku)
            ]
        state.lines += self._each(line, part) if part.is_all and line.question == WHICH else [line]
        state.inherited = self._own_line(line) or state.inherited

    def _each(self, line: ReadLine, clause: Clause) -> list[ReadLine]:
        """Return a line as one for each product that has all its words, where it asks for all of
        them; or itself.
        """
        found = [
            one.item.sku for one in self.catalogue.candidates(Phrase(clause.terms)) if one.is_whole
        ]
        if not 1 < len(found) <= MOST_OF_ALL:
            return [line]
        shared = frozenset.intersection(*(self.items[sku].name for sku in found))
        is_plain = line.pieces > 0 and len(shared - FORMS) > 1 and not clause.is_doubtful
        question, why = (
            ("", "") if is_plain else (HOW_MANY, "All of them are asked for: is this one meant?")
        )
        line = replace(line, question=question, why=why, guess=line.pieces or line.guess)
        return [
            replace(line, sku=sku, suggested=(Suggested(sku, "all words agree"),)) for sku in found
        ]

    def _whole_or_split(self, clause: Clause, state: _State) -> list[Clause]:
        counted = [number for number in clause.numbers if number.kind != NAME]
        if len(counted) < 2 or clause.sku or self._meant(clause, state)[1]:
            return [clause]
        parts = self.cutter.split(clause) or [clause]
        for part in parts:
            part.is_doubtful |= clause.is_doubtful
        return parts

    def _own_line(self, line: ReadLine) -> list[Term]:
        """Return the words of a product's own line, which a list names once: Golden Rice cream,
        ampoule, toner.
        """
        if not line.sku:
            return []
        item = self.items[line.sku]
        return [Term(word, {word: 100.0}) for word in sorted(item.name - FORMS)]

    def _touched(self, clause: Clause, state: _State) -> set[str]:
        """Return the products so far that a clause behind a correction names a word of."""
        named = {
            word
            for term in clause.terms
            for word, points in term.meant.items()
            if points >= LEAST_ALIKE
        }
        return {line.sku for line in state.lines if line.sku and named & self.items[line.sku].name}

    def _line(self, clause: Clause, text: str, state: _State) -> ReadLine | None:
        """Return what a clause asks for; None where it names nothing."""
        name = self._name(clause, text)
        if own := self._own(clause, name):
            return self._counted(clause, name, own.sku, self._counts(clause, own.sku), (own,))
        if several := sorted(self.codes.meant(clause.code)):
            return self._several(clause, name, several)
        found, one, counts = self._meant(clause, state)
        if not found:
            return self._unknown(clause, name)
        if one is None and not _is_worth(found[0], clause):
            return None
        suggested = tuple(_suggested(candidate, self.company) for candidate in found[:SHOWN])
        if one is None or clause.code:
            return self._asked(clause, name, counts, suggested[:1] if one else suggested)
        return self._counted(clause, name, one.item.sku, counts, suggested)

    def _asked(
        self, clause: Clause, name: str, counts: Sequence[Number], suggested: tuple[Suggested, ...]
    ) -> ReadLine:
        """Return a line that asks which product is meant."""
        pieces, _ = self._pieces(clause, counts, None)
        why = (
            f"{clause.code} is not known yet: which product is it?"
            if clause.code
            else "Which product is meant?"
        )
        packs, unit = _packs(clause, counts)
        return ReadLine(
            clause.start, clause.end, clause.row, name, "", pieces, suggested, WHICH, why,
            guess=pieces or _guess(counts), code=clause.code, packs=packs, unit=unit,
        )  # fmt: skip

    def _several(self, clause: Clause, name: str, skus: Sequence[str]) -> ReadLine:
        """Return a line that asks which of several products a code means."""
        suggested = tuple(Suggested(sku, BY_CODE) for sku in skus[:SHOWN])
        line = self._asked(
            clause, name, [one for one in clause.numbers if one.kind != NAME], suggested
        )
        return replace(line, why=may_be_several(clause.code, skus))

    def _own(self, clause: Clause, name: str) -> Suggested | None:
        """Return the product of a code, or the one that the company calls so: no word that many
        products have.
        """
        if clause.sku:
            return Suggested(clause.sku, "its SKU or EAN")
        sku = self.own.get(own_key(name), "")
        many = len(clause.terms) == 1 and sum(
            one.is_whole for one in self.catalogue.candidates(Phrase(clause.terms))
        )
        return Suggested(sku, "what you call it") if sku and many <= 2 else None

    def _called(self, clause: Clause) -> frozenset[str]:
        """Return the products that the company calls by some of a clause's words."""
        written = {stem(term.written) for term in clause.terms}
        called = (one for word in written for one in self.called.get(word, ()))
        return frozenset(sku for words, sku in called if words <= written)

    def _unknown(self, clause: Clause, name: str) -> ReadLine | None:
        """Return a line for what means nothing yet: a code, with the SKUs that are nearly the same,
        or words.
        """
        counts = [one for one in clause.numbers if one.kind != NAME]
        if not counts or not (clause.code or any(map(_is_marked, counts))):
            return None
        key = code_key(clause.code)
        keys = self.codes.by_key
        near = (
            process.extract(key, keys.keys(), scorer=fuzz.ratio, score_cutoff=85, limit=SHOWN)
            if key
            else []
        )
        suggested = tuple(
            Suggested(sku, "nearly this SKU") for found, _, _ in near for sku in sorted(keys[found])
        )
        pieces, _ = self._pieces(clause, counts, None)
        why = (
            f"{clause.code} is not known: which product is it?"
            if key
            else "Which product is meant?"
        )
        return ReadLine(
            clause.start,
            clause.end,
            clause.row,
            name,
            "",
            pieces,
            suggested,
            WHICH,
            why,
            pieces,
            clause.code,
        )

    def _counted(
        self,
        clause: Clause,
        name: str,
        sku: str,
        counts: Sequence[Number],
        suggested: tuple[Suggested, ...],
    ) -> ReadLine | None:
        pieces, why = self._pieces(clause, counts, self.items[sku])
        if not pieces and clause.is_last_time and sku in self.company.last_order:
            pieces, why = self.company.last_order[sku], ""
        if not counts and (clause.ended_by == "?" or clause.ended_by == ":"):
            return None
        packs, unit = _packs(clause, counts)
        return ReadLine(
            clause.start, clause.end, clause.row, name, sku, pieces, suggested, HOW_MANY if why else "", why,
            guess=_guess(counts), is_packed=any(map(_is_packed, counts)) and why != "",
            is_counted=bool(counts), packs=packs, unit=unit,
        )  # fmt: skip

    def _counts(self, clause: Clause, sku: str) -> list[Number]:
        """Return which numbers beside a code are its quantity: those that its name does
        not have.
        """
        counts = [number for number in clause.numbers if number.kind != NAME]
        if len(counts) > 1:
            counts = [
                number for number in counts if not has_number(self.items[sku], number.written)
            ]
        return counts or clause.numbers

    def _meant(
        self, clause: Clause, state: _State
    ) -> tuple[list[Candidate], Candidate | None, list[Number]]:
        """Return the candidates of a clause, the one that is ahead, and the numbers that are its
        quantity.
        """
        known = self._called(clause) | (
            self.company.last_order.keys() if state.is_repeat else frozenset()
        )
        first: tuple[list[Candidate], Candidate | None, list[Number]] | None = None
        for more in _words_above(clause, state):
            for attributes, counts in _readings(clause.numbers):
                phrase = Phrase(
                    [*more, *clause.terms], clause.sizes, [one.written for one in attributes]
                )
                found = self.catalogue.candidates(phrase)
                if one := ahead(found, phrase, known=known, settled=self.settled):
                    return found, one, counts
                first = first or (found, None, counts)
        return first or ([], None, [])

    def _pieces(
        self, clause: Clause, counts: Sequence[Number], item: Item | None
    ) -> tuple[int, str]:
        """Return how many pieces a clause asks for, or why that has to be asked."""
        if not counts:
            return 0, "How many pieces?"
        if len(counts) > 1:
            return 0, "There are several numbers: how many pieces?"
        (number,) = counts
        why = _why_unclear(clause, number) or (_why_of_name(clause, number, item) if item else "")
        return (0, why) if why else (number.value, "")

    def _name(self, clause: Clause, text: str) -> str:
        """Return the words of a clause that name the product, as they are written."""
        inside = _name_tokens(clause)
        return text[inside[0].start : inside[-1].end] if inside else text[clause.start : clause.end]


def _words_above(clause: Clause, state: _State) -> list[list[Term]]:
    """Return the words that may go before a clause's own: none, those of its row's product, those
    of the heading.
    """
    is_kind = bool(clause.terms) and all(FORMS & set(term.meant) for term in clause.terms)
    return [[], *filter(None, (state.inherited if is_kind else [], state.header))]


def _why_unclear(clause: Clause, number: Number) -> str:
    """Return why a number may not be the pieces that a clause asks for; empty where it is."""
    if number.value <= 0:
        return f"“{number.written}” is no number of pieces."
    if _is_packed(number):
        return f"How many pieces are in {number.value:,} {number.unit}?"
    return "The quantity is not plain: how many pieces?" if clause.is_doubtful else ""


def _why_of_name(clause: Clause, number: Number, item: Item) -> str:
    """Return why a number may belong to a product's name rather than be a quantity; empty where it
    does not.
    """
    if number.is_times:
        return ""
    if len(clause.numbers) == 1:
        may_be_name = number.kind in (PLAIN, PIECE) and bare(number.written) in item.numbers
        return f"“{number.written}” may belong to the name: how many pieces?" if may_be_name else ""
    if number.kind == PLAIN and all(has_number(item, one.written) for one in clause.numbers):
        return "All numbers belong to the name: how many pieces?"
    return ""


def _name_tokens(clause: Clause) -> list:
    written = {term.written for term in clause.terms}
    places = [
        place for place, token in enumerate(clause.tokens)
        if token.word in written or (any(token.word.startswith(one) for one in written) and not token.is_number)
    ]  # fmt: skip
    return list(clause.tokens[places[0] : places[-1] + 1]) if places else []


@lru_cache(maxsize=20_000)
def own_key(words: str) -> str:
    """Return what a company calls a product, so that its forms are one."""
    tokens = [token for token in tokens_of(words) if token.word.isalnum()]
    return " ".join(stem(token.word) for token in tokens if token.word not in NOISE) or words


def _readings(numbers: Sequence[Number]) -> Iterator[tuple[list[Number], list[Number]]]:
    """Yield how numbers may be parted into those of the name and the quantity, the
    likeliest first.
    """
    counts = list(filter(_may_count, numbers))
    for count in [*filter(_is_marked, counts[::-1]), *filterfalse(_is_marked, counts[::-1])]:
        yield [number for number in numbers if number is not count], [count]
    if len(counts) > 1:
        yield [number for number in numbers if number.kind == NAME], counts
    elif not counts:
        yield list(numbers), []


def _may_count(number: Number) -> bool:
    return number.kind != NAME and number.value > 0 and not number.written.startswith("0")


def _is_marked(number: Number) -> bool:
    return number.is_marked


def _is_packed(number: Number) -> bool:
    """Return whether a number is one of cartons, which holds nobody knows how many pieces."""
    return number.kind == PACK and not number.is_of_sets


def _packs(clause: Clause, counts: Sequence[Number]) -> tuple[int, str]:
    """Return the cartons that a clause asks for and what they are called, where only their pieces
    are not known.
    """
    is_plain = (
        len(counts) == 1
        and _is_packed(counts[0])
        and counts[0].value > 0
        and not clause.is_doubtful
    )
    return (counts[0].value, unit_of(counts[0].unit)) if is_plain else (0, "")


def _settled(line: ReadLine, state: _State) -> ReadLine:
    """Return a line; a question where the message names its product again, or takes something like
    it back.
    """
    why = _why_not_settled(line, state) if line.is_sure or line.packs else ""
    if not why:
        return line
    if line.packs:
        return replace(line, packs=0, unit="")  # it is a question, and stays one
    return replace(line, question=HOW_MANY, why=why, guess=state.instead.get(line.sku, line.pieces))


def _why_not_settled(line: ReadLine, state: _State) -> str:
    """Return why the pieces of a line are asked after all; empty where they are not."""
    others = {(one.pieces, one.packs) for one in state.lines if one.sku and one.sku == line.sku}
    if len(others) > 1:
        return "It is named more than once: how many pieces?"
    if line.sku in state.denied or (line.is_repeated and _is_asked_about(line.sku, state)):
        return "The message corrects itself: how many pieces?"
    return ""


def _is_told_elsewhere(line: ReadLine, state: _State) -> bool:
    """Return whether a line has no number, and another one says how many: “the salt is the pink
    one: salt 40”.
    """
    has_none = line.sku and line.question == HOW_MANY and not line.is_counted
    return bool(has_none) and any(one.sku == line.sku and one.is_counted for one in state.lines)


def _is_asked_about(sku: str, state: _State) -> bool:
    """Return whether a product is proposed where the message does not say which it means."""
    return any(sku == one.sku for line in state.lines if not line.sku for one in line.suggested)


def _guess(counts: Sequence[Number]) -> int:
    """Return the one number of pieces that may be meant; 0 where there is none, and of cartons."""
    return (
        counts[0].value
        if len(counts) == 1 and counts[0].kind in (PLAIN, PIECE) and counts[0].value > 0
        else 0
    )


def _is_header(clause: Clause) -> bool:
    return (
        not clause.numbers
        and bool(clause.terms)
        and not any(not term.meant for term in clause.terms)
    )


def _unread(clause: Clause, text: str) -> list[str]:
    """Return the words of a clause of which no line comes, where a number stands beside words that
    name nothing.
    """
    is_named = (clause.is_talk or clause.has_name) and not clause.is_last_time
    is_counted = is_named and any(one.kind != NAME for one in clause.numbers)
    return [text[clause.start : clause.end].rstrip(" .")] if is_counted else []


def _is_worth(best: Candidate, clause: Clause) -> bool:
    """Return whether what has a number names a product rather than talks: half of its words are one
    product's.
    """
    return (
        bool(clause.numbers)
        and best.worst >= HEARD_ALIKE
        and 2 * len(best.agreeing) >= len(clause.terms)
    )


def _suggested(candidate: Candidate, company: Company) -> Suggested:
    before = ", in your last order" if candidate.item.sku in company.last_order else ""
    return Suggested(candidate.item.sku, f"{candidate.why}{before}", candidate.agreeing)

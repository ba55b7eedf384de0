"""Which products of a catalogue some words may mean, the likeliest first, and whether one is
clearly ahead.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from operator import itemgetter
from typing import NamedTuple

from rapidfuzz import fuzz, process

from apps.catalog.reading import vocabulary
from apps.catalog.reading.quantities import SIZES
from apps.catalog.reading.words import HANGUL, fold, is_foreign, sound_of, stem, tokens_of

EXACT, TRANSLATED, BEGUN = 100.0, 97.0, 86.0
ALIKE, LEAST_ALIKE, HEARD_ALIKE = 80, 84, 74
SHORTEST_FUZZY, SHORTEST_BEGUN, LONGEST_BEGUN, SHORTEST_PART = 4, 3, 4, 3
AS_GOOD = 8.0  # points that a rival's worst word may lie below
SHOWN = 4
KEPT_ITEMS = 10_000  # 2 KB each; reading one anew takes ten times as long
NEARLY = 0.6  # of what the best product agrees in
MOST_LIKELY = 100  # products that are looked at for one name

NOISE = frozenset(stem(fold(word)) for word in vocabulary.NOISE.split()) | {
    fold(word) for word in vocabulary.NOISE.split()
}


def _trade() -> dict[str, set[str]]:
    meant: dict[str, set[str]] = {}
    for line in vocabulary.TRADE.strip().splitlines():
        english, _, forms = line.partition(":")
        for form in forms.split():
            meant.setdefault(stem(fold(form)), set()).add(stem(english))
            meant.setdefault(fold(form), set()).add(stem(english))
    return meant


TRADE = _trade()
FORMS = frozenset(
    stem(line.partition(":")[0]) for line in vocabulary.TRADE.strip().splitlines()
) - {stem(word) for word in vocabulary.NAMES.split()}
LONGEST_KOREAN = max(len(form) for form in TRADE if HANGUL.match(form))


class Row(NamedTuple):
    """A product of the catalogue as it is read."""

    sku: str
    eng_name: str
    brand: str
    ean: str | None


@dataclass(frozen=True)
class Item:
    """A product by what it may be called: words of its name and brand, sizes and other numbers."""

    sku: str
    name: frozenset[str]
    brand: frozenset[str]
    sizes: frozenset[tuple[str, str]]
    numbers: frozenset[str]


class Term(NamedTuple):
    """A word that somebody wrote, and which words of the catalogue it may mean, each with points up
    to 100.
    """

    written: str
    meant: Mapping[str, float]


@dataclass
class Phrase:
    """What somebody calls a product: words, sizes and numbers that are no quantity."""

    terms: list[Term] = field(default_factory=list)
    sizes: list[tuple[str, str]] = field(default_factory=list)
    numbers: list[str] = field(default_factory=list)


class Candidate(NamedTuple):
    """A product with how well a phrase fits: whether all of it does, its worst word, and words that
    it has besides.
    """

    item: Item
    is_whole: bool
    worst: float
    points: float
    in_name: int
    besides: int  # words of its name that make another kind of product of it: eye, hand, sun
    agreeing: tuple[str, ...]  # words of the product
    same_size: bool

    @property
    def why(self) -> str:
        """Return in words what of the phrase is the product's."""
        many = len(self.agreeing)
        size = " and the size" if self.same_size else ""
        return f"{many} word{'s' if many != 1 else ''}{size} agree{'s' if many == 1 and not size else ''}"


@lru_cache(maxsize=KEPT_ITEMS)
def item_of(row: Row) -> Item:
    """Return a product by what it may be called. A product that is called otherwise is
    another row.
    """
    words, sizes, numbers = set(), set(), set()
    tokens = list(tokens_of(row.eng_name))
    for place, token in enumerate(tokens):
        unit = SIZES.get(tokens[place + 1].word if place + 1 < len(tokens) else "", "")
        if token.is_number and unit:
            sizes.add((token.word, unit))
        elif token.is_number:
            numbers.add(bare(token.word))
        elif is_name(token.word):
            words.add(stem(token.word))
    return Item(
        row.sku, frozenset(words), _brand_words(row.brand), frozenset(sizes), frozenset(numbers)
    )


def _brand_words(name: str) -> frozenset[str]:
    """Return what a brand may be called: by its words, or two or three initials: Pebble Theory is
    PT.
    """
    parts = [token.word for token in tokens_of(name)]
    words = {stem(part) for part in parts if is_name(part)}
    if len(parts) in (2, 3):
        words.add("".join(part[0] for part in parts))
    return frozenset(words)


def is_name(word: str) -> bool:
    """Return whether a folded word may name something: letters, and neither a unit of size nor a
    common word.
    """
    return (
        (len(word) > 1 or HANGUL.match(word) is not None)
        and word[0].isalpha()
        and word not in SIZES
        and word not in NOISE
        and word != "pcs"
    )


def bare(number: str) -> str:
    """Return a number without zeros in front: shade 04 is shade 4."""
    number = number.replace(",", ".")
    return number.lstrip("0") if "." not in number else number


def words_meant(text: str) -> list[str]:
    """Return what the words of a text are called in catalogues, the longest first: those that name
    something.
    """
    words = {stem(token.word) for token in tokens_of(text) if is_name(token.word)}
    meant = words | {english for word in words for english in TRADE.get(word, ())}
    return sorted(
        (word for word in meant if len(word) >= SHORTEST_FUZZY), key=lambda word: (-len(word), word)
    )


class Catalogue:
    """The products that a buyer sees, ready to be looked up by words."""

    def __init__(self, rows: Iterable[Row]) -> None:
        """Read the products; the order of rows breaks ties."""
        self.rows = {row.sku: row for row in rows}
        self.items = [item_of(row) for row in self.rows.values()]
        self.at: dict[str, list[int]] = {}
        for index, item in enumerate(self.items):
            for word in item.name | item.brand:
                self.at.setdefault(word, []).append(index)
        self.numbers = frozenset().union(*(item.numbers for item in self.items))
        self.with_figure: dict[str, list[int]] = {}
        for index, item in enumerate(self.items):
            for figure in item.numbers.union(number for number, _ in item.sizes):
                self.with_figure.setdefault(figure, []).append(index)
        self.words = sorted(self.at)
        self.sounds = [sound_of(word) for word in self.words]
        self.meanings: dict[str, list[Term]] = {}
        self.found: dict[tuple[object, ...], list[Candidate]] = {}

    def terms(self, word: str) -> list[Term]:
        """Return a folded word as terms: one, or several where words are written together."""
        if word not in self.meanings:
            self.meanings[word] = self._terms(word)
        return self.meanings[word]

    def _terms(self, word: str) -> list[Term]:
        if meant := self.known(word):
            return [Term(word, meant)]
        parts = _korean_parts(word) if HANGUL.match(word) else self._two_words(word)
        if parts:
            return [
                Term(part, self.known(part))
                for part in parts
                if not TRADE.get(part, {part}) <= NOISE
            ]
        return [Term(word, self._alike(word))]

    def known(self, word: str) -> dict[str, float]:
        """Return what a folded word means exactly: itself, or its translations; empty for a word of
        no product.
        """
        short = stem(word)
        translated = TRADE.get(word, set()) | TRADE.get(short, set())
        meant = {english: TRANSLATED for english in sorted(translated) if english in self.at}
        return {**meant, short: EXACT} if short in self.at else meant

    def _two_words(self, word: str) -> list[str]:
        for cut in range(SHORTEST_PART, len(word) - SHORTEST_PART + 1):
            if stem(word[:cut]) in self.at and stem(word[cut:]) in self.at:
                return [word[:cut], word[cut:]]
        return []

    def _alike(self, word: str) -> dict[str, float]:
        short = stem(word)
        if is_foreign(word):
            return self._heard(short)
        begun = (
            [found for found in self.words if found.startswith(short)]
            if len(short) >= SHORTEST_BEGUN
            else []
        )
        if begun and len(short) <= LONGEST_BEGUN:
            return dict.fromkeys(begun, BEGUN)
        if len(short) < SHORTEST_FUZZY:
            return {}
        alike = process.extract(short, self.words, scorer=fuzz.ratio, score_cutoff=ALIKE, limit=3)
        if alike:
            return {found: points for found, points, _ in alike}
        return dict.fromkeys(begun, BEGUN)

    def _heard(self, word: str) -> dict[str, float]:
        """Return the words that sound nearly as one of another script."""
        heard = process.extract(
            sound_of(word), self.sounds, scorer=fuzz.ratio, score_cutoff=HEARD_ALIKE, limit=3
        )
        return {self.words[index]: points for _, points, index in heard}

    def candidates(self, phrase: Phrase) -> list[Candidate]:
        """Return the products that fit a phrase at all, the best first, and keep the answer:
        messages ask it again.
        """
        key = (
            tuple((term.written, *term.meant) for term in phrase.terms),
            tuple(phrase.sizes),
            tuple(phrase.numbers),
        )
        if key not in self.found:
            self.found[key] = self.fitting(phrase)
        return self.found[key]

    def fitting(self, phrase: Phrase) -> list[Candidate]:
        """Return the products that fit a phrase at all, the best first."""
        likely = [self.items[index] for index in self._likely(phrase)]
        found = [_candidate(item, _fit(item, phrase), phrase) for item in likely]
        best = max((candidate.points for candidate in found), default=0.0)
        near = [candidate for candidate in found if candidate.points >= best * NEARLY]
        return sorted(
            near, key=lambda one: (not one.is_whole, -one.points, one.besides, one.item.sku)
        )

    def _likely(self, phrase: Phrase) -> list[int]:
        """Return the indexes of the products that agree in nearly as many words of a phrase as any.

        What agrees in far fewer is not looked at: a common word is that of half the catalogue. Of
        very many, only those that have the phrase's figures too.
        """
        words: Counter[int] = Counter()
        for term in phrase.terms:
            words.update(set().union(*(self.at.get(word, ()) for word in term.meant)))
        most = max(words.values(), default=0)
        likely = [index for index, count in words.items() if count >= most * NEARLY]
        if len(likely) <= MOST_LIKELY:
            return likely
        figures = [*map(bare, phrase.numbers), *(number for number, _ in phrase.sizes)]
        told = set(likely).intersection(*(self.with_figure.get(figure, ()) for figure in figures))
        return sorted(told or likely)[:MOST_LIKELY]


def _fit(item: Item, phrase: Phrase) -> list[tuple[str, float]]:
    """Return for each term of a phrase that a product has its likest word, with points."""
    words = item.name | item.brand
    has = [[pair for pair in term.meant.items() if pair[0] in words] for term in phrase.terms]
    return [max(pairs, key=itemgetter(1)) for pairs in has if pairs]


def _candidate(item: Item, fit: Sequence[tuple[str, float]], phrase: Phrase) -> Candidate:
    agreeing = {word for word, _ in fit}
    same_size = item.sizes.issuperset(phrase.sizes)
    same_numbers = all(has_number(item, number) for number in phrase.numbers)
    whole = len(fit) == len(phrase.terms) and same_size and same_numbers
    points = (
        sum(points for _, points in fit)
        + 40.0 * (same_size and bool(phrase.sizes))
        + 40.0 * bool(same_numbers and phrase.numbers)
    )
    worst = min(points for _, points in fit)
    besides = len((item.name & FORMS) - agreeing)
    in_name = len(item.name & agreeing)
    return Candidate(
        item,
        whole,
        worst,
        points,
        in_name,
        besides,
        tuple(sorted(agreeing)),
        bool(phrase.sizes) and same_size,
    )


def has_number(item: Item, number: str) -> bool:
    """Return whether a number as it is written belongs to a product's name or size."""
    return bare(number) in item.numbers or any(size == number for size, _ in item.sizes)


def ahead(
    found: Sequence[Candidate],
    phrase: Phrase,
    *,
    known: Collection[str] = (),
    settled: Collection[str] = (),
) -> Candidate | None:
    """Return the product that is clearly meant: all words are its, and of no other that fits as
    well.

    Of several the one that the company means by such words (`known`); one word is enough for what
    it has asked for before (`settled`).
    """
    whole = [one for one in found if one.is_whole]
    one = _told_apart(_rivals(whole), known) if whole else None
    if one is None or not _is_near(one, phrase):
        return None
    is_settled = len(whole) == 1 and one.item.sku in settled
    return one if len(one.agreeing) > 1 or phrase.numbers or is_settled else None


def _rivals(whole: Sequence[Candidate]) -> list[Candidate]:
    """Return those that fit about as well as the best, and have as many words in their name."""
    best = max(one.worst for one in whole)
    good = [one for one in whole if one.worst >= best - AS_GOOD]
    most = max(one.in_name for one in good)
    return [one for one in good if one.in_name == most]


def _told_apart(rivals: Sequence[Candidate], known: Collection[str]) -> Candidate | None:
    """Return the only rival; else the only one of no special kind; else the only one that the
    company calls so.
    """
    plain = [one for one in rivals if one.besides == 0]
    called = [one for one in rivals if one.item.sku in known and len(one.agreeing) > 1]
    return next((some[0] for some in (rivals, plain, called) if len(some) == 1), None)


def _is_near(one: Candidate, phrase: Phrase) -> bool:
    """Return whether each word is near enough to the product's, and half of its name is said where
    one is not its.
    """
    if one.worst < EXACT and 2 * one.in_name < len(one.item.name):
        return False
    return one.worst >= LEAST_ALIKE - 10 * is_foreign(phrase.terms[0].written)


def _korean_parts(word: str) -> list[str]:
    """Return a Korean word as known words written together; empty where it is not made of them."""
    parts: list[str] = []
    place = 0
    while place < len(word):
        if parts and word[place] in "앤" and place + 1 < len(word):  # and
            place += 1
        longest = min(LONGEST_KOREAN, len(word) - place)
        known = next(
            (
                word[place : place + size]
                for size in range(longest, 0, -1)
                if word[place : place + size] in TRADE
            ),
            "",
        )
        if not known:
            rest = word[place:]
            return parts if parts and stem(parts[-1] + rest) == parts[-1] else []
        parts.append(known)
        place += len(known)
    return parts

"""What a buyer's codes and names mean: the products that he sees, and what his company calls them.

One memory and one look-up for sheets and pasted texts.
"""

import re
import unicodedata
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Set
from functools import lru_cache
from heapq import nsmallest
from itertools import islice, pairwise
from time import thread_time
from typing import NamedTuple

from django.db.models import F, Q, QuerySet, Sum, Value
from django.db.models.functions import Lower, Replace, Upper

from apps.accounts.selectors import Buyer
from apps.catalog.models import Brand, Product
from apps.catalog.rules import ean_of, singular
from apps.catalog.selectors import shown_to_buyer, with_word
from apps.common.tables.cells import heading
from apps.common.tables.spreadsheets import SpreadsheetRefused
from apps.orders.intake.words import NEUTRAL, SIZES
from apps.orders.models.lists import OwnCode, code_of_name

MOST_SECONDS = 5  # of a processor, while other buyers wait for it
TOO_SLOW = "This list takes too long to read. Please send it in parts."
SMALL = 5_000  # products: of more only those are read that the texts may mean
AT_ONCE = 10_000  # SQLite takes 32,766 parameters in a statement
NAMES_AT_ONCE, PRODUCTS_A_NAME = 40, 200
SIGNS = " -._/"
SHORTEST_CODE, FEWEST_DIGITS, MOST_PARTS, LONGEST_CODE = 3, 5, 4, 40
MOST_LIKE = 4
MOST_WORDS = 40  # of a text
SIZE_WEIGHS = 4  # as many letters of a name
LIKE_LETTERS = str.maketrans("авсенкмортхуі", "abcehkmoptxyi")  # that look like Latin ones
HYPHENS = str.maketrans(dict.fromkeys("‐‑‒–—−－", "-"))
MARKED = re.compile(r"\d[.,]\d")
WRITTEN_EAN = re.compile(r"'?(\d{8,14})(?:\.0+)?")
ZEROS = re.compile(r"(?<!\d)0+(?=\d)")
NUMBER_AND_WORD = re.compile(r"(?<=\d)(?=[^\W\d_])|(?<=[^\W\d_])(?=\d)")
NONE: frozenset[str] = frozenset()
Index = defaultdict[str, set[str]]  # SKUs


class CatalogueProduct(NamedTuple):
    """A product by what it is known by."""

    sku: str
    name: str
    brand: str
    ean: str | None


def plain_code(text: str) -> str:
    """Return a code as it is kept: in capitals, with plain hyphens and digits; an EAN without what
    spreadsheets write around it.
    """
    plain = unicodedata.normalize("NFKC", text).translate(HYPHENS).strip().upper()
    match = WRITTEN_EAN.fullmatch(plain)
    return match[1] if match else plain


@lru_cache(maxsize=50_000)  # a list's texts are looked up several times each
def code_key(code: str) -> str:
    """Return the letters and digits of a code in small Latin letters, without accents."""
    return heading(code).translate(LIKE_LETTERS).replace(" ", "")


def is_code(text: str) -> bool:
    """Return whether signs may be left out of what is written: of `AUR GY025`, not of `12.50`,
    `10-20` or a name.
    """
    key = code_key(text)
    if len(key) > LONGEST_CODE or len(text.split()) > MOST_PARTS:
        return False
    if key.isdigit():
        return len(key) >= FEWEST_DIGITS and not MARKED.search(text)
    return len(key) >= SHORTEST_CODE and any(map(str.isdigit, key))


def words_of(name: str) -> list[str]:
    """Return the words and numbers of a name in small letters, a size as its number and unit."""
    return NUMBER_AND_WORD.sub(" ", heading(name)).split()


def is_worded(text: str) -> bool:
    """Return whether what stands in a column of codes is a name: several words, two of them of
    letters alone, or one that is too long for a code (`01 Rosewood`).
    """
    words = text.split()
    lengths = [len(word) for word in words if word.isalpha()]
    return len(words) > 1 and (sum(n > 1 for n in lengths) > 1 or max(lengths, default=0) > 3)


def sizes_of(words: list[str]) -> set[tuple[str, str]]:
    """Return the sizes among words: numbers with their units."""
    return {
        (number, SIZES[unit])
        for number, unit in pairwise(words)
        if number.isdigit() and unit in SIZES
    }


class Catalogue:
    """The products that a buyer sees, by codes and names however they are written.

    A code as it is kept means that product: a SKU before the company's own code. Then signs, case
    and zeros are left out; what may be several products' is asked.

    Every row of a list is looked up here, so that a list that is made to take long ends here too.
    """

    def __init__(self, products: Iterable[CatalogueProduct], own: Mapping[str, str]) -> None:
        """Take products, and by what the company calls them the SKUs of some."""
        self._deadline = thread_time() + MOST_SECONDS
        self.products = {one.sku: one for one in products}
        self.own = {code: sku for code, sku in own.items() if sku in self.products}
        self.words = {sku: words_of(f"{p.brand} {p.name}") for sku, p in self.products.items()}
        self.sizes = {sku: sizes_of(words) for sku, words in self.words.items()}
        self.all_words = {word for words in self.words.values() for word in words}
        self.eans, self.keys, self.own_keys = Index(set), Index(set), Index(set)
        self.bare, self.names, self.brands = Index(set), Index(set), Index(set)
        # Of two that a text may mean as well, the one with the shorter name comes first.
        self._ranked = sorted(self.products, key=lambda sku: (len(self.words[sku]), sku))
        # A word, no plural: the places of who has it. Numbers, not SKUs: of a review of 2,000 rows,
        # 600 of them asked among 7,000 products, they save a fifth.
        self._having = defaultdict[str, set[int]](set)
        for place, sku in enumerate(self._ranked):
            for word in self.words[sku]:
                self._having[singular(word)].add(place)
        for sku, one in self.products.items():
            key = code_key(sku)
            self.keys[key].add(sku)
            self.bare[ZEROS.sub("", key)].add(sku)
            self.brands[code_key(one.brand)].add(sku)
            if one.ean:
                self.eans[one.ean].add(sku)
            for name in (one.name, one.brand + one.name, one.name + one.brand):
                self.names[code_key(name)].add(sku)
        for code, sku in self.own.items():
            self.own_keys[code_key(code)].add(sku)
        self._in_order = sorted(self._having)
        self._alike: dict[str, set[int]] = {}

    def _check_time(self) -> None:
        if thread_time() > self._deadline:
            raise SpreadsheetRefused(TOO_SLOW)

    def skus_of_code(self, code: str) -> frozenset[str]:
        """Return the SKUs that a code may mean.

        Raises:
            SpreadsheetRefused: the list takes too long.
        """
        self._check_time()
        plain = plain_code(code)
        if plain in self.products:
            return frozenset((plain,))
        if (own := self.own.get(plain)) is not None:
            return frozenset((own,))
        if (ean := ean_of(plain)) and ean in self.eans:
            return frozenset(self.eans[ean])
        if not is_code(plain):
            return NONE
        key = code_key(plain)
        bare = ZEROS.sub("", key)
        skus = self.keys.get(key) or self.own_keys.get(key)
        if not skus and (len(bare) >= FEWEST_DIGITS or not bare.isdigit()):
            skus = self.bare.get(bare)
        return frozenset(skus or ())

    def is_own(self, code: str) -> bool:
        """Return whether a code is the company's own, and no SKU."""
        plain = plain_code(code)
        return plain not in self.products and plain in self.own

    def is_learned_name(self, text: str) -> bool:
        """Return whether words, and no code, are what the company calls a product."""
        return is_worded(text) and self.is_own(text)

    def skus_of_name(self, name: str) -> frozenset[str]:
        """Return the SKUs of the products that are called so, word for word with their size, or
        that the company calls so.
        """
        own = self.own.get(code_of_name(name))
        return frozenset((own,)) if own else self.skus_named(name)

    def skus_named(self, *parts: str) -> frozenset[str]:
        """Return the SKUs of the products that are called so, word for word with their size."""
        return frozenset(self.names.get("".join(map(code_key, parts)), ()))

    def skus_of_words(self, words: Iterable[str]) -> frozenset[str]:
        """Return the SKUs of the products whose names have all of some words, two at least."""
        needed = {singular(word) for word in words if word not in NEUTRAL}
        return self._skus_having(needed) if len(needed) > 1 else NONE

    def _skus_having(self, words: Set[str]) -> frozenset[str]:
        """Return the SKUs of the products whose names have all of some words, none a plural."""
        if not words <= self._having.keys():
            return NONE
        rarest, *others = sorted((self._having[word] for word in words), key=len)
        return frozenset(self._ranked[place] for place in rarest.intersection(*others))

    def knows(self, text: str) -> bool:
        """Return whether all words of a text are in names and brands."""
        return self.all_words.issuperset(words_of(text))

    def is_of_another(self, sku: str, text: str) -> bool:
        """Return whether a text beside a product is of another one: another brand, or what tells a
        product of the same kind apart, its size or shade: one with two more words of its name, or
        half of them.
        """
        words = words_of(text)
        own = {ZEROS.sub("", word) for word in self.words[sku]}
        if own.issuperset(ZEROS.sub("", word) for word in words):
            return False
        if brand := self.brands.get(code_key(text)):
            return sku not in brand
        name = {one for one in words_of(self.products[sku].name) if one.isalpha()}
        shared = name.difference(words, SIZES)
        least = min(2, (len(shared) + 1) // 2)
        return any(
            len(shared.intersection(self.words[other])) >= max(1, least)
            for other in self._skus_having({singular(word) for word in words})
        )

    def like(self, text: str) -> list[tuple[str, list[str]]]:
        """Return the SKUs of the products that a text may mean, the likeliest first, at most four,
        each with the words that agree, in small letters.

        Raises:
            SpreadsheetRefused: the list takes too long.
        """
        self._check_time()
        query_words = words_of(text)[:MOST_WORDS]
        sizes = sizes_of(query_words)
        having: dict[str, set[int]] = {}
        letters: dict[int, int] = defaultdict(int)
        for word in query_words:
            # A unit stands in every other name: sizes are compared by themselves.
            if word not in NEUTRAL and word not in SIZES and not word.isdigit():
                # The products that have it, or a word that begins or ends nearly like it.
                if (places := self._alike.get(word)) is None:
                    one = singular(word)
                    alike = [one] if len(one) > 1 and one in self._having else []
                    if len(one) > 3:  # all that begin so stand together
                        begin = bisect_left(self._in_order, one)
                        alike = self._in_order[begin : bisect_left(self._in_order, f"{one}\uffff")]
                    places = set().union(*(self._having[other] for other in alike))
                    self._alike[word] = places
                having[word] = places
                for place in places:
                    letters[place] += len(word)
        if sizes:
            for place in letters:
                letters[place] += SIZE_WEIGHS * len(sizes & self.sizes[self._ranked[place]])
        best = nsmallest(MOST_LIKE, ((-number, place) for place, number in letters.items()))
        return [
            (self._ranked[place], [word for word in query_words if place in having.get(word, ())])
            for score, place in best
            if 2 * score <= best[0][0]
        ]


def catalogue_of(buyer: Buyer, texts: Iterable[str]) -> Catalogue:
    """Return the products that the buyer sees, or of a large catalogue those that texts may mean,
    with what his company calls them. Three statements; more of a large catalogue.
    """
    own = OwnCode.objects.filter(company_id=buyer.company_id, pieces=None)
    words = dict(own.values_list("code", "product__sku"))
    visible = Product.objects.filter(shown_to_buyer(buyer))
    total = Brand.objects.aggregate(total=Sum("product_count"))["total"] or 0
    parts = [visible] if total <= SMALL else _narrowed(visible, texts, words)
    columns = ("sku", "eng_name", "brand__eng", "ean")
    rows = {row for part in parts for row in part.values_list(*columns)}
    return Catalogue(map(CatalogueProduct._make, rows), words)


def _narrowed(
    visible: QuerySet[Product], texts: Iterable[str], own: Mapping[str, str]
) -> Iterator[QuerySet[Product]]:
    """Yield the products of a large catalogue that texts may mean: by code, by name, and those that
    share a name's two longest words.
    """
    remaining = iter(texts)
    bare: F | Replace = F("sku")  # without the signs that people leave out
    for sign in SIGNS:
        bare = Replace(bare, Value(sign))
    products = visible.alias(bare=Upper(bare), low=Lower("eng_name"))
    skus = set(own.values())
    lookups = 0
    while some := list(islice(remaining, AT_ONCE)):
        codes = {plain_code(text) for text in some if len(text) <= LONGEST_CODE}
        keys = {code_key(code).upper() for code in codes if is_code(code)}
        eans = {ean for code in codes if (ean := ean_of(code))}
        yield visible.filter(Q(sku__in=[*codes, *skus]) | Q(ean__in=eans))
        names = [text.lower() for text in some if len(text.split()) > 1]
        yield products.filter(Q(bare__in=keys) | Q(low__in=names))
        for name in names[: max(0, NAMES_AT_ONCE - lookups)]:
            lookups += 1
            longest = sorted(words_of(name), key=len)[-2:]
            sharing = [with_word(word) for word in longest]
            yield visible.filter(*sharing)[:PRODUCTS_A_NAME]
        skus = set()

"""Stage four: which product a row means, and how many pieces, by the catalogue and the company's
memory; or what has to be asked.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from itertools import combinations

from apps.catalog.rules import ean_of
from apps.common.http.serializers import MAX_COUNT
from apps.orders.intake.catalogue import (
    MOST_LIKE,
    MOST_PARTS,
    ZEROS,
    Catalogue,
    code_key,
    is_code,
    is_worded,
    plain_code,
    sizes_of,
    words_of,
)
from apps.orders.intake.typed import HOW_MANY, Candidate, Code, Line
from apps.orders.intake.words import APART, NEUTRAL, PACKS, PIECES, SIZES, Amount
from apps.orders.models.lists import carton_code, code_of_name, name_to_keep

MAX_SKU_SHOWN, MAX_NAME_SHOWN = 60, 80
ALIKE = 0.7
SHORTENED = re.compile(r"\d[.,]?\d*E\+?\d+", re.IGNORECASE)  # what spreadsheets make of an EAN
SIZE_AT_END = re.compile(r"^(.*?)((?<=\s)\d[\d.,]*\s?[^\W\d_]{1,5})?$")
MOST_JOINED = 5  # texts of a row that make a name
BY_CODE, BY_NAME, BY_WORDS = "by the code of the row", "by the name in the row", ""
WHICH = "Which product do you mean?"
COUNTING_WORDS = PACKS | PIECES | NEUTRAL | {"x"}
LEAST_OF_OTHERS = 4  # letters of a company's own code that is learned from beside our SKU


def match(lines: Iterable[Line], catalogue: Catalogue, cartons: Mapping[str, int]) -> list[Line]:
    """Return lines with their products; `cartons` are the pieces of the company's cartons."""
    return [with_cartons(_matched(line, catalogue), cartons) for line in lines]


def _matched(line: Line, catalogue: Catalogue) -> Line:
    means = {
        code.text: skus_of_code
        for code in line.codes
        if (skus_of_code := catalogue.skus_of_code(code.text))
        if not catalogue.is_learned_name(code.text)
    }
    if not means:
        return _without_code(line, catalogue)
    skus_of_code = frozenset.intersection(*means.values())
    if len(skus_of_code) != 1:
        excerpt = "; ".join(f"{code} is {' or '.join(sorted(m)[:3])}" for code, m in means.items())
        skus = sorted(frozenset.union(*means.values()))
        question, called = f"{WHICH} {excerpt}.", "".join(means) if len(means) == 1 else ""
        return replace(line, which=question, either=_by(skus, BY_CODE), called=called)
    (sku,) = skus_of_code
    others = [c for c in line.codes if c.text not in means and not SHORTENED.fullmatch(c.text)]
    code = next(iter(means))
    question, either = _against(sku, code, others, line.name, catalogue)
    if not question:
        question, either = _beside(sku, f"{code} is {sku}", line.texts, line, catalogue)
    if question:
        return replace(line, which=question, either=either)
    own = next((plain_code(text) for text in means if catalogue.is_own(text)), "")
    beside = [
        code.text
        for code in others
        if is_code(code.text) and len(code_key(code.text)) >= LEAST_OF_OTHERS
        if ean_of(code.text) is None and not is_worded(code.text)
    ]
    return replace(line, sku=sku, own_code=own, beside=beside)


def _against(
    sku: str, code: str, others: Sequence[Code], name: str, catalogue: Catalogue
) -> tuple[str, list[Candidate]]:
    """Return what in a row speaks against the product of its code, and the products that may be
    meant; empty where nothing does.
    """
    this, excerpt = _by([sku], BY_CODE), name[:MAX_NAME_SHOWN]
    words, own_sizes = words_of(name), catalogue.sizes[sku]
    sizes = sizes_of(words)
    if sizes and own_sizes and sizes.isdisjoint(own_sizes):
        likes = [(sku, BY_NAME, words) for sku, words in catalogue.like(name)]
        question = f"{code} is {sku}, a different size from “{excerpt}”. Which do you mean?"
        return question, [*this, *likes]
    by_name = catalogue.skus_of_name(name) or catalogue.skus_of_words(words)
    if by_name and sku not in by_name:
        question = f"{code} is {sku}, but “{excerpt}” is another product. Which do you mean?"
        return question, [*this, *_by(sorted(by_name), BY_NAME)]
    if _differs(words, catalogue.words[sku]):
        return f"{code} is {sku}, but your row says “{excerpt}”. Do you mean it?", this
    for other in others:  # of ours, an EAN with a wrong digit, or nearly the SKU
        key, digits = code_key(other.text), other.text.replace(" ", "")
        is_spoilt = digits.isdigit() and len(digits) in (12, 13) and ean_of(digits) is None
        is_near = len(key) < 40 and SequenceMatcher(None, key, code_key(sku)).ratio() > ALIKE
        if other.is_ours or is_spoilt or is_near:
            question = (
                f"“{other.text[:40]}” in this row is not one of our codes, but {code} is. "
                f"Do you mean {code}?"
            )
            return question, _by([sku], "named by another code of the row")
    return "", []


def _beside(
    sku: str, why: str, texts: Iterable[str], line: Line, catalogue: Catalogue
) -> tuple[str, list[Candidate]]:
    """Return what texts of a row say against a product, and the products that may be meant; empty
    where nothing does. `why` says what speaks for it.
    """
    worded = {code.text for code in line.codes if is_worded(code.text)}
    for text in texts:
        by_name = catalogue.skus_named(text)
        if not by_name and text in worded:
            by_name = catalogue.skus_of_words(words_of(text))
        is_other = catalogue.is_of_another(sku, text)
        if text in line.variants:
            is_other = is_other or _is_another_variant(words_of(text), sku, catalogue)
        if is_other or (by_name and sku not in by_name):
            question = f"{why}, but your row says “{text[:MAX_NAME_SHOWN]}”. Which do you mean?"
            likes = [other for other, _ in catalogue.like(" ".join(_parts(line))) if other != sku]
            return question, _by([sku, *(sorted(by_name) or likes)], BY_NAME)
    return "", []


def _is_another_variant(words: list[str], sku: str, catalogue: Catalogue) -> bool:
    """Return whether a shade or size has another number than the product: a size of its unit, or a
    number where it has one.
    """
    sizes, own = sizes_of(words), catalogue.sizes[sku]
    if sizes:
        same_unit = {size for size in sizes if size[1] in {unit for _, unit in own}}
        return bool(same_unit) and same_unit.isdisjoint(own)
    numbers = {ZEROS.sub("", word) for word in catalogue.words[sku]}
    there = {ZEROS.sub("", number) for number in _counts(words)}
    return bool(_counts(catalogue.words[sku])) and not numbers.issuperset(there)


def _parts(line: Line) -> list[str]:
    """Return all of a row's words that may say which product it is, with those it stands under."""
    return list(filter(None, (line.parent, *(line.naming or [line.name]))))


def _counts(words: Sequence[str]) -> Counter[str]:
    """Return the numbers among words but those of sizes (`50 ml`, `3.5 g`)."""
    behind = zip(words, [*words[1:], ""], [*words[2:], "", ""], strict=False)
    return Counter(
        word
        for word, unit, other in behind
        if word.isdecimal() and unit not in SIZES and not (unit.isdecimal() and other in SIZES)
    )


def _differs(words: Sequence[str], own: Sequence[str]) -> bool:
    """Return whether a text has a product's own words and says another thing: another number in
    place of one of its numbers (`SPF 30` of `SPF 50`), one more that counts (`x 2`), a tester.
    """
    there, ours = map(_counts, (words, own))
    letters = {word for word in words if word.isalpha()}
    strange = letters.difference(own, SIZES)
    if len(letters - strange) < 2 or not strange <= COUNTING_WORDS | APART:
        return False
    is_another = bool(there - ours) and bool(ours - there or strange)
    return is_another or not strange.isdisjoint(APART)


def _without_code(line: Line, catalogue: Catalogue) -> Line:
    """Return a row none of whose codes is known: by its words, by a code inside another text, or
    asked.
    """
    texts, whole = line.names, " ".join(_parts(line))
    code, name = _code_and_name(line)
    called = plain_code(code)[:MAX_SKU_SHOWN] if code else name_to_keep(whole)
    if by_words := _by_words(replace(line, called=called), whole, catalogue):
        return by_words
    inside = dict(pair for text in texts for pair in codes_inside(text, catalogue))
    if len(inside) == 1:
        ((sku, around),) = inside.items()
        return _by_code_inside(line, sku, around, catalogue)
    if inside:
        either = _by(sorted(inside), BY_NAME)
        return replace(line, which=WHICH, either=either, called=called)
    if code and (near := sorted(catalogue.bare.get(ZEROS.sub("", code_key(code)), ()))):
        question = f"{code} may be {' or '.join(near[:3])}, without its zeros. {WHICH}"
        return replace(line, which=question, either=_by(near, BY_CODE), called=called)
    if code and not name:
        return replace(line, sku=called)  # unknown: it can be wished, or is another's
    question = f"Which product is “{name[:MAX_NAME_SHOWN]}”?" if name else "This row has no SKU."
    question = f"{code} is not known yet. {question}" if code else question
    text = " ".join((name, *line.variants)).strip() or line.words
    likes = [(sku, BY_WORDS, words) for sku, words in catalogue.like(text)]
    if not likes and not line.codes and not line.price:  # nothing says that it is an order at all
        line = replace(line, amount=Amount(question=line.amount.question or HOW_MANY))
    own_code = called if code else ""
    return replace(line, which=question, either=likes, called=called, own_code=own_code)


def _by_words(line: Line, whole: str, catalogue: Catalogue) -> Line | None:
    """Return a row whose product is known by words, all of them (`whole`) or some that the others
    do not contradict; None where it is not.
    """
    if own := catalogue.own.get(code_of_name(whole)):
        return replace(line, sku=own, own_code=whole, called="")
    skus, joined = _named(line, catalogue)
    learned = next((text for text in line.names if code_of_name(text) in catalogue.own), "")
    if learned and len(joined) < 2:
        return _by_learned_name(line, learned, whole, catalogue)
    if len(skus) != 1:
        return replace(line, which=WHICH, either=_by(sorted(skus), BY_NAME)) if skus else None
    (sku,) = skus
    others = [text for text in line.texts if text not in joined]
    why = f"“{' '.join(joined)[:MAX_NAME_SHOWN]}” is {sku}"
    question, either = _beside(sku, why, others, line, catalogue)
    unknown = [text for text in line.variants if text in others and not catalogue.knows(text)]
    unknown = [text for text in unknown if not sizes_of(words_of(text))]
    if unknown and not question:
        question = f"{why}, but your row says “{unknown[0][:MAX_NAME_SHOWN]}”. Do you mean it?"
        either = _by([sku], BY_NAME)
    return replace(line, sku="" if question else sku, which=question, either=either)


def _by_learned_name(line: Line, name: str, whole: str, catalogue: Catalogue) -> Line:
    """Return a row whose name the company has said, asked where its other words say more than the
    product's own.
    """
    sku = catalogue.own[code_of_name(name)]
    own_words = {*catalogue.words[sku]}
    others = (text for text in _parts(line) if text != name)
    strange = next((text for text in others if not own_words.issuperset(words_of(text))), "")
    if not strange:
        return replace(line, sku=sku, own_code=name, called="")
    question = f"“{name[:MAX_NAME_SHOWN]}” was {sku} before, but your row says "
    question += f"“{strange[:MAX_NAME_SHOWN]}” too. {WHICH}"
    likes = [other for other, _ in catalogue.like(whole) if other != sku]
    return replace(line, which=question, either=_by([sku, *likes], BY_NAME))


def _named(line: Line, catalogue: Catalogue) -> tuple[frozenset[str], Sequence[str]]:
    """Return the products whose whole name some texts of a row make in their order, sizes last:
    most of them, one of its names among them; and those texts. Where none is, with the words that
    it stands under.
    """
    names = line.names
    known = [text for text in line.texts or names if text and catalogue.knows(text)]
    known.sort(key=lambda text: text not in names and bool(sizes_of(words_of(text))))
    title, size = SIZE_AT_END.findall(line.parent)[0]
    under = [part for part in (title, *known, size) if part and title]
    for parts, needed in ((known, ""), (under, title)):
        for count in range(min(len(parts), MOST_JOINED), 0, -1):
            for some in combinations(parts[:MOST_JOINED], count):
                skus = catalogue.skus_named(*some)
                is_whole = (not needed or needed in some) and not set(names).isdisjoint(some)
                if skus and is_whole:
                    return skus, some
    return frozenset(), ()


def _by_code_inside(line: Line, sku: str, around: str, catalogue: Catalogue) -> Line:
    """Return a row whose code stands among other words, asked where they speak against its product,
    as in `_against`, or have a number that is none of its own.
    """
    question, either = _against(sku, sku, (), around, catalogue)
    if not question and {*filter(str.isdecimal, words_of(around))} - {*catalogue.words[sku]}:
        question = f"{sku} stands beside “{around[:MAX_NAME_SHOWN]}”. Do you mean it?"
        either = _by([sku], BY_CODE)
    if not question:
        others = (text for text in line.texts if text not in line.names)
        question, either = _beside(sku, f"The code is of {sku}", others, line, catalogue)
    if question:
        return replace(line, which=question, either=either, own_code="")
    return replace(line, sku=sku)


def _code_and_name(line: Line) -> tuple[str, str]:
    """Return a row's code and name, empty without: words in a column of codes are a name."""
    worded = [code.text for code in line.codes if is_worded(code.text)]
    code = next((code.text for code in line.codes if code.text not in worded), "")
    return code, line.name or next(iter(worded), "")


def codes_inside(text: str, catalogue: Catalogue) -> Iterator[tuple[str, str]]:
    """Yield the SKUs whose codes stand among other words of a text, with those words."""
    words = text.replace("(", " ").replace(")", " ").replace(",", " ").split()[:20]
    for length in range(1, MOST_PARTS):
        for start in range(len(words) - length + 1 if len(words) > length else 0):
            code = " ".join(words[start : start + length]).strip(".:;[]")
            key = code_key(code)
            may_be = is_code(code) and not catalogue.is_learned_name(code)
            if may_be and (not key.isdigit() or ean_of(code)):
                around = " ".join(words[:start] + words[start + length :])
                yield from ((sku, around) for sku in catalogue.skus_of_code(code))


def _by(skus: Sequence[str], why: str) -> list[Candidate]:
    return [(sku, why, []) for sku in skus[:MOST_LIKE]]


def with_cartons(line: Line, cartons: Mapping[str, int]) -> Line:
    """Return a line; cartons whose pieces are known ask nothing."""
    amount = line.amount
    pieces = cartons.get(carton_code(line.sku, amount.unit), 0) if amount.packs and line.sku else 0
    count = amount.packs * pieces
    if not 0 < count <= MAX_COUNT:
        return line
    if amount.count:  # the row says itself what they hold
        return replace(line, by_memory=count)
    return replace(line, amount=Amount(count, packs=amount.packs, unit=amount.unit))


def learned_beside(lines: Iterable[Line]) -> dict[str, str]:
    """Return the company's own codes that stand beside our SKUs, each with its product: one value
    for a product in its column, and no product else.
    """
    pairs = {
        (plain_code(code), line.sku)
        for line in lines
        if line.sku and not line.which
        for code in line.beside
    }
    codes = Counter(code for code, _ in pairs)
    skus = Counter(sku for _, sku in pairs)
    return {code: sku for code, sku in pairs if codes[code] == skus[sku] == 1}

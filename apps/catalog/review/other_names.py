"""Rows whose code means one product while their own name clearly speaks for another: such a row is
asked.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import reduce
from typing import NamedTuple

from apps.catalog.lists.rows import MAX_NAME_SHOWN, ListLine
from apps.catalog.reading import Catalogue, Row, Suggested
from apps.catalog.reading.candidates import SHOWN, Item, Phrase, has_number, item_of
from apps.catalog.reading.words import stem
from apps.catalog.review.by_name import phrase_of, words_of

BY_CODE, BY_NAME = "by the code of the row", "by the name in the row"


class Doubt(NamedTuple):
    """A row whose code and name speak for different products: the line as a question, and both
    products.
    """

    line: ListLine
    suggested: list[Suggested]


def may_be_another(called: str, product: Row) -> bool:
    """Return whether a name has anything that a product has not: all others need no second look."""
    item, phrase = item_of(product), phrase_of(called)
    return not (
        _fits(item, phrase)
        and all(stem(word) in item.name | item.brand for word in words_of(called))
    )


def doubts_of(lines: Iterable[tuple[ListLine, Row]], catalogue: Catalogue) -> Iterator[Doubt]:
    """Yield the rows that are in doubt, of rows with what their codes mean; the `catalogue` is what
    names may mean.
    """
    for line, product in lines:
        others = named_by(line.called, product, catalogue)
        if others:
            text = (
                f"The code of this row means {product.eng_name[:MAX_NAME_SHOWN]}, but the row says "
                f"“{line.called[:MAX_NAME_SHOWN]}”. Which product is meant?"
            )
            asked = replace(
                line,
                sku="",
                count=0,
                guess=0 if line.fault else line.count,
                fault=f"{text} {line.fault}".strip(),
                name=line.called,
                meant=product.sku,
            )
            by_name = [Suggested(item.sku, BY_NAME, tuple(sorted(item.name))) for item in others]
            yield Doubt(asked, [Suggested(product.sku, BY_CODE), *by_name])


def named_by(called: str, product: Row, catalogue: Catalogue) -> list[Item]:
    """Return the other products that a name has word for word, all of it theirs and all of theirs
    in it.

    None where all of it is the `product`'s too, or one of its words is nobody's: a name that is
    only written otherwise is no doubt.
    """
    meant, phrase = [catalogue.known(word) for word in words_of(called)], phrase_of(called)
    if not meant or not all(meant) or _has_all(item_of(product), meant, phrase):
        return []
    whole = [item for item in _with_words(meant, catalogue) if _fits(item, phrase)]
    said = frozenset().union(*meant)
    return [item for item in whole if item.name <= said][:SHOWN]


def _with_words(meant: Sequence[Mapping[str, float]], catalogue: Catalogue) -> list[Item]:
    """Return the products that have each of some words, by any of its meanings."""
    places = [{place for word in words for place in catalogue.at[word]} for words in meant]
    common = reduce(set.intersection, sorted(places, key=len))
    return [catalogue.items[place] for place in sorted(common)]


def _has_all(item: Item, meant: Sequence[Mapping[str, float]], phrase: Phrase) -> bool:
    return _fits(item, phrase) and all(
        not (item.name | item.brand).isdisjoint(words) for words in meant
    )


def _fits(item: Item, phrase: Phrase) -> bool:
    """Return whether a product has the sizes and numbers of a name."""
    return item.sizes.issuperset(phrase.sizes) and all(
        has_number(item, number) for number in phrase.numbers
    )

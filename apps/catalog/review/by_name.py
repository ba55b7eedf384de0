"""Which products a row of a sheet may mean that has a name and no code. None is chosen: a name is
always a question.
"""

from collections.abc import Iterable

from apps.catalog.reading import Catalogue, Suggested
from apps.catalog.reading.candidates import SHOWN, Phrase, bare, is_name
from apps.catalog.reading.quantities import SIZES
from apps.catalog.reading.words import tokens_of

MOST_NAMES = 300  # of a longer list the rest is asked about without suggestions


def suggested_for(names: Iterable[str], catalogue: Catalogue) -> dict[str, list[Suggested]]:
    """Return the products that names may mean, the likeliest first."""
    return {
        name: [
            Suggested(one.item.sku, one.why, one.agreeing)
            for one in catalogue.fitting(_phrase(name, catalogue))[:SHOWN]
        ]
        for name in list(dict.fromkeys(names))[:MOST_NAMES]
    }


def words_of(name: str) -> list[str]:
    """Return the folded words of a name that name something."""
    return [token.word for token in tokens_of(name) if is_name(token.word)]


def phrase_of(name: str) -> Phrase:
    """Return the sizes and other numbers of a name, without its words."""
    phrase = Phrase()
    tokens = list(tokens_of(name))
    for place, token in enumerate(tokens):
        unit = SIZES.get(tokens[place + 1].word if place + 1 < len(tokens) else "", "")
        if token.is_number and unit:
            phrase.sizes.append((token.word, unit))
        elif token.is_number:
            phrase.numbers.append(bare(token.word))
    return phrase


def _phrase(name: str, catalogue: Catalogue) -> Phrase:
    phrase = phrase_of(name)
    for word in words_of(name):
        phrase.terms.extend(catalogue.terms(word))
    return phrase

"""Countries and states as people write them: English, Korean, ISO codes."""

from collections import defaultdict
from collections.abc import Mapping
from functools import cache
from gettext import translation

import pycountry
from django.utils.translation import gettext, override

from apps.accounts.models import AddressEntry
from apps.common.tables.cells import heading
from apps.moving.kinds.columns import WORDS

ALSO: Mapping[str, list[str]] = WORDS["countries"]  # beside ISO's names, as traders write them


def _key(text: str) -> str:
    return heading(text).replace(" ", "")


@cache
def _codes() -> dict[str, str]:
    """Return the codes of countries by their names, those that mean two left out."""
    korean = translation("iso3166-1", pycountry.LOCALES_DIR, languages=["ko"])
    found: dict[str, set[str]] = defaultdict(set)
    for country in pycountry.countries:
        names = [country.alpha_2, country.alpha_3]
        for name in ("name", "common_name", "official_name"):
            if english := getattr(country, name, ""):
                with override("ko"):  # as an export of ours names it
                    names += [english, korean.gettext(english), gettext(english)]
        names += ALSO.get(country.alpha_2, ())
        for name in names:
            found[_key(name)].add(country.alpha_2)
    return {name: codes.pop() for name, codes in found.items() if len(codes) == 1}


def country_of(text: str) -> AddressEntry | None:
    """Return the country of a name or code; None for none that is known."""
    countries = AddressEntry.objects.filter(parent__isnull=True)
    code = _codes().get(_key(text))
    return countries.filter(code=code).first() if code else None


def state_of(text: str, country: AddressEntry) -> AddressEntry | None:
    """Return a country's state of a name or code; None for none that is known, or for two."""
    key = _key(text)
    found = [
        state
        for state in country.states.all()
        if key in (_key(state.content), _key(state.code), _key(state.code.partition("-")[2]))
    ]
    return found[0] if len(found) == 1 else None

"""Countries and states as people write them: English, Korean, ISO codes."""

from collections import defaultdict
from functools import cache
from gettext import translation

import pycountry
from django.utils.translation import gettext, override

from apps.accounts.models import AddressEntry
from apps.common.tables.cells import heading

# Beside ISO's names, as traders write them.
ALSO = {
    "AE": "uae emirates 아랍에미리트연합 uae국",
    "AU": "호주",
    "BN": "brunei 브루나이",
    "CD": "dr_congo 콩고민주공화국",
    "CI": "ivory_coast 코트디부아르",
    "CN": "china pr_china 중국",
    "CZ": "czech_republic 체코공화국",
    "GB": "uk great_britain england britain 영국",
    "HK": "hong_kong hongkong hong_kong_sar 홍콩",
    "KR": "korea south_korea republic_of_korea rok s_korea 한국 남한 대한민국",
    "LA": "laos 라오스",
    "MM": "burma 버마 미얀마",
    "MO": "macau 마카오",
    "NL": "holland the_netherlands 네덜란드",
    "PH": "the_philippines 필리핀",
    "RU": "russia 러시아",
    "SY": "syria 시리아",
    "TR": "turkey 터키 튀르키예",
    "TW": "taiwan taiwan_roc 대만 타이완",
    "US": "usa us u_s_a america the_united_states united_states_of_america 미합중국 미국",
    "VN": "vietnam 베트남 월남",
}


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
        names += [name.replace("_", " ") for name in ALSO.get(country.alpha_2, "").split()]
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

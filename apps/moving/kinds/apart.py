"""Cells that hold several things: people with their addresses, an address on one line."""

import re
from dataclasses import dataclass

BETWEEN_PEOPLE = re.compile(r"\s*[\n;/]\s*")
WITH_COMMAS = re.compile(r"\s*[\n;/,]\s*")
BETWEEN_LINES = re.compile(r"\s*[\n,]\s*")
ROLE = re.compile(
    r"\s*[(（\[][^()（）\[\]]*[)）\]]$|\s+(구매|물류|영업|매니저|대표|대표이사|사장|이사|부장|차장|과장|대리"
    r"|주임|실장|팀장|담당|담당자|CEO|COO|Owner|Manager|Purchasing|Logistics|Director)님?$|(?<=[가-힣])님$",
    re.IGNORECASE,
)
LEFT = re.compile(r"퇴사|퇴직|\bresigned\b|\bleft\b", re.IGNORECASE)
SAME_PERSON = re.compile(r"↑|동일인|\bsame person\b", re.IGNORECASE)
CITY_AND_ZIP = re.compile(r"(?P<city>[^\d]+?)\s+(?P<zip>\d[\d -]{2,9})")
ZIP_AND_CITY = re.compile(r"(?P<zip>\d[\d -]{2,9}\d)\s+(?P<city>[^\d]+)")
ZIP_ALONE = re.compile(r"\d[\d -]{2,8}\d")
NAMED = re.compile(r"[^<>@;,/\n]*<([^<>]+)>")  # `Ann Lee <ann@rose.com>`
LETTERS = 3  # of a name that an e-mail address holds


@dataclass
class Someone:
    """A person of a row, as it is written; `is_sure` that the e-mail address is of this one."""

    name: str
    email: str = ""
    phone: str = ""
    is_sure: bool = True
    has_left: bool = False


def people_in(names: str, emails: str, phones: str, note: str) -> tuple[list[Someone], str]:
    """Return the people of a row, and the phone that is the company's; several stand in the same
    order in each cell, an address that is alone is of whom it names.
    """
    emails = NAMED.sub(r"\1", re.sub(r" *@ *", "@", emails))
    addresses = [part for part in re.split(r"[\s;,/]+(?=\S+@)|[\n;/]", emails) if part.strip()]
    called = [part for part in BETWEEN_PEOPLE.split(names) if part]
    if len(called) < len(addresses) or len(called) == 1:
        with_commas = [part for part in WITH_COMMAS.split(names) if part]
        called = with_commas if len(with_commas) == len(addresses) else called
    numbers = [part for part in WITH_COMMAS.split(phones) if part]
    people = [Someone(ROLE.sub("", name), has_left=bool(LEFT.search(name))) for name in called]
    if len(addresses) == len(people):
        for one, address in zip(people, addresses, strict=True):
            one.email = address.strip()
    else:
        people += [Someone("", email=address) for address in _left_over(addresses, people)]
    if len(numbers) == len(people) > 1:
        for one, number in zip(people, numbers, strict=True):
            one.phone = number
        numbers = []
    _mark_left(people, note)
    return people, numbers[0] if numbers else ""


def _left_over(addresses: list[str], people: list[Someone]) -> list[str]:
    """Give each address to the person whom it names, or the next one; return those that are left
    over.
    """
    left = []
    for address in addresses:
        free = [one for one in people if not one.email]
        named = [one for one in free if _names(address, one.name)]
        for one in (named or free)[:1]:
            one.email, one.is_sure = address.strip(), len(people) == 1 == len(addresses)
        if not free:
            left.append(address)
    return left


def _names(address: str, name: str) -> bool:
    local = address.partition("@")[0].lower()
    return any(word in local for word in name.lower().split() if len(word) >= LETTERS)


def _mark_left(people: list[Someone], note: str) -> None:
    for part in re.split(r"[/;\n,]", note):
        if LEFT.search(part):
            named = [one for one in people if one.name and one.name.lower() in part.lower()]
            for one in named or (people if len(people) == 1 else []):
                one.has_left = True


def address_in(text: str) -> dict[str, str]:
    """Return an address on one line in its parts: `country` where its last part may be one, `city`
    and `zipcode`, `state` in letters between them, the rest as `address1`. What cannot be told
    apart stays in `address1`.
    """
    parts = [part for part in BETWEEN_LINES.split(text) if part]
    found: dict[str, str] = {}
    if len(parts) > 1 and not re.search(r"\d", parts[-1]):
        found["country"] = parts.pop()
    if len(parts) > 1:
        _take_city(parts, found)
    return {"address1": ", ".join(parts), **found}


def _take_city(parts: list[str], found: dict[str, str]) -> None:
    last = parts[-1]
    if both := CITY_AND_ZIP.fullmatch(last) or ZIP_AND_CITY.fullmatch(last):
        parts.pop()
        found["zipcode"] = both["zip"].strip()
        if re.fullmatch(r"[A-Z]{2,3}", both["city"]) and len(parts) > 1:
            found["state"], found["city"] = both["city"], parts.pop()
        else:
            found["city"] = both["city"]
    elif ZIP_ALONE.fullmatch(last) and len(parts) > 1 and "country" in found:
        found["zipcode"] = parts.pop()
        if len(parts) > 1:
            found["city"] = parts.pop()
    elif "country" in found and not re.search(r"\d", last):
        found["city"] = parts.pop()

"""The people in the cells of a row: their names and addresses, in one cell or in two."""

import re
from typing import NamedTuple

ADDRESS = re.compile(r"[^\s<>()\[\]（）;,/|:]+@[^\s<>()\[\]（）;,/|:]+(?<![.])")
BETWEEN = re.compile(r"\s*[;|]\s*")
IN_A_LIST = re.compile(r"\s*[,/&]\s*")  # also in one name: `Smith, John`, `Kim Minji / 김민지`
PHONE = re.compile(r"[+(]{0,2}\d[\d\s().+-]{5,}\d")
LABEL = re.compile(
    r"mailto:|\b(e-?mail|mail|phone|tel|mobile)\s*[:.]|(이?메일|전화|휴대폰)\s*:", re.I
)
IN_BRACKETS = re.compile(rf"[<(\[（]?\s*{ADDRESS.pattern}\s*[>)\]）]?")
WHOLE = re.compile(r"[(（](.*)[)）]")  # behind an address: `anna@rose.com (Anna)`
AROUND = " ,/:&–-"


class People(NamedTuple):
    """Names with their addresses, either of them empty; names and addresses that do not agree in
    number; telephone numbers that stand beside them.
    """

    pairs: list[tuple[str, str]]
    names: list[str]
    addresses: list[str]
    phones: list[str]


def people_in(name_cell: str, address_cell: str) -> People:
    """Return the people of a row; names and addresses that stand apart pair up in their order."""
    if address_cell and not ADDRESS.search(address_cell := re.sub(r"\s*@\s*", "@", address_cell)):
        beside = _read("")._replace(addresses=[address_cell])  # no address: its fault is told
    else:
        beside = _read(address_cell)
    found = _read(name_cell)
    if found.pairs or found.names:  # a name beside the address is written twice
        loose = beside.addresses + [address for _, address in beside.pairs]
        beside = beside._replace(pairs=[], names=[], addresses=loose)
    pairs, names = found.pairs + beside.pairs, found.names + beside.names
    there = {address.lower() for _, address in pairs}
    addresses = [one for one in found.addresses + beside.addresses if one.lower() not in there]
    listed = [part for name in names for part in IN_A_LIST.split(name)]
    if len(listed) == len(addresses) > 1:
        names = listed
    if not names or not addresses or len(names) == len(addresses):
        many = max(len(names), len(addresses))
        both = ([*ones, *[""] * (many - len(ones))] for ones in (names, addresses))
        pairs, names, addresses = [*pairs, *zip(*both, strict=True)], [], []
    return People(pairs, names, addresses, found.phones + beside.phones)


def _read(cell: str) -> People:
    """Return the people of a cell; in each of its parts a name and an address pair up."""
    cell = re.sub(r"\s*@\s*", "@", LABEL.sub(" ", cell))
    people = People([], [], [], [])
    for part in BETWEEN.split(cell):
        addresses = ADDRESS.findall(part)
        rest = IN_BRACKETS.sub(";", part)
        people.phones.extend(PHONE.findall(rest))
        texts = (one.strip(AROUND) for one in PHONE.sub("", rest).split(";"))
        names = [
            WHOLE.sub(r"\1", text) if WHOLE.fullmatch(text) else text for text in texts if text
        ]
        if len(names) == len(addresses):
            people.pairs.extend(zip(names, addresses, strict=True))
        else:
            people.names.extend(names)
            people.addresses.extend(addresses)
    return people

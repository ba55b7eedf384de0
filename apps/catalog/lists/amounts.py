"""How many pieces a row of a buyer's sheet asks for, or why that is asked, with what
may be meant.
"""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from apps.catalog.lists.layout import Layout
from apps.catalog.lists.typed import FEW_DIGITS
from apps.catalog.lists.words import CANCELS, CARTONS, HEADINGS, NOTHING, PIECES
from apps.catalog.reading.quantities import counts_packs, numbers_of, unit_of
from apps.catalog.reading.words import tokens_of
from apps.common.http.serializers import MAX_COUNT
from apps.common.tables.cells import (
    Cell,
    CellFault,
    Unreadable,
    cell_at,
    count_of,
    heading,
    text_of,
)
from apps.common.tables.spreadsheets import Row

MAX_REMARK_SHOWN, MAX_UNIT_SHOWN = 80, 30
MAX_CARTON = 10_000
CARTON = "carton"
CARTON_UNITS = frozenset(
    unit_of(word) for name in HEADINGS[CARTONS] for word in name.split() if counts_packs(word)
)
ANY_NUMBER = re.compile(r"\d+")
WITH_UNIT = re.compile(r"(\d[\d.,' ]*?)\s*([^\W\d_]+)\.?")
IN_GROUPS = re.compile(r"\d[\d.,' ]*")
WORD = re.compile(r"[^\W\d_]+")
BELOW_ZERO = re.compile(r"[-−–—(]\s*\d.*|.*\d\s*[-−]")
MAY_BE_SEVERAL = re.compile(r"\s*[(/]\w{1,2}\)?$")  # `carton(s)`, `Karton/s`, `box (12)`
SAID_CANCELLED = re.compile(CANCELS, re.IGNORECASE)


@dataclass(frozen=True)
class Amount:
    """What the cells of quantities say: pieces, or what is wrong, and how many may be meant."""

    cell: Cell = None
    count: int = 0
    fault: str = ""
    guess: int = 0
    must_enter: bool = False  # nothing can be proposed
    packs: int = 0  # cartons whose pieces are asked and nothing else
    unit: str = ""  # what they are called

    @property
    def is_none(self) -> bool:
        """Return whether nothing is asked for."""
        return not self.count and not self.fault


def amount_of(row: Row, layout: Layout) -> Amount:
    """Return what a row asks for: in pieces, else in cartons, which is a question unless it says
    what they hold.
    """
    pieces, cartons = _amounts(row, layout.pieces), _amounts(row, layout.cartons)
    stated = pieces_per_carton(row, layout)
    if not pieces:
        return _of_cartons(cartons[0], 0 if stated else layout.carton) if cartons else Amount()
    amount = _one_of(pieces, is_sure=layout.is_sure)
    if cartons and stated:
        return _as_cartons(amount, _of_cartons(cartons[0], 0), stated)
    return _written_over(amount, cartons[0]) if layout.reckoned and cartons else amount


def pieces_per_carton(row: Row, layout: Layout) -> int:
    """Return how many pieces a row says that a carton of its product holds; 0 where it does not, or
    says several.
    """
    said = {
        amount.count for amount in _amounts(row, layout.per_carton) if amount.count <= MAX_CARTON
    }
    return said.pop() if len(said) == 1 else 0


def unpacked_by(amount: Amount, stated: int) -> Amount:
    """Return an amount of cartons whose pieces alone are asked in pieces, as the row says what each
    holds.

    A dozen, a pack or a pallet is another thing than a carton.
    """
    count = amount.packs * stated
    is_known = amount.fault != "" and amount.unit in CARTON_UNITS and 0 < count <= MAX_COUNT
    return replace(amount, count=count, fault="", guess=0, must_enter=False) if is_known else amount


def _as_cartons(pieces: Amount, cartons: Amount, stated: int) -> Amount:
    """Return pieces beside cartons whose pieces are stated: where both can be read and differ, they
    are asked.
    """
    count = cartons.packs * stated
    if isinstance(pieces.cell, Unreadable):
        return cartons
    if pieces.fault or not count or pieces.count == count:
        return pieces
    said = f"{pieces.count:,} pieces, but {cartons.packs:,} cartons of {stated:,} make {count:,}"
    return Amount(pieces.cell, 0, f"Quantity: {said}: how many do you want?", pieces.count)


def _written_over(pieces: Amount, cartons: Amount) -> Amount:
    """Return pieces that are no formula where others are one, as a question: they may make other
    cartons.
    """
    if pieces.fault:
        return pieces
    said = f"{pieces.count:,} is written where other rows reckon, beside {text_in(cartons.cell)} cartons"
    return Amount(pieces.cell, 0, f"Quantity: {said}: how many pieces do you want?", pieces.count)


def _amounts(row: Row, columns: Sequence[int]) -> list[Amount]:
    return [
        amount for index in columns if not (amount := _pieces(cell_at(row.cells, index))).is_none
    ]


def _one_of(pieces: Sequence[Amount], *, is_sure: bool) -> Amount:
    """Return the pieces in which all columns of a row agree, else a question."""
    first = pieces[0]
    if is_sure and all(
        (other.count, other.packs) == (first.count, first.packs) for other in pieces
    ):
        return first
    shown = " or ".join(text_in(amount.cell) or "a formula" for amount in pieces)
    must_enter = any(amount.must_enter for amount in pieces)
    if len(pieces) == 1:
        return Amount(
            first.cell,
            0,
            f"Quantity: is {shown} how many pieces you want?",
            first.count,
            must_enter,
        )
    return Amount(first.cell, 0, f"Quantity: {shown}: which is it?", 0, must_enter)


def _of_cartons(cartons: Amount, carton: int) -> Amount:
    """Return cartons in pieces, where it is known how many are in one; else a question."""
    if carton and not cartons.fault:
        return replace(cartons, count=cartons.count * carton)
    if cartons.fault:
        return replace(cartons, guess=0, must_enter=True)
    fault = f"Quantity: {cartons.count:,} cartons: how many pieces is that?"
    return Amount(cartons.cell, 0, fault, must_enter=True, packs=cartons.count, unit=CARTON)


def _pieces(cell: Cell) -> Amount:
    if isinstance(cell, str):
        cell = _plain_digits(cell)
        if cell.casefold() in NOTHING:
            return Amount()
        if known := WITH_UNIT.fullmatch(cell):
            if heading(known[2]) not in PIECES:
                return _packed(
                    known, _unread(cell, f"Quantity: “{cell[:30]}”: how many pieces is that?")
                )
            cell = known[1]
    try:
        count = count_of(cell) or 0
    except CellFault as error:
        return _unread(cell, f"Quantity: {error}.")
    if count > MAX_COUNT:
        return _unread(cell, f"A line has at most {MAX_COUNT:,} pieces.")
    return Amount(cell, count)


def _packed(known: re.Match[str], unread: Amount) -> Amount:
    """Return a quantity such as “3 boxes” with its cartons, if it is a plain number of them."""
    is_plain = known[1].isdecimal() and len(known[1]) <= FEW_DIGITS and counts_packs(known[2])
    return replace(unread, packs=int(known[1]), unit=unit_of(known[2])) if is_plain else unread


def asked_alone(amount: Amount, doubt: "Doubt") -> Amount:
    """Return an amount with its cartons where nothing but their pieces is asked; the unit may stand
    beside it.
    """
    if not doubt.text:
        return amount
    if doubt.unit and not amount.fault:
        return replace(amount, packs=amount.count, unit=doubt.unit)
    return replace(amount, packs=0, unit="")


def _unread(cell: Cell, fault: str) -> Amount:
    """Return a quantity that cannot be read, with the pieces that it may mean, if any can be
    proposed.
    """
    guess = 0 if _has_no_guess(cell) else _guess(cell)
    return Amount(cell, 0, fault, guess, must_enter=guess == 0)


def _has_no_guess(cell: Cell) -> bool:
    """Return whether nothing can be proposed in place of a quantity that cannot be read.

    It is a formula, crossed out, below zero, cancelled, in cartons, or has more digits than pieces
    have.
    """
    if isinstance(cell, Unreadable):
        return True
    text = text_in(cell)
    is_large = any(sum(map(str.isdigit, number)) > FEW_DIGITS for number in IN_GROUPS.findall(text))
    is_no_order = BELOW_ZERO.fullmatch(text) or SAID_CANCELLED.search(text)
    return is_large or is_no_order is not None or _has_packs(text)


def _plain_digits(text: str) -> str:
    """Return a text with digits of any script as ours, and no space around it."""
    return "".join(
        str(unicodedata.digit(char)) if char.isdigit() else char
        for char in unicodedata.normalize("NFKC", text)
    ).strip()


def _guess(quantity: Cell) -> int:
    """Return the one number in a quantity that cannot be read (`about 20`, `ten`); 0 where none is,
    and for `2.5`.
    """
    if not isinstance(quantity, str):
        return 0
    found = ANY_NUMBER.findall(quantity)
    spelled = [] if found else numbers_of(list(tokens_of(quantity)), names=frozenset())
    values = [
        *(int(one) for one in found if len(one) <= FEW_DIGITS),
        *(one.value for one in spelled),
    ]
    return values[0] if len(values) == len(found) + len(spelled) == 1 else 0


class Doubt(NamedTuple):
    """Why a row is asked about that could be ordered, and whether its number can be no proposal."""

    text: str = ""
    must_enter: bool = False
    unit: str = ""  # of cartons, where their pieces alone are asked


def doubt_of(row: Row, layout: Layout) -> Doubt:
    """Return why a row is asked about that could be ordered: it is cancelled, other units, a
    remark.
    """
    texts = _texts_beside(row, layout)
    if cancelled := next(filter(SAID_CANCELLED.search, texts.values()), ""):
        return Doubt(f"Your remark says “{cancelled[:MAX_REMARK_SHOWN]}”.", must_enter=True)
    if unit := _unit_of_cartons(texts, layout):
        return Doubt(
            _how_many(unit), must_enter=True, unit=_plain_unit(unit, _texts_at(row, layout.notes))
        )
    if unit := next(filter(_is_other_unit, _texts_at(row, layout.units)), ""):
        return Doubt(_how_many(unit), must_enter=_has_packs(unit))
    remark = next(filter(None, _texts_at(row, layout.notes)), "")
    return Doubt(f"Your remark says “{remark[:MAX_REMARK_SHOWN]}”.") if remark else Doubt()


def _plain_unit(text: str, remarks: Sequence[str]) -> str:
    """Return what cartons are called; empty where it may say how many are in one (“box/12”), or a
    remark is there.
    """
    is_plain = not any(map(str.isdigit, text)) and all(remark in ("", text) for remark in remarks)
    return unit_of(MAY_BE_SEVERAL.sub("", text)) if is_plain else ""


def _texts_at(row: Row, columns: Sequence[int]) -> list[str]:
    return [text_in(cell_at(row.cells, index)) for index in columns]


def _is_other_unit(text: str) -> bool:
    """Return whether a unit is none of pieces."""
    unit = heading(text)
    return bool(unit) and unit not in PIECES


def _texts_beside(row: Row, layout: Layout) -> dict[int, str]:
    """Return the texts of a row by their columns that are no code, quantity or price, whatever
    those are called.
    """
    used = {*layout.codes, *layout.pieces, *layout.cartons, layout.price}
    return {
        index: text_in(cell)
        for index, cell in enumerate(row.cells)
        if index not in used and isinstance(cell, str)
    }


def _unit_of_cartons(texts: Mapping[int, str], layout: Layout) -> str:
    """Return the text, no name, that says cartons; empty for none, and where the buyer said how
    many are in one.
    """
    if layout.carton and not layout.pieces:
        return ""
    return next(
        (
            text
            for index, text in texts.items()
            if index not in layout.names and _says_cartons(text)
        ),
        "",
    )


def _says_cartons(text: str) -> bool:
    """Return whether a cell is a word for cartons, packs or dozens, and nothing else: “gift box” is
    none.
    """
    return len(text) <= MAX_UNIT_SHOWN and counts_packs(MAY_BE_SEVERAL.sub("", text))


def _has_packs(text: str) -> bool:
    """Return whether a word of a unit or quantity says cartons, packs or dozens."""
    return any(map(counts_packs, WORD.findall(text)))


def _how_many(unit: str) -> str:
    return f"Quantity: in “{unit[:MAX_UNIT_SHOWN]}”: how many pieces is that?"


def text_in(cell: Cell) -> str:
    """Return a cell as text on one line; empty for none, a formula or an error."""
    try:
        return text_of(cell)
    except CellFault:
        return ""

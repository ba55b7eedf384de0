"""Stage three: each row of a table asks for something, or is passed over with its reason. None is
lost.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal

from apps.common.http.serializers import MAX_COUNT
from apps.common.tables.cells import CellFault, cell_at, heading, number_of, stored_value
from apps.common.tables.spreadsheets import Row
from apps.orders.intake.columns import CODES, MAX_CARTON, Table, makes
from apps.orders.intake.quantities import CARTON, Amount, amount_in, amount_of_packs, text_in
from apps.orders.intake.typed import (
    EMPTY_SAID,
    GREETING_SAID,
    HEADING_SAID,
    NO_QUANTITY_SAID,
    TOTAL_SAID,
    Asked,
    Code,
    Passed,
    is_signature,
    text_of_row,
    typed_row,
)
from apps.orders.intake.words import (
    CARTONS,
    NAME,
    NEUTRAL,
    NOTE,
    PER_CARTON,
    PIECES,
    PRICE,
    UNIT,
    counts_packs,
    is_cancelled,
    is_heading,
    is_total,
    unit_of,
)

MAX_UNIT, MAX_REMARK = 30, 80
CARTON_UNITS = frozenset(("carton", "case", "box", "ctn", "caja", "karton", "박스", "короб", "箱"))
SIGNED_WITHIN = 3  # rows behind a greeting
HEADINGS_SAID, REMARK_SAID = "Headings.", "A remark."


def read(table: Table) -> Iterator[Asked | Passed]:
    """Yield what each row of a table asks for, or why nothing."""
    if table.is_typed:
        yield from _typed(table)
        return
    counts: list[int] = []
    since = 0  # how many of them stood above the last sum
    for row in table.tab.rows:
        found = _row(row, table)
        if isinstance(found, Asked) and _adds_up(found, counts, counts[since:]):
            found, since = Passed(row.number, TOTAL_SAID, text_of_row(row)), len(counts)
        if isinstance(found, Asked):
            counts.append(found.amount.count)
        yield found


def _adds_up(row: Asked, *above: Sequence[int]) -> bool:
    """Return whether a row has nothing but the sum of several rows above it."""
    sums = {sum(counts) for counts in above if len(counts) > 1} - {0}
    return not row.codes and not row.name and row.amount.count in sums


def _typed(table: Table) -> Iterator[Asked | Passed]:
    rows, running = _without_row_numbers(table.tab.rows)
    greeted = -SIGNED_WITHIN
    for place, row in enumerate(rows):
        found = typed_row(row, table.catalogue)
        if isinstance(found, Asked) and place in running and found.amount.count:
            said = f"Quantity: is {found.amount.count:,} how many pieces you want?"
            found = replace(found, amount=Amount(question=said, guess=found.amount.count))
        if isinstance(found, Passed):
            greeted = place if found.why == GREETING_SAID else greeted
        elif place - greeted <= SIGNED_WITHIN and is_signature(row, table.catalogue):
            found = Passed(row.number, GREETING_SAID, text_of_row(row))
        yield found


def _without_row_numbers(rows: Sequence[Row]) -> tuple[Sequence[Row], Collection[int]]:
    """Return typed rows without the 1, 2, 3… before them; and the places of rows whose only number
    may be such a one.
    """
    texts = [" ".join(filter(None, map(text_in, row.cells))).split() for row in rows]
    numbered = [i for i, words in enumerate(texts) if words and words[0].isdecimal()]
    numbers = [int(texts[i][0]) for i in numbered if len(texts[i][0]) < 5]
    if len(numbered) < 2 or numbers != [*range(1, len(numbered) + 1)]:
        return rows, ()
    if not all(any(word.strip("x×*").isdecimal() for word in texts[i][1:]) for i in numbered):
        return rows, numbered
    cut = {i: (" ".join(texts[i][1:]),) for i in numbered}
    return [row._replace(cells=cut.get(i, row.cells)) for i, row in enumerate(rows)], ()


def _row(row: Row, table: Table) -> Asked | Passed:
    if row.number <= table.head:
        return Passed(row.number, HEADINGS_SAID, text_of_row(row))
    texts = [text for cell in row.cells if (text := text_in(cell))]
    codes, name = _codes(row, table), next(table.texts(row, NAME), "")
    if not table.knows(row):
        if is_total(texts):
            return Passed(row.number, TOTAL_SAID, text_of_row(row))
        if is_heading(texts) or texts == table.headings:
            return Passed(row.number, HEADING_SAID, text_of_row(row))
    amount = _amount(row, table)
    if amount.is_none:
        return _in_one_cell(row, table, texts) or Passed(
            row.number,
            NO_QUANTITY_SAID if codes or name else REMARK_SAID if texts else EMPTY_SAID,
            text_of_row(row) or "–",
        )
    if not codes and not name and not amount.count and not any(map(str.isdecimal, "".join(texts))):
        return Passed(row.number, REMARK_SAID, text_of_row(row))
    return Asked(
        row.number,
        codes,
        name,
        _doubted(amount, row, table),
        _price(row, table),
        row.is_hidden,
        text_of_row(row),
    )


def _codes(row: Row, table: Table) -> list[Code]:
    return [
        Code(text, index in table.ours)
        for index in table.columns(*CODES)
        if (text := text_in(cell_at(row.cells, index)))
    ]


def _in_one_cell(row: Row, table: Table, texts: Sequence[str]) -> Asked | None:
    """Return a row as asked whose code and number stand in one cell, beside no quantity."""
    for text in texts:
        found = typed_row(Row(row.number, (text,)), table.catalogue)
        if not isinstance(found, Asked) or not found.codes or table.catalogue.meant(text):
            continue
        if found.amount.count or found.amount.guess or found.amount.packs:
            said = f"“{text[:MAX_REMARK]}” stands in one cell: how many pieces do you want?"
            amount = Amount(question=said, guess=found.amount.count or found.amount.guess)
            return replace(found, amount=amount, words=text_of_row(row))
    return None


def _amount(row: Row, table: Table) -> Amount:
    """Return what a row asks for: in pieces, else in cartons, where it is known what they hold."""
    pieces = _amounts(row, table.quantities, table.decimal)
    cartons = _amounts(row, table.columns(CARTONS), table.decimal)
    held = {one.count for one in _amounts(row, table.columns(PER_CARTON), "")}
    stated = held.pop() if len(held) == 1 else 0
    packed = _unpacked(cartons[0], stated or table.carton) if cartons else Amount()
    if packed.count:  # in place of a formula without a value
        pieces = [one for one in pieces if not one.is_formula]
    if not pieces:
        return packed
    amount = _sum(pieces) if table.adds_up else _one_of(pieces, is_sure=table.asks != "quantity")
    if packed.count and amount.count and amount.count != packed.count:
        each = f"{cartons[0].count:,} cartons of {stated or table.carton:,} make {packed.count:,}"
        said = f"{amount.count:,} pieces, but {each}: how many do you want?"
        return Amount(question=f"Quantity: {said}")
    return amount


def _amounts(row: Row, columns: Sequence[int], mark: str) -> list[Amount]:
    found = (amount_in(cell_at(row.cells, index), mark) for index in columns)
    return [amount for amount in found if not amount.is_none]


def _unpacked(cartons: Amount, held: int) -> Amount:
    count = cartons.count * held
    if cartons.question or (0 < count <= MAX_COUNT and held <= MAX_CARTON):
        packs = Amount(count, packs=cartons.count, unit=CARTON)
        return cartons if cartons.question else packs
    return amount_of_packs(cartons.count, CARTON)


def _sum(pieces: Sequence[Amount]) -> Amount:
    """Return the pieces of several columns added up, as was said; asked where one of them is."""
    asked = next((one for one in pieces if one.question), None)
    count = sum(one.count for one in pieces)
    if asked or count <= MAX_COUNT:
        return replace(asked, guess=0) if asked else Amount(count)
    return Amount(question=f"A line has at most {MAX_COUNT:,} pieces.")


def _one_of(pieces: Sequence[Amount], *, is_sure: bool) -> Amount:
    """Return the pieces in which all columns of a row agree, else a question."""
    first = pieces[0]
    if is_sure and all(other == first for other in pieces):
        return first
    if len(pieces) == 1:
        said = f"Quantity: is {first.count:,} how many pieces you want?"
        return first if first.question else Amount(question=said, guess=first.count)
    shown = " or ".join(f"{one.count:,}" if one.count else "another" for one in pieces)
    return Amount(question=f"Quantity: {shown}: which is it?")


def _doubted(amount: Amount, row: Row, table: Table) -> Amount:
    """Return an amount, asked where something else in the row speaks against it: another unit, a
    remark, a total of its own, words that cancel.
    """
    used = {*table.columns(*CODES), *table.quantities, *table.columns(CARTONS, PRICE, PER_CARTON)}
    beside = {
        index: text
        for index, cell in enumerate(row.cells)
        if index not in used and isinstance(cell, str) and (text := text_in(cell))
    }
    if cancelled := next(filter(is_cancelled, beside.values()), ""):
        return Amount(question=f"Your row says “{cancelled[:MAX_REMARK]}”.")
    if amount.question:
        return amount
    remark = next((beside[i] for i in table.columns(NOTE) if _is_remark(beside.get(i, ""))), "")
    if (in_packs := _in_packs(amount, row, table, beside)) is not None and not remark:
        return in_packs
    unit = next((beside[i] for i in table.columns(UNIT) if i in beside), "")
    if unit and heading(unit) not in PIECES and not _says_packs(unit):
        return Amount(question=f"Quantity: in “{unit[:MAX_UNIT]}”: how many pieces is that?")
    if disagreeing := _disagreeing(row, table):
        return Amount(question=f"Quantity: {disagreeing}: how many pieces do you want?")
    if remark:
        guess = 0 if in_packs else amount.count
        return Amount(question=f"Your remark says “{remark[:MAX_REMARK]}”.", guess=guess)
    return amount


def _is_remark(text: str) -> bool:
    return not (NEUTRAL.issuperset(heading(text).split()) or _says_packs(text))


def _disagreeing(row: Row, table: Table) -> str:
    """Return which figures of a row do not make a third as they do in the others: “2 × 12 is not
    30”.
    """
    for columns in table.products:
        if makes(row, *columns, table.decimal) is False:
            one, other, product = (text_in(cell_at(row.cells, index)) for index in columns)
            return f"{one} × {other} is not {product}"
    return ""


def _in_packs(amount: Amount, row: Row, table: Table, beside: Mapping[int, str]) -> Amount | None:
    """Return an amount that a text beside it says is of cartons; None where none says so, or it is
    known that the quantities are pieces, or what a carton holds.
    """
    names = table.columns(NAME)
    packs = next((text for i, text in beside.items() if i not in names and _says_packs(text)), "")
    if not packs or table.columns(CARTONS):
        return None
    unit = unit_of(heading(packs).split()[0])
    held = {one.count for one in _amounts(row, table.columns(PER_CARTON), "")}
    if len(held) == 1 and unit in CARTON_UNITS:
        return _unpacked(amount, held.pop())
    is_plain = not any(map(str.isdecimal, packs))
    return amount_of_packs(amount.count, unit if is_plain else "")


def _says_packs(text: str) -> bool:
    """Return whether a cell is a word for cartons, packs or dozens and nothing else: “gift box” is
    none, “box (12)” and “carton/s” are.
    """
    words = heading(text).split()
    return (
        bool(words)
        and len(text) <= MAX_UNIT
        and counts_packs(words[0])
        and all(word.isdecimal() or len(word) < 3 for word in words[1:])
    )


def _price(row: Row, table: Table) -> Decimal | None:
    """Return the price beside a quantity; what is none is passed over: prices are the portal's."""
    for index in table.columns(PRICE):
        try:
            return number_of(stored_value(cell_at(row.cells, index)))
        except CellFault:
            continue
    return None

"""Stage three: each row of a table asks for something, or is passed over with its reason. None is
lost.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from apps.common.http.serializers import MAX_COUNT
from apps.common.tables.cells import cell_at, heading
from apps.common.tables.spreadsheets import Row
from apps.orders.intake.table import CODES, MAX_CARTON, QUANTITY, Table, number_in, witness_of
from apps.orders.intake.typed import (
    WHY_EMPTY,
    WHY_GREETING,
    WHY_HEADING,
    WHY_NO_QUANTITY,
    WHY_TOTAL,
    Code,
    Line,
    Passed,
    is_signature,
    passed,
    text_of_row,
    typed_row,
)
from apps.orders.intake.words import (
    APART,
    CARTON,
    CARTONS,
    DOZENS,
    IDLE,
    NAME,
    NOTE,
    PER_CARTON,
    PIECES,
    PRICE,
    QTY,
    REFUSALS,
    UNIT,
    Amount,
    amount_in,
    amount_of,
    amount_of_packs,
    asked,
    counts_packs,
    has_digit,
    is_cancelled,
    is_heading,
    is_total,
    number_text,
    sets_apart,
    text_in,
    texts_in,
    unit_of,
)

MAX_UNIT, MAX_REMARK = 30, 80
CARTON_UNITS = frozenset(("carton", "case", "box", "ctn", "caja", "karton", "박스", "короб", "箱"))
SIGNED_WITHIN = 3  # rows behind a greeting
WHY_HEADINGS, WHY_REMARK = "Headings.", "A remark."
# What a chat writes before a message: `[09:13, 29/11/2026] Ann: `, `29/11/2026, 09:13 - Ann: `.
STAMP = re.compile(
    r"\[?(?:[\d/.-]{6,10},? )?\d{1,2}:\d\d(?::\d\d)?(?: ?[ap]m)?(?:, [\d/.-]{6,10})?(?:\]| -) "
    r"(?P<name>[^:\d]{1,40}): ",
    re.IGNORECASE,
)
MANY = "how many pieces do you want?"


def lines_of(table: Table) -> Iterator[Line | Passed]:
    """Yield what each row of a table asks for, or why nothing."""
    if table.is_typed:
        yield from _typed_rows(table)
        return
    counts: list[int] = []
    since = 0  # how many of them stood above the last sum
    title, last = "", 0  # what takes back the rows below it, and the last of those
    parent = ""  # the last row of one text
    for row in table.tab.rows:
        item, texts = _row(row, table), texts_in(row.cells)
        if isinstance(item, Line):
            count = item.amount.count
            if not any(item.names) and _is_sum(count, counts, counts[since:]):
                item, since = passed(row, WHY_TOTAL), len(counts)
            else:
                counts.append(count)
                item = replace(item, parent=parent)
        is_alone = isinstance(item, Passed) and len(texts) == 1 and row.number > table.head
        alone = texts[0] if is_alone else ""
        parent = alone or parent
        if isinstance(item, Line) and title and row.number == last + 1:
            if count:
                question = f"It stands under “{title[:MAX_REMARK]}”."
                item = replace(item, amount=Amount(question=question, guess=count))
        else:
            title = alone if sets_apart(alone) and (counts or table.head) else ""
        last = row.number
        yield item


def _is_sum(count: int, *columns: Sequence[int]) -> bool:
    return count > 0 and any(len(counts) > 1 and sum(counts) == count for counts in columns)


def _typed_rows(table: Table) -> Iterator[Line | Passed]:
    rows, running = _without_row_numbers(_without_stamps(table.tab.rows))
    greeted = -SIGNED_WITHIN
    for place, row in enumerate(rows):
        item = typed_row(row, table.catalogue)
        if isinstance(item, Line) and place in running and item.amount.count:
            item = replace(item, amount=_doubtful(item.amount.count))
        if isinstance(item, Passed):
            greeted = place if item.why == WHY_GREETING else greeted
        elif place - greeted <= SIGNED_WITHIN and is_signature(row, table.catalogue):
            item = passed(row, WHY_GREETING)
        yield item


def _without_stamps(rows: Sequence[Row]) -> Sequence[Row]:
    """Return the rows of a chat without the time and name that all have before them, where one
    person wrote most; what others say in it keeps them.
    """
    texts = [" ".join(texts_in(row.cells)) for row in rows]
    stamps = {i: match for i, text in enumerate(texts) if (match := STAMP.match(text))}
    writers = Counter(match["name"] for match in stamps.values())
    if len(stamps) < 2 or 2 * len(stamps) < len(rows):
        return rows
    writer = max(writers, key=writers.__getitem__)
    cut = {i: texts[i][one.end() :] for i, one in stamps.items() if one["name"] == writer}
    return [row._replace(cells=(cut.get(i, texts[i]),)) for i, row in enumerate(rows)]


def _without_row_numbers(rows: Sequence[Row]) -> tuple[Sequence[Row], Collection[int]]:
    """Return typed rows without the 1, 2, 3… before them; and the places of rows whose only number
    may be such a one.
    """
    texts = [" ".join(texts_in(row.cells)).split() for row in rows]
    numbered = [i for i, words in enumerate(texts) if words and words[0].isdecimal()]
    numbers = [int(texts[i][0]) for i in numbered if len(texts[i][0]) < 5]
    if len(numbered) < 2 or numbers != [*range(1, len(numbered) + 1)]:
        return rows, ()
    if not all(any(word.strip("x×*").isdecimal() for word in texts[i][1:]) for i in numbered):
        return rows, numbered
    cut = {i: (" ".join(texts[i][1:]),) for i in numbered}
    return [row._replace(cells=cut.get(i, row.cells)) for i, row in enumerate(rows)], ()


def _row(row: Row, table: Table) -> Line | Passed:
    if row.number <= table.head:
        return passed(row, WHY_HEADINGS)
    texts = texts_in(row.cells)
    name = next(iter(texts_in(table.cells(row, NAME))), "")
    codes = [
        Code(text, index in table.ours)
        for index in table.columns(*CODES)
        if (text := text_in(cell_at(row.cells, index)))
    ]
    if row.number not in table.known:
        if is_total(texts):
            return passed(row, WHY_TOTAL)
        if is_heading(texts) or texts == texts_in(table.headings):
            return passed(row, WHY_HEADING)
    amount = _amount(row, table)
    has_product = bool(codes or name)
    if amount.is_none and has_product:
        amount = next(_beside_nothing(row, table), amount)
    if amount.is_none:
        why = WHY_NO_QUANTITY if has_product else WHY_REMARK if texts else WHY_EMPTY
        return _in_one_cell(row, table, texts) or passed(row, why)
    if not has_product and not amount.count and not has_digit("".join(texts)):
        return passed(row, WHY_REMARK)
    return _line(row, table, next(_doubts(amount, row, table), amount), codes, name)


def _line(row: Row, table: Table, amount: Amount, codes: Sequence[Code], name: str) -> Line:
    """Return the line of a row, with its price and the texts that may say its product."""
    prices = (number_in(cell) for cell in table.cells(row, PRICE))
    price = next((price for price in prices if price is not None), None)
    line = Line(row.number, amount, codes, name, price, row.is_hidden, text_of_row(row))
    telling = table.texts(row)
    return replace(
        line,
        texts=list(telling.values()),
        naming=[text for index, text in telling.items() if index not in table.idle],
        variants=[text for index, text in telling.items() if index in table.variants],
    )


def _in_one_cell(row: Row, table: Table, texts: Sequence[str]) -> Line | None:
    """Return a row as asked whose code and number stand in one cell, beside no quantity."""
    for text in texts:
        item = typed_row(Row(row.number, (text,)), table.catalogue)
        if not isinstance(item, Line) or not item.codes or table.catalogue.skus_of_code(text):
            continue
        if item.amount.count or item.amount.guess or item.amount.packs:
            question = f"“{text[:MAX_REMARK]}” is in one cell: {MANY}"
            amount = Amount(question=question, guess=item.amount.count or item.amount.guess)
            return replace(item, amount=amount, words=text_of_row(row))
    return None


def _amount(row: Row, table: Table) -> Amount:
    """Return what a row asks for: in pieces, else in cartons, where it is known what they hold."""
    pieces = _amounts(row, table.quantities, table.decimal)
    cartons = _amounts(row, table.columns(CARTONS), table.decimal)
    size = _pieces_in_one(row, table) or table.carton
    packed = _unpacked(cartons[0], size) if cartons else Amount()
    if packed.count:  # in place of a formula without a value
        pieces = [one for one in pieces if not one.is_formula]
    if not pieces:
        return packed
    if table.kinds.count(QTY) > 1:  # as was said; asked where one of them is
        question = next((one for one in pieces if one.question), None)
        amount = (
            replace(question, guess=0) if question else amount_of(sum(one.count for one in pieces))
        )
    else:
        amount = _one_of(pieces, is_sure=table.asks != QUANTITY)
    if packed.count and amount.count and amount.count != packed.count:
        each = f"{cartons[0].count:,} cartons of {size:,} make {packed.count:,}"
        excerpt = f"{amount.count:,} pieces, but {each}: how many do you want?"
        return asked(excerpt)
    return amount


def _beside_nothing(row: Row, table: Table) -> Iterator[Amount]:
    """Yield what is asked of a row without pieces that has what makes them in other rows."""
    for result in (*table.contents, *table.sums):
        numbers = result.numbers(row, table.decimal)
        if numbers and cell_at(row.cells, result.column) is None:
            made = f" {result.sign} ".join(map(number_text, numbers))
            yield asked(f"{made} stands beside no quantity: {MANY}")


def _pieces_in_one(row: Row, table: Table) -> int:
    """Return the pieces in a carton as the row says; 0 where it says none, or several."""
    sizes = {one.count for one in _amounts(row, table.columns(PER_CARTON), "")}
    return sizes.pop() if len(sizes) == 1 else 0


def _amounts(row: Row, columns: Sequence[int], mark: str) -> list[Amount]:
    amounts = (amount_in(cell_at(row.cells, index), mark) for index in columns)
    return [amount for amount in amounts if not amount.is_none]


def _unpacked(cartons: Amount, size: int) -> Amount:
    count = cartons.count * size
    if cartons.question:
        return cartons
    if 0 < count <= MAX_COUNT and size <= MAX_CARTON:
        return Amount(count, packs=cartons.count, unit=CARTON)
    return amount_of_packs(cartons.count, CARTON)


def _one_of(pieces: Sequence[Amount], *, is_sure: bool) -> Amount:
    """Return the pieces in which all columns of a row agree, else a question."""
    first = pieces[0]
    if is_sure and all(other == first for other in pieces):
        return first
    if len(pieces) == 1:
        return first if first.question else _doubtful(first.count)
    either = " or ".join(f"{one.count:,}" if one.count else "another" for one in pieces)
    return asked(f"{either}: which is it?")


def _doubtful(count: int) -> Amount:
    return asked(f"is {count:,} the number of pieces you want?", guess=count)


def _doubts(amount: Amount, row: Row, table: Table) -> Iterator[Amount]:
    """Yield what is asked of an amount where something else in the row speaks against it, the
    weightiest first: that it is taken back, another unit, figures that do not agree, a remark.
    """
    used = {*table.columns(*CODES), *table.quantities, *table.columns(CARTONS, PRICE, PER_CARTON)}
    beside = {
        index: text
        for index, cell in enumerate(row.cells)
        if index not in used and isinstance(cell, str) and (text := text_in(cell))
    }
    yield from _taken_back(amount.count, row, table, beside)
    if amount.question:
        yield amount
    remarks = (beside.get(index, "") for index in table.columns(NOTE))
    remark = next(filter(_is_remark, remarks), "")
    in_packs = _in_packs(amount, row, table, beside)
    if in_packs and in_packs.question and not remark:
        yield in_packs
    unit = next((beside[index] for index in table.columns(UNIT) if index in beside), "")
    if unit and heading(unit) not in PIECES and not _says_packs(unit):
        yield asked(f"in “{unit[:MAX_UNIT]}”: how many pieces is that?")
    yield from _contradictions(amount.count, row, table)
    if remark:
        guess = 0 if in_packs else amount.count
        yield Amount(question=f"Your remark says “{remark[:MAX_REMARK]}”.", guess=guess)
    if in_packs:
        yield in_packs


def _taken_back(count: int, row: Row, table: Table, beside: Mapping[int, str]) -> Iterator[Amount]:
    """Yield what is asked of a row that is cancelled, crossed out, or no order by a word beside it
    (a sample, a “no” where others say yes).
    """
    for index, text in beside.items():
        words = heading(text)
        is_refused = index in table.agreeing and words in REFUSALS
        if is_refused or words in APART or is_cancelled(text):
            yield Amount(question=f"Your row says “{text[:MAX_REMARK]}”.")
    if row.is_crossed_out:
        yield Amount(question="It is crossed out in your sheet.", guess=count)
    columns = {*table.columns(*CODES, NAME, CARTONS), *table.quantities}
    for index in columns.intersection(row.crossed_out):
        excerpt = text_in(cell_at(row.cells, index))[:MAX_REMARK]
        if excerpt:
            question = f"At “{excerpt}” something is crossed out in your sheet."
            yield Amount(question=question, guess=count)
    for index, comment in row.comments:
        if index in columns and _is_remark(comment):
            yield Amount(
                question=f"A comment in your sheet says “{comment[:MAX_REMARK]}”.", guess=count
            )


def _is_remark(text: str) -> bool:
    return not (IDLE.issuperset(heading(text).split()) or _says_packs(text))


def _contradictions(count: int, row: Row, table: Table) -> Iterator[Amount]:
    """Yield what is asked of figures that do not make another as they do in other rows, and of
    pieces for nothing that are left out.
    """
    for result in (*table.products, *table.contents, *table.sums):
        if result.is_right(row, table.decimal) is False:
            parts = texts_in(witness_of(cell_at(row.cells, index)) for index in result.parts)
            product = text_in(cell_at(row.cells, result.column))
            yield asked(f"{f' {result.sign} '.join(parts)} is not {product}: {MANY}")
    for index in table.free:
        if not amount_in(cell := cell_at(row.cells, index)).is_none:
            free = f"“{table.heading_of(index)[:MAX_UNIT]}” {text_in(cell)[:MAX_UNIT]}"
            yield asked(f"{free} is left out: {MANY}", guess=count)


def _in_packs(amount: Amount, row: Row, table: Table, beside: Mapping[int, str]) -> Amount | None:
    """Return an amount that a text beside it says is of cartons; None where none says so, or it is
    known that the quantities are pieces, or what a carton holds.
    """
    names = table.columns(NAME)
    packs = next((text for i, text in beside.items() if i not in names and _says_packs(text)), "")
    if not packs or table.columns(CARTONS):
        return None
    unit = unit_of(heading(packs).split()[0])
    headings = " ".join(heading(table.heading_of(index)) for index in table.quantities)
    if unit in DOZENS and not PIECES.isdisjoint(headings.split()):
        return asked(f"in “{packs}”: how many pieces is that?")
    if unit in CARTON_UNITS and (size := _pieces_in_one(row, table)):
        return _unpacked(amount, size)
    return amount_of_packs(amount.count, "" if has_digit(packs) else unit)


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

"""Stage two: which tab is the order, which row has its headings, what its columns hold. What cannot
be told is asked once, and remembered for the company's next sheet of the same layout.
"""

from collections import Counter
from collections.abc import Mapping, Sequence, Set
from dataclasses import replace
from decimal import Decimal
from itertools import pairwise
from operator import itemgetter

from apps.catalog.rules import ean_of
from apps.common.tables.cells import (
    MARKS,
    Cell,
    Unreadable,
    cell_at,
    column_mark,
    heading,
    is_doubtful,
    stored_value,
)
from apps.common.tables.spreadsheets import HEADINGS_WITHIN, Row, SpreadsheetRefused, Tab
from apps.orders.intake.catalogue import Catalogue
from apps.orders.intake.table import (
    ANY_NUMBER,
    CARTON,
    CODES,
    COLUMNS,
    NUMBER,
    QUANTITY,
    Table,
    TabMapping,
    are_counts,
    as_sent,
    cells_of,
    fingerprint,
    is_code_and_number,
    notes_on,
    number_in,
    sign_of,
    total_of,
)
from apps.orders.intake.words import (
    CARTONS,
    EAN,
    MONTHS,
    NAME,
    NOTE,
    OTHER,
    OWN,
    PER_CARTON,
    PRICE,
    QTY,
    SKU,
    amount_in,
    has_digit,
    is_plain_quantity,
    kind_of,
    meaning_of_note,
    number_text,
    text_in,
    texts_in,
)
from apps.orders.intake.workbook import MAX_ROWS, TOO_LONG, Workbook

MIN_HITS = 2
SIDE_BY_SIDE = (
    "Two lists stand side by side on “{}”: one would be lost. Put one below the other, with the "
    "same columns, and send it again."
)
TRANSPOSED = (
    "The products stand side by side on “{}”, one in each column. Put one below the other, a row "
    "for each, and send it again."
)
FEWEST_ACROSS, MOST_ACROSS = 3, 2  # products in a row, rows of their SKUs and EANs


def choose(
    book: Workbook,
    catalogue: Catalogue,
    *,
    mappings: Mapping[int, TabMapping],
    remembered: Mapping[str, TabMapping],
    tab: int | None,
) -> tuple[list[Table], int, int]:
    """Return the tabs as they would be read, the place of the one that is read, and of the one that
    is proposed. `remembered` are the company's layouts by their fingerprints.

    Raises:
        SpreadsheetRefused: no tab can be read, the tab is too long, has two lists side by side, or
            its products.
    """
    tables = [
        Table(place, one, 0, (OTHER,), catalogue, is_typed=True)
        if book.is_text
        else _table(place, one, catalogue, mappings.get(place), remembered)
        for place, one in enumerate(book.tabs)
    ]
    visible = [table for table in tables if not table.tab.is_hidden and table.tab.rows]
    if not visible:
        raise SpreadsheetRefused("All tabs are hidden. Show the one with your order.")
    proposed = _proposed(visible).place if len(visible) > 1 else visible[0].place
    place = proposed if tab is None or tab >= len(tables) or tables[tab].tab.is_hidden else tab
    if len(tables[place].tab.rows) > MAX_ROWS:
        raise SpreadsheetRefused(TOO_LONG)
    _check_one_list(tables[place])
    return tables, place, proposed


def _table(
    place: int,
    tab: Tab,
    catalogue: Catalogue,
    own_mapping: TabMapping | None,
    remembered: Mapping[str, TabMapping],
) -> Table:
    rows = as_sent(tab.rows)
    table = _inferred(place, tab, rows, catalogue)
    marks = {fingerprint(rows, head): head for head in (table.head, *_heads(rows, catalogue))}
    candidates = (
        remembered[mark]._replace(head=head)
        for mark, head in marks.items()
        if mark in remembered and not remembered[mark].fault
    )
    mapping = own_mapping or next(candidates, None)
    if mapping is None:
        return _with_numbers(table)
    kinds = tuple(kind or OTHER for kind in mapping.kinds)
    kinds += (OTHER,) * (len(table.kinds) - len(kinds))
    table = Table(place, tab, mapping.head, kinds, catalogue, mapping.carton, is_remembered=True)
    return _with_numbers(table, mapping.decimal, is_said=mapping is own_mapping)


def _with_numbers(table: Table, decimal: str = "", *, is_said: bool = False) -> Table:
    """Return a table with what begins decimals in its quantities, by the whole column; where that
    cannot be known, it is asked with both readings.
    """
    counts = (*table.quantities, *table.columns(CARTONS))
    cells, prices = (
        [stored_value(cell) for index in columns for cell in table.column(index)]
        for columns in (counts, table.columns(PRICE))
    )
    mark = (is_said and decimal) or column_mark(cells, is_whole=True, witnesses=prices)
    if mark is None:
        mark = decimal or _mark_of_sums(table, counts)
    if mark is not None:
        return replace(table, decimal=mark)
    sample = next(cell for cell in cells if isinstance(cell, str) and is_doubtful(cell))
    cells = [cell_at(row.cells, index) for index in counts for row in table.ordered]
    readings = tuple(
        {
            "decimal": mark,
            "sample": f"{sample} means {number_text(total_of([sample], mark))}",
            "total": total_of(cells, mark),
        }
        for mark in MARKS
    )
    return replace(table, asks=table.asks or NUMBER, readings=readings)


def _mark_of_sums(table: Table, columns: Sequence[int]) -> str | None:
    """Return the mark by which pieces times price make another column, or the pieces the total
    below them; None where neither does, or both.
    """
    fitting = [mark for mark in MARKS if replace(table, decimal=mark).products]
    ordered = {row.number for row in table.ordered}
    totals = [row for row in table.below if row.number not in ordered]
    if totals and not fitting:
        fitting = [
            mark
            for mark in MARKS
            if all(
                total_of((cell_at(row.cells, index) for row in table.ordered), mark)
                == number_in(cell_at(totals[-1].cells, index), mark)
                for index in columns
            )
        ]
    return fitting[0] if len(fitting) == 1 else None


def _proposed(tables: Sequence[Table]) -> Table:
    """Return the tab with most rows that order something; of tabs of one layout whose names have a
    date, the newest that has any.
    """
    best = max(
        tables,
        key=lambda one: (not one.is_former, one.ordering, one.is_remembered, one.place),
    )
    alike = [
        one
        for one in tables
        if one.ordering and one.fingerprint == best.fingerprint and one.is_former == best.is_former
    ]
    if not all(any(_date_in(one.tab.name)) for one in alike):
        return best
    return max(alike, key=lambda one: (_date_in(one.tab.name), one.place), default=best)


def _date_in(name: str) -> tuple[int, ...]:
    """Return the year, month and other numbers in a tab's name, as far as they stand there."""
    words = heading(name).split()
    numbers = [int(number) for number in ANY_NUMBER.findall(heading(name)) if len(number) < 9]
    years = [number for number in numbers if number > 999]
    months = [MONTHS[word] for word in words if word in MONTHS]
    return (max(years, default=0), *months[:1], *(one for one in numbers if one not in years))


def why_not(table: Table, selected: Table) -> str:
    """Return why a tab is not the selected one; empty for that."""
    if table is selected:
        return ""
    if table.tab.is_hidden:
        return "It is hidden."
    if not table.tab.rows:
        return "It is empty."
    if table.is_former:
        return "Its name says prices, stock or a former order."
    if not table.ordering:
        return "No row has a known code and a quantity."
    return f"{table.ordering:,} rows order something; “{selected.tab.name}” is read."


def _check_one_list(table: Table) -> None:
    """Check that no second list stands beside the first, and that products stand in rows.

    Raises:
        SpreadsheetRefused: one does, or they do not.
    """
    if not table.ordering and not table.is_typed:
        find = table.catalogue.skus_of_code
        known = ({*filter(None, map(find, texts_in(row.cells)))} for row in table.tab.rows)
        across = [products for products in known if len(products) >= FEWEST_ACROSS]
        if 0 < len(across) <= MOST_ACROSS:
            raise SpreadsheetRefused(TRANSPOSED.format(table.tab.name or "this list"))
    if len(table.columns(*CODES)) < 2 or len(table.quantities) < 2:
        return
    codes_by_row = [
        list(filter(None, map(table.catalogue.skus_of_code, texts_in(table.cells(row, *CODES)))))
        for row in table.below
    ]
    apart = sum(len(codes) > 1 and not frozenset.intersection(*codes) for codes in codes_by_row)
    if 2 * apart > table.ordering > 1:
        raise SpreadsheetRefused(SIDE_BY_SIDE.format(table.tab.name or "this list"))


# What stands in a tab that nobody has said anything of.


def _inferred(place: int, tab: Tab, rows: Sequence[Row], catalogue: Catalogue) -> Table:
    width = max((len(row.cells) for row in tab.rows), default=0)
    codes = _columns_of_codes(rows, catalogue)
    head, headed = _headings(rows, catalogue, has_codes=bool(codes))
    below = [row for row in rows if row.number > head]
    columns = [
        [cell for row in below if (cell := stored_value(cell_at(row.cells, index))) is not None]
        for index in range(width)
    ]
    texts = list(map(texts_in, columns))
    headed |= {
        index: _kind_of_codes(texts[index], catalogue)
        for index in codes
        if headed.get(index) not in (NAME, QTY, CARTONS) or not _are_names(texts[index])
    }
    _leave_out_words(headed, columns)
    for index, kind in headed.items():
        if kind in CODES and index not in codes and _are_lines(texts[index]):
            headed[index] = OTHER
    note = _say_quantities(headed, columns, texts, rows, head)
    _add_texts(headed, texts, rows, head)
    kinds = tuple(headed.get(index, OTHER) for index in range(width))
    asks = _question_of({*kinds})
    if asks in (COLUMNS, QUANTITY):
        count = sum(is_code_and_number(row, catalogue) for row in rows)
        if 2 * count > len(rows):  # code and number in one text
            return Table(place, tab, 0, (OTHER,) * width, catalogue, is_typed=True)
    return Table(place, tab, head, kinds, catalogue, asks=asks, note=note)


def _say_quantities(
    headed: dict[int, str],
    columns: Sequence[Sequence[Cell]],
    texts: Sequence[Sequence[str]],
    rows: Sequence[Row],
    head: int,
) -> str:
    """Say which columns hold the pieces, "" for each of those that may: where none is headed so,
    where several are, one by a heading that says more, or a note says so, which is returned.
    """
    quantities = [index for index, kind in headed.items() if kind == QTY]
    cells = cells_of(rows, head)
    is_plain = all(is_plain_quantity(text_in(cell_at(cells, index))) for index in quantities)
    if not quantities and CARTONS not in headed.values():
        headed |= _unheaded(headed, columns, texts, has_headings=bool(head))
    elif len(quantities) > 1 or not is_plain:
        headed |= dict.fromkeys(quantities, "")
    note = next(iter(notes_on(rows, head)), "")
    if note:
        is_packed = meaning_of_note(note) == CARTONS and CARTONS not in headed.values()
        counted = CARTONS if is_packed else ""
        headed |= {index: counted for index, kind in headed.items() if kind == QTY}
    return note


def _question_of(kinds: Set[str]) -> str:
    """Return what is asked first of columns that hold these."""
    if not kinds & {QTY, CARTONS, ""} or not kinds & {*CODES, NAME}:
        return COLUMNS
    if "" in kinds:
        return QUANTITY
    return CARTON if CARTONS in kinds and not kinds & {QTY, PER_CARTON} else ""


def _columns_of_codes(rows: Sequence[Row], catalogue: Catalogue) -> list[int]:
    """Return the columns in which codes are known, those with most of them first."""
    hits = Counter(
        index
        for row in rows
        for index, cell in enumerate(row.cells)
        if catalogue.skus_of_code(text_in(cell))
    )
    least = min(MIN_HITS, (len(rows) + 1) // 2)
    return [index for index, count in hits.most_common() if count >= least]


def _leave_out_words(headed: dict[int, str], columns: Sequence[Sequence[Cell]]) -> None:
    """Leave out the columns that are headed as quantities and hold no numbers, where others do."""
    for kind in (QTY, CARTONS, PER_CARTON):
        of_kind = [index for index, one in headed.items() if one == kind]
        worded = [index for index in of_kind if not _has_numbers(columns[index])]
        if len(worded) < len(of_kind):
            headed |= dict.fromkeys(worded, OTHER)


def _has_numbers(cells: Sequence[Cell]) -> bool:
    """Return whether a third of what stands in a column begins with a number, or is nothing."""
    numbers = sum(
        amount_in(cell).is_none or isinstance(cell, Unreadable) or has_digit(text_in(cell)[:4])
        for cell in cells
    )
    return bool(cells) and 3 * numbers >= len(cells)


def _unheaded(
    kinds: Mapping[int, str],
    columns: Sequence[Sequence[Cell]],
    texts: Sequence[Sequence[str]],
    *,
    has_headings: bool,
) -> dict[int, str]:
    """Return which columns hold the pieces where no heading says so, "" for each of those that may:
    the only one with whole numbers, if nothing is headed; and what is named by texts beside it.
    """
    counts = [i for i, cells in enumerate(columns) if i not in kinds and are_counts(cells)]
    pieces = [i for i in counts if not _numbers_rows(columns[i])]
    if len(pieces) != 1 or has_headings:
        return dict.fromkeys(pieces or counts, "")
    first = next((i for i, some in enumerate(texts) if some and i not in counts), None)
    if kinds or first is None:
        return {pieces[0]: QTY}
    # Codes that nobody knows yet, or names.
    return {pieces[0]: QTY, first: NAME if _are_names(texts[first]) else SKU}


def _headings(
    rows: Sequence[Row], catalogue: Catalogue, *, has_codes: bool
) -> tuple[int, dict[int, str]]:
    """Return the row of headings that says most and what it says of columns; 0 and nothing where
    none is.
    """
    scored = [(0, _likely_head(rows, catalogue), dict[int, str]())]
    for row in rows[:HEADINGS_WITHIN]:
        if _holds_data(row, catalogue):
            continue
        texts = {index: cell for index, cell in enumerate(row.cells) if isinstance(cell, str)}
        kinds = {index: kind for index, text in texts.items() if (kind := kind_of(text))}
        names = {*kinds.values()}
        if (len(names) > 1 or names & {QTY}) and (has_codes or names & {*CODES, NAME}):
            scored.append((len(names - {OTHER}) * 10 + len(kinds), row.number, kinds))
    _, head, headed = max(scored, key=itemgetter(0))  # of several the first
    return head, headed


def _holds_data(row: Row, catalogue: Catalogue) -> bool:
    """Return whether a row is no headings: it has a number, or a code that is known."""
    return any(
        isinstance(stored_value(cell), int | Decimal) or catalogue.skus_of_code(text_in(cell))
        for cell in row.cells
    )


def _likely_head(rows: Sequence[Row], catalogue: Catalogue) -> int:
    """Return the row of headings where none of them is known: the one right above the first row
    with a number, if it is of words alone.
    """
    head = 0
    for row in rows[:HEADINGS_WITHIN]:
        if "n" in map(sign_of, row.cells) or _holds_data(row, catalogue):
            return head
        head = row.number if sum(cell is not None for cell in row.cells) > 1 else head
    return 0


def _kind_of_codes(texts: Sequence[str], catalogue: Catalogue) -> str:
    matches = [(text, skus) for text in texts if (skus := catalogue.skus_of_code(text))]
    eans = sum(ean_of(text) is not None for text, _ in matches)
    ours = sum(text.upper() in skus for text, skus in matches)
    return EAN if 2 * eans > len(matches) else SKU if 2 * ours >= len(matches) else OWN


def _are_names(texts: Sequence[str], least: int = 2) -> bool:
    """Return whether most texts have several words."""
    return 2 * sum(len(text.split()) >= least for text in texts) > len(texts)


def _numbers_rows(cells: Sequence[Cell]) -> bool:
    """Return whether a column has 1, 2, 3… from its top."""
    numbers = [one for cell in cells if (one := number_in(cell)) is not None]
    return len(numbers) > 1 and numbers == [*range(1, len(numbers) + 1)]


def _are_lines(texts: Sequence[str]) -> bool:
    """Return whether what is headed as codes are the lines' numbers, `00010`, `00020`…, some of
    them left out.
    """
    numbers = [int(text) for text in texts if text.isdecimal()]
    first = numbers[0] if 1 < len(numbers) == len(texts) else 0
    steps = [after - before for before, after in pairwise(numbers)]
    return (
        first in (1, 10, 100)
        and all(step > 0 and step % first == 0 for step in steps)
        and numbers[-1] <= 2 * first * len(numbers)
    )


def _add_texts(
    headed: dict[int, str], columns: Sequence[Sequence[str]], rows: Sequence[Row], head: int
) -> None:
    """Add the first column of names where none has a heading, and remarks: texts that stand in few
    of the rows, or beside the headings.
    """
    headings = cells_of(rows, head)
    count = sum(row.number > head for row in rows)
    for index, texts in enumerate(columns):
        is_text = bool(texts) and not any(number_in(text) is not None for text in texts)
        if headed.get(index, OTHER) != OTHER or not is_text:
            continue
        is_headed = index in headed
        is_bare = bool(headings) and not text_in(cell_at(headings, index))
        if NAME not in headed.values() and _are_names(texts, least=3 if is_headed else 2):
            headed[index] = NAME
        elif not is_headed and (
            3 * len(texts) < count or (is_bare and len({*texts}) == len(texts) < count)
        ):
            headed[index] = NOTE


def _heads(rows: Sequence[Row], catalogue: Catalogue) -> list[int]:
    """Return the rows that may be headings."""
    return [
        row.number
        for row in rows[:HEADINGS_WITHIN]
        if "n" not in map(sign_of, row.cells)
        and sum(cell is not None for cell in row.cells) > 1
        and not _holds_data(row, catalogue)
    ]

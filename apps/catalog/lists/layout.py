"""Which column of a buyer's sheet is what: by its headings in any of several languages, else by
what stands in it.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from apps.catalog.lists.typed import is_running
from apps.catalog.lists.words import (
    CARTONS,
    COUNTING,
    EAN,
    HEADINGS,
    IN_ONE,
    NAME,
    NOTE,
    NOTHING,
    OTHER,
    OTHER_STEMS,
    PER,
    PER_CARTON,
    PIECES,
    PRICE,
    QTY,
    SKU,
    UNIT,
)
from apps.catalog.reading.quantities import counts_packs
from apps.common.tables.cells import (
    Cell,
    CellFault,
    Unreadable,
    cell_at,
    count_of,
    heading,
    number_of,
    sku_of,
)
from apps.common.tables.spreadsheets import HEADINGS_WITHIN, Row

# By code as `code_of` writes it: the SKUs that it can mean.
Known = Mapping[str, Collection[str]]
FindCodes = Callable[[Collection[str]], Known]
MIN_HITS = 2
HYPHENS = str.maketrans(dict.fromkeys("‐‑‒–—−－", "-"))


@dataclass(frozen=True)
class Layout:
    """The columns of a sheet by what they hold, and the row of its headings (0: none)."""

    codes: tuple[int, ...]
    names: tuple[int, ...]
    pieces: tuple[int, ...]
    cartons: tuple[int, ...]
    price: int | None
    head: int
    notes: tuple[int, ...] = ()
    units: tuple[int, ...] = ()
    # The quantities stand in a column that says so, or in the only one that could hold them
    is_sure: bool = True
    ours: tuple[int, ...] = ()  # columns of codes in which nearly every code is known
    carton: int = 0  # pieces in a carton, as the buyer said
    is_settled: bool = False  # by the buyer
    reckoned: bool = False  # formulas make the pieces of cartons
    per_carton: tuple[int, ...] = ()  # how many pieces a carton of the row's product holds


def code_of(cell: Cell) -> str:
    """Return a cell as a code is looked up: a SKU, an EAN or a code of the buyer's own; empty for
    none.
    """
    try:
        return sku_of(cell).translate(HYPHENS)
    except CellFault:
        return ""


def codes_in(rows: Iterable[Row]) -> set[str]:
    """Return what may be a code: short, with a digit."""
    codes = {code_of(cell) for row in rows for cell in row.cells if cell is not None}
    return {code for code in codes if 3 <= len(code) <= 40 and any(map(str.isdigit, code))}


def layout_of(rows: Sequence[Row], known: Known) -> Layout | None:
    """Return the layout of a sheet, None where no column of quantities stands beside what names
    products.
    """
    hits = columns_of_codes(rows, known)
    best = _best_head(rows, known, has_codes=bool(hits))
    layout = _by_headings(_kinds(best), best, rows, hits) if best is not None else None
    layout = layout or _by_content(rows, hits)
    if layout is None:
        return None
    names = layout.names or _column_of_names(layout, rows)
    return replace(layout, ours=columns_of_ours(rows, known, hits), names=names)


def _best_head(rows: Sequence[Row], known: Known, *, has_codes: bool) -> Row | None:
    """Return the first of the rows of headings that say most; they name products where no code of
    the sheet does.
    """
    best: tuple[int, Row] | None = None
    for row in rows[:HEADINGS_WITHIN]:
        kinds = {} if holds_data(row, known) else _kinds(row)
        found = set(kinds.values())
        if len(found) < 2 or not (has_codes or found & {SKU, EAN, NAME}):
            continue
        score = len(found - {OTHER}) * 10 + len(kinds)
        if best is None or score > best[0]:
            best = score, row
    return best[1] if best else None


def holds_data(row: Row, known: Known) -> bool:
    """Return whether a row is no headings: it has a number, or a code that is known."""
    return any(
        isinstance(cell, int | Decimal) or (cell is not None and code_of(cell) in known)
        for cell in row.cells
    )


def columns_of_ours(rows: Sequence[Row], known: Known, hits: Sequence[int]) -> tuple[int, ...]:
    """Return those columns of codes in which more codes are known than not."""
    ours = []
    for index in hits:
        codes = [
            code
            for row in rows
            if (code := code_of(cell_at(row.cells, index))) and any(map(str.isdigit, code))
        ]
        if 2 * sum(code in known for code in codes) > len(codes):
            ours.append(index)
    return tuple(ours)


def _kinds(row: Row) -> dict[int, str]:
    """Return what a row of headings says of each column that it knows."""
    kinds: dict[int, str] = {}
    for index, cell in enumerate(row.cells):
        kind = kind_of(cell) if isinstance(cell, str) else ""
        if kind:
            kinds[index] = kind
    return kinds


ORDER = (
    OTHER,
    PRICE,
    NAME,
    PER_CARTON,
    CARTONS,
    SKU,
    EAN,
    UNIT,
    NOTE,
    QTY,
)  # the later wins where a heading fits several
EXACT = {name: kind for kind in ORDER for name in HEADINGS[kind]}
MOST_WORDS = 5


def kind_of(text: str) -> str:
    """Return what a heading says that its column holds; empty where it says nothing known."""
    words = heading(text)
    if words in EXACT:
        return EXACT[words]
    parts = words.split()
    if not parts or len(parts) > MOST_WORDS:
        return ""
    if any(part.startswith(OTHER_STEMS) for part in parts):
        return OTHER
    return _kind_of_a_carton(parts, words, is_slashed="/" in text) or next(
        (kind for kind in (EAN, NOTE, CARTONS, QTY, PRICE, SKU, NAME) if _has_name_of(kind, words)),
        "",
    )


def _kind_of_a_carton(parts: Sequence[str], words: str, *, is_slashed: bool) -> str:
    """Return what a heading says that is about one carton: how many pieces are in it, or something
    else; else empty.

    “Pcs per carton”, “qty/ctn” and “박스당 수량” are pieces, “kg/ctn” and “cartons per pallet” something
    else.
    """
    if _has_name_of(PER_CARTON, words):
        return OTHER if _has_name_of(PRICE, words) else PER_CARTON
    said = [part for part in parts if not _is_carton(part)]
    cartons = len(parts) - len(said)
    if not cartons or not _is_per(
        said, is_pair=len(parts) == 2, is_slashed=is_slashed and said == parts[:1]
    ):
        return ""
    return PER_CARTON if cartons == 1 and (PER | PIECES | COUNTING).issuperset(said) else OTHER


def _is_carton(word: str) -> bool:
    return word in IN_ONE or counts_packs(word)


def _is_per(said: Sequence[str], *, is_pair: bool, is_slashed: bool) -> bool:
    """Return whether the words beside “carton” say that something is counted of one."""
    return not PER.isdisjoint(said) or (is_pair and (is_slashed or not PIECES.isdisjoint(said)))


def _has_name_of(kind: str, words: str) -> bool:
    """Return whether a known heading stands in another: as words of it, or anywhere where scripts
    part no words.
    """
    padded = f" {words} "
    for name in HEADINGS[kind]:
        if name.isascii():
            if len(name) > 2 and f" {name} " in padded:
                return True
        elif len(name) > 1 and name in words:
            return True
    return False


def _by_headings(
    kinds: Mapping[int, str], head: Row, rows: Sequence[Row], hits: Sequence[int]
) -> Layout | None:
    """Return the columns that headings name; quantities stand where most can be read. None where no
    column has them.

    Where no heading names quantities, every column of counts below another heading may hold them:
    who reads the row sees whether they agree.
    """
    below = [row for row in rows if row.number > head.number]
    hits = _without_names(hits, kinds, below)
    of = _by_kind(kinds, hits)
    pieces, cartons = _readable(of[QTY], below), _readable(of[CARTONS], below)
    is_named = any((pieces, cartons))
    if not is_named:
        pieces = _counts_besides({*kinds, *hits}, rows, below) or of[QTY]
    if not any((pieces, cartons)):
        return None
    return Layout(
        codes=tuple(dict.fromkeys([*hits, *of[SKU], *of[EAN]])),
        names=tuple(of[NAME]),
        pieces=tuple(pieces),
        cartons=tuple(cartons),
        price=next(iter(of[PRICE]), None),
        head=head.number,
        notes=(*of[NOTE], *_sparse_texts(kinds, pieces, hits, below)),
        units=tuple(of[UNIT]),
        is_sure=is_named or len(pieces) == 1,
        reckoned=are_reckoned(below, pieces, cartons),
        per_carton=tuple(_readable(of[PER_CARTON], below)),
    )


def are_reckoned(rows: Sequence[Row], pieces: Sequence[int], cartons: Sequence[int]) -> bool:
    """Return whether formulas stand in most cells of the pieces beside cartons."""
    cells = [
        cell for row in rows for index in pieces if (cell := cell_at(row.cells, index)) is not None
    ]
    return bool(cartons) and 2 * sum(isinstance(cell, Unreadable) for cell in cells) > len(cells)


def _by_kind(kinds: Mapping[int, str], hits: Sequence[int]) -> dict[str, list[int]]:
    """Return the columns of each kind besides those of codes, from the left."""
    return {
        kind: [index for index, one in kinds.items() if one == kind and index not in hits]
        for kind in ORDER
    }


def _counts_besides(
    columns: Collection[int], rows: Sequence[Row], below: Sequence[Row]
) -> list[int]:
    """Return the columns of counts besides these."""
    rest = [index for index in range(max(len(row.cells) for row in rows)) if index not in columns]
    return [index for index in rest if _are_counts([cell_at(row.cells, index) for row in below])]


def _without_names(
    hits: Sequence[int], kinds: Mapping[int, str], below: Sequence[Row]
) -> list[int]:
    """Return the columns of codes that are none of names, though a company's own codes may be
    names.
    """
    return [index for index in hits if kinds.get(index) != NAME or not _are_names(below, index)]


def _column_of_names(layout: Layout, rows: Sequence[Row]) -> tuple[int, ...]:
    """Return the first column of no known use in which most rows have several words, as
    names have.
    """
    below = [row for row in rows if row.number > layout.head]
    used = {
        *layout.codes,
        *layout.pieces,
        *layout.cartons,
        *layout.notes,
        *layout.units,
        layout.price,
    }
    width = max((len(row.cells) for row in below), default=0)
    for index in range(width):
        texts = sum(isinstance(cell_at(row.cells, index), str) for row in below)
        if index not in used and 2 * texts > len(below) and _are_names(below, index):
            return (index,)
    return ()


def _are_names(rows: Sequence[Row], index: int) -> bool:
    """Return whether most cells of a column have several words: names, though the company calls
    products so.
    """
    texts = [text for row in rows if isinstance(text := cell_at(row.cells, index), str)]
    return 2 * sum(" " in text.strip() for text in texts) > len(texts)


def _sparse_texts(
    kinds: Mapping[int, str], pieces: Sequence[int], hits: Sequence[int], rows: Sequence[Row]
) -> list[int]:
    """Return the columns of no known heading in which few rows have a text: remarks."""
    width = max((len(row.cells) for row in rows), default=0)
    found = []
    for index in range(width):
        filled = [cell for row in rows if (cell := cell_at(row.cells, index)) is not None]
        is_text = all(isinstance(cell, str) for cell in filled)
        if (
            filled
            and is_text
            and 3 * len(filled) < len(rows)
            and index not in {*kinds, *pieces, *hits}
        ):
            found.append(index)
    return found


def _readable(columns: Sequence[int], rows: Sequence[Row]) -> list[int]:
    """Return the columns whose cells hold numbers; one of formulas only where no other does."""
    plain, formulas = [], []
    for index in columns:
        filled = [cell for row in rows if (cell := cell_at(row.cells, index)) is not None]
        read = sum(_holds_number(cell) for cell in filled)
        if filled and 3 * read >= len(filled):
            plain.append(index)
        elif any(isinstance(cell, Unreadable) for cell in filled):
            formulas.append(index)
    return plain or formulas


def _holds_number(cell: Cell) -> bool:
    if isinstance(cell, str):
        return cell.strip().casefold() in NOTHING or any(map(str.isdigit, cell[:4]))
    return isinstance(cell, int | Decimal)


def columns_of_codes(rows: Sequence[Row], known: Known) -> list[int]:
    """Return the columns in which codes that mean something stand, those with the most first."""
    found: dict[int, int] = {}
    for row in rows:
        for index, cell in enumerate(row.cells):
            if cell is not None and code_of(cell) in known:
                found[index] = found.get(index, 0) + 1
    least = min(MIN_HITS, len(rows))
    return [
        index
        for index, count in sorted(found.items(), key=lambda one: (-one[1], one[0]))
        if count >= least
    ]


def _by_content(rows: Sequence[Row], hits: Sequence[int]) -> Layout | None:
    """Return the first column that holds anything (or codes that are known), and the first of
    counts behind it.

    Where that first column has counts and the next one what only SKUs look like, the quantities
    come first. A quantity that cannot be read makes no other column of it, if most of them can.
    """
    first = rows[:HEADINGS_WITHIN]
    width = max((len(row.cells) for row in first), default=0)
    columns = [[cell_at(row.cells, index) for row in first] for index in range(width)]
    return _beside_codes(columns, hits) if hits else _in_order(columns)


def _beside_codes(columns: Sequence[Sequence[Cell]], hits: Sequence[int]) -> Layout | None:
    places = [
        index for index in (*range(hits[0] + 1, len(columns)), *range(hits[0])) if index not in hits
    ]
    return _plain(columns, hits[0], [index for index in places if _are_counts(columns[index])])


def _in_order(columns: Sequence[Sequence[Cell]]) -> Layout | None:
    skus = next((index for index, cells in enumerate(columns) if any(cells)), len(columns))
    counts = [index for index in range(skus + 1, len(columns)) if _are_counts(columns[index])]
    if _leads(columns, skus):
        return _plain(columns, skus + 1, [skus, *(index for index in counts if index > skus + 1)])
    return _plain(columns, skus, counts[:1])


def _leads(columns: Sequence[Sequence[Cell]], first: int) -> bool:
    """Return whether a column has the quantities of the SKUs behind it."""
    has_skus = first + 1 < len(columns) and all(map(_is_plainly_sku, columns[first + 1]))
    return has_skus and _are_counts(columns[first])


def _plain(columns: Sequence[Sequence[Cell]], skus: int, counts: Sequence[int]) -> Layout | None:
    """Return SKUs and quantities; what numbers the rows is no quantity, and asked about where
    nothing else could be.

    None where no column has counts.
    """
    if not counts:
        return None
    running = [index for index in counts if _numbers_rows(columns[index])]
    quantities = tuple(index for index in counts if index not in running) or tuple(counts)
    is_sure = len(quantities) == 1 and not (
        running == [*quantities] and len(columns[quantities[0]]) > 2
    )
    return Layout(
        codes=(skus,), names=(), pieces=quantities, cartons=(), price=None, head=0, is_sure=is_sure
    )


def _are_counts(cells: Sequence[Cell]) -> bool:
    """Return whether a column holds pieces: no number with decimals, and at most half that is no
    number.
    """
    filled = [cell for cell in cells if cell not in (None, "")]
    unread = [cell for cell in filled if not _can(count_of, cell)]
    return (
        bool(filled)
        and 2 * len(unread) <= len(filled)
        and not any(_can(number_of, cell) for cell in unread)
    )


def _numbers_rows(cells: Sequence[Cell]) -> bool:
    """Return whether a column has 1, 2, 3… from its top."""
    filled = [cell for cell in cells if cell not in (None, "")]
    return all(_can(count_of, cell) for cell in filled) and is_running(
        [count_of(cell) or 0 for cell in filled]
    )


def _can(read: Callable[[Cell], object], cell: Cell) -> bool:
    try:
        read(cell)
    except CellFault:
        return False
    return True


def _is_plainly_sku(cell: Cell) -> bool:
    """Return whether a cell has letters and digits without a space, as SKUs have and names and
    numbers have not.
    """
    has_both = isinstance(cell, str) and any(map(str.isalpha, cell)) and any(map(str.isdigit, cell))
    return has_both and " " not in str(cell).strip()

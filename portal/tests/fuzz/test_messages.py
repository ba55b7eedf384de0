"""Any text is read: its lines lie within it, and are the same ones again."""

from hypothesis import given
from hypothesis import strategies as st

from apps.catalog.reading import Company, Reader
from apps.catalog.tests.plain_words import CATALOGUE, LAST
from portal.tests.fuzz.size import trying

PIECES_OF_TEXT = st.sampled_from(
    [
        "golden",
        "rice",
        " ",
        "\n",
        ",",
        "40",
        "x",
        "AUR-GC050",
        "same as last time",
        "no",
        "크림",
        "крем",
        "2 boxes",
        "?",
        ":",
    ]
)


@trying(300)
@given(st.one_of(st.text(max_size=200), st.lists(PIECES_OF_TEXT, max_size=40).map(" ".join)))
def test_any_text_gives_lines_within_it_and_the_same_ones_again(text: str) -> None:
    reader = Reader(CATALOGUE, Company({"A1": "AUR-GC050"}, LAST))
    lines = reader.read(text).lines
    for line in lines:
        assert 0 <= line.start < line.end <= len(text)
        assert line.words == text[line.start : line.end].strip()
        assert not line.is_sure or (line.sku in CATALOGUE.rows and line.pieces > 0)
    assert Reader(CATALOGUE, Company({"A1": "AUR-GC050"}, LAST)).read(text).lines == lines

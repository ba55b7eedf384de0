"""Rows of a document's table that belong together stay on one page, if a page can hold them."""

from datetime import UTC, datetime

import pytest

from apps.orders.documents import content as cells
from apps.orders.documents.content import Cell
from apps.orders.documents.pdf import render_pdf
from apps.orders.tests.document_files import make_content, pages_of

NAME = (
    "Ängström Crème Façade 수분 진정 크림, refill for the travel set of four " * 3
)  # several lines


def pages(*sizes: int, name: str = NAME) -> list[str]:
    """Return the pages of a document with groups of this many rows; a row is called by its group
    and place.
    """
    rows: list[list[Cell]] = [
        [
            {"text": f"Box {group}", "strong": True} if not place else {},
            cells.text(f"g{group}r{place}. {name}"),
            cells.pieces(1),
            {},
        ]
        for group, size in enumerate(sizes, 1)
        for place in range(size)
    ]
    content = make_content(rows)
    content["table"]["groups"] = list(sizes)
    content["table"]["total"] = [cells.text("Sum"), {}, cells.pieces(len(rows)), {}]
    return pages_of(render_pdf(content, issued_at=datetime(2026, 11, 14, tzinfo=UTC)))


def pages_with(shown: list[str], words: str) -> list[int]:
    return [number for number, page in enumerate(shown) if words in page]


@pytest.mark.parametrize("name", ["Cream", NAME], ids=["short", "long"])
def test_a_group_stays_on_one_page(name: str) -> None:
    sizes = [5, 3, 8, 1, 6, 7, 2, 8, 4] * 2
    shown = pages(*sizes, name=name)
    assert len(shown) > 3
    for group, size in enumerate(sizes, 1):
        (page,) = {
            page for place in range(size) for page in pages_with(shown, f"g{group}r{place}.")
        }
        assert f"Box {group}\n" in shown[page]
    assert not pages_with(shown, "continued")


def test_a_group_that_no_page_holds_is_continued_and_loses_nothing() -> None:
    shown = pages(2, 70, 2)
    assert all(len(pages_with(shown, f"g2r{place}.")) == 1 for place in range(70))
    first, *further = pages_with(shown, "Box 2")
    assert (
        further
        == pages_with(shown, "continued")
        == list(range(first + 1, first + 1 + len(further)))
    )
    assert len(further) > 3
    assert all("DESCRIPTION" in page for page in shown[first:])


@pytest.mark.parametrize("rows", range(27, 31))
def test_the_total_never_stands_alone(rows: int) -> None:
    shown = pages(*[1] * rows, name="Cream")
    assert pages_with(shown, "Sum") == [len(shown) - 1]
    assert f"g{rows}r0." in shown[-1]

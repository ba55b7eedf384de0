"""Messages of plain words: what is read in them, and what is asked."""

import pytest
from rapidfuzz import fuzz

from apps.catalog.reading import Catalogue, Company, Reader, ReadLine, Row
from apps.catalog.reading.candidates import HEARD_ALIKE, SHOWN
from apps.catalog.reading.quantities import numbers_of
from apps.catalog.reading.words import sound_of, stem, tokens_of
from apps.catalog.review.by_name import suggested_for
from apps.catalog.tests.plain_words import CATALOGUE, LAST


def read(text: str, **company: dict[str, str] | dict[str, int]) -> list[ReadLine]:
    return Reader(CATALOGUE, Company(**company)).read(text).lines  # type: ignore[arg-type]


def sure(text: str, **company: dict[str, str] | dict[str, int]) -> list[tuple[str, int]]:
    return [(line.sku, line.pieces) for line in read(text, **company) if line.is_sure]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("golden rice cream 40", [("AUR-GC050", 40)]),
        ("Hi Jin, we need 40 goldn rice creams please, thanks", [("AUR-GC050", 40)]),
        (
            "golden rice cream, 40 pcs; Green plum toner - 20",
            [("AUR-GC050", 40), ("BOM-GT200", 20)],
        ),
        (
            "golden rice cream 40, ampoule 20 and eye cream 30",
            [("AUR-GC050", 40), ("AUR-GA030", 20), ("AUR-GY025", 30)],
        ),
        ("Golden Rice:\n- cream 40\n- ampoule 20", [("AUR-GC050", 40), ("AUR-GA030", 20)]),
        (
            "1) golden rice cream - 40 nos\n2) hinoki hand cream - 2 doz",
            [("AUR-GC050", 40), ("CED-HH075", 24)],
        ),
        ("fig and oat hand cream x 48", [("PEB-HC075", 48)]),
        ("twenty five green plum toner", [("BOM-GT200", 25)]),
        ("60 x green plum toner pads 60 pcs", [("BOM-GP060", 60)]),
        ("niacinamide 10 serum 20", [("PEB-NS030", 20)]),
        (
            "niacinamide 10 serum x 10\n50 x retinal night emulsion 50 ml",
            [("PEB-NS030", 10), ("PEB-RT050", 50)],
        ),
        (
            "golden rice cream 20 @ 9.50 = 190.00\neye cream golden rice 24 x 14,20 = 340,80",
            [("AUR-GC050", 20), ("AUR-GY025", 24)],
        ),
        (
            "2 boxes of 36 golden rice cream\n3 cajas hinoki hand cream (24 por caja)",
            [("AUR-GC050", 72), ("CED-HH075", 72)],
        ),
        ("Hello~ golden rice cream 40", [("AUR-GC050", 40)]),
        ("the rice cream is the golden rice cream: golden rice cream 40", [("AUR-GC050", 40)]),
        ("petal tint balm 04 x 20", [("ROS-TB004", 20)]),
        ("cushion 13N and 23N 10 each", [("LUN-VC013", 10), ("LUN-VC023", 10)]),
        ("aur gc050 20 / 9528400999546 x 20", [("AUR-GC050", 20)] * 2),
        ("АUR-GС050 30, 410275: 48", [("AUR-GC050", 30), ("00410275", 48)]),
        ("40 golden rice cream 20 green plum toner", [("AUR-GC050", 40), ("BOM-GT200", 20)]),
        (
            "veinte cremas de manos hinoki y 3 docenas de tónico ciruela verde",
            [("CED-HH075", 20), ("BOM-GT200", 36)],
        ),
        ("골든라이스 크림 스무 개, 히노키 핸드크림 30개랑", [("AUR-GC050", 20), ("CED-HH075", 30)]),
        (
            "Крем Golden Rice 50 мл — сорок шт., крем для рук хиноки 30 штук",
            [("AUR-GC050", 40), ("CED-HH075", 30)],
        ),
    ],
)
def test_what_is_plain_is_sure(text: str, expected: list[tuple[str, int]]) -> None:
    assert sure(text) == expected


@pytest.mark.parametrize(
    ("text", "sku", "question"),
    [
        ("toner 20", "", "which_product"),
        ("retinal emulsion 10", "", "which_product"),
        ("advanced rice cream 40", "", "which_product"),
        ("golden rice cream 2 boxes", "AUR-GC050", "how_many"),
        ("golden rice cream about 40", "AUR-GC050", "how_many"),
        ("golden rice cream ~40", "AUR-GC050", "how_many"),
        ("golden rice cream 2 boxes of 36 or 40", "AUR-GC050", "how_many"),
        ("green plum toner pads 2 boxes of 60", "BOM-GP060", "how_many"),
        ("golden rice cream 20 or 40", "AUR-GC050", "how_many"),
        ("golden rice cream", "AUR-GC050", "how_many"),
        ("green plum toner pads 60 pcs", "BOM-GP060", "how_many"),
        ("golden rice cream 20, no, make that 30", "AUR-GC050", "how_many"),
        (
            "golden rice cream 20. hinoki hand cream 10, forget the eye cream, cream 12",
            "AUR-GC050",
            "how_many",
        ),
        ("golden rice cream 20\nAUR-GC050 30", "AUR-GC050", "how_many"),
        ("we got 12 golden rice cream by mistake", "AUR-GC050", "how_many"),
        ("HB-101 golden rice cream 40", "", "which_product"),
        ("AUR-GC05O 40", "", "which_product"),
        ("same as last time", "", "no_last_time"),
    ],
)
def test_what_is_not_plain_is_asked(text: str, sku: str, question: str) -> None:
    first = read(text)[0]
    assert (first.sku, first.question) == (sku, question)
    assert sure(text) in ([], [("CED-HH075", 10)])


def test_what_is_asked_for_of_each_shade_is_proposed_for_all() -> None:
    lines = read("all cushion shades 20 each")
    assert [(line.sku, line.question, line.guess) for line in lines] == [
        ("LUN-VC013", "how_many", 20),
        ("LUN-VC023", "how_many", 20),
    ]
    assert [line.guess for line in read("half the last order", last_order=LAST)] == [20, 10]
    assert [line.guess for line in read("golden rice cream 20, no wait, make it 30")] == [30]


def test_no_order_is_read_in_talk() -> None:
    for text in (
        "Good morning, when does the parcel of 14 March arrive? Tel. +49 151 2233",
        "On Friday Jin wrote:\n> your order of 24 golden rice cream has been shipped",
        "Invoice same as last time please",
    ):
        assert read(text, last_order=LAST) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("same as last time", [("BOM-GT200", 40), ("AUR-GC050", 20)]),
        (
            "same as last time but no toner, plus 30 hinoki hand cream",
            [("AUR-GC050", 20), ("CED-HH075", 30)],
        ),
        ("lo mismo que la última vez pero sin tónico", [("AUR-GC050", 20)]),
        ("지난번이랑 똑같이, 토너는 빼고 부탁드려요", [("AUR-GC050", 20)]),
        ("Повторите прошлый заказ, но без тонера", [("AUR-GC050", 20)]),
        ("same as last time but golden rice cream 60", [("BOM-GT200", 40), ("AUR-GC050", 60)]),
        ("double the last order", [("BOM-GT200", 80), ("AUR-GC050", 40)]),
        ("half of the last order please", [("BOM-GT200", 20), ("AUR-GC050", 10)]),
        ("double the last order?", []),
        ("same as last time but skip the toner, it is not selling", [("AUR-GC050", 20)]),
        ("same as last time without the toner. The pallet is not needed", [("AUR-GC050", 20)]),
        ("как прошлый раз, без центеллы и без тонера", []),
        ("maybe double the last order", []),
        ("same as last time, no rush", [("BOM-GT200", 40), ("AUR-GC050", 20)]),
        ("same as last time but no lipstick", []),
        (
            "30 hinoki hand cream\nand some green plum toner, same as last time",
            [("CED-HH075", 30), ("BOM-GT200", 40)],
        ),
        (
            "30 hinoki hand cream\nAUR-GC050, same as last time",
            [("CED-HH075", 30), ("AUR-GC050", 20)],
        ),
        ("Hello Golden Rice team, same as last time", [("BOM-GT200", 40)]),
    ],
)
def test_the_last_order_again(text: str, expected: list[tuple[str, int]]) -> None:
    assert sure(text, last_order=LAST) == expected


def test_a_company_s_own_words_and_codes_are_sure() -> None:
    words = {"SUNNY RICE": "AUR-GC050", "HB-101": "BOM-GT200", "TONER": "BOM-GP060"}
    assert sure("sunny rice 40, HB-101 20 pcs", words=words) == [
        ("AUR-GC050", 40),
        ("BOM-GT200", 20),
    ]
    assert sure("sunny rice 40") == []


RICE = {"RICE": "AUR-GC050"}


@pytest.mark.parametrize(
    ("text", "company", "expected"),
    [
        # Of several that fit, the one that the company calls by some of the words.
        ("retinal emulsion 10", {"words": {"EMULSION": "PEB-RL120"}}, [("PEB-RL120", 10)]),
        ("retinal emulsion 10", {"words": {"EVENING EMULSION": "PEB-RL120"}}, []),
        ("golden rice ampoule 10", {"words": RICE}, [("AUR-GA030", 10)]),
        ("advanced rice cream 10", {"words": RICE}, []),
        # One word is enough for what was settled before, if no other product has it.
        ("niacinamide 20", {}, []),
        ("niacinamide 20", {"last_order": {"PEB-NS030": 20}}, [("PEB-NS030", 20)]),
        ("niacinamide 20", {"words": {"MY SERUM": "PEB-NS030"}}, [("PEB-NS030", 20)]),
        ("retinal 20", {"last_order": {"PEB-RL120": 20}}, []),
        ("half the last order", {"last_order": {"PEB-NS030": 25}}, []),
        # A line of products is asked for whole.
        ("all golden rice 20 each", {}, [("AUR-GA030", 20), ("AUR-GC050", 20), ("AUR-GY025", 20)]),
        ("all golden rice 2 boxes each", {}, []),
    ],
)
def test_what_a_company_settled_before_carries(
    text: str, company: dict[str, dict[str, str] | dict[str, int]], expected: list[tuple[str, int]]
) -> None:
    assert sure(text, **company) == expected


def test_candidates_say_why_and_a_line_where_it_came_from() -> None:
    text = "please: retinal emulsion 10"
    (line,) = read(text)
    assert (text[line.start : line.end], line.words, line.pieces) == (
        "retinal emulsion 10",
    ) * 2 + (10,)
    assert [(one.sku, one.why, one.agreeing) for one in line.suggested] == [
        ("PEB-RL120", "2 words agree", ("emulsion", "retinal")),
        ("PEB-RT050", "2 words agree", ("emulsion", "retinal")),
    ]


def test_of_many_called_alike_those_with_the_figures_are_proposed() -> None:
    catalogue = Catalogue(
        Row(f"ES-{number}", f"Essence Serum {number}", "Alder", None) for number in range(1, 1001)
    )
    found = suggested_for(["Essence Serum 950", "Essence Serum"], catalogue)
    assert [one.sku for one in found["Essence Serum 950"]] == ["ES-950"]
    assert len(found["Essence Serum"]) == SHOWN


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("forty-two", [42]),
        ("treinta y cinco", [35]),
        ("двадцать пять", [25]),
        ("서른다섯 개", [35]),
        ("삼십오 개", [35]),
        ("two hundred", [200]),
        ("1,200 pcs", [1200]),
        ("half a dozen", [6]),
        ("50ml", [50]),
        ("0.1", [-1]),
    ],
)
def test_numbers(text: str, values: list[int]) -> None:
    assert [
        number.value for number in numbers_of(list(tokens_of(text)), names=frozenset())
    ] == values


def test_words_of_one_stem_and_sound() -> None:
    assert stem("creams") == stem("cream")
    assert stem("сыворотку") == stem("сыворотка")
    assert stem("토너는") == "토너"
    assert fuzz.ratio(sound_of("골든"), sound_of("golden")) > HEARD_ALIKE

"""Credits matched with what is asked for, by examples."""

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import pytest

from apps.common.testing import vectors
from apps.common.types import Json
from apps.payments.bank.matching import Book, Claim, Kind, Match, codes_in, same_name

pytestmark = pytest.mark.django_db
CLAIMS = [
    ("MHW-261109-0377", 1, "Verity Cosmetics Inc", "Verity Cosmetics", "balance", "4210.00"),
    ("MHW-261119-0421", 2, "Brightwater Trading Co.", "PL Brightwater", "balance", "412.35"),
    ("MHW-261119-0418", 3, "Petite Pharmacie SARL", "L BERNARD", "deposit", "1120.00"),
    ("MHW-261120-0424", 4, "Nordlys Helse AS", "Nordlys Helse", "deposit", "2240.00"),
    ("MHW-261113-0402", 5, "Levant Beauty Trading", "Levant FZE", "balance", "1286.00"),
    ("MHW-261120-0422", 5, "Levant Beauty Trading", "", "balance", "2240.00"),
    ("MHW-261111-0391", 6, "Kirsch und Söhne", "", "balance", "8402.60"),
    ("MHW-261101-0501", 7, "Twin Trade Ltd", "", "deposit", "700.00"),
    ("MHW-261101-0502", 7, "Twin Trade Ltd", "", "deposit", "700.00"),
]


@dataclass
class Arrived:
    amount: Decimal
    debtor: str
    text: str


def claims() -> list[Claim]:
    return [
        Claim(number, None, code, company_id, company, depositor, kind, Decimal(amount))
        for number, (code, company_id, company, depositor, kind, amount) in enumerate(CLAIMS)
    ]


def arrived(amount: str, debtor: str = "", text: str = "") -> Arrived:
    return Arrived(Decimal(amount), debtor, text)


@pytest.fixture(autouse=True)
def prefix(settings: Any) -> None:
    settings.INVOICE_PREFIX = "MHW"


def match_credits(credits: Iterable[Arrived], claims: Iterable[Claim]) -> list[Match]:
    return Book(claims).match_all(credits)


@pytest.mark.parametrize("row", vectors("payments/match_credits"), ids=lambda row: row["name"])
def test_examples(row: Json) -> None:
    (match,) = match_credits([arrived(*row["credit"])], claims())
    parts = match.proposals[0].parts if match.proposals else ()
    kinds = [
        [part.claim.invoice_code[-4:], str(part.amount), str(part.written_off)] for part in parts
    ]
    assert (match.kind.name.lower(), kinds) == (row["kind"], row["parts"])
    assert (match.proposals[0].why if match.proposals else match.why) == row["why"]


def test_only_exact_and_small_differences_are_sure() -> None:
    kinds = {
        row["kind"]: match_credits([arrived(*row["credit"])], claims())[0].is_sure
        for row in vectors("payments/match_credits")
    }
    assert {kind for kind, sure in kinds.items() if sure} == {"exact", "short"}
    assert set(kinds) == {kind.name.lower() for kind in Kind if kind <= Kind.NONE}


@pytest.mark.parametrize("text", ["MHW-261109-0377", ""])
@pytest.mark.parametrize(
    ("amount", "kind", "written_off"),
    [
        ("4180.00", Kind.SHORT, "30.00"),
        ("4179.99", Kind.DIFFERS, "0"),
        ("4210.01", Kind.DIFFERS, "0"),
    ],
)
def test_only_a_rest_of_30_dollars_of_a_balance_is_proposed_to_be_written_off(
    text: str, amount: str, kind: Kind, written_off: str
) -> None:
    (match,) = match_credits([arrived(amount, "VERITY COSMETICS", text)], claims())
    (part,) = match.proposals[0].parts
    assert (match.kind, part.claim.invoice_code) == (kind, "MHW-261109-0377")
    assert part.written_off == Decimal(written_off)


def test_of_several_orders_the_one_that_a_small_rest_settles_is_proposed() -> None:
    (match,) = match_credits([arrived("1270.00", "LEVANT BEAUTY", "")], claims())
    codes = [proposal.parts[0].claim.invoice_code for proposal in match.proposals]
    assert (match.kind, codes) == (Kind.SHORT, ["MHW-261113-0402"])


def test_a_claim_is_sure_for_one_credit_only() -> None:
    twice = [arrived("412.35", "PL BRIGHTWATER", "")] * 2
    first, second = match_credits(twice, claims())
    assert (first.kind, second.kind) == (Kind.EXACT, Kind.SEVERAL)
    assert not second.is_sure


def test_two_ways_to_make_a_sum_are_left_to_staff() -> None:
    levant = ("MHW-261120-0599", 5, "Levant Beauty Trading", "", "balance")
    more = [*claims(), Claim(90, None, *levant, Decimal("2240.00"))]
    (match,) = match_credits([arrived("3526.00", "LEVANT BEAUTY", "")], more)
    assert (match.kind, len(match.proposals)) == (Kind.SEVERAL, 2)


def test_orders_of_two_companies_make_no_sum() -> None:
    levant = ("MHW-261120-0600", 8, "Levant Beauty", "", "balance")
    more = [*claims(), Claim(90, None, *levant, Decimal("100.00"))]
    (match,) = match_credits([arrived("1386.00", "LEVANT BEAUTY", "")], more)
    assert (match.kind, {len(one.parts) for one in match.proposals}) == (Kind.SEVERAL, {1})


def test_deposit_and_balance_named_by_one_code_differ_by_the_amount() -> None:
    verity = ("MHW-261109-0377", 1, "Verity Cosmetics Inc", "", "deposit")
    more = [*claims(), Claim(0, 9, *verity, Decimal("100.00"))]
    (match,) = match_credits([arrived("100.00", "", "MHW-261109-0377")], more)
    assert (match.kind, match.proposals[0].parts[0].claim.kind) == (Kind.EXACT, "deposit")
    (match,) = match_credits([arrived("50.00", "", "MHW-261109-0377")], more)
    assert (match.kind, len(match.proposals)) == (Kind.SEVERAL, 2)


def test_a_gap_leaves_both_readings_of_a_number(settings: Any) -> None:
    shown = list(codes_in("mhw 261119 0421 77"))
    assert shown == ["MHW-261119-0421", "MHW-261119-042177"]
    assert list(codes_in("MHW-261119-042")) == []
    settings.INVOICE_PREFIX = "B&C"
    assert list(codes_in("B&C-261119-0421")) == ["B&C-261119-0421"]


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("PL BRIGHTWATER TRADING", "Brightwater Trading Co.", True),
        ("Söhne & Söhne", "SOHNE", True),
        ("L.BERNARD", "L Bernard", True),
        ("Levant FZE", "Levant Beauty Trading", True),
        ("Kim", "Kim Trading", False),
        ("Kim", "KIM", True),
        ("Rosa Trading", "Mona Trading", False),
        ("", "Anything", False),
        ("베리티 코스메틱", "베리티 코스메틱 주식회사", True),
    ],
)
def test_names(one: str, other: str, same: bool) -> None:
    assert same_name(one, other) is same_name(other, one) is same

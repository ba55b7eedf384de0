"""Which product a row of a list means, where that is asked: what may be meant, with why, and none
chosen.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from apps.accounts.selectors import Buyer
from apps.catalog.lists.rows import MAX_NAME_SHOWN, ListLine, code_of_name
from apps.catalog.reading import Catalogue, Row, Suggested
from apps.catalog.reading.candidates import SHOWN
from apps.catalog.reading.codes import BY_CODE
from apps.catalog.review.by_name import suggested_for, words_of
from apps.catalog.review.other_names import Doubt, doubts_of, may_be_another
from apps.catalog.review.problems import WHICH_PRODUCT, problem
from apps.catalog.selectors import cart_stock, catalogue_for, skus_behind, whole_catalogue
from apps.common.types import Json

MEANT = "named by another code of the row"
ProductOf = Callable[[ListLine], Json | None]


def asked_which(
    lines: Sequence[ListLine], product_of: ProductOf, *, unknown: Collection[str], buyer: Buyer
) -> tuple[list[ListLine], dict[int, list[Suggested]]]:
    """Return lines with those as questions whose code and name disagree, or whose code is one of
    those `unknown`.

    By row what each question may mean: what its codes mean, or the products that its name fits.
    """
    suspects, names = _suspects(lines, product_of), list(filter(_is_name_alone, lines))
    doubts = _doubts(suspects, lines, product_of, buyer=buyer)
    new = [_asked_by_name(line) for line in lines if line.called and line.sku in unknown]
    fitting = _fitting([*names, *new], buyer)
    fitting |= {line.row: _likely(line.name, fitting[line.row]) for line in new}
    asked = {line.row: line for line in new if fitting[line.row]} | {
        one.line.row: one.line for one in doubts
    }
    suggested = _by_codes(lines) | fitting | {one.line.row: one.suggested for one in doubts}
    return [asked.get(line.row, line) for line in lines], suggested


def _by_codes(lines: Iterable[ListLine]) -> dict[int, list[Suggested]]:
    """Return what the codes of rows may mean, by row."""
    meant = {line.row: [Suggested(line.meant, MEANT)] for line in lines if line.meant}
    return meant | {
        line.row: [Suggested(sku, BY_CODE) for sku in line.either[:SHOWN]]
        for line in lines
        if line.either
    }


def _asked_by_name(line: ListLine) -> ListLine:
    """Return a row of an unknown code as the question which product its name means; the answer
    teaches the code.
    """
    fault = f"{line.sku} is not known yet. Which product is “{line.called[:MAX_NAME_SHOWN]}”? {line.fault}".strip()
    guess = 0 if line.fault else line.count
    return replace(line, sku="", count=0, guess=guess, fault=fault, name=line.called, code=line.sku)


def _likely(name: str, found: Sequence[Suggested]) -> list[Suggested]:
    """Return those of which half of a name's words are: beside a code one common word proposes
    nothing.
    """
    return [one for one in found if 2 * len(one.agreeing) >= len(words_of(name))]


def _doubts(
    suspects: Sequence[tuple[ListLine, Row]],
    lines: Sequence[ListLine],
    product_of: ProductOf,
    *,
    buyer: Buyer,
) -> list[Doubt]:
    """Return the rows that speak for another product of the catalogue; of a large one, for another
    of the same list.

    What the company calls just what the code means is no doubt.
    """
    if not suspects:
        return []
    catalogue = whole_catalogue(buyer=buyer)
    if catalogue is None:
        catalogue = Catalogue(_row(product) for line in lines if (product := product_of(line)))
    doubts = list(doubts_of(suspects, catalogue))
    codes = {code_of_name(one.line.name) for one in doubts}
    settled = skus_behind(buyer=buyer, codes=codes) if codes else {}
    return [one for one in doubts if settled.get(code_of_name(one.line.name)) != one.line.meant]


def _is_name_alone(line: ListLine) -> bool:
    return line.name != "" and line.meant == "" and not line.either


def _fitting(names: Sequence[ListLine], buyer: Buyer) -> dict[int, list[Suggested]]:
    called = [line.name for line in names]
    fitting = (
        suggested_for(called, catalogue_for(buyer=buyer, text=" ".join(called))) if called else {}
    )
    return {line.row: fitting.get(line.name, []) for line in names}


def _suspects(lines: Sequence[ListLine], product_of: ProductOf) -> list[tuple[ListLine, Row]]:
    """Return the rows whose name has anything that the product of their code has not, each with
    that product.
    """
    named = [(line, product) for line in lines if line.called and (product := product_of(line))]
    rows = [(line, _row(product)) for line, product in named]
    return [(line, row) for line, row in rows if may_be_another(line.called, row)]


def _row(product: Json) -> Row:
    return Row(product["sku"], product["eng_name"], product["brand"], product["ean"])


def with_candidates(
    judged: list[Json],
    named: Mapping[int, ListLine],
    suggested: Mapping[int, Sequence[Suggested]],
    *,
    buyer: Buyer,
    now: datetime,
) -> list[Json]:
    """Return lines of which those that are `named` by their row alone are asked: which product is
    it?
    """
    skus = list(dict.fromkeys((one.sku, 0) for found in suggested.values() for one in found))
    products = {product["sku"]: product for product in cart_stock(buyer=buyer, lines=skus, now=now)}
    for line in judged:
        if line["row"] in named:
            asked = named[line["row"]]
            line["words"], line["called"] = (
                asked.words or asked.name,
                asked.code or code_of_name(asked.name),
            )
            line["own_code"] = "" if asked.either else asked.code
            line["problems"] = [problem(WHICH_PRODUCT, line["problems"][0]["text"])]
            line["candidates"] = candidates_of(suggested[line["row"]], products)
    return judged


def candidates_of(suggested: Iterable[Suggested], products: Mapping[str, Json]) -> list[Json]:
    """Return what is proposed of the products that the buyer sees."""
    return [
        {"product": products[one.sku], "why": one.why, "agreeing": list(one.agreeing)}
        for one in suggested
        if one.sku in products
    ]

"""A company's own codes: learned once, read with every list after that, its own alone, removed at
its wish.
"""

from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from apps.accounts.models import Company
from apps.accounts.selectors import Buyer
from apps.accounts.tests.factories import make_buyer
from apps.accounts.tests.staff import staff_client
from apps.catalog.models import Product, Running
from apps.catalog.tests.factories import make_brand, make_product, make_products, restrict
from apps.common.testing import ContractClient
from apps.common.types import Json
from apps.orders.intake import memory
from apps.orders.models import OwnCode
from apps.orders.tests.intake.test_review import only, problems, review

URL = "/api/account/own-codes"


def learn(client: ContractClient, code: str, product: Product, **fields: Any) -> Any:
    return client.send("POST", URL, {"code": code, "sku": product.sku, **fields})


def keep(buyer: Buyer, code: str, product: Product) -> None:
    """Keep a code of a buyer's company, past what the call refuses."""
    now = timezone.now()
    OwnCode.objects.create(company_id=buyer.company_id, code=code, product=product, learned_at=now)


def listed(client: ContractClient, **query: str) -> list[tuple[str, str]]:
    return [(row["code"], row["sku"]) for row in client.get(URL, query).json()["codes"]]


def test_a_code_is_learned_once_and_read_ever_after(api: ContractClient) -> None:
    product = make_product()
    assert problems(only(api, "ac-40,20\n")) == [("unknown_sku", [])]
    line: Json = learn(api, " ac-40 ", product, row=7, count=15).json()["line"]
    assert (line["row"], line["sku"], line["own_code"]) == (7, product.sku, "AC-40")
    assert (line["count"], problems(line)) == (15, [("not_multiple_of_moq", [20, 10])])
    line = only(api, "AC-40,20\n")
    assert (line["sku"], line["own_code"], line["problems"]) == (product.sku, "AC-40", [])
    assert line["product"]["sku"] == product.sku
    both = only(api, f"{product.sku},10\nAC-40,10\n")
    assert (both["count"], both["own_code"]) == (20, "AC-40")
    assert [code for code, _ in problems(both)] == ["sku_twice"]


def test_an_ean_of_several_products_is_asked_and_any_spelling_of_one_is_read(
    api: ContractClient,
) -> None:
    shared, upc = "4006381333931", "0036000291452"
    for sku, ean in (("P-1", shared), ("P-2", shared), ("P-3", upc)):
        make_product(sku=sku, ean=ean)
    question, *read = review(api, f"{shared},10\n{upc},10\n{upc[1:]},10\n")
    assert question["sku"] == ""
    assert [one["product"]["sku"] for one in question["candidates"]] == ["P-1", "P-2"]
    assert {line["sku"] for line in read} == {"P-3"}
    assert api.send("POST", URL, {"code": question["called"], "sku": "P-2"}).status_code == 200
    assert only(api, f"{shared},10\n")["sku"] == "P-2"


SPELLED = (
    *("AURGY025", "aur gy025", "AUR-GY025", "Aur Gy 025", "aur–gy025", "АUR-GУ025"),
    *("nb1020", "NB 1020", "nb.1020"),
)
AS = {
    "sheet.csv": "Code;Qty\n{code};20\nP-2;10\n",
    "list.txt": "P-2 10\n{code} 20\nP-1 10\n20 {code}",
    "message.txt": "Dear all,\nplease send {code} 20\n",
}


@pytest.mark.parametrize("name", AS)
@pytest.mark.parametrize("code", SPELLED)
def test_a_code_is_read_however_it_is_spelled(api: ContractClient, code: str, name: str) -> None:
    for sku in ("AURGY025", "P-1", "P-2"):
        make_product(sku=sku, eng_name=f"Golden {sku}")
    learn(api, "NB-1020", Product.objects.get(sku="AURGY025"))
    lines = {
        line["product"] and line["product"]["sku"]: line
        for line in review(api, AS[name].format(code=code), name)
    }
    if name == "list.txt":
        assert [lines[sku]["count"] for sku in ("AURGY025", "P-1", "P-2")] == [40, 10, 10]
    else:
        assert (lines["AURGY025"]["count"], lines["AURGY025"]["problems"]) == (20, [])


@pytest.mark.parametrize("name", AS)
def test_a_spelling_of_two_products_is_asked_until_the_company_has_said_which(
    api: ContractClient, name: str
) -> None:
    for sku in ("AB-12", "AB1-2", "P-1", "P-2"):
        make_product(sku=sku, eng_name=f"Golden {sku}")
    content = AS[name].format(code="ab12")
    question = next(line for line in review(api, content, name) if line["candidates"])
    assert [one["product"]["sku"] for one in question["candidates"]] == ["AB-12", "AB1-2"]
    assert (question["product"], question["called"]) == (None, "ab12")
    assert problems(question) == [("which_product", [])]
    assert {line["sku"] for line in review(api, AS[name].format(code="AB1-2"), name)} >= {"AB1-2"}
    learn(api, question["called"], Product.objects.get(sku="AB1-2"))
    assert not any(line["candidates"] for line in review(api, content, name))


@pytest.mark.parametrize("text", ["12.50", "1,250", "10-20", "12 50"])
def test_numbers_are_no_spelling_of_a_code(api: ContractClient, text: str) -> None:
    make_product(sku=text.translate({ord(sign): None for sign in ".,- "}))
    make_product(sku="P-1", eng_name="Golden P-1")
    lines = review(api, f"Code;EK;Qty\nP-1;{text};10\n{text};5;10")
    assert [line["sku"] for line in lines if line["product"]] == ["P-1"]
    lines = review(api, f"Golden P-1 10, then {text} 20\n", "message.txt")
    assert {line["sku"] for line in lines} <= {"P-1"}


def test_a_code_means_one_product_the_last_that_was_chosen(
    api: ContractClient, buyer: Buyer
) -> None:
    one, two = make_products(2)
    for product in (one, two):
        assert learn(api, "AC-40", product).status_code == 200
    assert listed(api) == [("AC-40", two.sku)]
    with pytest.raises(IntegrityError), transaction.atomic():
        keep(buyer, "AC-40", one)


def test_a_sku_of_ours_means_itself(api: ContractClient, buyer: Buyer) -> None:
    one, two = make_products(2)
    assert learn(api, one.sku, two).status_code == 400
    keep(buyer, one.sku, two)
    line = only(api, f"{one.sku},10\n")
    assert (line["sku"], line["own_code"]) == (one.sku, "")


def test_what_is_not_seen_is_not_learned_and_not_named(api: ContractClient, buyer: Buyer) -> None:
    product = make_product()
    assert learn(api, "A", product).status_code == 200
    Product.objects.update(is_running=Running.HIDDEN)
    assert (listed(api), problems(only(api, "A,10\n"))) == ([], [("unknown_sku", [])])
    assert learn(api, "B", product).status_code == 400
    Product.objects.update(is_running=Running.ON_SALE)
    restrict(Company.objects.get(pk=buyer.company_id), [])
    assert api.send("POST", URL, {"code": " ", "sku": "X"}).status_code == 400


def test_codes_are_the_company_s_own_searched_by_pages_and_removed(
    api: ContractClient, buyer: Buyer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memory, "CODES_A_PAGE", 2)
    product = make_product(brand=make_brand(eng="Zeta"))
    for code in ("C", "A", "B"):
        learn(api, code, product)
    keep(make_buyer(), "D", product)
    assert problems(only(api, "D,10\n")) == [("unknown_sku", [])]
    first = api.get(URL).json()
    assert ([row["code"] for row in first["codes"]], first["next"]) == (["A", "B"], "B")
    assert listed(api, after="B") == [("C", product.sku)]
    assert listed(api, search="b") == [("B", product.sku)]
    foreign = OwnCode.objects.get(code="D")
    assert api.delete(f"{URL}/{foreign.pk}").status_code == 404
    assert api.delete(f"{URL}/{first['codes'][0]['own_code_id']}").status_code == 200
    assert [code for code, _ in listed(api)] == ["B", "C"]
    monkeypatch.setattr(memory, "MAX_OWN_CODES", 2)
    assert learn(api, "E", product).status_code == 400
    assert learn(api, "B", product).status_code == 200


@pytest.mark.parametrize(
    "asks",
    [
        {"content": "SKU,Cartons\nGC-1,2\n"},
        {"content": "SKU,Qty,Unit\nGC-1,2,Cartons\n"},
        {"content": "SKU,Qty\nGC-1,2 cartons\n"},
        {"content": "Golden Rice Cream 50 ml 2 cartons", "name": "Pasted list.txt"},
    ],
)
def test_what_a_carton_holds_is_asked_once_and_forgotten_with_its_code(
    api: ContractClient, sign_in: Any, asks: Any
) -> None:
    product = make_product(sku="GC-1", eng_name="Golden Rice Cream 50 ml")
    (question,) = review(api, **asks)
    assert (problems(question), question["packs"], question["unit"]) == (
        [("bad_quantity", [])],
        2,
        "carton",
    )
    decision = {"row": 5, "packs": 2, "unit": question["unit"]}
    assert learn(api, "GC-1", product, count=41, **decision).status_code == 400
    learn(api, "GC-1", product, count=60, remember=False, **decision)
    assert problems(review(api, **asks)[0]) == [("bad_quantity", [])]
    line = learn(api, "GC-1", product, count=40, **decision).json()["line"]
    assert (line["count"], line["packs"], line["problems"]) == (40, 2, [])
    (read,) = review(api, **asks)
    assert (read["sku"], read["count"], read["packs"], read["problems"]) == ("GC-1", 40, 2, [])
    (row,) = api.get(URL, {"search": "gc-1"}).json()["codes"]
    assert (row["code"], row["sku"], row["pieces"]) == ("CARTON OF GC-1", "GC-1", 20)
    assert problems(review(sign_in(make_buyer()), **asks)[0]) == [("bad_quantity", [])]
    assert api.delete(f"{URL}/{row['own_code_id']}").status_code == 200
    assert problems(review(api, **asks)[0]) == [("bad_quantity", [])]


@pytest.mark.parametrize(
    "row",
    [
        "GC-1,2 boxes,,",  # another unit
        "GC-1,2,carton/24,",  # says itself what it holds
        "GC-1,2,carton,only if fresh",
        "GC-1,about 2 cartons,,",
        "GC-1,2.5 cartons,,",
        "GC-1,9999999 cartons,,",
        "GC-1,0 cartons,,",
    ],
)
def test_cartons_that_are_not_plain_are_asked_still(api: ContractClient, row: str) -> None:
    learn(api, "GC-1", make_product(sku="GC-1"), count=20, packs=1, unit="carton")
    assert problems(only(api, f"SKU,Qty,Unit,Remark\n{row}\n"))[0][0] == "bad_quantity"


def test_a_chosen_product_takes_its_cartons_with_it(api: ContractClient) -> None:
    product = make_product(sku="GC-1", eng_name="Golden Rice Cream 50 ml")
    learn(api, "GC-1", product, count=20, packs=1, unit="box")
    make_product(sku="GC-2", eng_name="Golden Rice Toner 50 ml")
    (question,) = review(api, "golden rice 3 boxes", "Pasted list.txt")
    decision = {name: question[name] for name in ("row", "count", "packs", "unit")}
    line = learn(api, question["called"], product, **decision).json()["line"]
    assert (question["packs"], line["count"], line["problems"]) == (3, 60, [])


def test_staff_see_them_on_the_customer_s_page(api: ContractClient, buyer: Buyer) -> None:
    learn(api, "AC-40", make_product())
    learn(api, "X", Product.objects.get(), count=36, packs=1, unit="box")
    page = staff_client("Sales").get(f"/admin/accounts/company/{buyer.company_id}/change/").text
    assert "AC-40" in page
    assert "36 pieces" in page

"""POST /register/find-state: the states of a country."""

import pytest

from apps.accounts.models import AddressEntry
from apps.accounts.tests.factories import make_country
from apps.common.testing import ContractClient

pytestmark = pytest.mark.django_db

URL = "/api/register/find-state"


def test_states_by_name_case_and_accents_ignored(visitor: ContractClient) -> None:
    country = make_country("XX", "Examplia")
    for code, name in (("XX-1", "Ñuble"), ("XX-2", "Alpha"), ("XX-3", "maule"), ("XX-4", "Zeta")):
        AddressEntry.objects.create(code=code, content=name, parent=country)
    answer = visitor.send("post", URL, {"address_id": country.pk}).json()
    assert [state["content"] for state in answer["stateList"]] == [
        "Alpha",
        "maule",
        "Ñuble",
        "Zeta",
    ]
    assert answer["success"] == 1


def test_none_for_what_has_none(visitor: ContractClient) -> None:
    for address_id in (make_country("XX", "Examplia").pk, 2**31 - 1):
        assert visitor.send("post", URL, {"address_id": address_id}).json() == {
            "success": 1,
            "stateList": [],
        }


@pytest.mark.parametrize("address_id", [None, "", "5", 0, -1, 2**53 + 1, 1.5, True, [], {}])
def test_refuses_what_is_no_id(visitor: ContractClient, address_id: object) -> None:
    assert visitor.send("post", URL, {"address_id": address_id}).status_code == 400


def test_states_are_named_as_on_a_parcel() -> None:
    names = dict(
        AddressEntry.objects.filter(code__in=("SE-M", "ES-CT")).values_list("code", "content")
    )
    assert names == {"SE-M": "Skåne län", "ES-CT": "Catalunya"}
    assert not AddressEntry.objects.filter(content__contains="[").exists()

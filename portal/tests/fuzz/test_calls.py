"""Every call by its contract: nothing fails, every answer is declared, and nobody reads another
company's texts.
"""

import pytest
from hypothesis import given, strategies as st
from schemathesis import GenerationMode
from schemathesis.schemas import APIOperation

from portal.tests.fuzz.calls import Fuzzer, can_be_wrong, operations
from portal.tests.fuzz.size import trying

pytestmark = pytest.mark.django_db

CALLS = [pytest.param(operation, id=operation.label) for operation in operations()]
FALLIBLE = [
    pytest.param(operation, id=operation.label)
    for operation in operations()
    if can_be_wrong(operation)
]
WITH_BODY = [
    pytest.param(operation, id=operation.label) for operation in operations() if operation.body
]


@pytest.mark.parametrize("operation", CALLS)
def test_calls_as_the_contract_has_them(operation: APIOperation, fuzzer: Fuzzer) -> None:
    @trying(3)
    @given(st.data())
    def run(data: st.DataObject) -> None:
        fuzzer.call(operation, data, GenerationMode.POSITIVE)

    run()


@pytest.mark.parametrize("operation", FALLIBLE)
def test_calls_as_the_contract_forbids_them(operation: APIOperation, fuzzer: Fuzzer) -> None:
    @trying(2)
    @given(st.data())
    def run(data: st.DataObject) -> None:
        fuzzer.call(operation, data, GenerationMode.NEGATIVE)

    run()


@pytest.mark.parametrize("operation", WITH_BODY)
def test_bodies_that_are_none(operation: APIOperation, fuzzer: Fuzzer) -> None:
    @trying(2)
    @given(st.data())
    def run(data: st.DataObject) -> None:
        fuzzer.break_in(operation, data)

    run()

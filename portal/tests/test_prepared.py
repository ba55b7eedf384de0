"""Prepared queries answer as the ORM does."""

import pytest

from apps.accounts.models import User
from apps.accounts.tests.factories import make_company, make_user
from apps.common.prepared import PreparedQuery

pytestmark = pytest.mark.django_db
COLUMNS = ("id", "uuid", "email", "is_active", "created_at", "decided_at")


def by_company(company: int, email: str):
    return User.objects.filter(company_id=company, email=email).values_list(*COLUMNS)


def test_rows_are_the_orms_for_each_value() -> None:
    prepared = PreparedQuery(by_company, company=int, email=str)
    for company in (make_company(), make_company()):
        user = make_user(company=company)
        assert prepared(company=company.pk, email=user.email) == list(by_company(company.pk, user.email))
    assert prepared(company=0, email="nobody@portal.test") == []


def test_a_parameter_that_does_not_stand_in_the_query_is_refused() -> None:
    prepared = PreparedQuery(lambda email: User.objects.filter(email__startswith=email).values_list("id"), email=str)
    with pytest.raises(ValueError, match="every parameter"):
        prepared(email="a")

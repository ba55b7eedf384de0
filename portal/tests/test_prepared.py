"""Reads whose statement is written once give every call its own rows."""

from datetime import datetime, timedelta
from threading import Thread
from typing import Any

import pytest
from django.db import connection
from django.db.models import F, QuerySet
from django.utils import timezone

from apps.accounts.models import User
from apps.accounts.tests.factories import make_user
from apps.common.db.prepared import prepared

made: list[str] = []


@prepared
def users(company: int, until: datetime, order: str | None) -> QuerySet[Any]:
    made.append(f"{order}")
    found = User.objects.filter(company=company, created_at__lte=until)
    return found.order_by(order or "id").values("id", "uuid", at=F("created_at"))


def ids(**arguments: Any) -> list[int]:
    return [row.id for row in users(**arguments)]


@pytest.mark.django_db
def test_each_call_gets_the_rows_of_its_own_arguments() -> None:
    first, second = make_user(), make_user()
    third = make_user(company=first.company)
    at = timezone.now() + timedelta(days=1)
    made.clear()
    assert ids(company=first.company.pk, until=at, order="-id") == [third.pk, first.pk]
    assert ids(company=second.company.pk, until=at, order="-id") == [second.pk]
    assert ids(company=first.company.pk, until=at - timedelta(days=2), order="-id") == []
    assert ids(company=first.company.pk, until=at, order=None) == [first.pk, third.pk]
    assert made == ["-id", "None"]  # once for each order


@pytest.mark.django_db
def test_rows_are_those_of_the_queryset(django_assert_num_queries: Any) -> None:
    user = make_user()
    at = timezone.now() + timedelta(days=1)
    with django_assert_num_queries(1):
        (found,) = users(company=user.company.pk, until=at, order="-id")
    assert found == (user.pk, user.uuid, user.created_at)
    assert (found.uuid, found.at) == (user.uuid, user.created_at)


@pytest.mark.django_db(transaction=True)
def test_a_statement_serves_all_threads() -> None:
    made_users = [make_user() for _ in range(4)]
    rows: dict[int, list[Any]] = {}

    def load(user: User) -> None:
        at = timezone.now() + timedelta(days=1)
        for _ in range(20):
            rows[user.pk] = ids(company=user.company.pk, until=at, order="-id")
        connection.close()

    threads = [Thread(target=load, args=[user]) for user in made_users]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert rows == {user.pk: [user.pk] for user in made_users}

"""Reads whose statement is written once give every call its own rows."""

from datetime import datetime, timedelta
from threading import Thread
from typing import Any

import pytest
from django.db import connection
from django.db.models import QuerySet
from django.utils import timezone

from apps.accounts.models import User
from apps.accounts.tests.factories import make_user
from apps.common.db.prepared import prepared

made: list[str] = []


@prepared
def users(company: int, until: datetime, order: str | None) -> QuerySet[Any]:
    made.append(f"{order}")
    users_expected = User.objects.filter(company=company, created_at__lte=until)
    return users_expected.order_by(order or "id").select_related("company")


@pytest.mark.django_db
def test_each_call_gets_the_rows_of_its_own_arguments() -> None:
    first, second = make_user(), make_user()
    third = make_user(company=first.company)
    at = timezone.now() + timedelta(days=1)
    made.clear()
    assert users(company=first.company.pk, until=at, order="-id") == [third, first]
    assert users(company=second.company.pk, until=at, order="-id") == [second]
    assert users(company=first.company.pk, until=at - timedelta(days=2), order="-id") == []
    assert users(company=first.company.pk, until=at, order=None) == [first, third]
    assert made == ["-id", "None"]  # once for each order


@pytest.mark.django_db(transaction=True)
def test_a_statement_serves_all_threads() -> None:
    made_users = [make_user() for _ in range(4)]
    rows: dict[int, list[Any]] = {}

    def load(user: User) -> None:
        at = timezone.now() + timedelta(days=1)
        for _ in range(20):
            rows[user.pk] = users(company=user.company.pk, until=at, order="-id")
        connection.close()

    threads = [Thread(target=load, args=[user]) for user in made_users]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert rows == {user.pk: [user] for user in made_users}

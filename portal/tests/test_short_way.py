"""What the short way of reading gives is what a cursor gives, type by type (decision 0074)."""

from uuid import uuid4

import pytest
from django.db import connection
from django.utils import timezone

from apps.accounts.tests.factories import make_user
from apps.common.prepared import read
from apps.orders.models import TemporaryOrder

pytestmark = pytest.mark.django_db


def test_every_type_is_read_as_by_a_cursor() -> None:
    TemporaryOrder.objects.create(
        user=make_user(),
        lines=[{"sku": "É-1", "count": 10}],
        total="12.30",
        count=1,
        weight_g=100,
        created_at=timezone.now(),
        expires_at=timezone.now(),
        idempotency_key=uuid4(),
    )
    sql = "SELECT t.*, u.uuid, u.is_active FROM orders_temporaryorder t JOIN accounts_user u ON u.id = t.user_id"
    with connection.cursor() as cursor:
        cursor.execute(sql)
        assert read(sql, []) == cursor.fetchall()

"""Prepared statements write as the ORM does."""

import pytest
from django.db import IntegrityError, transaction

from apps.accounts.models import AddressEntry, User
from apps.accounts.tests.factories import make_company, make_user
from apps.common.db.prepared import PreparedInsert, PreparedUpdate, fetch_all

pytestmark = pytest.mark.django_db


def new_address(**fields: object) -> AddressEntry:
    return AddressEntry(**{"code": "ZZ", "content": "Ze'dland", **fields})


def test_an_insert_gives_rows_their_ids_and_the_other_columns_their_defaults() -> None:
    insert = PreparedInsert(AddressEntry, "code", "content")
    one, other = new_address(), new_address(code="ZY")
    assert insert(one, other)
    assert list(AddressEntry.objects.filter(pk__in=[one.pk, other.pk]).order_by("pk")) == [one, other]
    one.refresh_from_db()
    assert (one.content, one.parent_id) == ("Ze'dland", None)


def test_an_insert_takes_values_where_nobody_needs_the_object() -> None:
    insert = PreparedInsert(AddressEntry, "code", "content", unless_taken=["code"])
    one, other = insert.add({"code": "ZZ", "content": "Ze'dland"}, {"code": "ZY", "content": "Zyland"})
    assert [AddressEntry.objects.get(pk=key).code for key in (one, other)] == ["ZZ", "ZY"]
    assert insert.add({"code": "ZZ", "content": "Late"}) == []


def test_fixed_columns_are_the_same_in_every_row() -> None:
    insert = PreparedInsert(AddressEntry, "code", fixed={"content": "Ze'dland"})
    keys = insert.add({"code": "ZZ"}, {"code": "ZY"})
    assert [entry.content for entry in AddressEntry.objects.filter(pk__in=keys)] == ["Ze'dland"] * 2
    with pytest.raises(ValueError, match="no such columns"):
        PreparedInsert(AddressEntry, "code", fixed={"colour": "red"}).add({"code": "ZX"})


def test_an_insert_stands_in_a_longer_statement() -> None:
    sql, values = PreparedInsert(AddressEntry, "code", "content").statement({"code": "ZZ", "content": "Zedland"})
    ((key,),) = fetch_all(sql, values)
    assert AddressEntry.objects.get(pk=key).content == "Zedland"


def test_an_update_returns_what_it_changed_as_the_orm_reads_it() -> None:
    user, other = make_user(company=make_company()), make_user(company=make_company())
    rename = PreparedUpdate(User, "UPDATE accounts_user SET manager = %s WHERE id = %s")
    (renamed,) = rename(["Ada", user.pk])
    user.refresh_from_db()
    assert user.manager == "Ada"
    names = [field.attname for field in User._meta.concrete_fields]
    assert [getattr(renamed, name) for name in names] == [getattr(user, name) for name in names]
    assert rename(["Ada", other.pk + 1]) == []


def test_a_row_that_is_there_keeps_another_out_where_it_may() -> None:
    insert = PreparedInsert(AddressEntry, "code", "content", unless_taken=["code"])
    assert insert(new_address())
    assert not insert(late := new_address(content="Late"))
    assert [late.pk] == [None]
    with pytest.raises(IntegrityError), transaction.atomic():
        PreparedInsert(AddressEntry, "code", "content")(new_address())


def test_what_has_no_constant_default_must_be_given() -> None:
    with pytest.raises(ValueError, match="uuid has to be given"):
        PreparedInsert(User, "email", "created_at")(User())
    with pytest.raises(ValueError, match="no such columns"):
        PreparedInsert(AddressEntry, "colour")(new_address())

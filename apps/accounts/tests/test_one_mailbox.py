"""One mailbox is one account, however its host is spelled."""

from importlib import import_module

import pytest
from django.apps import apps
from django.db import IntegrityError, connection
from django.test import Client

from apps.accounts.models import User, normalize_email
from apps.accounts.tests.factories import PASSWORD, make_form, make_link, make_staff, make_user
from apps.accounts.tests.registrations import CHECK, send
from apps.common.testing import ContractClient

pytestmark = pytest.mark.django_db

OWN, ASCII = "shop@bücher.example", "shop@xn--bcher-kva.example"
SPELLINGS = [
    OWN,
    ASCII,
    " Shop@BÜCHER.example",
    "shop@XN--BCHER-KVA.example",
    "shop@bu\u0308cher.example",
]


@pytest.mark.parametrize(
    ("typed_address", "stored"),
    [
        *((spelling, OWN) for spelling in SPELLINGS),
        ("a@mail.xn--3e0b707e", "a@mail.한국"),
        ("xn--bcher-kva@glow.test", "xn--bcher-kva@glow.test"),  # the name is not the host
        ("a@xn--strae-oqa.de", "a@xn--strae-oqa.de"),  # `strasse.de` to those who send
        ("a@xn--0.com", "a@xn--0.com"),
        (f"a@xn--{'a' * 1_000_000}", f"a@xn--{'a' * 1_000_000}"),
        ("nobody", "nobody"),
        ("", ""),
    ],
)
def test_a_mailbox_has_one_spelling(typed_address: str, stored: str) -> None:
    assert normalize_email(typed_address) == stored


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_either_spelling_is_the_account(visitor: ContractClient, spelling: str) -> None:
    link = make_link(OWN)
    assert send(visitor, make_form(link, email=spelling)).json() == {"success": 1}
    assert visitor.send("post", CHECK, {"email": ASCII}).json()["success"] == -1
    assert visitor.send("post", CHECK, {"email": OWN}).json()["success"] == -1
    User.objects.update(approval=User.Approval.APPROVED)
    answer = visitor.send("post", "/api/login", {"email": spelling, "password": PASSWORD}).json()
    assert (answer["success"], answer["user"]["email"]) == (1, OWN)


def test_no_second_account_is_made_in_the_other_spelling(client: Client) -> None:
    user = make_user(email=ASCII)
    assert (user.email, User.objects.get(email=ASCII).pk) == (OWN, user.pk)
    form = {"email": ASCII, "manager": "A", "is_staff": "on", "password1": PASSWORD}
    client.force_login(make_staff(is_superuser=True))
    page = client.post("/admin/accounts/user/add/", {**form, "password2": PASSWORD})
    assert "already exists" in page.text
    with pytest.raises(IntegrityError):
        User.objects.bulk_create([User(email=ASCII, manager="A", is_staff=True)])


def test_older_rows_get_one_spelling_and_the_account_in_use_keeps_it() -> None:
    respell = import_module("apps.accounts.migrations.0011_one_spelling_of_a_mailbox").respell
    rejected = {"approval": User.Approval.REJECTED}
    alone, used, unused, second = (
        make_user(email=f"{name}@glow.test", **fields)
        for name, fields in (("a", {}), ("b", {}), ("c", rejected), ("d", {}))
    )
    first = make_user(email="two@bücher.example")
    make_user(email="three@bücher.example", **rejected)
    with connection.cursor() as cursor:  # as it was written before
        for user, name in ((alone, "one"), (second, "two"), (used, "three")):
            spelling = f"{name}@xn--bcher-kva.example"
            cursor.execute("UPDATE accounts_user SET email = %s WHERE id = %s", [spelling, user.pk])
    respell(apps, None)
    assert {
        user.pk: (user.email, user.is_active) for user in User.objects.exclude(pk=unused.pk)
    } == {
        alone.pk: ("one@bücher.example", True),
        first.pk: ("two@bücher.example", True),
        second.pk: (f"two+{second.pk}@bücher.example", False),
        used.pk: ("three@bücher.example", True),
        first.pk + 1: (f"three+{first.pk + 1}@bücher.example", False),
    }

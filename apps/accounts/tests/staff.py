"""Members of staff for tests of the staff's pages."""

from typing import Any

from django.contrib.auth.models import Group
from django.test import Client

from apps.accounts.models import User
from apps.accounts.tests.factories import PASSWORD, make_staff

Page = Any


def staff_in(group: str | None = None, **fields: Any) -> User:
    """Return a member of staff in a group that the migrations made; a superuser without one."""
    user = make_staff(is_superuser=group is None, password=PASSWORD, **fields)
    if group is not None:
        user.groups.add(Group.objects.get(name=group))
    return user


def signed_in(user: User, **client: Any) -> Client:
    """Return a browser in which somebody is signed in to the staff's pages."""
    browser = Client(**client)
    browser.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return browser


def staff_client(group: str | None = None, **fields: Any) -> Client:
    """Return a browser in which a member of staff of a group is signed in."""
    return signed_in(staff_in(group, **fields))


def shown_messages(page: Page) -> list[str]:
    """Return the messages that a page shows."""
    return [str(message) for message in page.context["messages"]]


def csv_lines(answer: Any) -> list[str]:
    """Return the lines of a table that a page gave as CSV."""
    assert answer.status_code == 200
    return str(answer.content.decode("utf-8-sig")).splitlines()

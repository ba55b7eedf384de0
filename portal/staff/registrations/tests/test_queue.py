"""The approvers' queue: who waits, oldest first, filters, and what is said of doubles."""

import pytest
from django.utils import timezone

from apps.accounts.models import RegistrationEvent
from apps.accounts.tests.factories import make_company, make_country, make_user
from apps.accounts.tests.registrations import make_certificate, make_registration
from portal.staff.registrations.tests.pages import HOSTILE, LIST, companies, png

pytestmark = pytest.mark.django_db


def test_the_oldest_to_decide_is_first_and_over_48_hours_is_said(approver):
    new, old = make_registration(hours=3), make_registration(hours=51)
    make_user()
    make_registration(approval="rejected")
    make_registration(asked_at=timezone.now())
    page = approver.get(LIST)
    assert companies(page) == [str(old), str(new)]
    assert "2 d 3 h, over 48 h" in page.text
    assert page.context["subtitle"].startswith("2 to decide, oldest first")
    assert "1 more waiting for the company" in page.text


def test_nobody_waits(approver):
    page = approver.get(LIST)
    assert "Nobody is waiting." in page.text


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("decision=asked", {"Asked"}),
        ("decision=approved", {"Approved"}),
        ("decision=rejected", {"Rejected"}),
        (
            "decision=all",
            {"Asked", "Approved", "Rejected", "Late", "Old", "Day", "Double", "Answered"},
        ),
        ("age=late", {"Late"}),
        ("age=48", {"Late", "Old"}),
        ("age=24", {"Late", "Old", "Day"}),
        ("hint=double", {"Double"}),
        ("hint=answered", {"Answered"}),
        ("hint=none", {"Late", "Old", "Day", "Answered"}),
        ("q=find%40me", {"Double"}),
        ("q=day", {"Day"}),
        ("q=nonesuch", set()),
        ("decision=nonsense&age=x&hint=x&country=x", {"Late", "Old", "Day", "Double", "Answered"}),
    ],
)
def test_filters_and_search(approver, query, found):
    make_registration(company={"name": "Asked"}, asked_at=timezone.now())
    make_registration(company={"name": "Approved"}, approval="approved", email="a@twin.test")
    make_registration(company={"name": "Rejected"}, approval="rejected")
    make_registration(company={"name": "Late"}, hours=73)
    make_registration(company={"name": "Old"}, hours=49)
    make_registration(company={"name": "Day"}, hours=25)
    make_registration(company={"name": "Double"}, email="find@me.twin.test")
    make_company(name="DOUBLE")
    answered = make_registration(company={"name": "Answered"})
    RegistrationEvent.objects.create(user=answered, kind="asked", at=timezone.now())
    page = approver.get(f"{LIST}?{query}")
    assert set(companies(page)) == found
    for spec in page.context["cl"].filter_specs:
        row = next(
            (c for c in spec.choices(page.context["cl"]) if c["selected"] and spec.value()), None
        )
        if row and "&" not in query and spec.value() != "all":
            assert row["count"] == len(found), spec.title


def test_an_answer_shows_beside_a_possible_double(approver):
    user = make_registration(company={"name": "Twins"})
    make_company(name="Twins")
    RegistrationEvent.objects.create(user=user, kind="asked", at=timezone.now())
    page = approver.get(LIST)
    assert f"Answered {timezone.localtime(user.registered_at):%m-%d}" in page.text
    assert "1 possible duplicate" in page.text


def test_what_is_decided_is_looked_at_for_doubles_where_they_are_asked_for(approver):
    make_registration(company={"name": "Twins"}, approval="approved")
    make_company(name="Twins")
    assert (
        "possible duplicate"
        not in approver.get(LIST, {"decision": "approved"}).text.split("<tbody")[1]
    )
    assert (
        "1 possible duplicate"
        in approver.get(LIST, {"decision": "approved", "hint": "double"}).text
    )


def test_the_country_filter(approver):
    norway = make_country("NO", "Norway")
    make_registration(company={"name": "Nordlys", "country": norway})
    make_registration(company={"name": "Elsewhere", "country": make_country()})
    assert companies(approver.get(LIST, {"country": norway.pk})) == ["Nordlys"]


def test_the_number_of_statements_does_not_grow(approver, django_assert_max_num_queries):
    for number in range(6):
        user = make_registration(email=f"p{number}@same.test")
        make_certificate(user, png(), "image/png")
    approver.get(LIST)
    with django_assert_max_num_queries(12):
        page = approver.get(LIST)
    assert page.text.count("Same domain") + page.text.count("possible duplicates") == 6
    assert page.text.count("PNG 1 KB") == 6


def test_hostile_names_are_text(approver):
    make_registration(company={"name": HOSTILE}, manager=HOSTILE)
    for address in (LIST, "/admin/", "/admin/jump/?q=<scr"):
        page = approver.get(address)
        assert "<script>alert" not in page.text
        assert "&lt;script&gt;alert(1)" in page.text

"""Staff publish a version of the policy; it is never changed."""

from datetime import timedelta

import pytest
from django.contrib.admin.models import LogEntry
from django.urls import reverse
from django.utils import timezone

from apps.accounts.tests.factories import make_user
from apps.accounts.tests.staff import staff_client
from apps.common import seller
from apps.common.models import Policy

pytestmark = pytest.mark.django_db
LIST, NEW = reverse("admin:common_policy_changelist"), reverse("admin:common_policy_new")


@pytest.fixture
def client():
    return staff_client(manager="Mina Park")


def publish(client, content="<h2>Terms</h2><p>Mine.</p>", days=0):
    day = timezone.localdate() + timedelta(days=days)
    answer = client.post(NEW, {"content": content, "holds_from": day})
    seller.remember(None)  # committed
    return answer


def test_a_new_version_begins_with_the_newest_text_and_holds_from_its_day(client):
    make_user(terms_version=0)
    assert "<h2>Privacy policy</h2>" in client.get(NEW).context["form"]["content"].value()
    assert publish(client, days=1).status_code == 302
    make_user(terms_version=1)
    assert client.get(NEW).context["form"]["content"].value() == "<h2>Terms</h2><p>Mine.</p>"
    page = client.get(LIST)
    assert [(row[0], row[3]) for row in page.context["rows"]] == [(1, 1), (0, 1)]
    assert page.context["current"] == 0
    assert LogEntry.objects.get().object_repr == "Version 1"


def test_what_is_refused_keeps_what_was_written(client):
    page = publish(client, days=-1)
    assert page.context["form"].errors == {"holds_from": ["This day is past."]}
    assert page.context["form"]["content"].value() == "<h2>Terms</h2><p>Mine.</p>"
    assert publish(client, content="<p>&nbsp;</p>").context["form"].errors == {
        "content": ["Write the text."]
    }
    assert not Policy.objects.exists()


def test_a_version_is_read_and_not_changed(client):
    publish(client)
    row = Policy.objects.get()
    change = reverse("admin:common_policy_change", args=[row.pk])
    assert client.get(change).url == reverse("admin:common_policy_version", args=[1])
    client.post(change, {"html": "<p>Other.</p>"})
    row.refresh_from_db()
    assert row.html == "<h2>Terms</h2><p>Mine.</p>"
    html = client.get(reverse("admin:common_policy_version", args=[1])).content.decode()
    assert '<h2 id="terms" tabindex="-1">Terms</h2><p>Mine.</p>' in html
    assert client.get(reverse("admin:common_policy_version", args=[2])).status_code == 404


def test_the_records_lead_to_it(client):
    assert LIST in client.get(reverse("admin:records")).content.decode()

"""The staff's pages of notices: who opens them, what is saved, what is refused, and that nothing is
left half done.
"""

from datetime import UTC, datetime
from typing import Any

import pytest
from django.contrib.auth.models import Permission
from django.test import Client
from django.utils import timezone

from apps.accounts.tests.factories import make_buyer, make_company, make_country, make_user
from apps.accounts.tests.staff import shown_messages, staff_client
from apps.catalog.tests.factories import make_brand, make_product
from apps.notices.models import Notice, NoticeRead
from apps.notices.tests.pages import ADD, add, change, errors, fields, stored, upload
from apps.orders.tests.factories import make_order

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("own_files")]
LIST = "/admin/notices/notice/"
WINDOW = {
    "pops_up": "on",
    "popup_from_0": "2026-12-07",
    "popup_from_1": "00:00:00",
    "popup_until_0": "2026-12-23",
    "popup_until_1": "23:59:59",
}


class TestSaving:
    def test_all_parts_of_a_notice(self, sales: Client) -> None:
        country = make_country()
        moment = {"published_at_0": "2026-12-01", "published_at_1": "09:00"}
        notice = add(
            sales,
            **moment,
            **WINDOW,
            audience="country",
            country=[country.pk],
            added=[upload(), upload("b.pdf")],
        )
        shown = notice.published_at
        assert shown == datetime(2026, 12, 1, 0, 0, tzinfo=UTC)  # Seoul is nine hours ahead
        assert notice.popup_from == datetime(2026, 12, 6, 15, 0, tzinfo=UTC)
        assert notice.popup_until == datetime(2026, 12, 23, 14, 59, 59, tzinfo=UTC)
        assert not notice.for_everybody
        assert list(notice.audience.values_list("kind", "object_id")) == [("country", country.pk)]
        assert [file.title for file in notice.files.all()] == ["calendar.pdf", "b.pdf"]
        assert sorted(stored()) == sorted(file.storage_name for file in notice.files.all())
        assert notice.author == notice.changed_by
        page = sales.get(change(notice))
        assert "Publishes 2026-12-01 09:00" in page.text
        assert 'value="23:59:59"' in page.text
        assert "Seoul time" in page.text

    def test_without_a_publication_it_is_a_draft(self, sales: Client) -> None:
        notice = add(sales)
        assert notice.published_at is None
        assert "Draft" in sales.get(change(notice)).text

    def test_html_is_sanitised_before_it_is_kept(self, sales: Client) -> None:
        content = '<h2>Hi</h2><script>alert(1)</script><a href="javascript:x" onclick="y">z</a>'
        answer = add(sales, content=content)
        assert answer.content == '<h2>Hi</h2><a rel="noopener noreferrer">z</a>'

    def test_where_each_button_leads(self, sales: Client) -> None:
        for button, target in (("_save", LIST), ("_addanother", ADD), ("_continue", None)):
            answer = sales.post(ADD, fields(**{button: ""}))
            assert answer.headers["Location"] == (target or change(Notice.objects.latest("id")))

    def test_a_change_is_in_the_history(self, sales: Client) -> None:
        notice = add(sales)
        sales.post(change(notice), fields(title="Other", version=1))
        page = sales.get(f"/admin/notices/notice/{notice.pk}/history/").text
        assert "Added" in page
        assert "Changed" in page

    def test_one_kind_of_audience_replaces_another(self, sales: Client) -> None:
        company, brand = make_company(), make_brand()
        notice = add(sales, audience="company", company=[company.pk], brand=[brand.pk])
        assert list(notice.audience.values_list("kind", "object_id")) == [("company", company.pk)]
        sales.post(
            change(notice),
            fields(version=1, audience="brand", company=[company.pk], brand=[brand.pk]),
        )
        assert list(notice.audience.values_list("kind", "object_id")) == [("brand", brand.pk)]
        sales.post(change(notice), fields(version=2, audience="everybody", brand=[brand.pk]))
        notice.refresh_from_db()
        assert notice.for_everybody
        assert not notice.audience.exists()

    def test_without_its_tick_a_popup_window_goes(self, sales: Client) -> None:
        notice = add(sales, **WINDOW)
        sales.post(change(notice), fields(version=1, **{**WINDOW, "pops_up": ""}))
        notice.refresh_from_db()
        assert (notice.popup_from, notice.popup_until) == (None, None)


@pytest.mark.parametrize(
    ("body", "field", "text"),
    [
        ({"title": " "}, "title", "Write a title."),
        ({"content": ""}, "content", "Write the text."),
        ({"content": "<p> </p><script>x</script>"}, "content", "Write the text."),
        (
            {"published_at_0": "1.12.2026", "published_at_1": "09:00"},
            "published_at",
            "Write the date as 2026-12-01.",
        ),
        (
            {"published_at_0": "2026-12-01", "published_at_1": "9"},
            "published_at",
            "Write the time as",
        ),
        ({**WINDOW, "popup_until_0": "", "popup_until_1": ""}, "popup_until", "Enter an end."),
        ({**WINDOW, "popup_from_0": "", "popup_from_1": ""}, "popup_from", "Enter a start."),
        ({**WINDOW, "popup_until_0": "2026-12-06"}, "popup_until", "This is before the start."),
        (
            {**WINDOW, "popup_until_0": "2026-12-07", "popup_until_1": "00:00:00"},
            "popup_until",
            "before the start",
        ),
        ({"audience": "brand"}, "audience", "Choose at least one."),
        ({"audience": "company", "company": ["999999"]}, "company", "Select a valid choice."),
        ({"audience": "planet"}, "audience", "Select a valid choice."),
        ({"added": [upload("a.exe", b"MZ\x00")]}, "added", "a.exe: only PDF"),
        ({"added": [upload("a.svg", b"<svg onload=x>")]}, "added", "a.svg: only PDF"),
        (
            {"added": [upload("a.pdf", b"%PDF-1.7 broken")]},
            "added",
            "a.pdf: This file cannot be read.",
        ),
        ({"added": [upload(), upload("b.png", b"<html>")]}, "added", "b.png: only PDF"),
    ],
)
def test_what_is_wrong_stands_at_its_field_and_nothing_is_kept(
    sales: Client, body: dict[str, Any], field: str, text: str
) -> None:
    for file in body.get("added", ()):
        file.seek(0)
    faults = errors(sales.post(ADD, fields(**body)))
    assert list(faults) == [field]
    assert text in faults[field][0]
    assert stored() == []


class TestSomebodyWasQuicker:
    def test_both_values_are_shown_and_the_next_save_counts(self, sales: Client) -> None:
        country = make_country()
        notice = add(sales)
        colleague = staff_client("Sales", manager="Min-ji Park")
        theirs = {
            "title": "Theirs",
            "content": "<p>Theirs</p>",
            "audience": "country",
            "country": [country.pk],
        }
        assert colleague.post(change(notice), fields(version=1, **theirs)).status_code == 302
        page = sales.post(change(notice), fields(version=1, title="Mine", added=[upload()]))
        assert page.status_code == 409
        assert "Min-ji Park changed this notice at" in page.text
        assert "<dd>Theirs</dd>" in page.text
        assert '<div class="notice-text"><p>Theirs</p></div>' in page.text
        assert "Some countries: 0 companies, 0 buyers" in page.text
        assert 'value="Mine"' in page.text
        assert "Choose the new files again" in page.text
        assert stored() == []
        notice.refresh_from_db()
        assert notice.title == "Theirs"
        again = page.context["form"]["version"].value()
        assert sales.post(change(notice), fields(version=again, title="Mine")).status_code == 302
        notice.refresh_from_db()
        assert (notice.title, notice.version) == ("Mine", 3)

    def test_what_was_written_survives_a_deletion(self, sales: Client) -> None:
        notice = add(sales)
        address = change(notice)
        notice.delete()
        page = sales.post(address, fields(version=1, title="Mine"))
        assert page.status_code == 409
        assert "deleted meanwhile" in page.text
        assert 'value="Mine"' in page.text
        assert f'action="{ADD}"' in page.text
        assert sales.get(address).status_code == 404


class TestPreviewAndReach:
    def test_the_preview_is_the_servers_html(self, sales: Client) -> None:
        body = {"title": "<b>T</b>", "content": "<p onclick=x>a<script>x</script></p>"}
        shown = sales.post(f"{LIST}preview/", body).json()
        assert shown == {"title": "<b>T</b>", "html": "<p>a</p>"}
        assert sales.get(f"{LIST}preview/").status_code == 405

    def test_the_page_holds_the_preview_of_what_was_sent_too(self, sales: Client) -> None:
        page = sales.post(ADD, fields(title="", content='<p>Kept<img src=x onerror="x()"></p>'))
        assert page.context["preview"]["html"] == "<p>Kept</p>"
        assert "<img" not in page.text

    def test_reach_of_each_kind(self, sales: Client) -> None:
        buyer, brand = make_buyer(), make_brand()
        make_order(buyer, [(make_product(brand=brand), 20)])
        make_buyer()
        for query, text in (
            ("", "2 companies, 2 buyers"),
            ("?kind=company&ids=", "0 companies, 0 buyers"),
            (f"?kind=company&ids={buyer.company_id}", "1 company, 1 buyer"),
            (f"?kind=brand&ids={brand.pk},99", "1 company, 1 buyer"),
        ):
            assert sales.get(f"{LIST}reach/{query}").json()["text"] == text

    @pytest.mark.parametrize(
        "kind", ["x", "brand&ids=a", "brand&ids=-1", "brand&ids=%D9%A3", "brand&ids=" + "9" * 20]
    )
    def test_odd_questions_are_not_found(self, sales: Client, kind: str) -> None:
        assert sales.get(f"{LIST}reach/?kind={kind}").status_code == 404

    def test_nobody_asks_about_more_than_a_thousand_rows(self, sales: Client) -> None:
        answers = [
            sales.get(f"{LIST}reach/?kind=brand&ids={'1,' * number}").status_code
            for number in (1000, 1001)
        ]
        assert answers == [200, 404]

    def test_the_reach_of_a_saved_notice_needs_no_script(self, sales: Client) -> None:
        buyer = make_buyer()
        make_buyer()
        notice = add(sales, audience="company", company=[buyer.company_id])
        assert "1 company, 1 buyer" in sales.get(change(notice)).text

    @pytest.mark.parametrize(
        "source", ["accounts/company/country", "accounts/user/company", "catalog/brandaccess/brand"]
    )
    def test_sales_find_the_rows_of_each_audience_by_name(self, sales: Client, source: str) -> None:
        names = {
            "country": make_country(),
            "company": make_company(name="Findable"),
            "brand": make_brand(eng="Lune"),
        }
        app, model, field = source.split("/")
        where = {"app_label": app, "model_name": model, "field_name": field}
        term = str(names[field])[:4]
        results = sales.get("/admin/autocomplete/", {"term": term, **where}).json()["results"]
        assert str(names[field]) in [row["text"] for row in results]


class TestReaders:
    def test_who_has_read_it(self, sales: Client, django_assert_max_num_queries: Any) -> None:
        notice = add(sales)
        for number in range(3):
            user = make_user(manager=f"Reader {number}")
            NoticeRead.objects.create(notice=notice, user=user, at=timezone.now())
        make_user()
        sales.get(LIST)
        with django_assert_max_num_queries(12):
            page = sales.get(f"/admin/notices/notice/{notice.pk}/readers/")
        shown = [row.user.manager for row in page.context["rows"]]
        assert shown == ["Reader 0", "Reader 1", "Reader 2"]
        assert str(page.context["read"]) == "3 companies, 3 buyers"
        assert str(page.context["reached"]) == "4 companies, 4 buyers"

    def test_nobody_yet(self, sales: Client) -> None:
        notice = add(sales)
        page = sales.get(f"/admin/notices/notice/{notice.pk}/readers/")
        assert "Nobody has opened it yet." in page.text


class TestList:
    def test_it_says_state_audience_and_readers(
        self, sales: Client, django_assert_max_num_queries: Any
    ) -> None:
        brand = make_brand()
        add(sales, title="Draft", audience="brand", brand=[brand.pk])
        published = add(sales, title="Out", published_at_0="2020-01-01", published_at_1="09:00")
        NoticeRead.objects.create(notice=published, user=make_user(), at=timezone.now())
        sales.get(LIST)
        with django_assert_max_num_queries(12):
            page = sales.get(LIST)
        assert "Published 2020-01-01 09:00" in page.text
        assert "Buyers of some brands" in page.text


class TestGroups:
    def test_who_may_only_look_cannot_change(self) -> None:
        notice = Notice.objects.create(
            title="News", content="<p>New</p>", published_at=timezone.now()
        )
        client = staff_client("Approvers")
        user = client.get("/admin/").context["user"]
        user.user_permissions.add(Permission.objects.get(codename="view_notice"))
        page = client.get(change(notice))
        assert page.status_code == 200
        assert 'name="_save"' not in page.text
        assert client.post(change(notice), fields(version=1)).status_code == 403
        assert client.get(ADD).status_code == 403


def test_a_saved_notice_is_announced(sales: Client) -> None:
    page = sales.post(ADD, fields(), follow=True)
    assert shown_messages(page) == ["Calendar: saved. Draft."]

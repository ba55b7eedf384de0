"""The notices' calls: who sees what, safe HTML, who has read it, links that die by themselves."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import Storage, storages
from django.test import Client
from django.utils import timezone

from apps.accounts.tests.factories import make_user
from apps.accounts.tests.staff import staff_client, staff_in
from apps.common.storage.files import is_signed, signed_name
from apps.common.testing import ContractClient
from apps.notices.models import Notice, NoticeAudience, NoticeFile, NoticeRead, stored_path
from apps.notices.selectors import Audience
from apps.notices.services.writing import save_notice
from apps.notices.tests.pages import ADD, add, change, errors, fields, stored, upload

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("own_files")]

DAY = timedelta(days=1)
PDF = b"%PDF-1.7\n%%EOF"
OPEN = ["/api/notice/detail/{}", "/api/dashboard/notice/{}"]


def make_notice(title: str, now: datetime, **fields: Any) -> Notice:
    return Notice.objects.create(
        **{"title": title, "content": "<p>Text</p>", "published_at": now - DAY, **fields}
    )


def attach(notice: Notice, title: str = "calendar.pdf", content: bytes = PDF) -> NoticeFile:
    name = f"{uuid4().hex}.pdf"
    storages["private"].save(stored_path(name), ContentFile(content))
    return NoticeFile.objects.create(
        notice=notice,
        title=title,
        storage_name=name,
        content_type="application/pdf",
        size=len(content),
    )


def opened(api: ContractClient, notice: Notice, call: str = OPEN[0]) -> Any:
    response = api.send("post", call.format(notice.pk))
    assert response.status_code == 200
    return response.json()["notice"]


def for_others(notice: Notice) -> None:
    notice.for_everybody = False
    notice.save()


def unpublished(notice: Notice) -> None:
    notice.published_at = None
    notice.save()


def deleted(notice: Notice) -> None:
    notice.delete()


GONE = [for_others, unpublished, deleted]


def test_every_published_notice_newest_first(api: ContractClient, now: datetime) -> None:
    for age in (3, 1, 2, 200):
        make_notice(f"{age} days old", now, published_at=now - age * DAY)
    make_notice("to come", now, published_at=now + DAY)
    make_notice("draft", now, published_at=None)
    answer = api.get("/api/notice").json()
    assert answer["success"] == 1
    shown = [notice["title"] for notice in answer["notice"]]
    assert shown == [f"{age} days old" for age in (1, 2, 3, 200)]


def test_the_list_shows_the_sellers_day(api: ContractClient) -> None:
    make_notice("late in the evening", datetime(2026, 3, 2, 14, 59, 59, tzinfo=UTC) + DAY)
    make_notice("early in the morning", datetime(2026, 3, 2, 15, 0, 0, tzinfo=UTC) + DAY)
    notices = api.get("/api/notice").json()["notice"]
    shown = [notice["build_date"] for notice in notices]
    assert shown == ["2026-03-03", "2026-03-02"]  # Seoul is nine hours ahead


@pytest.mark.parametrize("call", OPEN)
def test_a_notice_opens_with_title_text_and_files(
    api: ContractClient, now: datetime, call: str
) -> None:
    notice = make_notice("Shipping calendar", now)
    attach(notice)
    answer = opened(api, notice, call)
    (file,) = answer.pop("fileList")
    assert answer == {
        "noticeDetailTitle": "Shipping calendar",
        "noticeDetailContent": "<p>Text</p>",
    }
    assert (file["notice_id"], file["name"]) == (notice.pk, "calendar.pdf")
    assert file["url"] == f"/files/notice/{notice.pk}/{file['filename']}"


@pytest.mark.parametrize(
    ("html", "visible"),
    [
        ("<p>a<script>alert(1)</script></p>", "<p>a</p>"),
        ('<p onclick="x()" style="color:red" class="c">a</p>', "<p>a</p>"),
        ('<a href="javascript:x()">a</a>', '<a rel="noopener noreferrer">a</a>'),
        ('<img src="x" onerror="x()"><svg onload="x()"></svg><iframe src="//x"></iframe>', ""),
        ("<ul><li><strong>a</strong></li></ul>", "<ul><li><strong>a</strong></li></ul>"),
        (
            '<a href="mailto:a@b.test">a</a>',
            '<a href="mailto:a@b.test" rel="noopener noreferrer">a</a>',
        ),
    ],
)
def test_html_is_sanitised_on_output_too(
    api: ContractClient, now: datetime, html: str, visible: str
) -> None:
    assert opened(api, make_notice("Notice", now, content=html))["noticeDetailContent"] == visible


def test_the_first_reading_is_kept(api: ContractClient, buyer: Any, now: datetime) -> None:
    notice = make_notice("Notice", now)
    opened(api, notice)
    first = NoticeRead.objects.get()
    assert (first.notice_id, first.user_id) == (notice.pk, buyer.id)
    opened(api, notice, OPEN[1])
    assert NoticeRead.objects.get().at == first.at


@pytest.mark.parametrize("call", OPEN)
@pytest.mark.parametrize("change", GONE)
def test_what_is_not_the_callers_is_not_found(
    api: ContractClient, now: datetime, call: str, change: Callable[[Notice], None]
) -> None:
    notice = make_notice("Notice", now)
    path = call.format(notice.pk)
    change(notice)
    assert api.send("post", path).status_code == 404
    assert not NoticeRead.objects.exists()


@pytest.mark.parametrize("notice_id", ["x", "-1", "1.5", "٣", str(2**53 + 1), "9" * 5000])
def test_an_odd_id_is_not_found(api: ContractClient, notice_id: str) -> None:
    assert api.send("post", f"/api/notice/detail/{notice_id}").status_code == 404


# Links


def test_a_link_downloads_its_own_file(api: ContractClient, now: datetime) -> None:
    notice = make_notice("Notice", now)
    for number in (1, 2):
        attach(notice, f"{number}.pdf", PDF + str(number).encode())
    for number, file in enumerate(opened(api, notice)["fileList"], 1):
        answer = Client().get(file["url"])
        assert (answer.status_code, answer.getvalue()) == (200, PDF + str(number).encode())
        assert answer["Content-Disposition"].startswith(f'attachment; filename="{number}.pdf"')
        assert answer["Cache-Control"] == "private, no-store"
        assert answer["Content-Security-Policy"] == "sandbox; default-src 'none'"


@pytest.mark.parametrize("change", GONE)
def test_a_link_ends_with_its_notice(
    api: ContractClient, now: datetime, change: Callable[[Notice], None]
) -> None:
    notice = make_notice("Notice", now)
    attach(notice)
    (file,) = opened(api, notice)["fileList"]
    change(notice)
    assert Client().get(file["url"]).status_code == 404


def test_a_changed_link_is_not_found(api: ContractClient, now: datetime) -> None:
    notice, other = make_notice("Notice", now), make_notice("Other", now)
    attach(notice)
    attach(other)
    (file,) = opened(api, notice)["fileList"]
    stamp, signature, uuid, extension = file["filename"].split(".")
    for url in (
        f"/files/notice/{other.pk}/{file['filename']}",
        f"/files/notice/{notice.pk}/{int(stamp) + 1}.{signature}.{uuid}.{extension}",
        f"/files/notice/{notice.pk}/{stamp}.{'0' * 40}.{uuid}.{extension}",
        f"/files/notice/{notice.pk}/{stamp}.{signature}.{'0' * 32}.{extension}",
        f"/files/notice/{notice.pk}/calendar.pdf",
        f"/files/notice/x/{file['filename']}",
    ):
        assert Client().get(url).status_code == 404


def test_a_link_dies_after_an_hour(api: ContractClient, now: datetime, settings: Any) -> None:
    notice = make_notice("Notice", now)
    attach(notice)
    (file,) = opened(api, notice)["fileList"]
    settings.FILE_LINK_LIFETIME = timedelta(seconds=-1)
    assert Client().get(file["url"]).status_code == 404


def test_a_link_of_later_is_none_yet(now: datetime) -> None:
    name = signed_name(
        signer="a", scope="b", storage_name=f"{uuid4().hex}.pdf", now=now + timedelta(minutes=1)
    )
    later = now + timedelta(minutes=1)
    assert is_signed(name, scope="b", signers=["a"], now=later)
    assert not is_signed(name, scope="b", signers=["a"], now=now)


def test_a_link_ends_with_the_sign_in(
    api: ContractClient, buyer: Any, now: datetime, django_user_model: Any
) -> None:
    notice = make_notice("Notice", now)
    attach(notice)
    (file,) = opened(api, notice)["fileList"]
    django_user_model.objects.filter(pk=buyer.id).update(session_version=buyer.session_version + 1)
    assert Client().get(file["url"]).status_code == 404


def test_a_file_that_is_lost_is_not_found(api: ContractClient, now: datetime) -> None:
    notice = make_notice("Notice", now)
    storages["private"].delete(attach(notice).path)
    (file,) = opened(api, notice)["fileList"]
    assert Client().get(file["url"]).status_code == 404


class TestFiles:
    def test_a_file_over_20_mb_is_refused(
        self, sales: Client, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("apps.notices.admin.forms.MAX_FILE_BYTES", 100)
        shown = errors(sales.post(ADD, fields(added=[upload()])))
        assert shown == {"added": ["calendar.pdf is larger than 20 MB."]}

    def test_a_notice_has_a_limit_of_files(
        self, monkeypatch: pytest.MonkeyPatch, sales: Client
    ) -> None:
        monkeypatch.setattr("apps.notices.services.writing.MAX_FILES", 1)
        assert "added" in errors(sales.post(ADD, fields(added=[upload(), upload("b.pdf")])))
        assert stored() == []
        assert add(sales, added=[upload()]).files.count() == 1

    def test_a_storage_that_fails_halfway_leaves_nothing(
        self, sales: Client, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        save = Storage.save

        def fail(self: Storage, name: str, *args: Any, **kwargs: Any) -> str:
            if len(stored()) == 1:
                raise OSError("disk full")
            return save(self, name, *args, **kwargs)

        monkeypatch.setattr(Storage, "save", fail)
        (text,) = errors(sales.post(ADD, fields(added=[upload(), upload("b.pdf")])))["added"]
        assert text.startswith("The files could not be stored, and nothing was saved.")
        assert stored() == []

    def test_a_transaction_that_fails_takes_the_files_away(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def fail(*args: Any) -> None:
            raise RuntimeError("no database")

        monkeypatch.setattr(NoticeAudience.objects, "bulk_create", fail)
        with pytest.raises(RuntimeError):
            save_notice(
                actor=staff_in("Sales"),
                now=timezone.now(),
                fields={
                    **dict.fromkeys(("published_at", "popup_from", "popup_until")),
                    "title": "A",
                    "content": "<p>a</p>",
                },
                audience=Audience(),
                added=[upload()],
            )
        assert not Notice.objects.exists()
        assert stored() == []

    def test_removing_takes_row_and_file(
        self, sales: Client, django_capture_on_commit_callbacks: Any
    ) -> None:
        notice = add(sales, added=[upload(), upload("b.pdf")])
        first, second = notice.files.all()
        with django_capture_on_commit_callbacks(execute=True):
            sales.post(
                change(notice), fields(version=1, remove=[first.pk], added=[upload("c.pdf")])
            )
        assert [file.title for file in notice.files.all()] == ["b.pdf", "c.pdf"]
        assert len(stored()) == 2
        assert second.storage_name in stored()

    def test_a_file_of_another_notice_is_not_removed(self, sales: Client) -> None:
        other, notice = add(sales, added=[upload()]), add(sales)
        answer = sales.post(change(notice), fields(version=1, remove=[other.files.get().pk]))
        assert "remove" in answer.context["form"].errors
        assert other.files.count() == 1

    def test_a_deleted_notice_takes_its_files_along(
        self, sales: Client, django_capture_on_commit_callbacks: Any
    ) -> None:
        notice = add(sales, added=[upload(), upload("b.pdf")])
        NoticeRead.objects.create(notice=notice, user=make_user(), at=timezone.now())
        page = sales.get(f"/admin/notices/notice/{notice.pk}/delete/")
        assert page.context["beside"] == [("files", 2), ("readers", 1)]
        with django_capture_on_commit_callbacks(execute=True):
            sales.post(f"/admin/notices/notice/{notice.pk}/delete/", {"post": "yes"})
        assert not Notice.objects.exists()
        assert not NoticeFile.objects.exists()
        assert stored() == []

    def test_staff_open_a_file_as_a_download(self, sales: Client) -> None:
        notice = add(sales, added=[upload()])
        url = f"/admin/notices/notice/{notice.pk}/files/{notice.files.get().pk}/"
        answer = sales.get(url)
        assert answer.getvalue().startswith(b"%PDF")
        assert answer["Content-Disposition"].startswith("attachment")
        storages["private"].delete(notice.files.get().path)
        assert sales.get(url).status_code == 404
        assert staff_client("Approvers").get(url).status_code == 403

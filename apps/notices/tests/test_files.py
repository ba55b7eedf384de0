"""A notice's files: stored with it or not at all, limited, taken away with their row."""

from typing import Any

import pytest
from django.core.files.storage import Storage, storages
from django.test import Client
from django.utils import timezone

from apps.accounts.tests.factories import make_user
from apps.accounts.tests.staff import staff_client, staff_in
from apps.notices.models import Notice, NoticeAudience, NoticeFile, NoticeRead
from apps.notices.selectors import Audience
from apps.notices.services.writing import save_notice
from apps.notices.tests.pages import ADD, add, change, errors, fields, stored, upload

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("own_files")]


class TestFiles:
    def test_a_file_over_20_mb_is_refused(
        self, sales: Client, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("apps.notices.admin.forms.MAX_FILE_BYTES", 100)
        assert errors(sales.post(ADD, fields(added=[upload()]))) == {
            "added": ["calendar.pdf is larger than 20 MB."]
        }

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

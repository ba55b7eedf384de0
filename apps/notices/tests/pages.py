"""What the staff's pages of notices are sent, and what they say."""

from typing import Any

from django.core.files.storage import storages
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from apps.common.testing import SMALL_PDF
from apps.notices.models import FOLDER, Notice

ADD = "/admin/notices/notice/add/"


def stored() -> list[str]:
    """Return the names of the stored files."""
    try:
        return storages["private"].listdir(FOLDER)[1]
    except FileNotFoundError:
        return []


def upload(name: str = "calendar.pdf", content: bytes | None = None) -> SimpleUploadedFile:
    return SimpleUploadedFile(name, SMALL_PDF if content is None else content)


def fields(**more: Any) -> dict[str, Any]:
    return {"title": "Calendar", "content": "<p>Text</p>", "audience": "everybody", **more}


def change(notice: Notice) -> str:
    return f"/admin/notices/notice/{notice.pk}/change/"


def add(client: Client, **more: Any) -> Notice:
    answer = client.post(ADD, fields(**more))
    assert answer.status_code == 302, answer.context["form"].errors
    return Notice.objects.latest("id")


def errors(answer: Any) -> dict[str, list[str]]:
    assert not Notice.objects.filter(title="Calendar").exists()
    return {name: list(texts) for name, texts in answer.context["form"].errors.items()}

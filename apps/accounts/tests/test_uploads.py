"""POST /fileupload with a folder of hostile files (reliability-and-security, 19.7), and with good
ones.
"""

import io
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.files.storage import storages
from PIL import Image

from apps.accounts.errors import CertificateTooLarge
from apps.accounts.models import Certificate
from apps.accounts.services.sign_up import stored_path
from apps.accounts.tests.factories import make_link
from apps.accounts.tests.hostile_uploads import documents, others, pictures
from apps.accounts.tests.hostile_uploads.warm import Run, warm_inspector
from apps.accounts.tests.uploads import upload
from apps.common.storage import uploads
from apps.common.storage.uploads import UnsafeFile, WrongKind
from apps.common.testing import ContractClient

pytestmark = pytest.mark.django_db

FILES: dict[str, Callable[[], bytes]] = {
    **others.other_kinds(),
    **others.too_large(),
    **documents.hostile_documents(),
    **pictures.hostile_pictures(),
    **pictures.cleaned_pictures(),
    **documents.good_documents(),
    **pictures.good_pictures(),
}
EXPECTED: dict[str, str] = json.loads(
    (Path(__file__).parent / "hostile_uploads" / "expected.json").read_text()
)
REFUSALS = {"wrong kind": WrongKind, "unsafe": UnsafeFile, "too large": CertificateTooLarge}
CLEANED, TAKEN = "cleaned", "taken"
STOWAWAYS = (b"<?php", b"<script", b"PK\x03\x04", b"Exif", b"ICC_PROFILE", b"fdAT", b"http")


def stored(name: str) -> bytes:
    with storages["private"].open(stored_path(name)) as file:
        content: bytes = file.read()
    return content


def test_every_file_has_its_expectation_and_at_least_60_are_hostile() -> None:
    assert set(FILES) == set(EXPECTED)
    assert sum(answer != TAKEN for answer in EXPECTED.values()) >= 60


@pytest.fixture(scope="module")
def warm(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    """Return an inspector that need not be started for each file; the other tests start their
    own.
    """
    with warm_inspector(uploads.INSPECTOR, tmp_path_factory.mktemp("inspected")) as run:
        yield run


@pytest.mark.parametrize("name", FILES)
def test_each_file_gets_the_expected_answer(
    visitor: ContractClient, warm: Run, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr("apps.common.storage.uploads.subprocess.run", warm)
    content, expected = FILES[name](), EXPECTED[name]
    response = upload(visitor, make_link("ines@glow.test"), content, name=name)
    if expected in REFUSALS:
        refusal = REFUSALS[expected]
        assert response.status_code == refusal.http_status
        assert response.json()["code"] == refusal.code
        assert response.json()["message"] == refusal.message
        assert not Certificate.objects.exists()
        return
    assert response.status_code == 200
    certificate = Certificate.objects.get(storage_name=response.json()["file_name"])
    kept = stored(certificate.storage_name)
    assert len(kept) == certificate.size
    assert expected in (CLEANED, TAKEN)
    if certificate.content_type == "application/pdf":
        assert kept == content
    else:
        assert not any(stowaway in kept for stowaway in STOWAWAYS)
        assert getattr(Image.open(io.BytesIO(kept)), "n_frames", 1) == 1


def test_a_picture_is_stored_upright(visitor: ContractClient) -> None:
    response = upload(
        visitor, make_link("ines@glow.test"), pictures.turned(), name="taken upright.jpg"
    )
    assert Image.open(io.BytesIO(stored(response.json()["file_name"]))).size == (24, 32)


def test_a_picture_keeps_its_pixels(visitor: ContractClient) -> None:
    drawn = Image.new("RGBA", (3, 2), (10, 20, 30, 40))
    drawn.putpixel((1, 1), (200, 100, 50, 255))
    content = io.BytesIO()
    drawn.save(content, "PNG")
    response = upload(visitor, make_link("ines@glow.test"), content.getvalue(), name="scan.png")
    image = Image.open(io.BytesIO(stored(response.json()["file_name"])))
    assert image.tobytes() == drawn.tobytes()


def test_a_picture_of_16_bits_keeps_its_greys(visitor: ContractClient) -> None:
    drawn = Image.new("I;16", (3, 1))
    for place, grey in enumerate((0, 32_896, 65_535)):
        drawn.putpixel((place, 0), grey)
    content = io.BytesIO()
    drawn.save(content, "PNG")
    response = upload(visitor, make_link("ines@glow.test"), content.getvalue(), name="scan.png")
    image = Image.open(io.BytesIO(stored(response.json()["file_name"])))
    assert (image.mode, list(image.tobytes())) == ("L", [0, 128, 255])


@pytest.mark.parametrize(
    ("name_sent", "name_stored"),
    [
        ("C:\\fakepath\\certificate.pdf", "certificate.pdf"),
        ("../../etc/passwd.pdf", "passwd.pdf"),
        ("a\u202eb.pdf", "ab.pdf"),
        ("  Zoe\u0308   certificate.pdf", "Zoë certificate.pdf"),
        ("<b>x</b>&amp;.pdf", "b>&.pdf"),
        ("x" * 300 + ".pdf", "x" * 196 + ".pdf"),
    ],
)
def test_the_given_name_is_kept_as_plain_text(
    visitor: ContractClient, name_sent: str, name_stored: str
) -> None:
    response = upload(visitor, make_link("ines@glow.test"), documents.GOOD, name=name_sent)
    certificate = Certificate.objects.get(storage_name=response.json()["file_name"])
    assert certificate.given_name == name_stored


def test_a_file_that_makes_its_reader_hang_is_refused(
    visitor: ContractClient, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    sleeper = tmp_path / "sleeper.py"
    sleeper.write_text("import time\ntime.sleep(60)\n")
    monkeypatch.setattr("apps.common.storage.uploads.INSPECTOR", sleeper)
    monkeypatch.setattr("apps.common.storage.uploads.INSPECTOR_SECONDS", 0.2)
    response = upload(visitor, make_link("ines@glow.test"), documents.GOOD)
    assert (response.status_code, response.json()["message"]) == (400, UnsafeFile.message)


@pytest.mark.parametrize(
    "program", ["import os\nos.abort()", "x = bytes(2**40)", "import sys\nsys.exit(1)"]
)
def test_a_file_that_breaks_its_reader_is_refused(
    visitor: ContractClient, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, program: str
) -> None:
    broken = tmp_path / "broken.py"
    broken.write_text(program)
    monkeypatch.setattr("apps.common.storage.uploads.INSPECTOR", broken)
    response = upload(visitor, make_link("ines@glow.test"), documents.GOOD)
    assert (response.status_code, response.json()["message"]) == (400, UnsafeFile.message)
    assert not Certificate.objects.exists()


def test_what_is_read_before_the_limit_is_all_that_is_written(settings: Any) -> None:
    from apps.accounts.api.registration import CertificateParser
    from apps.common.storage.uploads import _OneFileHandler

    handler = _OneFileHandler(CertificateParser)
    handler.new_file("certificate_files", "a.pdf", "application/pdf", None)
    handler.receive_data_chunk(bytes(CertificateParser.max_bytes), 0)
    with pytest.raises(CertificateTooLarge):
        handler.receive_data_chunk(b"x", CertificateParser.max_bytes)
    assert handler.file.tell() == CertificateParser.max_bytes

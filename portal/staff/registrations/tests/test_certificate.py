"""A registration's certificate: shown as pictures, downloaded, opened by one person for an hour."""

import io
from datetime import timedelta

import pytest
from django.core.files.storage import storages
from django.test import Client
from django.utils import timezone
from PIL import Image

from apps.accounts.services.sign_up import stored_path
from apps.accounts.tests.registrations import make_certificate, make_registration
from apps.accounts.tests.staff import staff_client
from apps.common.storage.uploads import draw_page
from portal.staff.registrations.tests.pages import page_of, pdf, png

pytestmark = pytest.mark.django_db


def shown(client, user):
    return client.get(page_of(user)).context["certificate"]


def test_a_picture_is_shown_inline_and_can_do_nothing(approver):
    user = make_registration()
    make_certificate(user, png(), "image/png")
    answer = approver.get(shown(approver, user)["pages"][0][1])
    assert answer.content == png()
    assert answer.headers["Content-Type"] == "image/png"
    assert answer.headers["Content-Security-Policy"] == "sandbox; default-src 'none'"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert "no-store" in answer.headers["Cache-Control"]
    assert answer.headers["Referrer-Policy"] == "no-referrer"


def test_a_pdf_is_shown_as_pictures_of_its_pages(approver):
    user = make_registration()
    make_certificate(user, pdf(2), "application/pdf")
    certificate = shown(approver, user)
    assert (certificate["count"], len(certificate["pages"])) == (2, 2)
    for _, address in certificate["pages"]:
        answer = approver.get(address)
        assert answer.headers["Content-Type"] == "image/png"
        assert Image.open(io.BytesIO(answer.content)).size[0] == 1240
    beyond = certificate["pages"][0][1].replace("/page/1/", "/page/3/")
    assert approver.get(beyond).status_code == 404


@pytest.mark.parametrize("content", [b"%PDF-1.7 broken", b"", b"%PDF-" + b"x" * 10_000])
def test_what_cannot_be_shown_can_be_downloaded(approver, content):
    user = make_registration()
    make_certificate(user, content, "application/pdf", name="../Firma<b>")
    page = approver.get(page_of(user))
    assert "This file cannot be shown." in page.text
    answer = approver.get(page.context["certificate"]["download"])
    assert b"".join(answer.streaming_content) == content
    assert answer.headers["Content-Disposition"].startswith('attachment; filename="..Firmab.pdf"')


def test_a_picture_is_never_answered_as_something_else(approver):
    user = make_registration()
    make_certificate(user, pdf(), "application/pdf")
    address = shown(approver, user)["download"].replace("download/", "")
    assert approver.get(address).status_code == 404


def test_a_file_that_is_gone_is_no_failure(approver):
    user = make_registration()
    certificate = make_certificate(user, png(), "image/png")
    address = shown(approver, user)["download"]
    storages["private"].delete(stored_path(certificate.storage_name))
    assert "This file cannot be shown." in approver.get(page_of(user)).text
    assert approver.get(address).status_code == 404


def test_a_link_is_one_persons_for_an_hour_and_for_one_registration(approver, monkeypatch):
    user, other = make_registration(), make_registration()
    make_certificate(user, png(), "image/png")
    address = shown(approver, user)["pages"][0][1]
    assert staff_client("Approvers").get(address).status_code == 404
    assert staff_client("Sales").get(address).status_code == 403
    assert Client().get(address).status_code == 302
    assert approver.get(address.replace(f"/{user.pk}/", f"/{other.pk}/")).status_code == 404
    assert approver.get(address.replace(".png", ".pdf")).status_code == 404
    later = timezone.now() + timedelta(minutes=61)
    monkeypatch.setattr("portal.staff.registrations.admin.timezone.now", lambda: later)
    assert approver.get(address).status_code == 404


def test_opening_one_is_noted(approver, caplog):
    user = make_registration()
    certificate = make_certificate(user, png(), "image/png")
    address = shown(approver, user)["download"]
    with caplog.at_level("INFO", logger="portal.security"):
        approver.get(address)
    assert f"certificate_opened certificate={certificate.pk} user={user.uuid}" in caplog.text


def test_a_pdf_that_hangs_the_drawing_is_given_up(monkeypatch):
    monkeypatch.setattr("apps.common.storage.uploads.INSPECTOR_SECONDS", 0.001)
    assert draw_page(pdf(), 1) is None

"""What the sweeps of registrations take away, and what they leave."""

from datetime import UTC, datetime, timedelta

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import storages

from apps.accounts.models import Certificate, EmailVerification, User
from apps.accounts.services.sign_up import stored_path
from apps.accounts.sweeps import forget_certificates, forget_verifications
from apps.accounts.tests.factories import make_link, make_user

pytestmark = pytest.mark.django_db

NOW = datetime.now(UTC)


def make_certificate(
    *, age: timedelta, user: User | None = None, with_file: bool = True
) -> Certificate:
    name = f"{int(age.total_seconds())}-{user and user.pk}-{with_file}.pdf"
    if with_file:
        name = storages["private"].save(stored_path(name), ContentFile(b"%PDF-")).rpartition("/")[2]
    certificate = Certificate.objects.create(
        verification=make_link().row,
        user=user,
        storage_name=name,
        given_name="a.pdf",
        content_type="x",
        size=5,
    )
    Certificate.objects.filter(pk=certificate.pk).update(uploaded_at=NOW - age)
    return certificate


def has_file(certificate: Certificate) -> bool:
    return bool(storages["private"].exists(stored_path(certificate.storage_name)))


def test_orphans_go_with_their_files_after_a_day() -> None:
    old, cut_off = (
        make_certificate(age=timedelta(hours=26)),
        make_certificate(age=timedelta(days=3), with_file=False),
    )
    young = make_certificate(age=timedelta(hours=24))
    stored_certificate = make_certificate(age=timedelta(days=400), user=make_user())
    assert forget_certificates(NOW) == 2
    assert set(Certificate.objects.all()) == {young, stored_certificate}
    assert [has_file(row) for row in (old, cut_off, young, stored_certificate)] == [
        False,
        False,
        True,
        True,
    ]
    assert forget_certificates(NOW) == 0


def test_a_storage_that_is_down_loses_no_row(monkeypatch: pytest.MonkeyPatch) -> None:
    def down(*args: object) -> None:
        raise OSError

    make_certificate(age=timedelta(days=2))
    monkeypatch.setattr("django.core.files.storage.FileSystemStorage.delete", down)
    with pytest.raises(OSError):
        forget_certificates(NOW)
    monkeypatch.undo()
    assert forget_certificates(NOW) == 1


def test_dead_links_go_after_a_month_unless_a_certificate_came_by_them() -> None:
    recent = make_certificate(age=timedelta(days=60), user=make_user()).verification
    young, _ = make_link().row, make_link().row
    EmailVerification.objects.exclude(pk=young.pk).update(expires_at=NOW - timedelta(days=31))
    assert forget_verifications(NOW) == 1
    assert set(EmailVerification.objects.all()) == {recent, young}

"""Files in buckets: the same work as with folders, links made at the click, and what happens while
S3 is down.
"""

import json
import socket
from collections.abc import Callable, Iterator
from datetime import timedelta
from email.message import Message
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit
from urllib.request import urlopen
from uuid import uuid4

import boto3
import pytest
from botocore.config import Config
from django.core.files.base import ContentFile
from django.core.files.storage import storages
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from moto.server import ThreadedMotoServer

from apps.accounts.selectors import Buyer
from apps.accounts.tests.registrations import make_certificate, make_registration
from apps.accounts.tests.staff import staff_client
from apps.catalog.services.pictures import SIZES
from apps.catalog.tests.factories import make_product
from apps.catalog.tests.import_files import applied
from apps.catalog.tests.test_import_pictures import picture, sent_pictures
from apps.common.errors import StorageUnavailable
from apps.common.testing import SMALL_PDF, ContractClient
from apps.notices.models import NoticeFile
from apps.notices.tests.test_api_notices import attach, make_notice, opened
from apps.orders.models import Order
from apps.orders.services.documents import remove_document
from apps.orders.status import OrderStatus
from apps.orders.sweeps import make_document_files
from apps.orders.tests.factories import make_order_at, make_sales
from apps.orders.tests.test_uploaded_documents import add, link
from portal.management.commands.serve import Command as Serve
from portal.ops import buckets
from portal.ops.leftovers import remove_leftovers
from portal.ops.storage import storage_state
from portal.tests.reliability.network import closed_port
from portal.tests.test_backup import Manage, elsewhere  # noqa: F401 - a fixture

pytestmark = pytest.mark.django_db

BUCKET = "portal.ops.buckets.Bucket"
PRIVATE_HEADERS = {"Cache-Control": "private, no-store", "Referrer-Policy": "no-referrer"}


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """Return the address of an S3 server of our own."""
    moto = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    moto.start()
    host, port = moto.get_host_and_port()
    yield f"http://{host}:{port}"
    moto.stop()


@pytest.fixture(autouse=True)
def _keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "portal")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "portal-secret")
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")


def client_of(server: str) -> Any:
    return boto3.client("s3", endpoint_url=server, region_name="us-east-1")


def point_at(settings: Any, endpoint: str, private: str, pictures: str) -> None:
    """Keep files in these buckets until the test is over."""
    server = {"endpoint_url": endpoint, "region_name": "us-east-1"}
    settings.S3_BUCKET = private
    settings.STORAGES = {
        **settings.STORAGES,
        "default": {"BACKEND": BUCKET, "OPTIONS": {"bucket_name": pictures, **server}},
        "private": {"BACKEND": BUCKET, "OPTIONS": {"bucket_name": private, **server}},
    }


@pytest.fixture
def make_bucket(server: str, _keys: None) -> Callable[[str], str]:
    """Return a function that makes a bucket and returns its name."""

    def make(acl: str = "private") -> str:
        name = f"bucket-{uuid4().hex[:12]}"
        client_of(server).create_bucket(Bucket=name, ACL=acl)
        return name

    return make


@pytest.fixture
def s3(settings: Any, server: str, make_bucket: Callable[..., str]) -> str:
    """Keep files in two new buckets; return the private one's name."""
    private = make_bucket()
    point_at(settings, server, private, make_bucket("public-read"))
    return private


def followed(response: Any) -> tuple[bytes, Message]:
    """Return what the link behind a download serves, and its headers."""
    assert response.status_code == 302
    for name, value in PRIVATE_HEADERS.items():
        assert response.headers[name] == value
    address = response.headers["Location"]
    params = parse_qs(urlsplit(address).query)
    assert params["X-Amz-Expires"] == ["60"]
    assert "X-Amz-Signature" in params
    with urlopen(address) as answer:  # noqa: S310 - our own server
        return answer.read(), answer.headers


def test_a_document_is_downloaded_at_a_link_of_one_minute(s3: str, buyer: Buyer) -> None:
    order = make_order_at(OrderStatus.CONFIRMED, buyer)
    document = add(order, title="Certificate – 원산지")

    content, headers = followed(Client().get(link(order, document, buyer)))

    assert content == SMALL_PDF
    assert headers["Content-Type"] == "application/pdf"
    assert headers["Content-Disposition"].startswith('attachment; filename="Certificate')
    assert "filename*=UTF-8''Certificate%20%E2%80%93%20" in headers["Content-Disposition"]
    assert headers["Cache-Control"] == "private, no-store"


def test_the_link_leads_where_browsers_reach_the_bucket(
    s3: str, settings: Any, buyer: Buyer
) -> None:
    options = {
        **settings.STORAGES["private"]["OPTIONS"],
        "browser_endpoint_url": "https://files.seller.test",
    }
    settings.STORAGES = {**settings.STORAGES, "private": {"BACKEND": BUCKET, "OPTIONS": options}}
    order = make_order_at(OrderStatus.CONFIRMED, buyer)
    address = Client().get(link(order, add(order), buyer)).headers["Location"]
    assert address.startswith(f"https://files.seller.test/{s3}/documents/")


def test_a_removed_document_leaves_the_bucket(
    s3: str, buyer: Buyer, django_capture_on_commit_callbacks: Callable[..., Any]
) -> None:
    order = make_order_at(OrderStatus.CONFIRMED, buyer)
    document = add(order)
    address, path = link(order, document, buyer), f"documents/{document.storage_name}"
    assert storages["private"].exists(path)
    with django_capture_on_commit_callbacks(execute=True):
        remove_document(document_id=document.pk, actor=make_sales(), now=timezone.now())
    assert not storages["private"].exists(path)
    assert Client().get(address).status_code == 404


def test_papers_are_made_and_kept(s3: str, api: ContractClient, buyer: Buyer) -> None:
    order = make_order_at(OrderStatus.CONFIRMED, buyer)
    files = api.get(f"/api/details/{order.invoice_code}").json()["fileList"]
    address = next(file["url"] for file in files if file["name"].endswith(".pdf"))
    made = Client().get(address).getvalue()  # made at the click, and handed out as it was made
    assert made.startswith(b"%PDF-")
    assert make_document_files(timezone.now()) == 1  # the workbook
    content, _ = followed(Client().get(address))
    assert content == made


def test_a_notices_file_is_attached_linked_and_swept(s3: str, api: ContractClient) -> None:
    notice = make_notice("Catalogue", timezone.now())
    attach(notice, content=SMALL_PDF)
    (file,) = opened(api, notice)["fileList"]
    content, headers = followed(Client().get(file["url"]))
    assert content == SMALL_PDF
    assert "calendar.pdf" in headers["Content-Disposition"]
    NoticeFile.objects.all()._raw_delete("default")
    assert remove_leftovers(timezone.now()) == 0  # a day is not over
    assert remove_leftovers(timezone.now() + timedelta(hours=25)) == 1
    assert storages["private"].listdir("notices") == ([], [])


def test_an_import_reads_its_file_and_gives_pictures_away(s3: str, server: str) -> None:
    cream = make_product(sku="A-1")
    source = sent_pictures(**{"a-1.jpg": picture()})
    applied(source)
    cream.refresh_from_db()
    assert cream.image.startswith("a-1-")
    for size in (100, 300):
        with storages["default"].open(f"products/{size}/{cream.image}") as file:
            assert file.read(3) == b"\xff\xd8\xff"


# While it is down


@pytest.fixture
def down(settings: Any) -> None:
    """Let the buckets be behind a port where nobody listens."""
    point_at(settings, f"http://127.0.0.1:{closed_port()}", "private", "pictures")


def test_a_bucket_that_is_silent_fails_in_time(
    settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(buckets, "READ_SECONDS", 0.2)
    monkeypatch.setattr(buckets, "PROBE_SECONDS", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        point_at(settings, f"http://127.0.0.1:{silent.getsockname()[1]}", "private", "pictures")
        config: Config = storages["private"].client_config  # type: ignore[attr-defined]
        with pytest.raises(OSError, match="does not answer"):
            storages["private"].save("documents/a.pdf", ContentFile(b"%PDF-"))
        assert not storage_state()
    assert config.connect_timeout == 3
    assert config.retries == {"total_max_attempts": 2, "mode": "standard"}


def test_while_it_is_down_downloads_say_so(
    settings: Any, server: str, s3: str, api: ContractClient, buyer: Buyer
) -> None:
    order = make_order_at(OrderStatus.CONFIRMED, buyer)
    document = add(order)
    notice = make_notice("Catalogue", timezone.now())
    attach(notice)
    (file,) = opened(api, notice)["fileList"]
    user = make_registration()
    make_certificate(user, picture("PNG"), "image/png")
    point_at(settings, f"http://127.0.0.1:{closed_port()}", s3, "pictures")

    for address in (link(order, document, buyer), file["url"]):
        answer = Client().get(address)
        assert (answer.status_code, answer.headers["Retry-After"]) == (503, "60")
        assert answer.content.decode() == f"{StorageUnavailable.message}\n"
    page = staff_client("Approvers").get(
        reverse("admin:accounts_registration_change", args=[user.pk])
    )
    assert page.status_code == 200
    details = api.get(f"/api/details/{order.invoice_code}")
    assert (details.status_code, Order.objects.count()) == (200, 1)


def test_readiness_names_it_and_stays_green(down: None) -> None:
    answer = Client().get("/readyz")
    assert (answer.status_code, answer.json()["storage"]) == (200, "degraded")


def test_readiness_is_content_with_buckets_that_are_there(
    s3: str, settings: Any, server: str
) -> None:
    assert storage_state()
    point_at(settings, server, "nobody-made-this", "nor-this")
    assert not storage_state()


# Starting


def test_production_does_not_start_on_a_bucket_that_everybody_reads(
    s3: str,
    settings: Any,
    server: str,
    make_bucket: Callable[..., str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PORTAL_ENV", "production")
    Serve.refuse_public_files()
    public = make_bucket("public-read")
    everybody = {"Effect": "Allow", "Principal": "*", "Action": "s3:GetObject"}
    statement = {**everybody, "Resource": f"arn:aws:s3:::{public}/*"}
    policy = json.dumps({"Version": "2012-10-17", "Statement": [statement]})
    client_of(server).put_bucket_policy(Bucket=public, Policy=policy)
    point_at(settings, server, public, "pictures")
    with pytest.raises(CommandError, match="S3_BUCKET"):
        Serve.refuse_public_files()


def test_a_bucket_that_is_down_does_not_keep_production_from_starting(
    down: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PORTAL_ENV", "production")
    Serve.refuse_public_files()


# Backup


@pytest.mark.django_db(transaction=True)
def test_a_backup_takes_files_out_of_buckets_and_a_restore_puts_them_into_others(
    s3: str,
    server: str,
    make_bucket: Callable[..., str],
    elsewhere: Manage,  # noqa: F811
    tmp_path: Path,
) -> None:
    paper = attach(make_notice("Catalogue", timezone.now()), content=SMALL_PDF)
    image = make_product().image
    for size in SIZES:
        storages["default"].save(f"products/{size}/{image}", ContentFile(picture()))
    call_command("backup", tmp_path / "backup")
    assert (tmp_path / "backup/files/private" / paper.path).read_bytes() == SMALL_PDF

    private, pictures = make_bucket(), make_bucket()
    others = {
        "S3_BUCKET": private,
        "S3_PUBLIC_BUCKET": pictures,
        "S3_ENDPOINT_URL": server,
        "AWS_DEFAULT_REGION": "us-east-1",
        "IMAGE_HOST": "https://pictures.seller.test/products",
    }
    restored = elsewhere("restore", tmp_path / "backup", **others)
    assert restored.returncode == 0, restored.stderr
    client = client_of(server)
    assert client.get_object(Bucket=private, Key=paper.path)["Body"].read() == SMALL_PDF
    kept = client.head_object(Bucket=pictures, Key=f"products/300/{image}")
    assert kept["ContentType"] == "image/jpeg"

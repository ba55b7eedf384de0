"""Production starts with a good environment only (reliability-and-security, section 15), and says
what is wrong.
"""

import importlib
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from django.conf import settings as django_settings
from django.core.management import call_command
from django.test import Client

from portal.env import SettingsError
from portal.management.commands import prepare
from portal.settings import server
from portal.tests.test_deployment import EXAMPLE, SERVICES

GOOD = {
    "PORTAL_ENV": "production",
    "SECRET_KEY": "0SGPJRcyHkJf7rz5IlQzvoGkTIiQ6Xtb9fTzYPGGVFQ4eVZZmpd",
    "JWT_SIGNING_KEY": "Z1yBiyYCq0oS0eAb4gWXlD4mDPbYvRm6OQ4tU8Vw7x9GkLr2NhJ",
    "ALLOWED_HOSTS": "orders.seller.test,files.seller.test",
    "SITE_URL": "https://orders.seller.test",
    "FILE_HOST": "https://files.seller.test/files",
    "NUM_PROXIES": "1",
    "DATABASE_URL": "postgresql://portal:pw-7731@db.seller.test:5432/portal",
    "REDIS_URL": "redis://redis.seller.test:6379/0",
    "EMAIL_HOST": "mail.seller.test",
    "SALES_EMAIL": "sales@seller.test",
    "PAYPAL_ENDPOINT": "https://api-m.paypal.com",
    "PAYPAL_MODE": "live",
    "PAYPAL_CLIENT_ID": "AYSq3RDGsmBLJE",
    "PAYPAL_CLIENT_SECRET": "EGnHDxD_qRPdaLdZz8iCr8N7",
    "PAYPAL_WEBHOOK_ID": "8PT597110X687430L",
    "BANK": "Hanbit Bank | Seller Co., Ltd. | 110-0042-778210 | HBKRKRSE | Seoul",
    "SHIPPER": "Seller Co., Ltd. | Seoul | +82 2 555 0142",
}
BUCKETS = {
    "S3_BUCKET": "seller-private",
    "S3_PUBLIC_BUCKET": "seller-pictures",
    "S3_ENDPOINT_URL": "https://s3.seller.test",
    "IMAGE_HOST": "https://pictures.seller.test/products",
}
# What is set otherwise ("" is unset), and the variable that the refusal names.
BAD: list[tuple[Mapping[str, str], str]] = [
    ({"SECRET_KEY": ""}, "SECRET_KEY"),
    ({"SECRET_KEY": "0SGPJRcyHkJf7rz5"}, "SECRET_KEY"),
    ({"SECRET_KEY": "abababababababababababababababababababab"}, "SECRET_KEY"),
    ({"SECRET_KEY": "django-insecure-0SGPJRcyHkJf7rz5IlQzvoGkTIiQ6Xtb"}, "SECRET_KEY"),
    ({"SECRET_KEY": "test-secret-key-of-at-least-fifty-characters-in-all-0001"}, "SECRET_KEY"),
    ({"SECRET_KEY": GOOD["SECRET_KEY"][:49]}, "SECRET_KEY must hold at least 50"),
    ({"SECRET_KEY": f"{GOOD['SECRET_KEY']},0SGPJRcyHkJf7rz5"}, "SECRET_KEY"),
    ({"JWT_SIGNING_KEY": ""}, "JWT_SIGNING_KEY"),
    ({"JWT_SIGNING_KEY": "Z1yBiyYCq0oS0eAb4"}, "JWT_SIGNING_KEY"),
    (
        {"JWT_SIGNING_KEY": "test-signing-key-of-at-least-sixty-four-characters-in-all-0000002"},
        "JWT_SIGNING_KEY",
    ),
    ({"JWT_SIGNING_KEY": GOOD["SECRET_KEY"]}, "JWT_SIGNING_KEY must differ"),
    ({"JWT_SIGNING_KEY": f"{GOOD['JWT_SIGNING_KEY']},Z1yBiyYCq0oS0eAb4"}, "JWT_SIGNING_KEY"),
    ({"ALLOWED_HOSTS": ""}, "ALLOWED_HOSTS"),
    ({"ALLOWED_HOSTS": "*"}, "ALLOWED_HOSTS"),
    ({"ALLOWED_HOSTS": "orders.seller.test,files.seller.test,*"}, "ALLOWED_HOSTS"),
    *(
        (
            {"ALLOWED_HOSTS": f"{GOOD['ALLOWED_HOSTS']},{host}"},
            "ALLOWED_HOSTS must name each host whole",
        )
        for host in (".", ".com", ".seller.test")
    ),
    ({"ALLOWED_HOSTS": "files.seller.test"}, "ALLOWED_HOSTS must name the host of SITE_URL"),
    ({"ALLOWED_HOSTS": "orders.seller.test"}, "ALLOWED_HOSTS must name the host of FILE_HOST"),
    ({"SITE_URL": ""}, "SITE_URL"),
    ({"SITE_URL": "http://orders.seller.test"}, "SITE_URL"),
    ({"SITE_URL": "https://[orders"}, "SITE_URL"),
    ({"FILE_HOST": "http://files.seller.test/files"}, "FILE_HOST"),
    ({"FILE_HOST": "//files.seller.test/files"}, "FILE_HOST"),
    ({"IMAGE_HOST": "http://pictures.seller.test"}, "IMAGE_HOST"),
    ({"IMAGE_HOST": "javascript:alert(7731)"}, "IMAGE_HOST"),
    ({"CORS_ALLOWED_ORIGINS": "*"}, "CORS_ALLOWED_ORIGINS"),
    ({"CORS_ALLOWED_ORIGINS": "http://shop.seller.test"}, "CORS_ALLOWED_ORIGINS"),
    ({"NUM_PROXIES": ""}, "NUM_PROXIES"),
    ({"NUM_PROXIES": "-7731"}, "NUM_PROXIES"),
    ({"NUM_PROXIES": "0", "SECURE_SSL_REDIRECT": "0"}, "SECURE_SSL_REDIRECT"),
    ({"DATABASE_URL": ""}, "DATABASE_URL"),
    ({"DATABASE_URL": "mysql://portal:pw-7731@db/portal"}, "DATABASE_URL"),
    ({"DATABASE_URL": "postgresql://portal:pw-7731@db:port-7731/portal"}, "DATABASE_URL"),
    ({"DATABASE_URL": "postgresql://portal:pw-7731@db"}, "DATABASE_URL"),
    ({"REDIS_URL": "localhost:7731"}, "REDIS_URL"),
    ({"TASKS": "celery", "REDIS_URL": ""}, "REDIS_URL"),
    ({"TASKS": "threads-7731"}, "TASKS"),
    (
        {"PORTAL_DATA_DIR": "/srv/portal/static/7731", "STATIC_ROOT": "/srv/portal/static"},
        "PORTAL_DATA_DIR",
    ),
    ({**BUCKETS, "S3_PUBLIC_BUCKET": "seller-private"}, "S3_BUCKET"),
    ({**BUCKETS, "S3_PUBLIC_BUCKET": ""}, "S3_PUBLIC_BUCKET"),
    ({**BUCKETS, "IMAGE_HOST": ""}, "IMAGE_HOST"),
    ({**BUCKETS, "S3_ENDPOINT_URL": "http://s3.seller.test"}, "S3_BROWSER_ENDPOINT_URL"),
    ({**BUCKETS, "S3_ENDPOINT_URL": "s3.seller.test:7731"}, "S3_ENDPOINT_URL"),
    ({"EMAIL_HOST": ""}, "EMAIL_HOST"),
    ({"EMAIL_HOST_PASSWORD": "pw-7731", "EMAIL_USE_TLS": "0"}, "EMAIL_USE_TLS"),
    ({"EMAIL_PORT": "99999"}, "EMAIL_PORT"),
    ({"SALES_EMAIL": ""}, "SALES_EMAIL"),
    ({"PAYPAL_ENDPOINT": ""}, "PAYPAL_ENDPOINT"),
    ({"PAYPAL_ENDPOINT": "http://api-m.paypal.com", "PAYPAL_MODE": "sandbox"}, "PAYPAL_ENDPOINT"),
    (
        {"PAYPAL_ENDPOINT": "https://paypal.com.seller.test", "PAYPAL_MODE": "sandbox"},
        "PAYPAL_ENDPOINT",
    ),
    ({"PAYPAL_ENDPOINT": "https://notpaypal.com", "PAYPAL_MODE": "sandbox"}, "PAYPAL_ENDPOINT"),
    ({"PAYPAL_ENDPOINT": "https://api-m.sandbox.paypal.com"}, "PAYPAL_MODE"),
    ({"PAYPAL_MODE": "sandbox"}, "PAYPAL_MODE"),
    ({"PAYPAL_CLIENT_ID": ""}, "PAYPAL_CLIENT_ID"),
    ({"PAYPAL_CLIENT_SECRET": ""}, "PAYPAL_CLIENT_SECRET"),
    ({"PAYPAL_WEBHOOK_ID": ""}, "PAYPAL_WEBHOOK_ID"),
    ({"BANK": "Hanbit Bank | 110-0042-778210"}, "BANK must be"),
    ({"SHIPPER": "Seller 7731"}, "SHIPPER must be"),
    ({"DEPOSIT_RATE": "7731"}, "DEPOSIT_RATE"),
    ({"PAYPAL_FEE_RATE": "3.5%"}, "PAYPAL_FEE_RATE"),
    ({"TIME_ZONE": "Asia/Atlantis"}, "TIME_ZONE"),
    ({"PORTAL_ACCENT": "red"}, "PORTAL_ACCENT"),
    ({"LOG_LEVEL": "CHATTY"}, "LOG_LEVEL"),
    ({"LOG_LEVEL": "DEBUG"}, "LOG_LEVEL must not be DEBUG"),
    ({"THROTTLE_FACTOR": "2"}, "THROTTLE_FACTOR must be 1"),
    ({"THROTTLE_FACTOR": "0.5"}, "THROTTLE_FACTOR must be 1"),
    ({"THROTTLE_FACTOR": "nan"}, "THROTTLE_FACTOR"),
    ({"WEB_THREADS": "0"}, "WEB_THREADS"),
    ({"PORT": "77310"}, "PORT"),
]
PAYPAL = dict.fromkeys((name for name in GOOD if name.startswith("PAYPAL_")), "")
Load = Callable[[Mapping[str, str]], ModuleType]


@pytest.fixture
def load(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Load]:
    """Return a function that reads the production settings in an environment of their own."""
    environment = {
        name: module for name, module in sys.modules.items() if name.startswith("portal.settings.")
    }

    def load(changed: Mapping[str, str]) -> ModuleType:
        for name in os.environ:
            monkeypatch.delenv(name)
        for name, value in {**GOOD, "PORTAL_DATA_DIR": str(tmp_path), **changed}.items():
            monkeypatch.setenv(name, value)
        for name in [name for name in sys.modules if name.startswith("portal.settings.")]:
            del sys.modules[name]
        return importlib.import_module("portal.settings.production")

    yield load
    sys.modules.update(environment)


def test_staff_need_a_second_factor_in_production_unless_it_is_switched_off(load: Load) -> None:
    assert load({}).STAFF_SECOND_FACTOR is True
    assert load({"STAFF_SECOND_FACTOR": "0"}).STAFF_SECOND_FACTOR is False


def test_the_staffs_language_follows_the_sellers_zone(load: Load) -> None:
    assert load({"TIME_ZONE": "Asia/Seoul"}).STAFF_LANGUAGE == "ko"
    assert load({"TIME_ZONE": "Europe/Berlin"}).STAFF_LANGUAGE == "en"


@pytest.mark.parametrize(
    ("changed", "names"), BAD, ids=[f"{names} {n}" for n, (_, names) in enumerate(BAD)]
)
def test_a_bad_setting_stops_the_start(changed: Mapping[str, str], names: str, load: Load) -> None:
    with pytest.raises(SettingsError) as refusal:
        load(changed)

    message = str(refusal.value)
    assert names in message
    # Words such as "celery" are the setting's own; what is somebody's holds a figure here.
    theirs = [value for value in changed.values() if len(value) > 1 and re.search(r"\d", value)]
    assert [value for value in theirs if value in message] == []


def test_staging_may_ask_the_simulator_and_is_production_in_all_else(load: Load) -> None:
    simulated = {"PAYPAL_ENDPOINT": "http://paypal:8124", "PAYPAL_MODE": "sandbox"}
    assert load({**simulated, "PORTAL_ENV": "staging"}).PAYPAL_ENDPOINT == "http://paypal:8124"
    for changed in (
        {},
        {"PORTAL_ENV": "staging", "PAYPAL_MODE": "live"},
        {"PORTAL_ENV": "staging", "THROTTLE_FACTOR": "2"},
    ):
        with pytest.raises(SettingsError):
            load({**simulated, **changed})


def test_every_variable_is_described() -> None:
    sources = (django_settings.BASE_DIR / "portal" / "settings").glob("*.py")
    variables = {
        name
        for file in sources
        for name in re.findall(r'env\.\w+\(\s*"([A-Z0-9_]+)"', file.read_text())
    }
    assert variables <= set(server.env.variables)


def test_everything_wrong_is_named_at_once_and_has_its_line_in_the_example(load: Load) -> None:
    with pytest.raises(SettingsError) as refusal:
        load({**dict.fromkeys(GOOD, ""), "PAYPAL_CLIENT_ID": GOOD["PAYPAL_CLIENT_ID"]})
    names = set(re.findall(r"[A-Z][A-Z0-9_]{5,}", str(refusal.value))) - {"PAYPAL"}
    optional = {"PORTAL_ENV", "FILE_HOST", "REDIS_URL", "PAYPAL_MODE", "BANK", "SHIPPER"}
    assert set(GOOD) - optional <= names
    assert names <= set(EXAMPLE) | set(SERVICES["web"]["environment"])


@pytest.mark.parametrize(
    "changed",
    [
        {},
        BUCKETS,
        {
            **BUCKETS,
            "S3_ENDPOINT_URL": "http://storage:8333",
            "S3_BROWSER_ENDPOINT_URL": "https://s3.seller.test",
        },
        {"DATABASE_URL": "sqlite:////srv/portal.sqlite3"},
        {"TASKS": "celery"},
        {"NUM_PROXIES": "0"},
        {"SECURE_SSL_REDIRECT": "0"},
        {"SECRET_KEY": f"{GOOD['SECRET_KEY']},{GOOD['SECRET_KEY'][:40]}"},
        {"LOG_LEVEL": "INFO", "THROTTLE_FACTOR": "1"},
        {"PAYPAL_ENDPOINT": "https://api-m.sandbox.paypal.com", "PAYPAL_MODE": "sandbox"},
        {name: f"{GOOD[name]},{GOOD[name][::-1]}" for name in ("SECRET_KEY", "JWT_SIGNING_KEY")},
    ],
)
def test_a_good_environment_starts(changed: Mapping[str, str], load: Load) -> None:
    assert load(changed).DEBUG is False


def test_production_without_an_account_of_paypal_starts_and_is_wire_only(load: Load) -> None:
    assert load(PAYPAL).PAYPAL_CLIENT_ID == ""
    for name in PAYPAL:
        if name != "PAYPAL_MODE":  # what is begun is due whole
            with pytest.raises(SettingsError, match="PAYPAL_"):
                load({**PAYPAL, name: GOOD[name]})


def test_an_instance_that_is_asked_directly(settings: Any) -> None:
    settings.SECURE_SSL_REDIRECT, settings.ALLOWED_HOSTS = True, ["orders.seller.test"]
    body = {"email": "a@portal.test", "password": "a password"}
    for host, status in (("web:8000", 400), ("orders.seller.test", 301)):
        call: Any = {"headers": {"host": host}}
        assert Client().get("/healthz", **call).status_code == 200
        assert Client().get("/login", **call).status_code == status
        assert Client().post("/admin/login/", body, **call).status_code == status
        answer = Client().post("/api/login", body, "application/json", **call)
        assert answer.status_code == status
        assert answer["Cache-Control"] == "no-store"
    elsewhere: Any = {"headers": {"host": "web:8000"}, "secure": True}
    assert Client().post("/api/login", body, "application/json", **elsewhere).status_code == 400


def test_the_data_folder_is_the_portals_own(
    monkeypatch: pytest.MonkeyPatch, settings: Any, tmp_path: Path
) -> None:
    settings.DATA_DIR = tmp_path / "data"
    monkeypatch.setattr(prepare.Command, "connect", lambda _: pytest.fail("enough"))
    with pytest.raises(pytest.fail.Exception):
        call_command("prepare")
    assert settings.DATA_DIR.stat().st_mode & 0o777 == 0o700


def test_pictures_of_another_host_may_be_shown(load: Load) -> None:
    """A path without a final slash in a content policy names one file, not a folder."""
    policy = load(BUCKETS).CONTENT_SECURITY_POLICY["DIRECTIVES"]
    assert "https://pictures.seller.test/products/" in policy["img-src"]


def test_djangos_own_checks_are_content(tmp_path: Path) -> None:
    def manage(**changed: str) -> "subprocess.CompletedProcess[str]":
        ours = {"PATH": os.environ["PATH"], "PORTAL_DATA_DIR": str(tmp_path)}
        command = [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"]
        return subprocess.run(  # noqa: S603 - our own command
            command,
            env={**GOOD, **ours, **changed},
            cwd=django_settings.BASE_DIR,
            check=False,
            capture_output=True,
            text=True,
        )

    good = manage()
    bad = manage(SECRET_KEY="", DATABASE_URL="postgresql://portal:pw-7731@db:port-7731/portal")
    assert good.returncode == 0, good.stderr
    assert (bad.returncode, bad.stderr.splitlines()[0]) == (1, "The portal cannot start:")
    assert "7731" not in bad.stdout + bad.stderr

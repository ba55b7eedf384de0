"""The image and the compose set name what is there: no engine is needed to see that they fit the
code.
"""

import fnmatch
import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.conf import settings

from apps.accounts.errors import CertificateTooLarge
from apps.common.errors import TooLarge, Unavailable
from portal.web.bodies import UPLOADS

BASE = Path(settings.BASE_DIR)
DOCKERFILE = (BASE / "Dockerfile").read_text().replace("\\\n", " ")
COMPOSE: dict[str, Any] = yaml.safe_load((BASE / "compose.yaml").read_text())
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
PROXY = (BASE / "deploy" / "nginx.conf").read_text()
EXAMPLE = dict(
    line.split("=", 1)
    for line in (BASE / "deploy" / "portal.env.example").read_text().splitlines()
    if "=" in line[:40]
)
READ = re.compile(r'\benv\.\w+\(\s*"([A-Z0-9_]+)"')
OF_COMPOSE = re.compile(r"\$\{([A-Z0-9_]+)")
OF_THE_SDK = {"AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"}
READ_ELSEWHERE = {"PORTAL_ENV", "PROMETHEUS_MULTIPROC_DIR", "ALIVE_FILE"}
ONE_OFF = {"migrate", "tools"}
PORTALS = [name for name, service in SERVICES.items() if "env_file" in service and name != "paypal"]


def settings_read() -> set[str]:
    """Return the names of all variables that the portal reads."""
    sources = [*(BASE / "portal" / "settings").glob("*.py"), BASE / "portal" / "env.py"]
    return {
        name for source in sources for name in READ.findall(source.read_text())
    } | READ_ELSEWHERE


def copied() -> list[str]:
    """Return what the image takes from the repository."""
    found = re.findall(r"^COPY (?!--from)(.+) \S+$", DOCKERFILE, re.M)
    return [source for line in found for source in line.split()]


def test_what_the_image_copies_is_there_and_not_left_out() -> None:
    lines = (BASE / ".dockerignore").read_text().split()
    kept = {line[1:] for line in lines if line.startswith("!")}
    ignored = [line for line in lines if not line.startswith("!")]
    assert copied()
    for source in copied():
        assert (BASE / source).exists(), source
        left_out = any(fnmatch.fnmatch(source.rstrip("/"), pattern) for pattern in ignored)
        assert source in kept or not left_out, source


def test_the_image_leaves_the_simulator_of_paypal_out() -> None:
    assert "tools" in (BASE / ".dockerignore").read_text().split()
    assert {source.split("/")[0] for source in copied()}.isdisjoint({".", "tools"})
    assert SERVICES["paypal"]["profiles"] == ["staging"]


def test_each_stage_is_pinned_and_what_runs_is_nobody_special() -> None:
    stages = re.split(r"^FROM ", DOCKERFILE, flags=re.M)[1:]
    bases = [stage.split()[0] for stage in stages]
    names = {stage.split()[2] for stage in stages if stage.split()[1:2] == ["AS"]}
    given = dict(re.findall(r"^ARG (\w+_IMAGE)=(\S+)", DOCKERFILE, re.M))
    bases = [given[base[2:-1]] if base.startswith("${") else base for base in bases]
    assert all(":" in base or base in names for base in bases)
    assert not any(base.endswith(":latest") for base in bases)
    for name in ("portal", "tools"):
        stage = next(stage for stage in stages if f" AS {name}" in stage.splitlines()[0])
        assert re.findall(r"^USER (\S+)", stage, re.M)[-1] == "10001"
        assert "HEALTHCHECK" in stage


@pytest.mark.parametrize(
    "text", [DOCKERFILE, (BASE / "compose.yaml").read_text()], ids=["Dockerfile", "compose.yaml"]
)
def test_nothing_secret_is_written_down(text: str) -> None:
    assert not re.search(r"(SECRET|SIGNING_KEY|PASSWORD|TOKEN)\w*[=:] *[\"']?[A-Za-z0-9]{8}", text)


def test_the_settings_read_every_variable_that_the_image_and_compose_set() -> None:
    in_image = set(
        re.findall(
            r"\b((?:PORTAL|STATIC)_\w+|PORT)=", re.sub(r"^ARG .*", "", DOCKERFILE, flags=re.M)
        )
    )
    in_compose = {name for portal in PORTALS for name in SERVICES[portal].get("environment", {})}
    assert in_image | in_compose <= settings_read()


def test_the_example_names_every_variable_and_no_other() -> None:
    mentioned = set(OF_COMPOSE.findall((BASE / "compose.yaml").read_text()))
    of_the_timer = set(
        re.findall(r"setting ([A-Z_]+)", (BASE / "deploy" / "backup.sh").read_text())
    )
    assert mentioned - {"PORTAL_S3_FILE"} <= set(EXAMPLE)
    assert set(EXAMPLE) <= settings_read() | mentioned | of_the_timer | OF_THE_SDK


def test_the_example_holds_no_value_of_a_secret() -> None:
    assert {
        name
        for name, value in EXAMPLE.items()
        if re.search("KEY|SECRET|PASSWORD|TOKEN", name) and value
    } == set()


def test_the_proxy_is_told_all_that_its_configuration_asks_for() -> None:
    asked = set(re.findall(r"\$\{(PORTAL_\w+)\}", PROXY))
    given = {name for name in SERVICES["proxy"]["environment"] if name.startswith("PORTAL_")}
    assert asked == given


def test_the_proxy_finds_an_instance_that_was_replaced() -> None:
    given = SERVICES["proxy"]["environment"]
    for name, variable in (("web-a", "PORTAL_WEB_A"), ("web-b", "PORTAL_WEB_B")):
        assert given[variable] == SERVICES[name]["networks"]["inside"]["ipv4_address"] + ":8000"


def bytes_of(size: str) -> int:
    """Return what nginx or Docker means by a size."""
    return int(size[:-1]) << 10 * ("kmg".index(size[-1]) + 1)


def test_the_proxy_lets_through_what_the_portal_reads_and_little_more() -> None:
    assert f"client_body_buffer_size {settings.MAX_FORM_BYTES // 1024}k;" in PROXY
    limits = {
        address: (bytes_of(size), "proxy_request_buffering off;" in rules)
        for address, rules in re.findall(
            r"^    location ([^\n]+) {\n(.+?)^    }", PROXY, re.M | re.S
        )
        for size in re.findall(r"client_max_body_size (\w+);", rules)
    }
    uploads, upload = [re.compile(address[2:]) for address in limits if address[0] == "~"], 7 << 20
    assert upload > settings.MAX_UPLOAD_BODY_BYTES
    for call in set(UPLOADS) - {"/api/fileupload"}:
        assert any(pattern.match(call) for pattern in uploads), call
        assert not any(pattern.match(f"{call.rstrip('/')}-x") for pattern in uploads), call
    assert sorted(limits.values()) == [
        (settings.MAX_BODY_BYTES, False),
        (upload, False),
        (upload, False),
        (settings.MAX_STAFF_BODY_BYTES, True),  # an instance says who is staff before it is kept
    ]


def test_nothing_that_callers_reach_takes_memory_without_end() -> None:
    for name in ("proxy", "redis", *PORTALS):
        room = bytes_of(SERVICES[name]["mem_limit"])
        for folder in SERVICES[name].get("tmpfs", []):
            assert 2 * bytes_of(folder.partition(":size=")[2]) <= room
    assert all("tmpfs" in SERVICES[name] for name in ("proxy", "web-a", "web-b"))
    # Where nginx keeps bodies and answers, by the image's own settings
    assert SERVICES["proxy"]["tmpfs"][0].startswith("/var/cache/nginx:")


def test_the_proxy_says_itself_who_called() -> None:
    assert "proxy_set_header X-Forwarded-For $remote_addr;" in PROXY
    assert "proxy_set_header X-Forwarded-Proto $scheme;" in PROXY
    assert "$proxy_add_x_forwarded_for" not in PROXY


def test_the_proxy_keeps_slow_clients_and_look_alike_names_from_the_instances() -> None:
    for directive in (
        "proxy_request_buffering on;",
        "proxy_buffering on;",
        "underscores_in_headers off;",
    ):
        assert directive in PROXY
    assert {
        "client_header_timeout",
        "client_body_timeout",
        "send_timeout",
        "keepalive_timeout",
    } <= set(PROXY.split())


def test_the_proxy_refuses_in_the_portals_own_words() -> None:
    said = {
        (int(status), *json.loads(body).values())
        for status, body in re.findall(r"return (\d+) '({.+)';", PROXY)
    }
    meant = (TooLarge, CertificateTooLarge, Unavailable)
    assert said == {
        (error.http_status, error.success, error.code, error.message) for error in meant
    }


def test_the_proxy_answers_calls_and_pages_while_no_instance_does() -> None:
    (of_pages,) = re.findall(r"^    error_page 502 503 504 = (@\w+);", PROXY, re.M)
    of_calls = set(re.findall(r"^        error_page 502 503 504 = (@\w+);", PROXY, re.M))
    away = dict(re.findall(r"location (@\w+) {(.+?)^    }", PROXY, re.M | re.S))
    for name in {of_pages} | of_calls:
        assert f"add_header Retry-After {Unavailable.retry_seconds} always;" in away[name]
        assert f"return {Unavailable.http_status} " in away[name]
        assert Unavailable.message in away[name]
    assert {name for name in away if "default_type text/html;" in away[name]} == {of_pages}
    assert '<a href="">Try again</a>' in away[of_pages]


def test_the_proxy_has_room_for_those_who_say_nothing() -> None:
    main = (BASE / "deploy" / "nginx-main.conf").read_text()
    (connections,) = re.findall(r"worker_connections (\d+);", main)
    (files,) = re.findall(r"worker_rlimit_nofile (\d+);", main)
    assert int(connections) >= 4096
    assert int(files) >= 2 * int(connections)
    assert "./deploy/nginx-main.conf:/etc/nginx/nginx.conf:ro" in SERVICES["proxy"]["volumes"]


def test_only_the_proxy_is_reached_from_outside() -> None:
    assert {name for name, service in SERVICES.items() if "ports" in service} == {"proxy", "paypal"}
    assert COMPOSE["networks"]["inside"]["internal"] is True
    for name in ("database", "redis", "storage"):
        assert SERVICES[name]["networks"] == ["inside"]


@pytest.mark.parametrize("name", SERVICES)
def test_each_service_comes_back_and_ends_in_peace(name: str) -> None:
    service = SERVICES[name]
    assert service["restart"] == ("no" if name in ONE_OFF else "unless-stopped")
    assert ":" in service["image"] or "${" in service["image"]
    if name in PORTALS:
        assert service["stop_grace_period"] == "35s"
        assert service["read_only"] is True
    # The image brings that of web, Seaweed has none. `up --wait` fails where a service that stays
    # has its own off.
    if name not in {"storage", *ONE_OFF, "web-a", "web-b"}:
        assert "test" in service["healthcheck"]


def test_every_command_of_the_portal_is_one() -> None:
    commands = {
        path.stem for path in (BASE / "portal" / "management" / "commands").glob("*.py")
    } | {
        "migrate",
        "collectstatic",
    }
    text = (BASE / "compose.yaml").read_text() + DOCKERFILE
    assert set(re.findall(r"manage\.py[ \",]+([a-z_]+)", text)) <= commands


def test_what_runs_is_what_was_built_here_by_the_name_of_its_release() -> None:
    for name in PORTALS:
        assert SERVICES[name]["image"].endswith(":${PORTAL_RELEASE}")
        assert SERVICES[name]["pull_policy"] == "never"
    assert all("logging" in service for service in SERVICES.values())


def test_each_package_has_a_reason_and_a_hash() -> None:
    for name in ("requirements", "requirements-dev"):
        direct = [line for line in (BASE / f"{name}.in").read_text().splitlines() if "==" in line]
        lock = (BASE / f"{name}.txt").read_text()
        assert direct
        for line in direct:
            package, _, reason = line.partition("#")
            fixed = re.sub(r"\[.*\]", "", package).strip()
            assert reason.strip(), line
            assert re.search(rf"^{re.escape(fixed)} .*\\\n +--hash=sha256:", lock, re.M | re.I), (
                line
            )
        assert len(re.findall(r"^\S+==", lock, re.M)) == len(re.findall(r"^\S+==.*\\$", lock, re.M))


def test_each_package_of_the_screens_has_a_reason() -> None:
    front_end = BASE / "frontend"
    direct = json.loads((front_end / "package.json").read_text())
    rows = re.findall(r"^- (`.+`): \S", (front_end / "packages.md").read_text(), re.M)
    reasoned = re.findall(r"`(.+?)`", " ".join(rows))
    assert sorted(reasoned) == sorted([*direct["dependencies"], *direct["devDependencies"]])


def test_no_lock_file_names_a_registry() -> None:
    for name in (
        "requirements.txt",
        "requirements-dev.txt",
        "requirements-uv.txt",
        "frontend/package-lock.json",
    ):
        assert not re.search(
            r"registry\.|pypi\.|--index-url|\"resolved\"", (BASE / name).read_text()
        ), name

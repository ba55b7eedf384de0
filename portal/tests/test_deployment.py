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

from apps.common.errors import Unavailable

BASE = Path(settings.BASE_DIR)
DOCKERFILE = (BASE / "Dockerfile").read_text().replace("\\\n", " ")
COMPOSE: dict[str, Any] = yaml.safe_load((BASE / "compose.yaml").read_text())
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
PROXY = (BASE / "deploy" / "Caddyfile").read_text()
EXAMPLE = dict(
    line.split("=", 1)
    for line in (BASE / "deploy" / "portal.env.example").read_text().splitlines()
    if "=" in line[:40]
)
READ = re.compile(r'\benv\.\w+\(\s*"([A-Z0-9_]+)"')
OF_COMPOSE = re.compile(r"\$\{([A-Z0-9_]+)")
OF_OTHERS = {f"AWS_{name}" for name in ("ACCESS_KEY_ID", "SECRET_ACCESS_KEY", "DEFAULT_REGION")} | {
    "COMPOSE_PROFILES"
}
ONE_OFF = {"tools"}
PORTALS = [name for name, service in SERVICES.items() if "env_file" in service and name != "paypal"]


def settings_read() -> set[str]:
    """Return the names of all variables that the portal reads."""
    sources = [*(BASE / "portal" / "settings").glob("*.py"), BASE / "portal" / "env.py"]
    texts = (source.read_text() for source in sources)
    return {"PORTAL_ENV"}.union(*map(READ.findall, texts))


def copied() -> list[str]:
    """Return what the image takes from the repository."""
    copied = re.findall(r"^COPY (?!--from)(.+) \S+$", DOCKERFILE, re.M)
    return [source for line in copied for source in line.split()]


def test_what_the_image_copies_is_there_and_not_left_out() -> None:
    lines = (BASE / ".dockerignore").read_text().split()
    exceptions = {line[1:] for line in lines if line.startswith("!")}
    ignored = [line for line in lines if not line.startswith("!")]
    assert copied()
    for source in copied():
        assert (BASE / source).exists(), source
        left_out = any(fnmatch.fnmatch(source.rstrip("/"), pattern) for pattern in ignored)
        assert source in exceptions or not left_out, source


def test_the_image_leaves_the_simulator_of_paypal_out() -> None:
    assert "tools" in (BASE / ".dockerignore").read_text().split()
    assert {source.split("/")[0] for source in copied()}.isdisjoint({".", "tools"})
    assert SERVICES["paypal"]["profiles"] == ["staging"]


def test_each_stage_is_pinned_and_what_runs_is_nobody_special() -> None:
    stages = re.split(r"^FROM ", DOCKERFILE, flags=re.M)[1:]
    bases = [stage.split()[0] for stage in stages]
    names = {stage.split()[2] for stage in stages if stage.split()[1:2] == ["AS"]}
    images = dict(re.findall(r"^ARG (\w+_IMAGE)=(\S+)", DOCKERFILE, re.M))
    bases = [images[base[2:-1]] if base.startswith("${") else base for base in bases]
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
    fixed = re.sub(r"^ARG .*", "", DOCKERFILE, flags=re.M)
    in_image = set(re.findall(r"\b((?:PORTAL|STATIC)_\w+|PORT)=", fixed))
    in_compose = {name for portal in PORTALS for name in SERVICES[portal].get("environment", {})}
    assert in_image | in_compose <= settings_read()


def test_the_example_names_every_variable_and_no_other() -> None:
    mentioned = set(OF_COMPOSE.findall((BASE / "compose.yaml").read_text()))
    timer = (BASE / "deploy" / "backup.sh").read_text()
    of_the_timer = set(re.findall(r"setting ([A-Z_]+)", timer))
    assert mentioned - {"PORTAL_S3_FILE"} <= set(EXAMPLE)
    assert set(EXAMPLE) <= settings_read() | mentioned | of_the_timer | OF_OTHERS


def test_the_example_holds_no_value_of_a_secret() -> None:
    for name, value in EXAMPLE.items():
        assert not (re.search("KEY|SECRET|PASSWORD|TOKEN", name) and value), name


def test_the_proxy_is_told_all_that_its_configuration_asks_for() -> None:
    variables = set(re.findall(r"\{\$(PORTAL_\w+)", PROXY))
    assert variables == set(SERVICES["proxy"]["environment"])


def bytes_of(size: str) -> int:
    """Return what Docker means by a size."""
    return int(size[:-1]) << 10 * ("kmg".index(size[-1]) + 1)


def test_nothing_that_callers_reach_takes_memory_without_end() -> None:
    for name in ("proxy", "redis", *PORTALS):
        room = bytes_of(SERVICES[name]["mem_limit"])
        for folder in SERVICES[name].get("tmpfs", []):
            size = re.search(r":size=(\w+)", folder)
            assert size, folder
            assert 2 * bytes_of(size[1]) <= room


def test_the_proxy_believes_no_caller_who_called() -> None:
    assert "trusted_proxies" not in PROXY
    assert "keepalive off" in PROXY  # a request that may have been heard is never sent twice
    assert SERVICES["web"]["environment"]["NUM_PROXIES"] == "1"


def test_the_proxy_says_in_the_portals_own_words_that_no_instance_answers() -> None:
    away = PROXY[PROXY.index("handle_errors 502 503 504") :]
    (response,) = re.findall(r"respond `({.+})` (\d+)", away)
    error = Unavailable
    assert tuple(json.loads(response[0]).values()) == (error.success, error.code, error.message)
    assert response[1] == str(error.http_status)
    assert f"header Retry-After {error.retry_seconds}" in away
    assert f"<p>{error.message}</p>" in away
    assert '<a href="">Try again</a>' in away


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
    if name not in {"storage", *ONE_OFF}:
        assert "test" in service["healthcheck"]


def test_every_command_of_the_portal_is_one() -> None:
    ours = (BASE / "portal" / "management" / "commands").glob("*.py")
    commands = {path.stem for path in ours} | {"migrate", "collectstatic"}
    text = (BASE / "compose.yaml").read_text() + DOCKERFILE
    assert set(re.findall(r"manage\.py[ \",]+([a-z_]+)", text)) <= commands


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
    ours = (f"requirements{kind}.txt" for kind in ("", "-dev", "-uv"))
    for name in (*ours, "frontend/package-lock.json"):
        text = (BASE / name).read_text()
        assert not re.search(r"registry\.|pypi\.|--index-url|\"resolved\"", text), name

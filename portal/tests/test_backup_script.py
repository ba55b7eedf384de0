"""`deploy/backup.sh`, which a timer runs every night: the newest whole backups stay, whatever
becomes of a new one.
"""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from django.conf import settings

DOCKER = """#!/bin/sh
echo "$@" >> "$TOLD"
for last; do :; done
folder="$BACKUPS/$(basename "$last")"
mkdir "$folder"
[ -z "$FAILS" ] || exit 1
echo {} > "$folder/manifest.json"
"""
WHOLE = [f"2025-01-{day:02}T023000Z" for day in range(1, 6)]


@pytest.fixture
def portal(tmp_path: Path) -> Path:
    """Return a portal's folder with five whole backups, a stand-in for Docker, and three backups to
    keep.
    """
    (tmp_path / "deploy").mkdir()
    shutil.copy(settings.BASE_DIR / "deploy" / "backup.sh", tmp_path / "deploy")
    (tmp_path / "deploy" / "portal.env").write_text(
        "PORTAL_BACKUP_FOLDER=\"./kept here\"\nPORTAL_BACKUPS_KEPT='3'\n"
    )
    docker = tmp_path / "bin" / "docker"
    docker.parent.mkdir()
    docker.write_text(DOCKER)
    docker.chmod(0o755)
    for name in WHOLE:
        (tmp_path / "kept here" / name).mkdir(parents=True)
        (tmp_path / "kept here" / name / "manifest.json").write_text("{}")
    return tmp_path


def back_up(portal: Path, *, fails: bool = False) -> tuple[int, list[str]]:
    """Run the script, and return how it ended and what is there then."""
    environment = {
        "PATH": f"{portal / 'bin'}:{os.environ['PATH']}",
        "BACKUPS": str(portal / "kept here"),
        "TOLD": str(portal / "told"),
        "FAILS": "1" if fails else "",
    }
    command: list[str | Path] = ["sh", portal / "deploy" / "backup.sh"]
    process = subprocess.run(command, env=environment, check=False, cwd="/")  # noqa: S603
    return process.returncode, sorted(path.name for path in (portal / "kept here").iterdir())


def test_the_newest_stay_and_the_new_one_is_made_by_the_tools(portal: Path) -> None:
    code, folders = back_up(portal)
    assert (code, len(folders), folders[:2]) == (0, 3, WHOLE[-2:])
    words = (portal / "told").read_text().split()
    assert words[:6] == ["compose", "--env-file", "deploy/portal.env", "run", "--rm", "--no-TTY"]
    assert words[6:-1] == ["tools", "python", "manage.py", "backup"]
    assert words[-1] == f"/data/backup/{folders[-1]}"


def test_one_that_fails_costs_none_of_the_earlier(portal: Path) -> None:
    code, folders = back_up(portal, fails=True)
    assert code == 1
    assert folders[:5] == WHOLE
    assert not (portal / "kept here" / folders[5] / "manifest.json").exists()


def test_what_was_never_finished_goes_with_those_of_its_time_and_nothing_else(portal: Path) -> None:
    for name in ("2025-01-02T120000Z", "2025-01-05T120000Z", "before-the-move"):
        (portal / "kept here" / name).mkdir()
    _, folders = back_up(portal)
    assert [name for name in folders if not name.startswith("20")] == ["before-the-move"]
    assert "2025-01-02T120000Z" not in folders
    assert "2025-01-05T120000Z" in folders

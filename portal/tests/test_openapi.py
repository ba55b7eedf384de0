"""The contract says of each call whether the specification has it (section 7)."""

import re
from pathlib import Path

import yaml

from portal.web.openapi import SPECIFIED

CONTRACT = Path(__file__).parents[2] / "frontend" / "contract" / "openapi.yaml"


def test_what_the_specification_has_is_there_and_nothing_else_is_unmarked() -> None:
    paths = yaml.safe_load(CONTRACT.read_text())["paths"]
    unmarked = {
        f"{method.upper()} {re.sub(r'{[^}]*}', '{}', path)}"
        for path, calls in paths.items()
        for method, call in calls.items()
        if not call["description"].startswith("**+** ")
    }
    assert unmarked == SPECIFIED

"""What the demo is made of: a file of rows for each kind of thing, in the order of loading."""

import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent


def read(name: str) -> list[dict[str, Any]]:
    """Return the rows of a file of this folder."""
    rows: list[dict[str, Any]] = json.loads((FOLDER / f"{name}.json").read_text("utf-8"))
    return rows

"""Types that every app uses."""

from typing import Any

# What a call answers, or reads, as JSON: an object by its names.
Json = dict[str, Any]

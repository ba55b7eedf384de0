"""Typed reading of the environment: one place that names every variable that is wrong or missing."""

import os
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")

ENVIRONMENTS = ("development", "test", "production")


class SettingsError(SystemExit):
    """The environment cannot start the portal; the text names variables, never their values."""


def settings_module() -> str:
    """Return the settings module that PORTAL_ENV chooses (`development` when unset)."""
    name = os.environ.get("PORTAL_ENV", "development")
    if name not in ENVIRONMENTS:
        raise SettingsError(f"PORTAL_ENV must be one of {', '.join(ENVIRONMENTS)}")
    return f"portal.settings.{name}"


class Environment:
    """Reads variables, collects what is wrong with them and complains once."""

    def __init__(self) -> None:
        self.problems: list[str] = []

    def _read(self, name: str, default: T, convert: Callable[[str], T], kind: str) -> T:
        raw = os.environ.get(name, "")
        if raw == "":
            return default
        try:
            return convert(raw)
        except (ValueError, ArithmeticError):
            self.problems.append(f"{name} must be {kind}")
            return default

    def text(self, name: str, default: str = "") -> str:
        """Return a string."""
        return self._read(name, default, str.strip, "text")

    def integer(self, name: str, default: int) -> int:
        """Return a whole number."""
        return self._read(name, default, int, "a whole number")

    def number(self, name: str, default: float) -> float:
        """Return a number."""
        return self._read(name, default, float, "a number")

    def flag(self, name: str, *, default: bool = False) -> bool:
        """Return a yes or no, written 1 or 0, true or false."""
        words = {"1": True, "true": True, "yes": True, "0": False, "false": False, "no": False}

        def convert(raw: str) -> bool:
            if raw.strip().lower() not in words:
                raise ValueError(raw)
            return words[raw.strip().lower()]

        return self._read(name, default, convert, "1 or 0")

    def choice(self, name: str, choices: tuple[str, ...], default: str) -> str:
        """Return one of the given words."""

        def convert(raw: str) -> str:
            if raw not in choices:
                raise ValueError(raw)
            return raw

        return self._read(name, default, convert, f"one of {', '.join(choices)}")

    def words(self, name: str, default: tuple[str, ...] = ()) -> list[str]:
        """Return the parts of a comma-separated list."""

        def convert(raw: str) -> tuple[str, ...]:
            return tuple(part.strip() for part in raw.split(",") if part.strip())

        return list(self._read(name, default, convert, "a list"))

    def dates(self, name: str) -> frozenset[date]:
        """Return the days of a comma-separated list."""

        def convert(raw: str) -> frozenset[date]:
            return frozenset(date.fromisoformat(part.strip()) for part in raw.split(",") if part.strip())

        return self._read(name, frozenset(), convert, "days as 2027-01-29, comma-separated")

    def folder(self, name: str, default: Path) -> Path:
        """Return a folder's absolute path."""
        return self._read(name, default, lambda raw: Path(raw).expanduser().resolve(), "a path")

    def require(self, condition: object, problem: str) -> None:
        """Note a problem unless the condition holds."""
        if not condition:
            self.problems.append(problem)

    def check(self) -> None:
        """Stop the start if anything was wrong, naming everything at once."""
        if self.problems:
            raise SettingsError("The portal cannot start:\n" + "\n".join(f"  - {p}" for p in self.problems))

"""Typed reading of the environment: one place that names every variable that is wrong
or missing.
"""

import os
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import NamedTuple, TypeVar
from urllib.parse import SplitResult, urlsplit

T = TypeVar("T")

WEB = ("https", "http")
FLAGS = {"1": True, "true": True, "yes": True, "0": False, "false": False, "no": False}
ENVIRONMENTS = ("development", "test", "staging", "production")


class SettingsError(SystemExit):
    """The environment cannot start the portal; the text names variables, never their values."""


def settings_module() -> str:
    """Return the settings module that PORTAL_ENV chooses (`development` when unset)."""
    name = os.environ.get("PORTAL_ENV", "development")
    if name not in ENVIRONMENTS:
        raise SettingsError(f"PORTAL_ENV must be one of {', '.join(ENVIRONMENTS)}")
    return f"portal.settings.{'production' if name == 'staging' else name}"


def is_address(text: str, *, schemes: tuple[str, ...] = ("https",)) -> bool:
    """Return whether a text is an address of one of these schemes, with a host and a port that can
    be.
    """
    try:
        parts: SplitResult = urlsplit(text)
        return parts.scheme in schemes and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


def checked(value: T, holds: object) -> T:
    """Return a value that may be so.

    Raises:
        ValueError: it may not.
    """
    if not holds:
        raise ValueError(value)
    return value


class Variable(NamedTuple):
    """A row of docs/settings.md."""

    section: str
    name: str
    default: str
    kind: str
    help: str


class Environment:
    """Reads variables, describes them, collects what is wrong with them and complains once.

    What docs/settings.md says `about` one: its `help`, and what is `shown` of a default that is
    worked out.
    """

    def __init__(self) -> None:
        self.problems: list[str] = []
        self.variables: dict[str, Variable] = {}
        self._section = ""

    def section(self, title: str) -> None:
        """Let the variables that follow stand under a heading of docs/settings.md."""
        self._section = title

    def describe(self, name: str, *, kind: str, help: str, default_text: str = "") -> None:
        """Describe a variable; one that is read twice is described where it is explained."""
        if help:
            self.variables[name] = Variable(self._section, name, default_text, kind, help)

    def _read(
        self, name: str, default: T, convert: Callable[[str], T], kind: str, **about: str
    ) -> T:
        self.describe(
            name,
            kind=kind,
            help=about.get("help", ""),
            default_text=about.get("shown", _default_text(default)),
        )
        raw = os.environ.get(name, "")
        if raw == "":
            return default
        try:
            return convert(raw)
        except (LookupError, ValueError, ArithmeticError):
            self.problems.append(f"{name} must be {kind}")
            return default

    def text(self, name: str, default: str = "", **about: str) -> str:
        """Return a string."""
        return self._read(name, default, str.strip, "text", **about)

    def integer(
        self, name: str, default: int, *, least: int = 0, most: int = 2**31, **about: str
    ) -> int:
        """Return a whole number within bounds."""
        bounds = f"from {least}" + (f" to {most}" if most < 2**31 else "")
        return self._read(
            name,
            default,
            lambda raw: checked(int(raw), least <= int(raw) <= most),
            f"a whole number {bounds}",
            **about,
        )

    def number(self, name: str, default: float, **about: str) -> float:
        """Return a number above zero."""
        return self._read(
            name,
            default,
            lambda raw: checked(float(raw), 0 < float(raw) < float("inf")),
            "a number above 0",
            **about,
        )

    def rate(self, name: str, default: str, **about: str) -> Decimal:
        """Return a share of an amount, from 0 to 1."""
        return self._read(
            name,
            Decimal(default),
            lambda raw: checked(Decimal(raw), 0 <= Decimal(raw) <= 1),
            "a number from 0 to 1",
            **about,
        )

    def parsed(
        self, name: str, default: str, parse: Callable[[str], T], kind: str, **about: str
    ) -> T:
        """Return what a function makes of the text."""
        return self._read(name, parse(default), parse, kind, **about)

    def place(self, name: str, default: str, **about: str) -> str:
        """Return where files are for a browser: a path of the portal's own host, or an address; no
        final slash.
        """

        def convert(raw: str) -> str:
            place = raw.strip().rstrip("/")
            is_path = place.startswith("/") and not place.startswith("//")
            return checked(place, is_path or is_address(place, schemes=WEB))

        kind = "a path that begins with /, or an address with https://"
        return self._read(name, default, convert, kind, **about)

    def address(
        self,
        name: str,
        default: str = "",
        *,
        schemes: tuple[str, ...] = WEB,
        **about: str,
    ) -> str:
        """Return an address with a host, without a final slash."""

        def convert(raw: str) -> str:
            address = raw.strip().rstrip("/")
            return checked(address, is_address(address, schemes=schemes))

        beginnings = " or ".join(f"{scheme}://" for scheme in schemes)
        return self._read(
            name, default, convert, f"an address that begins with {beginnings}", **about
        )

    def flag(self, name: str, *, default: bool = False, **about: str) -> bool:
        """Return a yes or no, written 1 or 0, true or false."""
        return self._read(name, default, lambda raw: FLAGS[raw.strip().lower()], "1 or 0", **about)

    def choice(self, name: str, choices: tuple[str, ...], default: str, **about: str) -> str:
        """Return one of the given words."""
        kind = f"one of {', '.join(choices)}"
        return self._read(name, default, lambda raw: checked(raw, raw in choices), kind, **about)

    def words(self, name: str, default: tuple[str, ...] = (), **about: str) -> list[str]:
        """Return the parts of a comma-separated list."""

        def convert(raw: str) -> tuple[str, ...]:
            return tuple(part.strip() for part in raw.split(",") if part.strip())

        return list(self._read(name, default, convert, "a list", **about))

    def folder(self, name: str, default: Path, **about: str) -> Path:
        """Return a folder's absolute path."""
        return self._read(
            name, default, lambda raw: Path(raw).expanduser().resolve(), "a path", **about
        )

    def require(self, condition: object, problem: str) -> None:
        """Note a problem unless the condition holds."""
        if not condition:
            self.problems.append(problem)

    def check(self) -> None:
        """Stop the start if anything was wrong, naming everything at once."""
        if self.problems:
            raise SettingsError(
                "The portal cannot start:\n" + "\n".join(f"  - {p}" for p in self.problems)
            )


def _default_text(default: object) -> str:
    """Return a default as a person would set it."""
    if isinstance(default, bool):
        return str(int(default))
    if isinstance(default, tuple):
        return ",".join(str(part) for part in default) or "none"
    return str(default) or "none"

"""The front end's build: which files a page loads, as Vite's manifest names them, and how static
files are stored: hashed names for admin's, Vite's own hashed names kept, all compressed.
"""

import json
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from django.conf import settings
from django.utils.translation import gettext_noop
from whitenoise.storage import CompressedManifestStaticFilesStorage

SCREENS, STAFF, WORKER = "manifest.json", "staff.json", "worker.json"
NOT_BUILT = gettext_noop(
    "The screens are not built yet. Start the portal with `make run`, "
    "or run `npm run build` in frontend/."
)


class NotBuilt(Exception):
    """The front end's build is not there, or does not have what is asked for."""


@dataclass(frozen=True)
class Files:
    """The addresses of an entry: its script, the modules that this imports, their styles."""

    script: str
    modules: list[str]
    styles: list[str]


@dataclass(frozen=True, eq=False)
class Build:
    """A build of the front end: the screens, the scripts of the staff's pages, or the service
    worker.
    """

    manifest: dict[str, Any]

    def files(self, entry: str) -> Files:
        """Return what a page of an entry loads; `entry` is the path of its source in frontend/.

        Raises:
            NotBuilt: the build has no such entry.
        """
        if entry not in self.manifest:
            raise NotBuilt(entry)
        chunks = self._chunks(entry, {})
        styles = dict.fromkeys(name for chunk in chunks.values() for name in chunk.get("css", ()))
        modules = [_url(chunk["file"]) for key, chunk in chunks.items() if key != entry]
        return Files(_url(self.manifest[entry]["file"]), modules, [_url(name) for name in styles])

    def assets(self, names: tuple[str, ...]) -> list[str]:
        """Return the addresses of the files whose sources end with these names."""
        return [_url(chunk["file"]) for key, chunk in self.manifest.items() if key.endswith(names)]

    def code(self) -> set[str]:
        """Return the addresses of all scripts, styles and drawings."""
        chunks = self.manifest.values()
        files = {name for chunk in chunks for name in (chunk["file"], *chunk.get("css", ()))}
        return {_url(name) for name in files if name.endswith((".js", ".css", ".svg"))}

    def _chunks(self, key: str, chunks: dict[str, Any]) -> dict[str, Any]:
        """Return the entry and every chunk it cannot start without, by their keys; each behind what
        it imports.

        So are their styles: of two rules that are alike the later one counts.
        """
        if key not in chunks:
            chunks[key] = self.manifest[key]  # here already, because chunks may import each other
            for imported in self.manifest[key].get("imports", ()):
                self._chunks(imported, chunks)
            chunks[key] = chunks.pop(key)
        return chunks


def _url(file: str) -> str:
    return f"{settings.STATIC_URL}app/{file}"


@lru_cache(maxsize=3)
def _build(manifest_path: Path, built_at: int) -> Build:
    return Build(json.loads(manifest_path.read_text()))


def current_build(manifest: str) -> Build:
    """Return the build of the screens, the staff's pages or the service worker, read once for each
    time it was made.

    Raises:
        NotBuilt: there is none.
    """
    path = Path(settings.FRONTEND_DIST) / ".vite" / manifest
    try:
        return _build(path, path.stat().st_mtime_ns)
    except FileNotFoundError as error:
        raise NotBuilt from error


# Served as they are: pages for developers, whose megabytes would take a minute to compress.
UNTOUCHED = ("drf_spectacular_sidecar/", "rest_framework/")


class PortalStaticStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """Leaves the front end's build alone (it names its files by hash itself) and hashes the rest.

    Source maps that packages bring along are neither compressed nor served.
    """

    manifest_strict = False

    def post_process(self, paths: dict[str, Any], *args: Any, **kwargs: Any) -> Any:
        """Hash and compress."""
        ours = {name: path for name, path in paths.items() if not name.startswith(UNTOUCHED)}
        maps = [name for name in ours if name.endswith(".map")]
        built = {name: ours[name] for name in ours.keys() - maps if name.startswith("app/")}
        other = {name: ours[name] for name in ours.keys() - maps - built.keys()}
        yield from super().post_process(other, *args, **kwargs)
        for name, compressed in self.compress_files(built):
            yield name, compressed, True
        for name in maps:
            self.delete(name)

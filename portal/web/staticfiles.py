"""How static files are stored: hashed names for admin's, Vite's own hashed names kept, all
compressed.
"""

from typing import Any

from whitenoise.storage import CompressedManifestStaticFilesStorage

# Served as they are: pages for developers, whose megabytes would take a minute to compress.
UNTOUCHED = ("drf_spectacular_sidecar/", "rest_framework/")


class PortalStaticStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """Leaves the front end's build alone (it names its files by hash itself) and hashes the rest.

    Source maps that packages bring along are neither compressed nor served.
    """

    manifest_strict = False

    def post_process(self, paths: dict[str, Any], *args: Any, **kwargs: Any) -> Any:
        """Hash and compress."""
        kinds: dict[str, dict[str, Any]] = {"map": {}, "built": {}, "other": {}}
        for name, path in paths.items():
            if not name.startswith(UNTOUCHED):
                kinds[_kind_of(name)][name] = path
        yield from super().post_process(kinds["other"], *args, **kwargs)
        for name, compressed in self.compress_files(kinds["built"]):
            yield name, compressed, True
        for name in kinds["map"]:
            self.delete(name)


def _kind_of(name: str) -> str:
    if name.endswith(".map"):
        return "map"
    return "built" if name.startswith("app/") else "other"

"""How static files are stored: hashed names for admin's, Vite's own hashed names kept, all compressed."""

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
        paths = {name: path for name, path in paths.items() if not name.startswith(UNTOUCHED)}
        maps = [name for name in paths if name.endswith(".map")]
        paths = {name: path for name, path in paths.items() if name not in maps}
        built = {name: path for name, path in paths.items() if name.startswith("app/")}
        others = {name: path for name, path in paths.items() if name not in built}
        yield from super().post_process(others, *args, **kwargs)
        for name in self.compress_files(built):
            yield name[0], name[1], True
        for name in maps:
            self.delete(name)

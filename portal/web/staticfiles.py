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
        ours = {name: path for name, path in paths.items() if not name.startswith(UNTOUCHED)}
        maps = [name for name in ours if name.endswith(".map")]
        built = {name: ours[name] for name in ours.keys() - maps if name.startswith("app/")}
        other = {name: ours[name] for name in ours.keys() - maps - built.keys()}
        yield from super().post_process(other, *args, **kwargs)
        for name, compressed in self.compress_files(built):
            yield name, compressed, True
        for name in maps:
            self.delete(name)

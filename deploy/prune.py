"""Takes out of the image's packages what the portal never reads; the Dockerfile calls it.

    python prune.py unused|collected VENV

`unused` before the static files are collected, `collected` after it.
"""

import shutil
import sys
from pathlib import Path

# The portal speaks English, and Korean to staff, asks S3 alone, reads no AVIF, draws no maps, keeps
# South Korea's holidays, and shows one viewer of its schema.
UNUSED = (
    "setuptools",
    "setuptools-*",
    "pkg_resources",
    "_distutils_hack",
    "distutils-precedence.pth",
    "**/tests",
    "boto3/examples",
    "holidays/financial",
    "pycountry/databases/iso639-*",
    "**/redoc",
    "pillow.libs/libavif-*",
    "PIL/_avif.*",
    "PIL/_imagingtk.*",
    "django/contrib/gis",
    "rapidfuzz/**/*_avx2.*",  # its plain form is used instead
    "reportlab/fonts",
)
VIEWER = {
    "LICENSE",
    "swagger-ui.css",
    "swagger-ui-bundle.js",
    "swagger-ui-bundle.js.LICENSE.txt",
}  # templates/docs.html
COLLECTED = (
    "brotli.py",
    "_brotli.*",
    "django/contrib/admin/static",
    "django_prose_editor/static",
    "drf_spectacular_sidecar/static",
    "rest_framework/static",
)
SERVICES = {
    "s3",
    "sts",
    "sso",
    "sso-oidc",
    "signin",
}  # S3, and what boto3 asks for a machine's own credentials


def unused(packages: Path) -> list[Path]:
    """Return what no line of ours leads to."""
    found = [path for pattern in UNUSED for path in packages.glob(pattern)]
    found += [
        path
        for path in packages.glob("botocore/data/*")
        if path.is_dir() and path.name not in SERVICES
    ]
    found += [path for path in packages.glob("boto3/data/*") if path.name not in SERVICES]
    found += [path for path in packages.glob("**/swagger-ui-dist/*") if path.name not in VIEWER]
    found += [
        path for path in packages.glob("holidays/countries/*.py") if path.stem != "south_korea"
    ]
    found += [
        path for path in packages.glob("holidays/locale/*/LC_MESSAGES/*") if path.stem != "KR"
    ]
    languages = [
        path
        for package in ("django", "rest_framework", "pycountry")
        for path in packages.glob(f"{package}/**/locale*/*")
    ]
    return found + [
        path for path in languages if path.is_dir() and not path.name.startswith(("en", "ko", "__"))
    ]


def collected(packages: Path) -> list[Path]:
    """Return the originals of static files that are served from where they were collected."""
    return [path for pattern in COLLECTED for path in packages.glob(pattern)]


def main(what: str, environment: str) -> None:
    """Take it out."""
    (packages,) = Path(environment).glob("lib/python*/site-packages")
    for path in {"unused": unused, "collected": collected}[what](packages):
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)


if __name__ == "__main__":
    main(*sys.argv[1:])

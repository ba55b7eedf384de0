"""Where files lie: in folders of this machine or, with S3_BUCKET, in buckets
(reliability-and-security, section 11).

`media` is public (product pictures), `private` is not.
"""

from datetime import timedelta
from pathlib import Path
from typing import Any

from portal.env import Environment
from portal.settings.server import BASE_DIR, DATA_DIR, env

FOLDER = "portal.ops.storage.Folder"
BUCKET = "portal.ops.buckets.Bucket"


def storages_of(
    env: Environment, *, media: Path, private: Path, image_host: str
) -> dict[str, dict[str, Any]]:
    """Return Django's STORAGES: `default` holds product pictures and is public, `private`
    everything else.

    The SDK reads the keys of the buckets from its own AWS_ variables.
    """
    bucket = env.text("S3_BUCKET", help="bucket for private files, instead of the data folder")
    pictures = env.text("S3_PUBLIC_BUCKET", help="bucket for product pictures")
    endpoint = env.address(
        "S3_ENDPOINT_URL",
        shown="Amazon's",
        help=(
            "the server of the buckets; keys and region come from `AWS_ACCESS_KEY_ID`, "
            "`AWS_SECRET_ACCESS_KEY` and `AWS_DEFAULT_REGION`"
        ),
    )
    server = {"endpoint_url": endpoint or None}
    browsers = env.address(
        "S3_BROWSER_ENDPOINT_URL",
        endpoint,
        shown="S3_ENDPOINT_URL",
        help="where browsers reach that server",
    )
    env.require(bool(bucket) == bool(pictures), "S3_BUCKET and S3_PUBLIC_BUCKET go together")
    env.require(
        not bucket or bucket != pictures, "S3_BUCKET must not be S3_PUBLIC_BUCKET: it is private"
    )
    env.require(
        not bucket or not image_host.startswith("/"),
        "IMAGE_HOST must be the address of S3_PUBLIC_BUCKET",
    )
    shared = {"staticfiles": {"BACKEND": "portal.web.build.PortalStaticStorage"}}
    if bucket:
        options = {"bucket_name": bucket, "browser_endpoint_url": browsers or None, **server}
        return {
            "default": {"BACKEND": BUCKET, "OPTIONS": {"bucket_name": pictures, **server}},
            "private": {"BACKEND": BUCKET, "OPTIONS": options},
            **shared,
        }
    hidden = {"location": private, "base_url": None, "file_permissions_mode": 0o600}
    return {
        "default": {"BACKEND": FOLDER, "OPTIONS": {"location": media}},
        "private": {"BACKEND": FOLDER, "OPTIONS": hidden},
        **shared,
    }


env.section("Files")
IMAGE_HOST = env.place(
    "IMAGE_HOST",
    "/media/products",
    help="where product pictures are: `{IMAGE_HOST}/{100 or 300}/{image}`",
)
FILE_HOST = env.place("FILE_HOST", "/files", help="where documents are downloaded")
FILE_LINK_LIFETIME = timedelta(minutes=60)
MEDIA_URL = "/media/"
MEDIA_ROOT = DATA_DIR / "media"
PRIVATE_ROOT = DATA_DIR / "private"
STATIC_URL = "/static/"
STATIC_ROOT = env.folder(
    "STATIC_ROOT",
    DATA_DIR / "static",
    shown="in the data folder",
    help="where collected static files go",
)
FRONTEND_DIST = BASE_DIR / "frontend" / "dist"
STATICFILES_DIRS = [
    BASE_DIR / "static",
    *([("app", FRONTEND_DIST)] if FRONTEND_DIST.exists() else []),
]
STORAGES = storages_of(env, media=MEDIA_ROOT, private=PRIVATE_ROOT, image_host=IMAGE_HOST)
S3_BUCKET = env.text("S3_BUCKET")
CLAMD_SOCKET = env.text(
    "CLAMD_SOCKET",
    help=(
        "the virus scanner clamd, as `/path/to.socket` or `host:port`; "
        "configured and silent, it stops uploads"
    ),
)
WHITENOISE_IMMUTABLE_FILE_TEST = r"^/static/(app/assets/|.+\.[0-9a-f]{12}\.)"
WHITENOISE_KEEP_ONLY_HASHED_FILES = True
WHITENOISE_ALLOW_ALL_ORIGINS = False

"""Where files lie: in folders of this machine or, with S3_BUCKET, in buckets (reliability-and-security, section 11)."""

from pathlib import Path
from typing import Any

from portal.env import Environment

FOLDER = "portal.ops.folders.Folder"
BUCKET = "portal.ops.buckets.Bucket"


def storages_of(env: Environment, *, media: Path, private: Path, image_host: str) -> dict[str, dict[str, Any]]:
    """Return Django's STORAGES: `default` holds product pictures and is public, `private` everything else.

    The SDK reads the keys of the buckets from its own AWS_ variables.
    """
    pictures, bucket = env.text("S3_PUBLIC_BUCKET"), env.text("S3_BUCKET")
    endpoint = env.address("S3_ENDPOINT_URL")
    server = {"region_name": env.text("S3_REGION") or None, "endpoint_url": endpoint or None}
    browsers = env.address("S3_BROWSER_ENDPOINT_URL", endpoint)
    env.require(bool(bucket) == bool(pictures), "S3_BUCKET and S3_PUBLIC_BUCKET go together")
    env.require(not bucket or bucket != pictures, "S3_BUCKET must not be S3_PUBLIC_BUCKET: it is private")
    env.require(not bucket or not image_host.startswith("/"), "IMAGE_HOST must be the address of S3_PUBLIC_BUCKET")
    shared = {"staticfiles": {"BACKEND": "portal.web.staticfiles.PortalStaticStorage"}}
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

"""Files in S3, or in anything that speaks like it (reliability-and-security, section 11)."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import Any

from boto3.exceptions import Boto3Error
from boto3.s3.transfer import TransferConfig
from botocore import UNSIGNED
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError
from storages.backends.s3 import S3File, S3Storage

from apps.common.storage.files import HEADERS

# Silent: a write is refused within its 10 seconds.
CONNECT_SECONDS, READ_SECONDS, ATTEMPTS = 3, 4, 2
PROBE_SECONDS = 1
LINK_SECONDS = 60
MEMORY_BYTES = 5 * 1024 * 1024
PROBE = "probe"


@contextmanager
def _as_os_errors() -> Iterator[None]:
    """Raise what a local disk would raise, so that nobody else has to know the SDK's exceptions."""
    try:
        yield
    except ClientError as error:
        if error.response["ResponseMetadata"]["HTTPStatusCode"] == 404:
            raise FileNotFoundError("The bucket does not have this file.") from error
        raise OSError(f"The bucket refuses: {error.response['Error'].get('Code')}") from error
    except (BotoCoreError, Boto3Error) as error:
        raise OSError(f"The bucket does not answer: {type(error).__name__}") from error


class BucketFile(S3File):  # type: ignore[misc]
    """A file of a bucket; its content is fetched at the first read."""

    file = property(_as_os_errors()(S3File._get_file), S3File._set_file)

    def link(self, *, disposition: str, content_type: str) -> str:
        """Return an address that serves the file as a download for 60 seconds."""
        return str(
            self._storage.link(self.name, disposition=disposition, content_type=content_type)
        )


class Bucket(S3Storage):  # type: ignore[misc]
    """A bucket whose calls end in time and fail as those of a disk do.

    `browser_endpoint_url` is where browsers reach it, if elsewhere than the portal does.
    """

    browser_endpoint_url: str | None

    def get_default_settings(self) -> dict[str, Any]:
        """Return the package's settings with ours; what STORAGES names goes before both."""
        return {
            **super().get_default_settings(),
            # Names are random, or tell the content; a repeated write writes the same
            "file_overwrite": True,
            "max_memory_size": MEMORY_BYTES,
            "transfer_config": TransferConfig(use_threads=False),
            "client_config": client_config(
                connect_seconds=CONNECT_SECONDS, read_seconds=READ_SECONDS, attempts=ATTEMPTS
            ),
            "browser_endpoint_url": None,
        }

    def _open(self, name: str, mode: str = "rb") -> BucketFile:
        with _as_os_errors():
            return BucketFile(self._normalize_name(name), mode, self)

    _save = _as_os_errors()(S3Storage._save)
    delete = _as_os_errors()(S3Storage.delete)
    exists = _as_os_errors()(S3Storage.exists)
    listdir = _as_os_errors()(S3Storage.listdir)
    size = _as_os_errors()(S3Storage.size)
    get_modified_time = _as_os_errors()(S3Storage.get_modified_time)

    def link(self, name: str, *, disposition: str, content_type: str) -> str:
        """Return an address that serves a file as a download for 60 seconds; asks nobody."""
        params = {
            "Bucket": self.bucket_name,
            "Key": self._normalize_name(name),
            "ResponseContentDisposition": disposition,
            "ResponseContentType": content_type,
            "ResponseCacheControl": HEADERS["Cache-Control"],
        }
        return str(
            self._signer.generate_presigned_url("get_object", Params=params, ExpiresIn=LINK_SECONDS)
        )

    def answers(self) -> bool:
        """Return whether the bucket is there, within two seconds."""
        try:
            self._quick.head_bucket(Bucket=self.bucket_name)
        except (BotoCoreError, ClientError):
            return False
        return True

    def is_public(self) -> bool:
        """Write a file and return whether somebody without a key can read it.

        Raises:
            OSError: the bucket does not answer.
        """
        with _as_os_errors():
            signed = self._client(self.endpoint_url, self.client_config)
            signed.put_object(
                Bucket=self.bucket_name, Key=PROBE, Body=b"", ContentType="text/plain"
            )
            unsigned = self._client(
                self.endpoint_url, self.client_config.merge(Config(signature_version=UNSIGNED))
            )
            try:
                unsigned.get_object(Bucket=self.bucket_name, Key=PROBE)
            except ClientError:
                return False
            return True

    @cached_property
    def _quick(self) -> Any:
        hurried = client_config(
            connect_seconds=PROBE_SECONDS, read_seconds=PROBE_SECONDS, attempts=1
        )
        return self._client(self.endpoint_url, hurried)

    @cached_property
    def _signer(self) -> Any:
        return self._client(self.browser_endpoint_url or self.endpoint_url, self.client_config)

    def _client(self, endpoint: str | None, config: Config) -> Any:
        return self._create_session().client(
            "s3", endpoint_url=endpoint, region_name=self.region_name, config=config
        )


def client_config(*, connect_seconds: float, read_seconds: float, attempts: int) -> Config:
    """Return how the SDK talks: its time limits in seconds, and how often it tries in all."""
    return Config(
        connect_timeout=connect_seconds,
        read_timeout=read_seconds,
        retries={"total_max_attempts": attempts, "mode": "standard"},
        signature_version="s3v4",
        # Servers other than Amazon's know neither buckets as host names nor the newer checksums
        # everywhere.
        s3={"addressing_style": "path"},
        request_checksum_calculation="when_required",
        response_checksum_validation="when_required",
    )

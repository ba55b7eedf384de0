"""How the tests send a certificate."""

from typing import Any
from urllib.parse import quote

from django.test.client import BOUNDARY, MULTIPART_CONTENT

from apps.accounts.tests.factories import Link
from apps.common.testing import ContractClient

URL = "/api/fileupload"


def form(
    fields: dict[str, str], content: bytes | None, name: str, field: str = "certificate_files"
) -> bytes:
    """Return a multipart body as a browser writes it, whatever the file's name holds."""
    parts = [
        f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="{k}"\r\n\r\n{v}\r\n'
        for k, v in fields.items()
    ]
    body = "".join(parts).encode()
    if content is not None:
        disposition = f"filename*=UTF-8''{quote(name)}"
        head = f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="{field}"; {disposition}\r\n'
        body += head.encode() + b"Content-Type: application/pdf\r\n\r\n" + content + b"\r\n"
    return body + f"--{BOUNDARY}--\r\n".encode()


def upload(
    client: ContractClient,
    link: Link,
    content: bytes | None,
    *,
    name: str = "certificate.pdf",
    field: str = "certificate_files",
    email: str | None = None,
    token: str | None = None,
    **extra: Any,
) -> Any:
    """Send a certificate with a link's address and token, or with others."""
    fields = {
        "email": link.email if email is None else email,
        "token": link.token if token is None else token,
    }
    return client.generic(
        "POST", URL, form(fields, content, name, field), MULTIPART_CONTENT, **extra
    )

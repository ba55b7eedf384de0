"""Helpers of the tests: tables of examples shared with the front end, and a client that checks the contract."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import yaml
from django.conf import settings
from django.test import Client

from apps.common.types import Json

BASE = Path(settings.BASE_DIR)
# One empty page: what every reader of PDFs takes.
SMALL_PDF = (
    b"%PDF-1.7\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n"
    b"2 0 obj\n<< /Type /Pages /Kids [3 0 R] /Count 1 >>\nendobj\n"
    b"3 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] >>\nendobj\n"
    b"xref\n0 4\n0000000000 65535 f \n0000000009 00000 n \n0000000058 00000 n \n0000000115 00000 n \n"
    b"trailer\n<< /Size 4 /Root 1 0 R >>\nstartxref\n182\n%%EOF\n"
)


def vectors(name: str) -> list[Json]:
    """Return the rows of `apps/{app}/tests/vectors/{rule}.json`, named `app/rule`."""
    app, _, rule = name.partition("/")
    rows: list[Json] = json.loads((BASE / "apps" / app / "tests" / "vectors" / f"{rule}.json").read_text())
    return rows


@cache
def _contract() -> Json:
    contract: Json = yaml.safe_load((BASE / "frontend" / "contract" / "openapi.yaml").read_text())
    return contract


def _operation(method: str, path: str) -> Json | None:
    parts = path.partition("?")[0].removeprefix("/api").rstrip("/").split("/")
    best: tuple[int, Json] | None = None
    for template, methods in _contract()["paths"].items():
        pieces = template.rstrip("/").split("/")
        if len(pieces) != len(parts):
            continue
        if all(piece.startswith("{") or piece == part for piece, part in zip(pieces, parts, strict=True)):
            literal = sum(not piece.startswith("{") for piece in pieces)
            if best is None or literal > best[0]:
                best = (literal, methods)
    return best[1].get(method) if best else None


class ContractClient(Client):
    """Django's test client with a buyer's token; fails the test that meets an answer outside the contract."""

    token: str | None = None

    def sign_in(self, token: str) -> "ContractClient":
        """Send this token with every call from now on."""
        self.token = token
        return self

    def generic(self, method: str, path: str, *args: Any, **kwargs: Any) -> Any:  # type: ignore[override]
        """Make the call and check its answer."""
        headers = dict(kwargs.pop("headers", None) or {})
        if self.token:
            headers.setdefault("x-access-token", self.token)
        response = super().generic(method, path, *args, headers=headers, **kwargs)
        if path.startswith("/api/"):
            self.check(method.lower(), path, response)
        return response

    def send(self, method: str, path: str, body: object = None, **kwargs: Any) -> Any:
        """Make a call with a JSON body."""
        data = b"" if body is None else json.dumps(body).encode()
        return self.generic(method.upper(), path, data, "application/json", **kwargs)

    @staticmethod
    def check(method: str, path: str, response: Any) -> None:
        """Compare the answer with what `openapi.yaml` declares for the call."""
        operation = _operation(method, path)
        if operation is None:
            assert response.status_code in (404, 405), f"{method} {path} is not in the contract"
            return
        declared = operation["responses"].get(str(response.status_code))
        assert declared, f"{method} {path}: {response.status_code} is not declared"
        schema = declared.get("content", {}).get("application/json", {}).get("schema")
        if schema and response.headers.get("Content-Type", "").startswith("application/json"):
            content = response.getvalue()
            if response.streaming:
                response.streaming_content = [content]
            body = json.loads(content)
            jsonschema.Draft202012Validator({**schema, "components": _contract()["components"]}).validate(body)

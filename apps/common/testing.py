"""Helpers of the tests: tables of examples shared with the front end, and a client that checks the
contract.
"""

import json
from collections.abc import Collection, Sequence
from datetime import date
from functools import cache
from math import inf
from pathlib import Path
from typing import Any

import jsonschema_rs
import yaml
from django.conf import settings
from django.test import Client

from apps.common.models import BankAccount, Seller
from apps.common.seller import Current, remember
from apps.common.types import Json

BASE = Path(settings.BASE_DIR)
# One empty page: what every reader of PDFs takes.
SMALL_PDF = (
    b"%PDF-1.7\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n"
    b"2 0 obj\n<< /Type /Pages /Kids [3 0 R] /Count 1 >>\nendobj\n"
    b"3 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] >>\nendobj\n"
    b"xref\n0 4\n0000000000 65535 f \n0000000009 00000 n \n"
    b"0000000058 00000 n \n0000000115 00000 n \n"
    b"trailer\n<< /Size 4 /Root 1 0 R >>\nstartxref\n182\n%%EOF\n"
)


def vectors(name: str) -> list[Json]:
    """Return the rows of `apps/{app}/tests/vectors/{rule}.json`, named `app/rule`."""
    app, _, rule = name.partition("/")
    rows: list[Json] = json.loads(
        (BASE / "apps" / app / "tests" / "vectors" / f"{rule}.json").read_text()
    )
    return rows


@cache
def contract() -> Json:
    """Return the description of the calls."""
    # libyaml's, where it is there, takes a tenth of the time.
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    text = (BASE / "frontend" / "contract" / "openapi.yaml").read_text()
    described: Json = yaml.load(text, loader)  # noqa: S506
    return described


@cache
def _template(path: str) -> str | None:
    """Return the contract's path that a call's fits, the most literal of several."""
    parts = path.partition("?")[0].removeprefix("/api").rstrip("/").split("/")

    def fits(template: str) -> bool:
        pieces = template.rstrip("/").split("/")
        return len(pieces) == len(parts) and all(
            piece.startswith("{") or piece == part
            for piece, part in zip(pieces, parts, strict=True)
        )

    return min(
        filter(fits, contract()["paths"]), key=lambda template: template.count("{"), default=None
    )


@cache
def _judge(template: str, method: str, status: str) -> Any:
    """Return what judges the JSON that a call answers with this status."""
    declared = contract()["paths"][template][method]["responses"].get(status)
    assert declared, f"{method} {template}: {status} is not declared"
    schema = declared.get("content", {}).get("application/json", {}).get("schema", {})
    return jsonschema_rs.Draft202012Validator({**schema, "components": contract()["components"]})


class ContractClient(Client):
    """Django's test client with a buyer's token; fails the test that meets an answer outside the
    contract.
    """

    token: str | None = None

    def sign_in(self, token: str) -> "ContractClient":
        """Send this token with every call from now on."""
        self.token = token
        return self

    def generic(  # type: ignore[override]
        self, method: str, path: str, *args: Any, **kwargs: Any
    ) -> Any:
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
        template = _template(path)
        if template is None or method not in contract()["paths"][template]:
            assert response.status_code in (404, 405), f"{method} {path} is not in the contract"
            return
        judge = _judge(template, method, str(response.status_code))
        if response.headers.get("Content-Type", "").startswith("application/json"):
            content = response.getvalue()
            if response.streaming:
                response.streaming_content = [content]
            judge.validate(json.loads(content))


def selling(
    *, closed: Collection[date] = (), banks: Sequence[BankAccount] = (), **fields: Any
) -> None:
    """Let the seller have these days off, accounts and fields until the test ends."""
    remember(Current(Seller(**fields), banks, frozenset(closed)), looked_at=inf)

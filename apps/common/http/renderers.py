"""JSON in and out: strict, fast, and the one place where money becomes a number."""

from collections.abc import Mapping
from typing import Any

import orjson
from django.http import HttpResponse
from rest_framework import exceptions
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.parsers import BaseParser
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request

from apps.common.types import Json


def dumps(data: object) -> bytes:
    """Return the answer's bytes. Money is Decimal until it leaves; here, and only here, it becomes
    a JSON number.
    """
    return orjson.dumps(data, default=float)


def json_response(data: object, status: int = 200) -> HttpResponse:
    """Return an answer without REST framework's rendering step."""
    return HttpResponse(dumps(data), content_type="application/json", status=status)


def ok(**fields: Any) -> HttpResponse:
    """Return the answer of a call that did what it was asked for."""
    return json_response({"success": 1, **fields})


class JsonParser(BaseParser):
    """Reads a JSON object. Lists, numbers, broken text and text nested too deep are
    refused alike.
    """

    media_type = "application/json"

    def parse(
        self,
        stream: Any,
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Json:
        """Return the object.

        Raises:
            ParseError: not a JSON object in UTF-8.
        """
        try:
            data = orjson.loads(stream.read() or b"{}")
        except (orjson.JSONDecodeError, RecursionError) as error:
            raise exceptions.ParseError("The body is not JSON.") from error
        if not isinstance(data, dict):
            raise exceptions.ParseError("The body is not a JSON object.")
        return data


class JsonRenderer(BaseRenderer):
    """Writes JSON with orjson."""

    media_type = "application/json"
    format = "json"
    charset = None

    def render(
        self,
        data: Any,
        accepted_media_type: str | None = None,
        renderer_context: Mapping[str, Any] | None = None,
    ) -> bytes:
        """Return the answer's bytes; nothing for an answer without a body."""
        return b"" if data is None else dumps(data)


class OneRenderer(BaseContentNegotiation):
    """The calls speak JSON whatever the caller says it accepts."""

    def select_parser(self, request: Request, parsers: Any) -> Any:
        """Return the parser of the body's media type, or none (415)."""
        content_type = (request.content_type or "").partition(";")[0].strip().lower()
        return next((p for p in parsers if p.media_type == content_type), None)

    def select_renderer(
        self, request: Request, renderers: Any, format_suffix: str | None = None
    ) -> Any:
        """Return the view's first renderer."""
        return renderers[0], renderers[0].media_type

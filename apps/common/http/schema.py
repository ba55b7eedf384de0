"""How a call is declared for the contract: one helper, so that every call lists every answer it can
give.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from drf_spectacular.utils import OpenApiParameter, extend_schema

from apps.common.http.serializers import Refusal, SignInAgain


def path_text(name: str, description: str = "") -> OpenApiParameter:
    """Return a text in the path; the view itself decides what is malformed, so that it answers as
    for the unknown.
    """
    return OpenApiParameter(name, str, OpenApiParameter.PATH, description=description)


def path_number(name: str, description: str = "") -> OpenApiParameter:
    """Return a whole number in the path."""
    return OpenApiParameter(name, int, OpenApiParameter.PATH, description=description)


def call(
    operation: str,
    *,
    answer: Any,
    request: Any = None,
    media_type: str = "application/json",
    refusals: Iterable[int] = (),
    parameters: Sequence[Any] = (),
    public: bool = False,
    other: Mapping[tuple[int, str], Any] | None = None,
) -> Callable[[Any], Any]:
    """Declare a call: its name, its body, its answer and the statuses of its refusals.

    What every call can answer is added: 403 for strangers and 404 for what is not the caller's
    unless it is public, 409 (`busy`), 429, 503 (`unavailable`), and with a body (of `media_type`)
    400, 413 and 415. `other` adds answers of another media type.
    """
    statuses = {*refusals, 409, 429, 503}
    if request is not None:
        statuses |= {400, 413, 415}
    if not public:
        statuses.add(404)
    responses: dict[Any, Any] = {**dict.fromkeys(sorted(statuses), Refusal), **(other or {})}
    responses[(200, "application/json") if other else 200] = answer
    if not public:
        responses[403] = SignInAgain
    declare: Callable[[Any], Any] = extend_schema(
        operation_id=operation,
        request={media_type: request} if request is not None else None,
        responses=responses,
        parameters=list(parameters),
        auth=[] if public else None,
        tags=["calls"],
    )
    return declare

"""Staff's permissions, checked where the deed is done: a button that is hidden is not a right."""

from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from django.core.exceptions import PermissionDenied

P = ParamSpec("P")
T = TypeVar("T")


def needs(permission: str) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Let a service run only for an `actor` who holds a permission (reliability-and-security,
    section 13).

    The service raises PermissionDenied for anybody else, before it reads or writes anything.
    """

    def guard(service: Callable[P, T]) -> Callable[P, T]:
        @wraps(service)
        def run(*args: P.args, **kwargs: P.kwargs) -> T:
            actor: Any = kwargs["actor"]
            if not actor.has_perm(permission):
                raise PermissionDenied
            return service(*args, **kwargs)

        return run

    return guard

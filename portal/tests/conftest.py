"""What several of the portal's tests use."""

from typing import Any

import pytest

from portal import hot


@pytest.fixture
def answers(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return a list that gets the status of each answer made before the views, 0 where there was none."""
    made: list[int] = []

    def note(*args: Any) -> Any:
        body = hot_answer(*args)
        made.append(200 if body is not None else 0)
        return body

    hot_answer = hot.answer
    monkeypatch.setattr(hot, "answer", note)
    return made

"""How much is tried: little and always the same in `make test`, much and at random in
`make fuzz`.
"""

import os
import random

import pytest
from hypothesis import HealthCheck, Phase, settings

# Set by `make fuzz`; its seed is pytest's --hypothesis-seed. The usual requests are what `make
# test` really sends.
REQUESTS = int(os.environ.get("FUZZ_REQUESTS") or 0)
# How many lives of orders the account is tried with; without it, its share of the requests.
LIVES = int(os.environ.get("FUZZ_LIVES") or 0)
USUAL_REQUESTS = 600


def share(usual: int) -> int:
    """Return how many examples a test gets that has so many of the usual requests."""
    return -(-usual * REQUESTS // USUAL_REQUESTS) if REQUESTS else usual


def chance_of(request: pytest.FixtureRequest, usual: int) -> random.Random:
    """Return what a test draws from: always the same in `make test`, of the run's seed in `make
    fuzz`.
    """
    seed = request.config.getoption("--hypothesis-seed", None)
    return random.Random(int(seed) if REQUESTS and seed is not None else usual)


def trying(usual: int, *, steps: int = 50, is_long: bool = False, exactly: int = 0) -> settings:
    """Return the settings of a test with so many usual examples, of at most so many steps; no time
    is measured.

    `exactly`, where it is not 0, is how many examples are wanted whatever the requests.

    A failing example is made smaller; where that takes minutes (`is_long`), by `make fuzz` alone.
    """
    shrink = [Phase.shrink] if REQUESTS or not is_long else []
    return settings(
        max_examples=exactly or share(usual),
        derandomize=not REQUESTS,
        database=None,
        deadline=None,
        phases=[Phase.generate, *shrink],
        suppress_health_check=list(HealthCheck),
        report_multiple_bugs=False,
        stateful_step_count=steps,
    )

"""How much is tried: little and always the same in `make test`, much and at random in `make fuzz`."""

import os

from hypothesis import HealthCheck, Phase, settings

# Set by `make fuzz`; its seed is pytest's --hypothesis-seed.
REQUESTS = int(os.environ.get("FUZZ_REQUESTS") or 0)
USUAL_REQUESTS = 1_800


def share(usual: int) -> int:
    """Return how many examples a test gets that has so many of the usual requests."""
    return -(-usual * REQUESTS // USUAL_REQUESTS) if REQUESTS else usual


def trying(usual: int, **more: object) -> settings:
    """Return the settings of a test with so many usual examples; no time is measured, nothing is kept."""
    return settings(
        max_examples=share(usual),
        derandomize=not REQUESTS,
        database=None,
        deadline=None,
        phases=[Phase.generate, Phase.shrink],
        suppress_health_check=list(HealthCheck),
        report_multiple_bugs=False,
        **more,
    )

"""The figures to reach, each with what was found and whether it holds."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bench import tools
from bench.tools import Figures

Rounds = list[tuple[Figures, Figures | None]]
READS = ("order list", "order details", "dashboard")
MIB_A_WORKER, READY_SECONDS = 90, 2.0
STATEMENTS = {
    "product page": 2,
    "order list": 3,
    "dashboard": 2,
    "order details": 7,
    "order of 10 lines": 12,
}


@dataclass(frozen=True)
class Figure:
    """One figure: its number in the list of figures, what is measured, what was found beside what
    is aimed at.
    """

    number: int
    what: str
    found: str
    aim: str
    holds: bool | None  # None: there is no floor to compare with

    def row(self) -> str:
        """Return it as a row of a Markdown table."""
        verdict = {True: "holds", False: "MISSED", None: "not compared"}[self.holds]
        return f"| {self.number} | {self.what} | {self.found} | {self.aim} | {verdict} |"


def at_most(number: int, what: str, found: float | None, aim: float, unit: str = "") -> Figure:
    """Return a figure that may not be larger than its aim."""
    if found is None:
        return Figure(number, what, "-", f"at most {aim:g}{unit}", None)
    return Figure(number, what, f"{found:.2f}{unit}", f"at most {aim:g}{unit}", found <= aim)


def ratio(rounds: Rounds, figure: str) -> float | None:
    """Return the floor's requests/s over ours, or our percentile over the floor's; the median round
    of each.
    """
    if rounds[0][1] is None:
        return None
    ours = tools.median_of([mine for mine, _ in rounds])[figure]
    theirs = tools.median_of([other for _, other in rounds if other])[figure]
    return theirs / max(ours, 0.01) if figure == "rps" else ours / max(theirs, 0.01)


def loads(got: Mapping[tuple[str, int], Rounds]) -> list[Figure]:
    """Return figures 1, 3, 4 and 8 as far as the loads tell them."""
    found = []
    for clients in (8, 32):
        page = got["product page", clients]
        found.append(
            at_most(1, f"product page, {clients} clients: floor/ours", ratio(page, "rps"), 2.5)
        )
        found.append(
            at_most(
                1, f"product page, {clients} clients: p95 to the floor's", ratio(page, "p95"), 2.5
            )
        )
    for name in READS:
        for clients in (8, 32):
            found.append(
                at_most(
                    3,
                    f"{name}, {clients} clients: floor/ours",
                    ratio(got[name, clients], "rps"),
                    2.5,
                )
            )
    order = got["order of 10 lines", 8]
    found.append(at_most(4, "order of 10 lines, 8 clients: floor/ours", ratio(order, "rps"), 5.0))
    p95 = tools.median_of([mine for mine, _ in order])["p95"]
    found.append(at_most(4, "order of 10 lines, 8 clients: p95", p95, 80, " ms"))
    for name in ("product page", *READS):
        figures = tools.median_of([mine for mine, _ in got[name, 32]])
        found.append(
            at_most(
                8, f"{name}, 32 clients: p99 to p50", figures["p99"] / max(figures["p50"], 0.01), 4
            )
        )
    failed = sum(mine["bad"] for rounds in got.values() for mine, _ in rounds)
    found.append(at_most(8, "failed requests, all loads", failed, 0))
    return found


def counted(statements: Mapping[str, int]) -> list[Figure]:
    """Return figures 2 and 4: the statements of each call, identity included."""
    found = [
        at_most(
            4 if name.startswith("order of") else 2, f"{name}: statements", statements[name], aim
        )
        for name, aim in STATEMENTS.items()
    ]
    more = statements["order of 40 lines"] - statements["order of 10 lines"]
    return [*found, at_most(4, "order of 40 lines: statements more than of 10", more, 0)]


def shape(*, ready: float, workers: Mapping[int, float]) -> list[Figure]:
    """Return figure 8: seconds until the server took connections, and each worker's own share of
    memory in MiB.
    """
    return [
        at_most(8, "server ready", ready, READY_SECONDS, " s"),
        at_most(
            8,
            "memory of a worker (proportional share)",
            max(workers.values(), default=0),
            MIB_A_WORKER,
            " MiB",
        ),
    ]


def table(figures: list[Figure]) -> str:
    """Return the figures as a Markdown table, with a line that sums up."""
    rows = [figure.row() for figure in sorted(figures, key=lambda figure: figure.number)]
    missed = sum(figure.holds is False for figure in figures)
    head = "| figure | what | found | aim | |"
    return "\n".join(
        [head, "|---|---|---|---|---|", *rows, "", f"{len(figures) - missed} hold, {missed} missed"]
    )


def price_list(facts: Mapping[str, Any]) -> list[Figure]:
    """Return figure 7: the price list's file."""
    return [
        at_most(7, "price list, new: to the bare writer", facts["new"] / facts["bare"], 1.5),
        at_most(7, "price list, unchanged", facts["again"] * 1000, 20, " ms"),
        at_most(7, "price list: peak memory added", facts["added"], 8, " MiB"),
    ]


def lists(facts: Mapping[str, float]) -> list[Figure]:
    """Return figure 9: what a buyer sends of his own."""
    return [
        at_most(9, "review of a sheet of 2,000 rows", facts["sheet"], 2, " s"),
        at_most(9, "review of a sheet of 2,000 rows: peak memory added", facts["added"], 8, " MiB"),
        at_most(9, "reading of a message of 60 lines", facts["message"] * 1000, 300, " ms"),
    ]

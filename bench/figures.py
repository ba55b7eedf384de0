"""The figures to reach, each with what was found and whether it holds."""

from collections.abc import Mapping
from dataclasses import dataclass

from bench import tools
from bench.tools import Figures

Rounds = list[tuple[Figures, Figures | None]]
OVER_FLOOR = {"product page": 6.0, "order list": 6.0, "order details": 7.0, "dashboard": 6.0}
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
    text: str
    aim: str
    holds: bool

    def row(self) -> str:
        """Return it as a row of a Markdown table."""
        verdict = "holds" if self.holds else "MISSED"
        return f"| {self.number} | {self.what} | {self.text} | {self.aim} | {verdict} |"


def at_most(number: int, what: str, measured: float, aim: float, unit: str = "") -> Figure:
    """Return a figure that may not be larger than its aim."""
    return Figure(number, what, f"{measured:.2f}{unit}", f"at most {aim:g}{unit}", measured <= aim)


def ratio(rounds: Rounds) -> float:
    """Return the floor's requests/s over ours, the median round of each."""
    ours = tools.median_of([mine for mine, _ in rounds])["rps"]
    return tools.median_of([other for _, other in rounds if other])["rps"] / max(ours, 0.01)


def loads(measured_rounds: Mapping[tuple[str, int], Rounds]) -> list[Figure]:
    """Return figures 3, 4 and 8 as far as the loads tell them."""
    rows = []
    for clients in (8, 32):
        for name, most in OVER_FLOOR.items():
            what = f"{name}, {clients} clients: floor/ours"
            rows.append(at_most(3, what, ratio(measured_rounds[name, clients]), most))
    order = measured_rounds["order of 10 lines", 8]
    rows.append(at_most(4, "order of 10 lines, 8 clients: floor/ours", ratio(order), 9))
    p95 = tools.median_of([mine for mine, _ in order])["p95"]
    rows.append(at_most(4, "order of 10 lines, 8 clients: p95", p95, 100, " ms"))
    for name in OVER_FLOOR:
        figures = tools.median_of([mine for mine, _ in measured_rounds[name, 32]])
        spread = figures["p99"] / max(figures["p50"], 0.01)
        rows.append(at_most(8, f"{name}, 32 clients: p99 to p50", spread, 4))
    sides = [
        side for rounds in measured_rounds.values() for both in rounds for side in both if side
    ]
    failed = sum(side["bad"] for side in sides)
    rows.append(at_most(8, "failed requests, all loads", failed, 0))
    return rows


def counted(statements: Mapping[str, float]) -> list[Figure]:
    """Return figures 2 and 4: the statements of each call, identity included."""
    figures = [
        at_most(4 if "lines" in name else 2, f"{name}: statements", statements[name], aim)
        for name, aim in STATEMENTS.items()
    ]
    more = statements["order of 40 lines"] - statements["order of 10 lines"]
    return [*figures, at_most(4, "order of 40 lines: statements more than of 10", more, 0)]


def shape(*, ready: float, workers: Mapping[int, float]) -> list[Figure]:
    """Return figure 8: seconds until the server took connections, and each worker's own share of
    memory in MiB.
    """
    what, most = "memory of a worker (proportional share)", max(workers.values(), default=0)
    return [
        at_most(8, "server ready", ready, READY_SECONDS, " s"),
        at_most(8, what, most, MIB_A_WORKER, " MiB"),
    ]


def table(figures: list[Figure]) -> str:
    """Return the figures as a Markdown table, with a line that sums up."""
    rows = [figure.row() for figure in sorted(figures, key=lambda figure: figure.number)]
    missed = sum(not figure.holds for figure in figures)
    head = ["| figure | what | found | aim | |", "|---|---|---|---|---|"]
    return "\n".join([*head, *rows, "", f"{len(figures) - missed} hold, {missed} missed"])


def files(seconds: Mapping[str, float], inside: Mapping[str, float]) -> list[Figure]:
    """Return figures 7 and 9: the price list's file, and a buyer's own sheet."""
    return [
        at_most(7, "price list, new", seconds["new"], 1, " s"),
        at_most(7, "price list, unchanged", seconds["unchanged"] * 1000, 20, " ms"),
        at_most(9, "review of a sheet of 2,000 rows", inside["sheet"], 2, " s"),
    ]

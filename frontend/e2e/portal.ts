import { execFileSync } from "node:child_process";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "..", "..");

/** The data folder of the portal that is driven; playwright.config.ts names it. */
export function dataFolder(): string {
  const folder = process.env.E2E_DATA_DIR;
  if (!folder) throw new Error("Name the portal's data folder in E2E_DATA_DIR");
  return folder;
}

/** Runs Python in the portal that is driven, with `data` at hand, for what no screen can do; returns what it prints. */
export function inPortal(script: string, data: unknown = null): string {
  const { DATABASE_URL, REDIS_URL, PORTAL_ENV, DJANGO_SETTINGS_MODULE, ...env } = process.env;
  const preamble = "import json, os; data = json.loads(os.environ['E2E_DATA'])";
  const printed = execFileSync(
    process.env.PORTAL_PYTHON ?? ".venv/bin/python",
    ["manage.py", "shell", "-v", "0", "-c", `${preamble}\n${script}`],
    {
      cwd: ROOT,
      env: { ...env, PORTAL_DATA_DIR: dataFolder(), E2E_DATA: JSON.stringify(data) },
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  return printed.toString().trim();
}

/** What a PDF says, page by page, blanks as single spaces. */
export function pagesOf(pdf: Buffer): string[] {
  const script = `
import json, sys
import pypdfium2
pages = pypdfium2.PdfDocument(sys.stdin.buffer.read())
print(json.dumps([" ".join(page.get_textpage().get_text_range().split()) for page in pages]))
`;
  const python = process.env.PORTAL_PYTHON ?? ".venv/bin/python";
  return JSON.parse(execFileSync(python, ["-c", script], { cwd: ROOT, input: pdf }).toString());
}

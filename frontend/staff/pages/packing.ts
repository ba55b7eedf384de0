/** The packing sheet: rows as a grid, pasted cells and keys. What is wrong with it, the server says. */
import { t } from "../texts";
import "./packing.css";
import { type Change, drafts, showRestored } from "../drafts";
import { askBeforeLeaving, find, isNarrow, later } from "../elements";
import { type Column, type Headings, parse } from "../packing/cells";
import { type Check, compared, showCheck, startCheck } from "../packing/check";
import { putMissing } from "../packing/compared";
import { startEditing } from "../packing/edit";
import { fold, openBoxOf, startFolding } from "../packing/fold";
import { contents, gridRows, input, showRows } from "../packing/grid";
import { startPaste } from "../packing/paste";

interface Kept {
  at: number;
  sent: boolean;
  version: string;
  /** Pieces that were confirmed, by SKU. */
  confirmed: Record<string, number>;
  rows: string;
  paper: Record<string, string>;
}
const PAPER = ["remarks", "notify", "terms", "build_date"];

class PackingDraft {
  private readonly form: HTMLFormElement;
  private readonly lines: Check["compared"];
  private readonly key: string;

  /** `lines` are those of the page: packed against confirmed. */
  constructor(form: HTMLFormElement, lines: Check["compared"]) {
    this.form = form;
    this.lines = lines;
    this.key = form.dataset.key ?? "";
  }

  /** Keep the sheet as it is; `sent` says that it is on its way to the server. */
  keep(rows: string, sent = false) {
    const paper = Object.fromEntries(PAPER.map((name) => [name, this.field(name).value]));
    const confirmed = Object.fromEntries(this.lines.map((line) => [line.sku, line.confirmed]));
    const version = this.field("version").value;
    const kept: Kept = { at: Date.now(), sent, version, confirmed, rows, paper };
    drafts.keep(this.key, kept);
  }

  forget() {
    drafts.forget(this.key);
  }

  /** Put the paper back and return the rows, and what has changed since; null where everything typed is saved. */
  restore(): { rows: string; at: number; changes: Change[] } | null {
    const kept = drafts.read<Kept>(this.key);
    if (!kept) return null;
    const saved = Number(new URLSearchParams(location.search).get("saved") ?? 0);
    if (kept.sent && saved > Number(kept.version)) {
      this.forget();
      return null;
    }
    const changes = this.changes(kept);
    // Saved against what it was typed over: somebody else's changes are shown, not lost.
    this.field("version").value = kept.version;
    for (const name of PAPER) this.field(name).value = kept.paper[name] ?? "";
    return { rows: kept.rows, at: kept.at, changes };
  }

  private changes({ version, confirmed }: Kept): Change[] {
    const none = { typed: "", target: null };
    const now = this.field("version").value;
    const saved = Number(now) > Number(version);
    return [
      ...(saved
        ? [
            {
              name: t("The sheet"),
              what: t("saved by somebody, version"),
              before: version,
              now,
              ...none,
            },
          ]
        : []),
      ...this.lines
        .filter((line) => line.confirmed !== (confirmed[line.sku] ?? line.confirmed))
        .map((line) => ({
          name: line.name,
          what: t("confirmed"),
          before: String(confirmed[line.sku]),
          now: String(line.confirmed),
          ...none,
        })),
    ];
  }

  private field(name: string) {
    return find<HTMLInputElement>(`[name=${name}]`, this.form);
  }
}

function startSheet(form: HTMLFormElement, plain: HTMLTextAreaElement) {
  const check: Check = JSON.parse(find("#packing-check").textContent ?? "");
  const kept = new PackingDraft(form, check.compared);
  let changed = Boolean(form.dataset.unsaved);
  const keepSoon = later(() => kept.keep(contents()), 200);
  const checkSoon = startCheck(form);
  const altered = () => {
    changed = true;
    document.getElementById("filled-in")?.remove();
    fold();
    keepSoon();
    checkSoon();
  };

  const headings: Headings = JSON.parse(form.dataset.headings ?? "");
  const skus = new Set(check.compared.filter((line) => line.confirmed).map((line) => line.sku));
  startEditing(altered);
  startFolding();
  startPaste({ headings, skus }, altered);
  find("#put-missing").addEventListener("click", () => {
    putMissing(compared());
    const last = gridRows().at(-1);
    if (last) openBoxOf(last);
    altered();
  });
  form.addEventListener("input", (event) => {
    if (!find("#grid-rows").contains(event.target as Node)) altered();
  });
  form.addEventListener("submit", () => {
    plain.value = contents();
    kept.keep(plain.value, true);
    changed = false;
  });
  document.getElementById("take-kept")?.addEventListener("click", () => {
    changed = false;
    kept.forget();
  });
  askBeforeLeaving(() => changed);
  window.addEventListener("pagehide", () => {
    if (changed) kept.keep(contents());
  });

  const unsaved = form.dataset.unsaved ? null : kept.restore();
  showRows(parse(unsaved?.rows ?? plain.value));
  find("#plain-rows").hidden = true;
  for (const id of ["#grid-rows", "#paste-open", "#add-box", "#add-content", "#copy-sizes"])
    find(id).hidden = false;
  if (unsaved === null) {
    showCheck(check);
    linkFaults(check);
  } else {
    changed = true;
    const afresh = () => {
      changed = false;
      kept.forget();
      location.replace(location.pathname);
    };
    showRestored({ ...unsaved, subject: t("The order"), lost: [], afresh });
    checkSoon();
  }
  fold();
  const amiss = document.querySelector("#grid-rows .fault");
  if (amiss) openBoxOf(amiss.closest("tr") as Element);
  // On a phone the cursor would open its keyboard over what is missing.
  else if (!document.querySelector(".errornote") && !isNarrow())
    gridRows()[0]?.querySelector<HTMLElement>(".kg")?.focus();
}

/** Give the cells that the list of faults links to their ids. */
function linkFaults({ cells }: Check) {
  for (const place of Object.keys(cells)) {
    const [at, column] = place.split("-");
    const row = gridRows()[Number(at)];
    const field = row && input(row, column as Column);
    if (field) field.id = `r${place}`;
  }
}

const rows = document.querySelector<HTMLTextAreaElement>("#id_rows");
if (rows) startSheet(find("#packing"), rows);

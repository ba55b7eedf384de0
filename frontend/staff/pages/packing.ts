/** The packing sheet: rows as a grid, pasted cells and keys. What is wrong with it, the server says. */
import { t } from "../texts";
import "./packing.css";
import { type Change, drafts, showRestored } from "../drafts";
import { askBeforeLeaving, find, isNarrow, later, startAt } from "../elements";
import { type Column, type Headings, parse } from "../packing/cells";
import { type Check, compared, showCheck, startCheck } from "../packing/check";
import { putMissing } from "../packing/compared";
import { startEditing } from "../packing/edit";
import { fold, openBoxOf, startFolding } from "../packing/fold";
import { contents, gridRows, input, showRows } from "../packing/grid";
import { startPaste } from "../packing/paste";

interface Draft {
  at: number;
  sent: boolean;
  version: string;
  /** Pieces that were confirmed, by SKU. */
  confirmed: Record<string, number>;
  rows: string;
  paper: Record<string, string>;
}
const PAPER = ["remarks", "notify", "terms", "build_date"];

/** Return the draft of a sheet; `lines` are those of the page: packed against confirmed. */
function draftOf(form: HTMLFormElement, lines: Check["compared"]) {
  const key = form.dataset.key ?? "";
  const field = (name: string) => find<HTMLInputElement>(`[name=${name}]`, form);
  const forget = () => drafts.forget(key);

  const changesSince = ({ version, confirmed }: Draft): Change[] => {
    const changes: Change[] = lines
      .filter(({ sku, confirmed: now }) => now !== (confirmed[sku] ?? now))
      .map(({ name, sku, confirmed: now }) => {
        return { name, what: t("confirmed"), before: `${confirmed[sku]}`, now: `${now}` };
      });
    const now = field("version").value;
    if (Number(now) <= Number(version)) return changes;
    const what = t("saved by somebody, version");
    return [{ name: t("The sheet"), what, before: version, now }, ...changes];
  };

  return {
    forget,
    /** Keep the sheet as it is; `sent` says that it is on its way to the server. */
    keep(rows: string, sent = false) {
      const paper = Object.fromEntries(PAPER.map((name) => [name, field(name).value]));
      const confirmed = Object.fromEntries(lines.map((line) => [line.sku, line.confirmed]));
      const version = field("version").value;
      drafts.keep(key, { at: Date.now(), sent, version, confirmed, rows, paper } satisfies Draft);
    },
    /** Put the paper back and return the rows, and what has changed since; null where everything typed is saved. */
    restore() {
      const draft = drafts.read<Draft>(key);
      if (!draft) return null;
      const saved = Number(new URLSearchParams(location.search).get("saved") ?? 0);
      if (draft.sent && saved > Number(draft.version)) {
        forget();
        return null;
      }
      const changes = changesSince(draft);
      // Saved against what it was typed over: somebody else's changes are shown, not lost.
      field("version").value = draft.version;
      for (const name of PAPER) field(name).value = draft.paper[name] ?? "";
      return { rows: draft.rows, at: draft.at, changes };
    },
  };
}

function startSheet(form: HTMLFormElement, plain: HTMLTextAreaElement) {
  const check: Check = JSON.parse(find("#packing-check").textContent ?? "");
  const draft = draftOf(form, check.compared);
  let changed = Boolean(form.dataset.unsaved);
  const keepSoon = later(() => draft.keep(contents()), 200);
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
    draft.keep(plain.value, true);
    changed = false;
  });
  document.getElementById("take-kept")?.addEventListener("click", () => {
    changed = false;
    draft.forget();
  });
  askBeforeLeaving(() => changed);
  window.addEventListener("pagehide", () => {
    if (changed) draft.keep(contents());
  });

  const unsaved = form.dataset.unsaved ? null : draft.restore();
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
      draft.forget();
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

startAt("#id_rows", (plain: HTMLTextAreaElement) => startSheet(find("#packing"), plain));

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
import { fill, type Pair, textsOf } from "../typed";

interface Draft {
  at: number;
  sent: boolean;
  /** Pieces that were confirmed, by SKU. */
  confirmed: Record<string, number>;
  fields: Pair[];
}

/** Return the draft of a sheet; `lines` are those of the page: packed against confirmed. */
function draftOf(form: HTMLFormElement, lines: Check["compared"]) {
  const key = form.dataset.key ?? "";
  const rows = find<HTMLTextAreaElement>("[name=rows]", form);
  const now = find<HTMLInputElement>("[name=version]", form).value;

  return {
    forget: () => drafts.forget(key),
    /** Keep the sheet as it is; `sent` says that it is on its way to the server. */
    keep(sent = false) {
      rows.value = contents();
      const confirmed = Object.fromEntries(lines.map((line) => [line.sku, line.confirmed]));
      drafts.keep(key, { at: Date.now(), sent, confirmed, fields: textsOf(form) } satisfies Draft);
    },
    /**
     * Put the sheet back, with the version that it was typed over: somebody else's changes are shown, not lost. Return what
     * has changed since; null where everything typed is saved.
     */
    restore() {
      const draft = drafts.read<Draft>(key);
      if (!draft) return null;
      const { version: before = now } = Object.fromEntries(draft.fields);
      const saved = Number(new URLSearchParams(location.search).get("saved") ?? 0);
      if (draft.sent && saved > Number(before)) {
        drafts.forget(key);
        return null;
      }
      fill(form, draft.fields);
      const changes: Change[] = lines
        .filter(({ sku, confirmed }) => confirmed !== (draft.confirmed[sku] ?? confirmed))
        .map(({ name, sku, confirmed }) => {
          const what = t("confirmed");
          return { name, what, before: `${draft.confirmed[sku]}`, now: `${confirmed}` };
        });
      if (Number(now) > Number(before)) {
        const what = t("saved by somebody, version");
        changes.unshift({ name: t("The sheet"), what, before, now });
      }
      return { at: draft.at, changes };
    },
  };
}

function startSheet(form: HTMLFormElement, plain: HTMLTextAreaElement) {
  const check: Check = JSON.parse(find("#packing-check").textContent ?? "");
  const draft = draftOf(form, check.compared);
  let changed = Boolean(form.dataset.unsaved);
  const keepSoon = later(() => draft.keep(), 200);
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
    draft.keep(true);
    changed = false;
  });
  document.getElementById("take-kept")?.addEventListener("click", () => {
    changed = false;
    draft.forget();
  });
  askBeforeLeaving(() => changed);
  window.addEventListener("pagehide", () => {
    if (changed) draft.keep();
  });

  const unsaved = form.dataset.unsaved ? null : draft.restore();
  showRows(parse(plain.value));
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

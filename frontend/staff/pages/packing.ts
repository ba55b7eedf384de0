/** The packing sheet: rows as a grid, pasted cells and keys. What is wrong with it, the server says. */
import { t } from "../texts";
import "./packing.css";
import { askBeforeLeaving, find, isNarrow, later } from "../elements";
import { type Column, type Headings, parse } from "../packing/cells";
import { type Check, compared, showCheck, startCheck } from "../packing/check";
import { putMissing } from "../packing/compared";
import { startEditing } from "../packing/edit";
import { fold, openBoxOf, startFolding } from "../packing/fold";
import { contents, gridRows, input, showRows } from "../packing/grid";
import { PackingDraft } from "../packing/packing-draft";
import { startPaste } from "../packing/paste";
import { showRestored } from "../restored";

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

/** The confirmation sheet: live totals, keys, and what is typed saved on the server a moment later. */
import "./confirm.css";
import { findProducts } from "../confirm/products";
import {
  followKind,
  kindOf,
  showSubstitute,
  toggleProposal,
  withProposal,
} from "../confirm/proposals";
import {
  addedRows,
  addLine,
  allThereIs,
  centsOf,
  confirmPieces,
  countOf,
  followReason,
  orderedOf,
  piecesOf,
  readAdded,
  readOrdered,
  showAdded,
} from "../confirm/rows";
import { saveMeanwhile } from "../confirm/saving";
import { totals } from "../confirm/totals";
import { find, findAll, inColumn, later, letterOf, setText, showTotal } from "../elements";
import { amount, kilograms } from "../figures";
import { t } from "../texts";

const sheet = find<HTMLFormElement>("#sheet");
const lines = findAll<HTMLTableRowElement>("#lines tbody tr[data-ordered]");
const isStockFree = Boolean(sheet.dataset.stockFree);
const before = { total: centsOf(sheet.dataset.total), received: centsOf(sheet.dataset.received) };

function count() {
  const fee = centsOf(find<HTMLInputElement>("#id_shipping_fee").value);
  const orderedLines = lines.map((row) => withProposal(row, readOrdered(row, isStockFree)));
  const extra = [...orderedLines.flatMap((line) => line.added), ...addedRows().map(readAdded)];
  const ordered = orderedLines.map((line) => line.ordered);
  const sums = totals(ordered, extra, fee, before);
  showProposals(lines.filter(kindOf).length);
  showTotal("accepted", amount(sums.confirmed));
  const certain = ordered.filter((_, place) => !kindOf(lines[place] as HTMLElement));
  showTotal("certain", amount(totals(certain, addedRows().map(readAdded), fee, before).confirmed));
  showTotal("not_confirmed", amount(sums.notConfirmed));
  showTotal("real_total", amount(sums.confirmed));
  showTotal("fee", amount(fee));
  showTotal("final", amount(sums.final));
  showTotal("balance", amount(sums.balance));
  showTotal("overpaid", amount(Math.max(0, -sums.balance)));
  find("#too-much").hidden = sums.balance >= 0;
  showTotal("full", String(sums.inFull));
  showTotal("part", String(sums.inPart));
  showTotal("none", String(sums.none));
  showTotal("extra", String(sums.added));
  showTotal("back", t("{pieces} pcs", { pieces: sums.back }));
  showTotal("weight", kilograms(sums.weight));
}
/** One deed at a time: with something proposed the sheet is sent to the buyer, without it is confirmed. */
function showProposals(number: number) {
  const send = document.querySelector<HTMLButtonElement>("#send-proposals");
  if (!send) return; // a correction proposes nothing
  send.hidden = number === 0;
  const to = { number, name: send.dataset.name ?? "" };
  setText(
    send,
    number === 1
      ? t("Send one proposal to {name}", to)
      : t("Send {number} proposals to {name}", to),
  );
  send.classList.toggle("primary", number > 0);
  const confirm = find<HTMLButtonElement>("#confirm-order");
  const pack = document.querySelector("#pack"); // weighed before it is confirmed
  (pack ?? confirm).classList.toggle("primary", number === 0);
  confirm.disabled = number > 0 || Boolean(document.querySelector("#blocked"));
  setText(find("#ctrl-enter"), number ? t("send") : pack ? t("pack") : t("confirm"));
  find("#proposals-card").hidden = number === 0;
  showTotal("proposed", String(number));
}
const countSoon = later(count, 60);

const keep = saveMeanwhile(sheet);

/* Keys */
function onKey(event: KeyboardEvent) {
  const field = event.target as HTMLInputElement;
  if (event.ctrlKey || !field.matches("input.count, input.comment, input.price, input.sku")) return;
  // In a SKU the arrows walk the suggestions.
  const step = field.matches(".sku") ? 0 : { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step) {
    event.preventDefault();
    inColumn(field, step)?.focus();
    return;
  }
  const row = field.closest<HTMLElement>("#lines tr[data-ordered]");
  const deed = field.matches(".count") && DEEDS[letterOf(event)];
  if (!row || !deed) return;
  event.preventDefault();
  deed(row);
  keep();
  count();
  field.select();
}

/** What a letter does with a line. */
const DEEDS: Record<string, (row: HTMLElement) => void> = {
  a: (row) => confirmPieces(row, orderedOf(row)),
  s: (row) => confirmPieces(row, allThereIs(row, isStockFree)),
  p: toggleProposal,
};

sheet.addEventListener("keydown", onKey);
sheet.addEventListener("focusin", (event) => {
  const field = event.target as HTMLInputElement;
  if (field.matches("input.count, input.price, input.fee")) field.select();
});
sheet.addEventListener("change", (event) => {
  const field = event.target as HTMLElement;
  const row = field.closest<HTMLElement>("#lines tr[data-ordered]");
  if (row && field.matches(".count")) {
    followReason(row);
    keep();
  }
  if (row && field.matches("select")) followKind(row);
  count();
});

const everything = find("#all-as-ordered");
everything.hidden = false;
everything.addEventListener("click", () => {
  for (const row of lines) confirmPieces(row, allThereIs(row, isStockFree));
  keep();
  count();
});
const add = find("#add-line");
add.hidden = false;
add.addEventListener("click", () => {
  const last = addedRows().at(-1);
  const row = last && !find<HTMLInputElement>("input.sku", last).value ? last : addLine();
  count();
  find("input.sku", row).focus();
});

sheet.addEventListener("input", () => {
  keep();
  countSoon();
});
document.getElementById("take-fee")?.addEventListener("click", ({ target }) => {
  const fee = find<HTMLInputElement>("#id_shipping_fee");
  fee.value = (target as HTMLElement).dataset.fee ?? "";
  fee.focus(); // for Ctrl Enter
  keep();
  count();
});

for (const row of findAll("[data-live], #take-fee")) row.hidden = false;
find(".bar [name=count]").hidden = true;
for (const row of lines) {
  followKind(row);
  if (piecesOf(countOf(row)) < orderedOf(row)) followReason(row);
}
findProducts(sheet, (field) => {
  (field.matches(".sku") ? showAdded : showSubstitute)(field);
  count();
});
count();
if (!document.querySelector(".errornote")) sheet.querySelector<HTMLElement>("input.count")?.focus();

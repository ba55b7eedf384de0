/** Proposals on the confirmation sheet: a row below the line, with the fields that its kind needs. */

import { type Cents, count, times } from "@/domain/figures";
import { find, findAll, suggest } from "../elements";
import { amount } from "../figures";
import { t } from "../texts";
import { productIn } from "./products";
import { centsOf, countOf, nextForm, orderedOf, piecesOf } from "./rows";
import type { AddedLine, OrderedLine } from "./totals";

const PROPOSE = "propose:";
const ZERO = 0 as Cents;
const choiceOf = (line: Element) => find<HTMLSelectElement>("select", line);
const fieldOf = (row: Element, name: string) => find<HTMLInputElement>(`[name$=-${name}]`, row);

/** Return the kind of a line's proposal, empty where there is none. */
export function kindOf(line: HTMLElement): string {
  const choice = choiceOf(line).value;
  return choice.startsWith(PROPOSE) ? choice.slice(PROPOSE.length) : "";
}

/** Return the row of a line's proposal, which stands below it. */
function rowOf(line: HTMLElement): HTMLElement | null {
  const row = line.nextElementSibling as HTMLElement | null;
  return row?.matches("[data-proposal]") ? row : null;
}

/** Propose fewer of a line, or take its proposal off. */
export function toggleProposal(line: HTMLElement) {
  const choice = choiceOf(line);
  if (![...choice.options].some((option) => option.value === `${PROPOSE}fewer`)) return;
  choice.value = kindOf(line) ? "" : `${PROPOSE}fewer`;
  followKind(line);
}

/** Show the row of a line that something is proposed for, with its kind's fields; hide it elsewhere. */
export function followKind(line: HTMLElement) {
  const kind = kindOf(line);
  const row = rowOf(line) ?? (kind ? addRow(line) : null);
  line.classList.toggle("proposed", Boolean(kind));
  if (!row) return;
  row.hidden = !kind;
  for (const part of findAll("[data-kinds]", row)) {
    part.hidden = !(part.dataset.kinds ?? "").split(" ").includes(kind);
  }
  if (kind === "price") countOf(line).value = String(orderedOf(line));
}

function addRow(line: HTMLElement): HTMLElement {
  line.insertAdjacentHTML("afterend", nextForm("proposal", "#proposal-row"));
  const row = line.nextElementSibling as HTMLElement;
  fieldOf(row, "line_id").value = fieldOf(line, "line_id").value;
  return row;
}

/** Show the product that is proposed instead: its picture, its name and what is there; price and pieces unless typed. */
export function showSubstitute(field: HTMLInputElement) {
  const row = field.closest<HTMLElement>("[data-proposal]");
  if (!row) return;
  const product = productIn(field);
  const picture = find<HTMLImageElement>("[data-picture]", row);
  picture.hidden = !product?.picture;
  if (product?.picture) picture.src = product.picture;
  const other = find("[data-other]", row);
  const { name = "", available = 0 } = product ?? {};
  other.textContent = product
    ? t("{name}, {available} available", { name, available: count(available) })
    : "";
  if (!product) return;
  suggest(fieldOf(row, "price"), product.price);
  const line = row.previousElementSibling as HTMLElement;
  suggest(fieldOf(row, "pieces"), String(orderedOf(line)));
}

/** Return a line as it would be with its proposal accepted: what is sent of it, and what comes in its place. */
export function withProposal(
  line: HTMLElement,
  ordered: OrderedLine,
): { ordered: OrderedLine; added: AddedLine[] } {
  const row = rowOf(line);
  const kind = kindOf(line);
  if (!row || !kind) return { ordered, added: [] };
  const price = centsOf(fieldOf(row, "price").value);
  find("[data-said]", row).textContent = sayOf(kind, ordered, price);
  if (kind !== "price" && kind !== "substitute") return { ordered, added: [] };
  const pieces = kind === "price" ? ordered.ordered : piecesOf(fieldOf(row, "pieces"));
  find("[data-sum]", line).textContent = amount(times(price, pieces));
  let { weight } = ordered;
  if (kind === "substitute") {
    const product = productIn(fieldOf(row, "sku"));
    // What is there is red where it is too few.
    find("[data-other]", row).classList.toggle("lack", pieces > (product?.available ?? pieces));
    weight = product?.weight_g ?? 0;
  }
  return {
    ordered: { ...ordered, confirmed: 0, price: ordered.price ?? ZERO },
    added: [{ pieces, price, weight, isGiven: false }],
  };
}

/** Say what a proposal changes of a line. */
function sayOf(kind: string, { ordered, confirmed, price }: OrderedLine, other: Cents): string {
  if (kind === "price") return changeOf(price, other);
  const parts = { confirmed, rest: ordered - confirmed };
  return kind === "later"
    ? t("{confirmed} now, {rest} later", parts)
    : t("{confirmed} now, {rest} given up", parts);
}

/** `15.30 → 12.00, − 22 %`; the price of now alone while no other is typed. */
function changeOf(before: Cents, after: Cents): string {
  if (!before || !after) return t("instead of {amount}", { amount: amount(before) });
  const percent = Math.round(((after - before) * 100) / before);
  const sign = percent < 0 ? "−" : "+";
  const parts = { before: amount(before), after: amount(after), sign, percent: Math.abs(percent) };
  return t("{before} → {after}, {sign} {percent} %", parts);
}

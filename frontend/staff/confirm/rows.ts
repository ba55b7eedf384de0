/** The lines of the confirmation sheet: what stands in them, and what is marked. */
import { type Cents, count, times } from "@/domain/figures";
import { find, suggest } from "../elements";
import { amount, readCents, readPieces } from "../figures";
import { t } from "../texts";
import { productIn } from "./products";
import type { AddedLine, OrderedLine } from "./totals";

const ZERO = 0 as Cents;

export const countOf = (row: Element) => find<HTMLInputElement>("input.count", row);
const addedTable = () => find<HTMLTableSectionElement>(".more-lines tbody");
const reasonOf = (row: Element) => find<HTMLSelectElement>("select", row);
export const orderedOf = (row: HTMLElement) => Number(row.dataset.ordered);

/** Return cents of what a field holds; nothing is none, and so is what is below zero. */
export const centsOf = (text: string | undefined): Cents =>
  Math.max(ZERO, readCents(text ?? "") ?? ZERO) as Cents;

/** Return the pieces that a field holds; what is no number of pieces is none. */
export const piecesOf = (field: HTMLInputElement): number =>
  Math.max(0, readPieces(field.value) ?? 0);

/** Return what can be confirmed of a line: all that is ordered for a buyer who is not held to the stock. */
export function allThereIs(row: HTMLElement, isStockFree: boolean): number {
  const available = Math.max(0, Number(row.dataset.available));
  return isStockFree ? orderedOf(row) : Math.min(orderedOf(row), available);
}

/** Confirm a number of pieces of a line; fewer than ordered have the reason "short" unless they have another. */
export function confirmPieces(row: HTMLElement, pieces: number) {
  countOf(row).value = String(pieces);
  if (pieces < orderedOf(row)) reasonOf(row).value ||= "short";
  followReason(row);
}

/** Set the reason "short" where a part is confirmed, and take it back where all is. */
export function followReason(row: HTMLElement) {
  const reason = reasonOf(row);
  const confirmed = piecesOf(countOf(row));
  if (reason.value.startsWith("propose:")) return;
  const isPart = confirmed > 0 && confirmed < orderedOf(row);
  if (isPart && !reason.value) reason.value = "short";
  if (confirmed >= orderedOf(row) && reason.value === "short") reason.value = "";
}

/** Read an ordered line, mark what is wrong with it and show its sum. */
export function readOrdered(row: HTMLElement, isStockFree: boolean): OrderedLine {
  const price = centsOf(row.dataset.price);
  const ordered = orderedOf(row);
  const text = countOf(row).value.trim();
  const typed = readPieces(text);
  const confirmed = typed !== null && typed <= ordered ? Math.max(0, typed) : 0;
  const available = isStockFree ? ordered : Number(row.dataset.available);
  const said = find("[data-fault]", row);
  const own = text ? faultOf(typed, ordered, available) : t("How many pieces?");
  const fault = own || (isAsSent(row) && said.dataset.fault) || "";
  mark(countOf(row), Boolean(fault));
  said.textContent = fault;
  said.hidden = !fault;
  const needsReason = typed === 0 && !reasonOf(row).value;
  mark(reasonOf(row), needsReason);
  find("[data-asked]", row).hidden = !needsReason;
  row.classList.toggle("part", confirmed > 0 && confirmed < ordered);
  row.classList.toggle("zero", typed === 0);
  find("[data-sum]", row).textContent = amount(times(price, confirmed));
  return { ordered, confirmed, price, weight: Number(row.dataset.weight) };
}

/** Whether a line's pieces and choice are still those that the server found at fault. */
function isAsSent(row: HTMLElement): boolean {
  const { value, defaultValue } = countOf(row);
  return value === defaultValue && Boolean(reasonOf(row).selectedOptions[0]?.defaultSelected);
}

/** Say what is wrong with the pieces of a line, in the server's words. */
function faultOf(typed: number | null, ordered: number, available: number): string {
  if (typed === null) return t("Whole pieces only.");
  if (typed < 0 || typed > ordered) return t("From 0 to {most}.", { most: ordered });
  return typed > available ? t("Only {pieces} available.", { pieces: available }) : "";
}

/** Read an added line and show its sum; only a substitute has a price. */
export function readAdded(row: HTMLElement): AddedLine {
  const pieces = piecesOf(countOf(row));
  const isFree = reasonOf(row).value !== "substitute";
  const field = find<HTMLInputElement>("input.price", row);
  field.disabled = isFree;
  const price = isFree ? ZERO : centsOf(field.value);
  const isGiven = Boolean(find<HTMLInputElement>("input.sku", row).value && pieces);
  row.classList.toggle("added", isGiven);
  find("[data-sum]", row).textContent = isGiven ? amount(times(price, pieces)) : "";
  return { pieces, price, weight: Number(row.dataset.weight), isGiven };
}

function mark(field: HTMLElement, isWrong: boolean) {
  field.parentElement?.classList.toggle("fault", isWrong);
  field.ariaInvalid = String(isWrong);
}

/** Return the rows of added lines. */
export const addedRows = (): HTMLElement[] => [...addedTable().rows];

/** Return the HTML of one form more of a set, and count it. */
export function nextForm(set: string, template: string): string {
  const total = find<HTMLInputElement>(`[name=${set}-TOTAL_FORMS]`);
  const html = find(template).innerHTML.replaceAll("__prefix__", total.value);
  total.value = String(Number(total.value) + 1);
  return html.replaceAll("__place__", total.value);
}

/** Add an empty line and return it. */
export function addLine(): HTMLElement {
  addedTable().insertAdjacentHTML("beforeend", nextForm("added", "#added-line"));
  return addedTable().lastElementChild as HTMLElement;
}

/** Show the product of an added line, with its price unless one is typed. */
export function showAdded(field: HTMLInputElement) {
  const row = field.closest("tr");
  if (!row) return;
  const product = productIn(field);
  find("[data-name]", row).textContent = product?.name ?? "";
  find("[data-available]", row).textContent = product ? count(product.available) : "";
  row.dataset.weight = String(product?.weight_g ?? 0);
  if (product) suggest(find("input.price", row), product.price);
}

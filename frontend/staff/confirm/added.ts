/** Added lines: rows from the page's template, with what is known of their products. */
import { count } from "@/domain/units";
import { find, suggest } from "../elements";
import { productIn } from "./products";

const table = () => find<HTMLTableSectionElement>("#added tbody");
const total = () => find<HTMLInputElement>("[name=added-TOTAL_FORMS]");

/** Return the rows of added lines. */
export function addedRows(): HTMLElement[] {
  return [...table().rows];
}

/** Add an empty line and return it. */
export function addLine(): HTMLElement {
  const number = Number(total().value);
  const html = find("#added-line")
    .innerHTML.replaceAll("__prefix__", String(number))
    .replaceAll("__place__", String(number + 1));
  table().insertAdjacentHTML("beforeend", html);
  total().value = String(number + 1);
  return table().lastElementChild as HTMLElement;
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

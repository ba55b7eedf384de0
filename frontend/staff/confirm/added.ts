/** Added lines: rows from the page's template, products found while a SKU is typed. */
import { ask } from "../answers";
import { find, suggestion } from "../elements";

interface Product {
  sku: string;
  name: string;
  price: string;
  available: number;
  weight_g: number;
}

const MOST = 50;
const known = new Map<string, Product>();
const waiting = new Map<Element, number>();

const table = () => find<HTMLTableSectionElement>("#added tbody");
const total = () => find<HTMLInputElement>("[name=added-TOTAL_FORMS]");
const skuOf = (row: Element) => find<HTMLInputElement>("input.sku", row);

/** Return the rows of added lines. */
export function addedRows(): HTMLElement[] {
  return [...table().rows];
}

/** Add an empty line and return it. */
export function addLine(): HTMLElement {
  const number = Number(total().value);
  const html = find("#added-line")
    .innerHTML.replaceAll("__prefix__", String(number))
    .replaceAll("line new", `line ${number + 1}`);
  table().insertAdjacentHTML("beforeend", html);
  total().value = String(number + 1);
  return table().lastElementChild as HTMLElement;
}

/** Add lines until the sheet has every field named, as far as it may. */
export function addLinesFor(names: string[], form: HTMLFormElement) {
  const isMissing = (name: string) => name.startsWith("added-") && !form.elements.namedItem(name);
  while (names.some(isMissing) && Number(total().value) < MOST) addLine();
}

/** Find products for what is typed; `changed` is called when a line's product is known. */
export function findProducts(address: string, changed: () => void) {
  const typed = (field: HTMLInputElement) => {
    const row = field.closest("tr");
    const term = field.value.trim();
    if (!row) return;
    showProduct(row);
    changed();
    if (term.length < 2 || known.has(term.toUpperCase())) return;
    clearTimeout(waiting.get(row));
    const search = async () => {
      const found = await ask<{ products: Product[] }>(`${address}?q=${encodeURIComponent(term)}`);
      if (!found) return;
      offer(found.products);
      showProduct(row);
      changed();
    };
    waiting.set(row, window.setTimeout(search, 180));
  };
  table().addEventListener("input", (event) => {
    const field = event.target as HTMLInputElement;
    if (field.matches("input.sku")) typed(field);
  });
  for (const row of addedRows()) if (skuOf(row).value) typed(skuOf(row));
}

function offer(products: Product[]) {
  for (const product of products) known.set(product.sku.toUpperCase(), product);
  find("#found-products").replaceChildren(
    ...products.map(({ sku, name, available, price }) =>
      suggestion(sku, `${name}, ${available} available, ${price}`),
    ),
  );
}

function showProduct(row: HTMLElement) {
  const product = known.get(skuOf(row).value.trim().toUpperCase());
  find("[data-name]", row).textContent = product?.name ?? "";
  find("[data-available]", row).textContent = product ? String(product.available) : "";
  row.dataset.weight = String(product?.weight_g ?? 0);
  const price = find<HTMLInputElement>("input.price", row);
  if (product && !price.value) price.value = product.price;
}

/** Products found while a SKU is typed: suggestions below the field, and what is known of the one that it names. */
import { count } from "@/domain/figures";
import { ask } from "../answers";
import { find, findAll, make } from "../elements";
import { t } from "../texts";

export interface Product {
  sku: string;
  ean: string;
  name: string;
  price: string;
  available: number;
  weight_g: number;
  picture: string;
}

const cache = new Map<string, Product>();
const waiting = new Map<HTMLInputElement, number>();

/** Return the product whose whole SKU or EAN a field holds, once it was found. */
export function productIn(field: HTMLInputElement): Product | undefined {
  return cache.get(field.value.trim().toUpperCase());
}

/** Find products for what is typed into the sheet's SKUs; `show` is called at each letter, and when one is found. */
export function findProducts(sheet: HTMLFormElement, show: (field: HTMLInputElement) => void) {
  const fields = "input[list=found-products]";
  const choose = (field: HTMLInputElement) => {
    const term = field.value.trim();
    show(field);
    if (term.length < 2 || productIn(field)) return;
    clearTimeout(waiting.get(field));
    const search = async () => {
      const address = `${sheet.dataset.products}?q=${encodeURIComponent(term)}`;
      const answer = await ask<{ products: Product[] }>(address);
      if (!answer) return;
      offer(answer.products);
      const product = productIn(field);
      if (product?.ean === field.value.trim()) field.value = product.sku; // as it was scanned
      show(field);
    };
    waiting.set(field, window.setTimeout(search, 180));
  };
  sheet.addEventListener("input", (event) => {
    const field = event.target as HTMLInputElement;
    if (field.matches(fields)) choose(field);
  });
  for (const field of findAll<HTMLInputElement>(fields, sheet)) if (field.value) choose(field);
}

function offer(products: Product[]) {
  for (const product of products) {
    if (product.ean) cache.set(product.ean, product);
    cache.set(product.sku.toUpperCase(), product);
  }
  const options = products.map(({ sku, name, available, price }) => {
    const facts = { name, available: count(available), price };
    return make("option", {
      value: sku,
      label: t("{name}, {available} available, {price}", facts),
    });
  });
  find("#found-products").replaceChildren(...options);
}

import { useLocation, useSearchParams } from "react-router";
import { ALL_PRODUCTS, type BrandChoice, type ProductQuery, SORTS } from "./queries";

const PANELS = ["brands", "products", "basket"] as const;
export type Panel = (typeof PANELS)[number];

/** Brand, search and phone panel, kept in the address for the browser's Back, a reload or a link. */
export function useOrderPlace() {
  const [query, setQuery] = useSearchParams();
  const { state } = useLocation() as { state: { panel?: string } | null };
  const panelName = query.get("panel") ?? state?.panel;
  const panel = PANELS.find((name) => name === panelName) ?? "products";

  const go = (brand: BrandChoice | undefined, next: Panel) => {
    setQuery((before) => {
      const after = without(before, "panel", "list");
      if (brand !== undefined) {
        after.delete("search");
        after.set("brand", String(brand));
      }
      if (after.get("brand") === String(ALL_PRODUCTS)) after.delete("brand");
      if (next !== "products") after.set("panel", next);
      return after;
    });
  };

  return {
    panel,
    /** A former order is on its way into the basket. */
    filling: query.has("again"),
    brand: brandOf(query.get("brand")),
    filters: {
      search: query.get("search") ?? "",
      sort: SORTS.find(([name]) => name === query.get("sort"))?.[0] ?? "",
      in_stock: query.get("in_stock") === "1",
    },
    chooseBrand: (brand: BrandChoice) => go(brand, "products"),
    showPanel: (next: Panel) => go(undefined, next),
    /** What is typed and ticked is no step of its own for Back. */
    setFilters: (changes: Partial<ProductQuery>) =>
      setQuery((before) => withQuery(before, changes), { replace: true }),
  };
}

export function without(query: URLSearchParams, ...names: string[]): URLSearchParams {
  return new URLSearchParams([...query].filter(([name]) => !names.includes(name)));
}

function brandOf(text: string | null): BrandChoice {
  if (text === "promotion") return text;
  return text && /^\d{1,9}$/.test(text) ? Number(text) : ALL_PRODUCTS;
}

function withQuery(query: URLSearchParams, changes: Partial<ProductQuery>): URLSearchParams {
  const after = new URLSearchParams(query);
  for (const [name, value] of Object.entries(changes)) {
    if (value) after.set(name, value === true ? "1" : value);
    else after.delete(name);
  }
  return after;
}

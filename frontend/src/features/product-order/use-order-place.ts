import { useCallback } from "react";
import { useSearchParams } from "react-router";
import { ALL_PRODUCTS, type BrandChoice } from "./queries";

const PANELS = ["brands", "products", "basket"] as const;
export type Panel = (typeof PANELS)[number];

/** Brand and phone panel, kept in the address: the browser's back returns to the panel before. */
export function useOrderPlace() {
  const [query, setQuery] = useSearchParams();
  const panel = PANELS.find((name) => name === query.get("panel")) ?? "products";

  const go = useCallback(
    (brand: BrandChoice | undefined, next: Panel) => {
      setQuery((before) => {
        const after = new URLSearchParams(before);
        if (brand !== undefined) after.set("brand", String(brand));
        after.set("panel", next);
        if (after.get("brand") === String(ALL_PRODUCTS)) after.delete("brand");
        if (next === "products") after.delete("panel");
        return after;
      });
    },
    [setQuery],
  );

  return {
    panel,
    brand: brandOf(query.get("brand")),
    chooseBrand: useCallback((brand: BrandChoice) => go(brand, "products"), [go]),
    showPanel: useCallback((next: Panel) => go(undefined, next), [go]),
  };
}

function brandOf(text: string | null): BrandChoice {
  if (text === "promotion") return text;
  return text && /^\d{1,9}$/.test(text) ? Number(text) : ALL_PRODUCTS;
}

/** Set-up of the order screen's tests: a fake catalogue and a screen on top of it. */
import { screen } from "@testing-library/react";
import { vi } from "vitest";
import { user as buildUser } from "@/test/builders";
import { renderScreen } from "@/test/render";
import { answer, type Received } from "@/test/server";
// Loaded with the file, so that no test waits for the popups' chunks.
import "@/shared/ui/EntryMenu";
import "./basket/AgainDialog";
import "./baskets/use-baskets-menu";
import "./baskets/BasketNameDialog";
import "./basket/ConfirmOrderDialog";
import "./list/ListDialog";
import "./basket/LongBasket";
import "./basket/OrderActions";
import ProductOrderScreen from "./ProductOrderScreen";
import "./products/ProductRows";
import "./products/ProductsLike";
import "./products/ProductViewer";
import "./products/SearchSuggestions";
import "./products/TellMe";
import type { Product } from "./queries";

const PAGE = 50;

/** An ordinary product on sale: MOQ and step 10, 500 pieces, $12.50. */
export function product(sku: string, fields: Partial<Product> = {}): Product {
  return {
    sku,
    eng_name: `Name of ${sku}`,
    brand_id: 1,
    brand: "Aurelle Skin",
    image: `${sku}.png`,
    images: [`${sku}.png`],
    ean: null,
    is_running: 1,
    qty: 500,
    expect_qty: 500,
    held: 0,
    usd_price: 30,
    usd_supply: 12.5,
    usual_price: null,
    price_until: null,
    minimum: 10,
    weight: 120,
    count: 0,
    moq: 10,
    step: 10,
    availability: "On sale",
    selectable: 1,
    ...fields,
  };
}

interface Shop {
  catalogue?: readonly Product[];
  /** Stored in the browser before the screen opens: pieces by SKU. */
  basket?: Readonly<Record<string, number>>;
  stockFree?: 0 | 1;
  minimumOrder?: number;
  at?: string;
}

/** Lines of a basket, by their pieces. */
export function basketOf(pieces: Readonly<Record<string, number>>) {
  return Object.entries(pieces).map(([sku, count]) => ({ sku, count }));
}

export function storedBasket(): unknown {
  return JSON.parse(localStorage.getItem("basket") ?? "null");
}

/** Opens /order over a catalogue that pages by position and answers stock checks from itself. */
export function openShop({
  catalogue = [],
  basket,
  stockFree = 0,
  minimumOrder = 0,
  at = "/order",
}: Shop = {}) {
  // jsdom lays nothing out: the list needs a height to know how many rows are visible.
  vi.spyOn(HTMLElement.prototype, "clientHeight", "get").mockReturnValue(650);
  vi.spyOn(HTMLElement.prototype, "clientWidth", "get").mockReturnValue(750);
  if (basket) localStorage.setItem("basket", JSON.stringify(basketOf(basket)));

  answer("get", "/brand/{uuid}", {
    success: 1,
    result: [
      { brand_id: 1, eng: "Aurelle Skin" },
      { brand_id: 2, eng: "Bomnal Botanics" },
    ],
  });
  const page = ({ params, url }: Received) => {
    const brand = Number(params.brand_id ?? 0);
    const search = url.searchParams.get("search")?.toLowerCase() ?? "";
    const after = Number(url.searchParams.get("after") ?? 0);
    const found = catalogue.filter(
      ({ eng_name, brand_id }) =>
        (brand === 0 || brand === brand_id) && eng_name.toLowerCase().includes(search),
    );
    const more = after + PAGE < found.length;
    return {
      success: 1,
      result: found.slice(after, after + PAGE),
      page: after ? null : 1,
      has_next: more,
      next: more ? String(after + PAGE) : null,
      total: after ? null : found.length,
      total_is_least: false,
    };
  };
  const lists = answer("get", "/product/stock/{uuid}/{brand_id}", page);
  const promotions = answer("get", "/product/promotion/stock/{uuid}", page);
  answer("get", "/product/suggest/{uuid}", { success: 1, brands: [], products: [] });
  const checks = answer("post", "/product/cart/stock", ({ body }) => {
    const { skuData } = body as { skuData: { sku: string; count: number }[] };
    const result = skuData.flatMap(({ sku, count }) => {
      const known = catalogue.find((candidate) => candidate.sku === sku);
      return known ? [{ ...known, count }] : [];
    });
    return { success: 1, result };
  });

  answer("put", "/baskets/{basket}", { success: 1 });

  const rendered = renderScreen(<ProductOrderScreen />, {
    at,
    user: buildUser({ stock_free: stockFree, minimum_order: minimumOrder }),
  });
  return { ...rendered, lists, promotions, checks };
}

/** The Order button of the basket; the phone's bar has another one. */
export async function pressOrder(user: { click: (element: Element) => Promise<void> }) {
  const [button] = await screen.findAllByRole("button", { name: "Order" });
  if (!button) throw new Error("no Order button");
  await vi.waitUntil(() => !(button as HTMLButtonElement).disabled);
  await user.click(button);
}

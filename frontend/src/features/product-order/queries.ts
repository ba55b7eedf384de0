import type { InfiniteData, QueryClient } from "@tanstack/react-query";
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { api, type Schemas, unwrap } from "@/api/client";
import { basket } from "@/domain/basket";
import { connection } from "@/shared/online";
import { productKeys } from "@/shared/query-keys";

export type Product = Schemas["Product"];
export type ProductPage = Schemas["ProductPage"];

/** What the product list shows: one brand, 0 for all products, or the running promotions. */
export type BrandChoice = number | "promotion";
export const ALL_PRODUCTS = 0;

/** The orders of a list, as the call and the screen name them. */
export const SORTS = [
  ["", "Brand"],
  ["name", "Name"],
  ["price", "Price"],
  ["new", "New"],
] as const;

/** What is shown of the products of a brand, by brand and name or as `sort` says. */
export interface ProductQuery {
  readonly in_stock: boolean;
  readonly search: string;
  readonly sort: (typeof SORTS)[number][0];
}

/** Products by SKU as the portal knows them now; null where it knows none for this buyer. */
export type ProductsBySku = Readonly<Record<string, Product | null>>;

export const brands = (uuid: string) =>
  queryOptions({
    queryKey: [...productKeys.all, "brands"],
    queryFn: async ({ signal }) => {
      const params = { path: { uuid } };
      return unwrap(await api.GET("/brand/{uuid}", { params, signal })).result;
    },
  });

/** Pages of 50, each after the last product of the one before. */
export const productPages = (uuid: string, brand: BrandChoice, filters: ProductQuery) =>
  infiniteQueryOptions({
    queryKey: [...productKeys.lists, brand, filters],
    structuralSharing: false,
    initialPageParam: "",
    queryFn: async ({ pageParam, signal }) => {
      const query = { ...(pageParam && { after: pageParam }), ...paramsOf(filters) };
      if (brand === "promotion") {
        const params = { path: { uuid }, query };
        return unwrap(await api.GET("/product/promotion/stock/{uuid}", { params, signal }));
      }
      const params = { path: { uuid, brand_id: brand }, query };
      return unwrap(await api.GET("/product/stock/{uuid}/{brand_id}", { params, signal }));
    },
    getNextPageParam: (page) => (page.has_next ? page.next : null),
  });

/** A list seen earlier begins again at its first page, unless there is no connection. */
export function beginAgain(client: QueryClient, queryKey: readonly unknown[]): void {
  const state = client.getQueryState<InfiniteData<unknown>>(queryKey);
  if (!state?.data || !connection.isOnline()) return;
  const { pages, pageParams } = state.data;
  const first = { pages: pages.slice(0, 1), pageParams: pageParams.slice(0, 1) };
  client.setQueryData(queryKey, first, { updatedAt: state.dataUpdatedAt });
}

/** What differs from the whole list, as the call takes it. */
function paramsOf({ search, sort, in_stock }: ProductQuery) {
  return {
    ...(search && { search }),
    ...(sort && { sort }),
    ...(in_stock && { in_stock: 1 as const }),
  };
}

/** Asks what the portal knows of these products now. */
export async function checkStock(
  uuid: string,
  skuData: readonly { sku: string; count: number }[],
  signal?: AbortSignal,
): Promise<Record<string, Product | null>> {
  if (skuData.length === 0) return {};
  const body = { uuid, skuData: [...skuData] };
  const call = await api.POST("/product/cart/stock", { body, ...(signal && { signal }) });
  const products: Record<string, Product | null> = {};
  for (const { sku } of skuData) products[sku] = null;
  for (const product of unwrap(call).result) products[product.sku] = product;
  return products;
}

/** The basket's products, checked against the stock at every visit of the screen. */
export const basketProducts = (uuid: string) =>
  queryOptions({
    queryKey: productKeys.cart,
    staleTime: 0,
    queryFn: async ({ client, signal }): Promise<ProductsBySku> => {
      const answer = await checkStock(uuid, basket.lines(), signal);
      // What was chosen while the answer was on its way.
      return { ...client.getQueryData<ProductsBySku>(productKeys.cart), ...answer };
    },
  });

import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { api, unwrap } from "@/api/client";
import { useUser } from "@/api/session";
import { productKeys } from "@/shared/query-keys";
import { Button } from "@/shared/ui/Button";
import { useHeldPieces } from "@/shared/use-basket-lines";
import { ALL_PRODUCTS } from "../queries";
import { useOrderPlace } from "../use-order-place";
import type { ProductActions } from "./ProductChoice";
import { ProductRow } from "./ProductRow";

interface ProductsLikeProps extends ProductActions {
  /** Shown where nothing is called almost so. */
  otherwise: ReactNode;
}

/** In the place of a list that a search leaves empty: the brands and products that are called almost so, of all that the buyer sees. */
export default function ProductsLike({ otherwise, ...actions }: ProductsLikeProps) {
  const { brand, filters, chooseBrand } = useOrderPlace();
  const { uuid } = useUser();
  const pieces = useHeldPieces();
  const { search, in_stock } = filters;
  const { data } = useQuery({
    queryKey: [...productKeys.all, "like", search],
    queryFn: async ({ signal }) => {
      const params = { path: { uuid }, query: { search } };
      return unwrap(await api.GET("/product/like/{uuid}", { params, signal }));
    },
  });
  if (!data || data.brands.length + data.products.length === 0) return otherwise;

  const narrowed = brand !== ALL_PRODUCTS || in_stock;
  return (
    <section aria-label="Close matches">
      <p className="text-ink-2 wrap-anywhere px-card py-14" role="status">
        No match for “{search}”{narrowed && " in this list"}. Did you mean:
      </p>
      {data.brands.length > 0 && (
        <p className="flex flex-wrap gap-8 pb-12 px-16">
          {data.brands.map(({ brand_id, eng }) => (
            <Button key={brand_id} size="small" onClick={() => chooseBrand(brand_id)}>
              {eng}
            </Button>
          ))}
        </p>
      )}
      <ul data-quantities>
        {data.products.map((product) => (
          <li key={product.sku} className="h-76 tablet:h-88 phone:h-128">
            <ProductRow product={product} inBasket={pieces.get(product.sku)} {...actions} />
          </li>
        ))}
      </ul>
    </section>
  );
}

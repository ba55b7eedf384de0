import { useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { PackageSearch } from "lucide-react";
import { lazy, Suspense, useId, useMemo, useRef, useState } from "react";
import { useUser } from "@/api/session";
import { cx } from "@/shared/cx";
import { useOnChange } from "@/shared/effects";
import { Card, CardHead, EmptyState, QueryFailed, RetryPanel } from "@/shared/ui/Panels";
import { scrollerOf } from "@/shared/ui/rows";
import { ALL_PRODUCTS, type BrandChoice, beginAgain, brands, productPages } from "../queries";
import { useOrderPlace } from "../use-order-place";
import type { ProductActions } from "./ProductChoice";
import { ProductFilters } from "./ProductFilters";
import styles from "./ProductPanel.module.css";
import { ProductSearch } from "./ProductSearch";
import { ProductSkeletons } from "./ProductSkeletons";

// Asked for at once: it is there by the time the products are.
const rows = import("./ProductRows");
const ProductRows = lazy(() => rows);
const ProductsLike = lazy(() => import("./ProductsLike"));

const NOTHING_FOUND = <EmptyState icon={PackageSearch} text="No products found." />;

/** The products of a brand: searched by the server, loaded page by page, drawn as far as visible. */
export function ProductPanel({ className, ...actions }: ProductActions & { className: string }) {
  const { brand, filters, setFilters } = useOrderPlace();
  const { uuid } = useUser();
  const id = useId();
  const title = useBrandTitle(brand);
  const { search } = filters;
  // Enter was pressed in the search: the focus waits for the first product that it finds.
  const [leadingTo, setLeadingTo] = useState<string>();
  const scroller = useRef<HTMLDivElement>(null);

  const pages = productPages(uuid, brand, filters);
  useAnew(pages.queryKey);
  const query = useInfiniteQuery({
    ...pages,
    // While a search is answered the list of the search before stays; another brand starts empty.
    placeholderData: (before, earlier) => (earlier?.queryKey[2] === brand ? before : undefined),
  });
  const { data, hasNextPage, isFetching, isFetchingNextPage, isFetchNextPageError } = query;
  const products = useMemo(() => data?.pages.flatMap((page) => page.result) ?? [], [data]);
  const first = data?.pages[0];
  const { fetchNextPage } = query;

  const list = JSON.stringify(filters);
  const listed = useRef(list);
  useOnChange(list, () => {
    // Another list begins at its top.
    if (list !== listed.current) scrollerOf(scroller.current).scrollTop = 0;
    listed.current = list;
  });

  return (
    <Card id="products" tabIndex={-1} aria-labelledby={id} className={className}>
      <div
        className={cx(
          styles.head,
          "phone:[&>header]:gap-y-8 phone:[&>header]:gap-x-12 phone:[&>header]:py-8",
          "phone:[&>header]:px-card phone:[&_h2]:hidden laptop:[&>header]:flex-wrap",
        )}
      >
        <CardHead title={title} id={id}>
          <ProductFilters {...{ title, first }} loaded={products.length} at={query.dataUpdatedAt} />
          <ProductSearch
            search={search}
            onSearch={(words) => {
              setLeadingTo(undefined);
              setFilters({ search: words });
            }}
            onEnter={setLeadingTo}
          />
        </CardHead>
      </div>
      <div
        // The page scrolls, not the list.
        ref={scroller}
        className={cx(
          styles.scroller,
          "relative flex-1 overflow-auto overscroll-contain focus-visible:-outline-offset-2",
          "phone:static phone:overflow-visible paper:overflow-visible",
        )}
      >
        <div
          className={cx(
            styles.columns,
            "grid items-center gap-14 border-b border-line bg-surface-2",
            "text-ink-3 text-12 font-medium text-right sticky top-0 z-1",
            "grid-cols-[56px_minmax(0,1fr)_65px_104px_48px_126px] h-34 px-card",
          )}
          aria-hidden
        >
          <span>Product</span>
          <span className="tablet:hidden">USRP</span>
          <span>Wholesale</span>
          <span className="tablet:hidden">MOQ</span>
        </div>
        {query.isLoadingError && <QueryFailed query={query} />}
        {query.isPending && <ProductSkeletons />}
        {data && products.length === 0 && (
          <Suspense fallback={NOTHING_FOUND}>
            {search && !query.isPlaceholderData ? (
              <ProductsLike {...actions} otherwise={NOTHING_FOUND} />
            ) : (
              NOTHING_FOUND
            )}
          </Suspense>
        )}
        {products.length > 0 && (
          <Suspense fallback={<ProductSkeletons />}>
            <ProductRows
              {...actions}
              products={products}
              first={first}
              leading={leadingTo === search && !query.isPlaceholderData}
              onLed={() => setLeadingTo(undefined)}
              hasMore={hasNextPage}
              outdated={query.isPlaceholderData}
              onNearEnd={isFetching || isFetchNextPageError ? undefined : fetchNextPage}
            />
          </Suspense>
        )}
        {isFetchNextPageError && (
          <RetryPanel
            error={query.error}
            busy={isFetchingNextPage}
            onRetry={() => void fetchNextPage()}
          />
        )}
      </div>
    </Card>
  );
}

function useBrandTitle(brand: BrandChoice): string {
  const { uuid } = useUser();
  const { data } = useQuery(brands(uuid));
  if (brand === "promotion") return "Promotion";
  if (brand === ALL_PRODUCTS) return "All products";
  return data?.find(({ brand_id }) => brand_id === brand)?.eng ?? "Products";
}

/** Shortens another list before it is drawn: its rows must not go once it has returned to its place. */
function useAnew(queryKey: readonly unknown[]): void {
  const client = useQueryClient();
  const name = JSON.stringify(queryKey);
  const [begun, setBegun] = useState("");
  if (begun === name) return;
  beginAgain(client, queryKey);
  setBegun(name);
}

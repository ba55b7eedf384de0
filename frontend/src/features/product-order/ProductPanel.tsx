import { useInfiniteQuery } from "@tanstack/react-query";
import { PackageSearch } from "lucide-react";
import { lazy, Suspense, useId, useMemo, useRef, useState } from "react";
import { useUser } from "@/api/session";
import { useArrival, useSettled } from "@/shared/effects";
import { Card, CardHead } from "@/shared/ui/Card";
import { EmptyState, RetryPanel } from "@/shared/ui/Panels";
import { SearchField } from "@/shared/ui/SearchField";
import styles from "./ProductPanel.module.css";
import { ProductSkeletons } from "./ProductSkeletons";
import { type BrandChoice, type Product, productPages } from "./queries";

const TYPING_PAUSE_MS = 250;
const LONGEST_SEARCH = 100;

// Asked for at once: it is there by the time the products are.
const rows = import("./ProductRows");
const ProductRows = lazy(() => rows);

interface ProductPanelProps {
  brand: BrandChoice;
  title: string;
  onToggle: (product: Product) => void;
  onShow: (product: Product) => void;
  className?: string | undefined;
}

/** The products of a brand: searched by the server, loaded page by page, drawn as far as visible. */
export function ProductPanel({ brand, title, onToggle, onShow, className }: ProductPanelProps) {
  const { uuid } = useUser();
  const id = useId();
  const [typed, setTyped] = useState("");
  const search = useSettled(typed.trim(), TYPING_PAUSE_MS);
  const scroller = useRef<HTMLDivElement>(null);

  const query = useInfiniteQuery({
    ...productPages(uuid, brand, search),
    // While a search is answered the list of the search before stays; another brand starts empty.
    placeholderData: (before, earlier) => (earlier?.queryKey[2] === brand ? before : undefined),
  });
  const { data, hasNextPage, isFetching, isFetchingNextPage, isFetchNextPageError } = query;
  const products = useMemo(() => data?.pages.flatMap((page) => page.result) ?? [], [data]);
  const total = data?.pages[0]?.total ?? products.length;
  const { fetchNextPage } = query;

  // Another list begins at its top.
  useArrival(search, () => {
    if (scroller.current) scroller.current.scrollTop = 0;
  });

  return (
    <Card aria-labelledby={id} {...(className && { className })}>
      <div className={styles.head}>
        <CardHead title={title} id={id}>
          <SearchField
            label="Search product name or SKU"
            className={styles.search}
            maxLength={LONGEST_SEARCH}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
        </CardHead>
      </div>
      <div ref={scroller} className={styles.scroller}>
        <div className={styles.columns} aria-hidden>
          <span>Product</span>
          <span className={styles.usrp}>USRP</span>
          <span>Wholesale</span>
          <span className={styles.moq}>MOQ</span>
        </div>
        {products.length === 0 && (
          <NoRows
            found={data !== undefined}
            error={query.error}
            busy={isFetching}
            onRetry={() => void query.refetch()}
          />
        )}
        {products.length > 0 && (
          <Suspense fallback={<ProductSkeletons />}>
            <ProductRows
              {...{ products, total, scroller, onToggle, onShow }}
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

/** In the place of the rows: while they load, when that failed, and when there are none. */
function NoRows({
  found,
  error,
  busy,
  onRetry,
}: {
  found: boolean;
  error: Error | null;
  busy: boolean;
  onRetry: () => void;
}) {
  if (found) {
    return (
      <EmptyState
        icon={<PackageSearch size={28} strokeWidth={1.6} aria-hidden />}
        text="No products found."
      />
    );
  }
  return error ? <RetryPanel error={error} busy={busy} onRetry={onRetry} /> : <ProductSkeletons />;
}

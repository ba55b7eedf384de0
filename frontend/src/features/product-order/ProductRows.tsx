import { useVirtualizer } from "@tanstack/react-virtual";
import { type RefObject, useMemo } from "react";
import { useArrival } from "@/shared/effects";
import { useBasketLines } from "@/shared/use-basket-lines";
import { PHONE, TABLET, useMedia } from "@/shared/use-media";
import styles from "./ProductPanel.module.css";
import { ProductRow } from "./ProductRow";
import { ProductRowSkeleton } from "./ProductSkeletons";
import type { Product } from "./queries";

const ROW = { desktop: 76, tablet: 88, phone: 128 };
const HEAD = { desktop: 34, tablet: 34, phone: 0 };
const OVERSCAN = 6;
const LOADING_ROWS = 3;
/** The next page is asked for this many rows before the end comes into view. */
const AHEAD = 10;

interface ProductRowsProps {
  products: readonly Product[];
  /** Products on all pages. */
  total: number;
  hasMore: boolean;
  /** An earlier search's products, until the next ones are there. */
  outdated: boolean;
  scroller: RefObject<HTMLElement | null>;
  /** Asks for the next page; undefined while that would be of no use. */
  onNearEnd: (() => void) | undefined;
  onToggle: (product: Product) => void;
  onShow: (product: Product) => void;
}

/** The rows of the list that are in view and a few around them. A chunk of its own: it is fetched beside the products. */
export default function ProductRows({
  products,
  total,
  hasMore,
  outdated,
  scroller,
  onNearEnd,
  onToggle,
  onShow,
}: ProductRowsProps) {
  const phone = useMedia(PHONE);
  const tablet = useMedia(TABLET);
  const layout = phone ? "phone" : tablet ? "tablet" : "desktop";
  const chosen = useChosenSkus();

  const virtualizer = useVirtualizer({
    count: products.length + (hasMore ? LOADING_ROWS : 0),
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW[layout],
    scrollMargin: HEAD[layout],
    overscan: OVERSCAN,
  });
  const rows = virtualizer.getVirtualItems();

  // The heights change with the layout.
  useArrival(layout, () => virtualizer.measure());

  const last = rows.at(-1)?.index ?? -1;
  const nearEnd = hasMore && last >= products.length - AHEAD;
  useArrival(nearEnd ? onNearEnd : undefined, (loadMore) => loadMore());

  return (
    <ul
      className={styles.list}
      aria-busy={outdated || undefined}
      style={{ height: virtualizer.getTotalSize() }}
    >
      {rows.map(({ index, start, size }) => {
        const product = products[index];
        const top = start - HEAD[layout];
        return (
          <li
            key={product?.sku ?? `loading ${index}`}
            className={styles.item}
            style={{ height: size, transform: `translateY(${top}px)` }}
            aria-setsize={total}
            aria-posinset={index + 1}
            aria-hidden={product ? undefined : true}
          >
            {product ? (
              <ProductRow
                product={product}
                chosen={chosen.has(product.sku)}
                imageSide={phone ? 76 : 56}
                onToggle={onToggle}
                onShow={onShow}
              />
            ) : (
              <ProductRowSkeleton index={index} />
            )}
          </li>
        );
      })}
    </ul>
  );
}

function useChosenSkus(): ReadonlySet<string> {
  const lines = useBasketLines();
  return useMemo(() => new Set(lines.map(({ sku }) => sku)), [lines]);
}

import { useVirtualizer } from "@tanstack/react-virtual";
import { type RefObject, useRef } from "react";
import { useOnChange } from "@/shared/effects";
import { rowsInView, useRovingRows } from "@/shared/ui/use-roving-rows";
import { useHeldPieces } from "@/shared/use-basket-lines";
import { PHONE, TABLET, useMedia } from "@/shared/use-media";
import type { Product } from "../queries";
import styles from "./ProductPanel.module.css";
import { ProductRow } from "./ProductRow";
import { ProductRowSkeleton } from "./ProductSkeletons";
import { useScrollPosition } from "./use-scroll-position";

const ROW = { desktop: 76, tablet: 88, phone: 132 };
const HEAD = { desktop: 34, tablet: 34, phone: 0 };
const OVERSCAN = 6;
const LOADING_ROWS = 3;
/** The next page is asked for this many rows before the end comes into view. */
const AHEAD = 10;

interface ProductRowsProps {
  products: readonly Product[];
  /** Products on all pages; undefined where they are too many to be counted. */
  total: number | undefined;
  hasMore: boolean;
  /** The focus goes to the first row, and `onLed` is told. */
  leading: boolean;
  onLed: () => void;
  /** An earlier search's products, until the next ones are there. */
  outdated: boolean;
  scroller: RefObject<HTMLElement | null>;
  /** Asks for the next page; undefined while that would be of no use. */
  onNearEnd: (() => void) | undefined;
  onToggle: (product: Product, pieces?: number) => void;
  onCount: (product: Product, pieces: number) => void;
  onShow: (product: Product) => void;
}

/** The rows of the list that are in view and a few around them. A chunk of its own: it is fetched beside the products. */
export default function ProductRows({
  products,
  total,
  hasMore,
  leading,
  onLed,
  outdated,
  scroller,
  onNearEnd,
  onToggle,
  onCount,
  onShow,
}: ProductRowsProps) {
  const phone = useMedia(PHONE);
  const tablet = useMedia(TABLET);
  const layout = phone ? "phone" : tablet ? "tablet" : "desktop";
  const held = useHeldPieces();

  const list = useRef<HTMLUListElement>(null);

  const virtualizer = useVirtualizer<HTMLElement, Element>({
    count: products.length + (hasMore ? LOADING_ROWS : 0),
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW[layout],
    scrollMargin: HEAD[layout],
    overscan: OVERSCAN,
  });
  const rows = virtualizer.getVirtualItems();
  const roving = useRovingRows(list, rowsInView(virtualizer, products.length), "action");

  useOnChange(leading || undefined, () => {
    roving.goTo(0, "pieces");
    onLed();
  });
  // The heights change with the layout.
  useOnChange(layout, () => virtualizer.measure());

  const last = rows.at(-1)?.index ?? -1;
  const nearEnd = hasMore && last >= products.length - AHEAD;
  useOnChange(nearEnd ? onNearEnd : undefined, (loadMore) => loadMore());
  useScrollPosition({
    scroller,
    height: ROW[layout],
    loaded: products.length,
    hasMore,
    loadMore: onNearEnd,
  });

  return (
    <ul
      ref={list}
      data-quantities
      className={styles.list}
      {...roving.listeners}
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
            data-index={index}
            style={{ height: size, transform: `translateY(${top}px)` }}
            aria-setsize={total ?? -1}
            aria-posinset={index + 1}
            aria-hidden={product ? undefined : true}
          >
            {product ? (
              <ProductRow
                product={product}
                held={held.get(product.sku)}
                imageSide={phone ? 76 : 56}
                stop={index === roving.stop}
                onToggle={onToggle}
                onCount={onCount}
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

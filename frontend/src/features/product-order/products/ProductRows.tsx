import type { Virtualizer } from "@tanstack/react-virtual";
import { type RefObject, useState } from "react";
import { useLocation } from "react-router";
import { cx } from "@/shared/cx";
import { useOnChange } from "@/shared/effects";
import { rowsInView, scrollerOf, useRovingRows } from "@/shared/ui/rows";
import { useVirtualRows } from "@/shared/ui/use-virtual-rows";
import { useHeldPieces } from "@/shared/use-basket-lines";
import { NARROW, PHONE, TABLET, useMedia, usePrinting } from "@/shared/use-media";
import type { Product, ProductPage } from "../queries";
import type { ProductActions } from "./ProductChoice";
import styles from "./ProductPanel.module.css";
import { ProductRow } from "./ProductRow";
import { ProductRowSkeleton } from "./ProductSkeletons";

const ROW = { desktop: 76, tablet: 88, phone: 72, narrow: 136 };
const OVERSCAN = 6;
const LOADING_ROWS = 3;
/** The next page is asked for this many rows before the end comes into view. */
const AHEAD = 10;

interface ProductRowsProps extends ProductActions {
  products: readonly Product[];
  first: ProductPage | undefined;
  hasMore: boolean;
  /** The focus goes to the first row, and `onLed` is told. */
  leading: boolean;
  onLed: () => void;
  /** An earlier search's products, until the next ones are there. */
  outdated: boolean;
  /** Asks for the next page; undefined while that would be of no use. */
  onNearEnd: (() => void) | undefined;
}

/** The rows of the list that are in view and a few around them. A chunk of its own: it is fetched beside the products. */
export default function ProductRows(props: ProductRowsProps) {
  const { products, first, hasMore, leading, onLed, outdated, onNearEnd, ...actions } = props;
  const layout = useLayout();
  // They may be too many to be counted.
  const total = first?.total_is_least ? -1 : (first?.total ?? products.length);
  const pieces = useHeldPieces();

  const { list, above, virtualizer } = useVirtualRows({
    count: products.length + (hasMore ? LOADING_ROWS : 0),
    height: ROW[layout],
    overscan: OVERSCAN,
  });
  const isPrinting = usePrinting();
  const rows = isPrinting
    ? products.map((_, index) => ({ index, start: above, size: ROW[layout] }))
    : virtualizer.getVirtualItems();
  const roving = useRovingRows(list, rowsInView(virtualizer, products.length), "action");

  useOnChange(leading || undefined, () => {
    roving.goTo(0, "pieces");
    onLed();
  });
  // The heights change with the layout.
  useOnChange(layout, () => virtualizer.measure());

  const last = rows.at(-1)?.index ?? -1;
  const nearEnd = hasMore && last >= products.length - AHEAD;
  useOnChange(nearEnd && !isPrinting ? onNearEnd : undefined, (loadMore) => loadMore());
  useScrollPosition({
    list,
    virtualizer,
    height: ROW[layout],
    loaded: products.length,
    hasMore,
    loadMore: onNearEnd,
  });

  return (
    <ul
      ref={list}
      data-quantities
      className={cx(styles.list, "relative aria-busy:text-ink-3 paper:h-auto!")}
      {...roving.listeners}
      aria-busy={outdated || undefined}
      style={{ height: virtualizer.getTotalSize() }}
    >
      {rows.map(({ index, start, size }) => {
        const product = products[index];
        return (
          <li
            key={product?.sku ?? `loading ${index}`}
            className={cx(styles.item, "absolute top-0 inset-x-0 paper:h-auto!")}
            data-index={index}
            style={{ height: size, transform: `translateY(${start - above}px)` }}
            aria-setsize={total}
            aria-posinset={index + 1}
            aria-hidden={product ? undefined : true}
          >
            {product ? (
              <ProductRow
                product={product}
                inBasket={pieces.get(product.sku)}
                stop={index === roving.stop}
                {...actions}
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

function useLayout(): keyof typeof ROW {
  const fits = [useMedia(NARROW), useMedia(PHONE), useMedia(TABLET), true];
  return (["narrow", "phone", "tablet", "desktop"] as const)[fits.indexOf(true)] ?? "desktop";
}

/** A list is not loaded further than this to return to a row. */
const FURTHEST = 2000;

/** The row at the top of the list, with its part out of view, as the browser's history entry keeps it. */
function storedRow(): number {
  const { row } = (window.history.state ?? {}) as { row?: unknown };
  return typeof row === "number" && row > 0 ? Math.min(row, FURTHEST) : 0;
}

function storeRow(row: number): void {
  // Beside the router's own state, which it leaves alone.
  if (row !== storedRow()) window.history.replaceState({ ...window.history.state, row }, "");
}

interface ScrollPosition {
  list: RefObject<HTMLElement | null>;
  virtualizer: Virtualizer<HTMLElement, Element>;
  height: number;
  loaded: number;
  hasMore: boolean;
  loadMore: (() => void) | undefined;
}

/** Keeps the place in a list in the browser's history entry, and returns to it, loading the pages up to it. */
function useScrollPosition(options: ScrollPosition): void {
  const { list, virtualizer, height, loaded, hasMore, loadMore } = options;
  const { key } = useLocation();
  const [target, setTarget] = useState(storedRow);
  const isThere = target > 0 && (target < loaded || !hasMore);

  useOnChange(target > 0 && !isThere ? loadMore : undefined, (load) => load());
  useOnChange(isThere || undefined, () => {
    scrollerOf(list.current).scrollTop = target * height;
    setTarget(0);
  });

  // Where it came to rest; another panel of the phone is another entry, over the same list.
  const isAtRest = target === 0 && !virtualizer.isScrolling;
  useOnChange(isAtRest ? `${key} ${virtualizer.scrollOffset}` : undefined, () => {
    // A phone's other panels scroll in the same place.
    const isVisible = list.current?.checkVisibility();
    if (isVisible) storeRow(scrollerOf(list.current).scrollTop / height);
  });
}

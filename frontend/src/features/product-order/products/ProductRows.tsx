import { useVirtualizer } from "@tanstack/react-virtual";
import { useLayoutEffect, useRef, useState } from "react";
import { cx } from "@/shared/cx";
import { useOnChange } from "@/shared/effects";
import { rowsInView, scrollerOf, useRovingRows } from "@/shared/ui/rows";
import { useHeldPieces } from "@/shared/use-basket-lines";
import { NARROW, PHONE, TABLET, useMedia, usePrinting } from "@/shared/use-media";
import type { Product } from "../queries";
import styles from "./ProductPanel.module.css";
import { ProductRow } from "./ProductRow";
import { ProductRowSkeleton } from "./ProductSkeletons";
import { useScrollPosition } from "./use-scroll-position";

const ROW = { desktop: 76, tablet: 88, phone: 72, narrow: 136 };
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
  onNearEnd,
  onToggle,
  onCount,
  onShow,
}: ProductRowsProps) {
  const layout = useLayout();
  const held = useHeldPieces();

  const list = useRef<HTMLUListElement>(null);
  const [above, setAbove] = useState(0);
  useLayoutEffect(() => setAbove(list.current?.offsetTop ?? 0));
  const virtualizer = useVirtualizer<HTMLElement, Element>({
    count: products.length + (hasMore ? LOADING_ROWS : 0),
    getScrollElement: () => scrollerOf(list.current),
    estimateSize: () => ROW[layout],
    scrollMargin: above,
    overscan: OVERSCAN,
  });
  const isPrinting = usePrinting();
  const rows = isPrinting
    ? products.map((_, index) => ({ index, start: above, size: ROW[layout] }))
    : virtualizer.getVirtualItems();
  const roving = useRovingRows(list, rowsInView(virtualizer, products.length), "action");

  /** On paper the rows follow each other. */
  const placed = (height: number, top: number) =>
    isPrinting ? undefined : { height, transform: `translateY(${top}px)` };

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
    height: ROW[layout],
    loaded: products.length,
    hasMore,
    loadMore: onNearEnd,
  });

  return (
    <ul
      ref={list}
      data-quantities
      className={cx(styles.list, "relative aria-busy:text-ink-3")}
      {...roving.listeners}
      aria-busy={outdated || undefined}
      style={isPrinting ? undefined : { height: virtualizer.getTotalSize() }}
    >
      {rows.map(({ index, start, size }) => {
        const product = products[index];
        return (
          <li
            key={product?.sku ?? `loading ${index}`}
            className={cx(styles.item, "absolute top-0 inset-x-0")}
            data-index={index}
            style={placed(size, start - above)}
            aria-setsize={total ?? -1}
            aria-posinset={index + 1}
            aria-hidden={product ? undefined : true}
          >
            {product ? (
              <ProductRow
                product={product}
                held={held.get(product.sku)}
                imageSide={layout === "narrow" ? 76 : 56}
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

function useLayout(): keyof typeof ROW {
  const fits = [useMedia(NARROW), useMedia(PHONE), useMedia(TABLET), true];
  return (["narrow", "phone", "tablet", "desktop"] as const)[fits.indexOf(true)] ?? "desktop";
}

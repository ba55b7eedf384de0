import { memo } from "react";
import { usd } from "@/domain/money";
import { count } from "@/domain/units";
import { cx } from "@/shared/cx";
import { ProductImage } from "@/shared/ui/ProductImage";
import { Tag } from "@/shared/ui/Tag";
import type { Product } from "../queries";
import { availabilityTone } from "./availability";
import { ProductChoice } from "./ProductChoice";
import styles from "./ProductRow.module.css";
import { UsualPrice } from "./UsualPrice";

interface ProductRowProps {
  product: Product;
  /** Pieces in the basket; undefined while it is not chosen. */
  held: number | undefined;
  /** Side of the picture in px. */
  imageSide: number;
  /** Whether the row is the one stop of its list for the Tab key; undefined where every button is one. */
  stop?: boolean;
  /** Puts it into the basket with so many pieces, or its MOQ; or takes it out. */
  onToggle: (product: Product, pieces?: number) => void;
  onCount: (product: Product, pieces: number) => void;
  onShow: (product: Product) => void;
}

/** One product of the list: picture, tag, prices, MOQ, and Select, Cancel or Soldout, or a wish. */
export const ProductRow = memo(function ProductRow({
  product,
  held,
  imageSide,
  stop,
  onToggle,
  onCount,
  onShow,
}: ProductRowProps) {
  const { eng_name, sku, availability } = product;
  const selectable = held !== undefined || product.selectable === 1;
  return (
    <div className={cx(styles.row, held !== undefined && styles.chosen)}>
      <button
        type="button"
        className={styles.tile}
        data-cell="picture"
        tabIndex={stop === undefined || (stop && !selectable) ? undefined : -1}
        aria-label={`Show ${eng_name}`}
        onClick={() => onShow(product)}
      >
        <ProductImage image={product.image} side={imageSide} dimmed={!selectable} />
      </button>
      <span className={styles.name} title={eng_name}>
        {eng_name}
      </span>
      <span className={styles.meta}>
        <Tag tone={availabilityTone(availability)}>{availability}</Tag>
        <span className={cx(styles.sku, "tabular-nums")}>{sku}</span>
      </span>
      <span className={cx(styles.usrp, "tabular-nums")}>
        {product.usd_price > 0 && (
          <>
            <span className={styles.label}>USRP </span>
            {usd(product.usd_price)}
          </>
        )}
      </span>
      <span className={cx(styles.price, "tabular-nums")}>
        <span className="sr-only">Wholesale </span>
        {usd(product.usd_supply)} <UsualPrice product={product} className={styles.usual} />
      </span>
      <span className={cx(styles.moq, "tabular-nums")}>
        <span className={styles.label}>MOQ </span>
        {count(product.moq)}
      </span>
      <ProductChoice {...{ product, held, stop, onToggle, onCount }} className={styles.action} />
    </div>
  );
});

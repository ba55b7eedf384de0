import { memo } from "react";
import { usd } from "@/domain/money";
import { count } from "@/domain/units";
import { cx } from "@/shared/cx";
import { Button } from "@/shared/ui/Button";
import { ProductImage } from "@/shared/ui/ProductImage";
import { Tag } from "@/shared/ui/Tag";
import { availabilityTone } from "./availability";
import styles from "./ProductRow.module.css";
import type { Product } from "./queries";

interface ProductRowProps {
  product: Product;
  chosen: boolean;
  /** Side of the picture in px. */
  imageSide: number;
  onToggle: (product: Product) => void;
  onShow: (product: Product) => void;
}

/** One product of the list: picture, tag, prices, MOQ, and Select, Cancel or Soldout. */
export const ProductRow = memo(function ProductRow({
  product,
  chosen,
  imageSide,
  onToggle,
  onShow,
}: ProductRowProps) {
  const { eng_name, sku, availability } = product;
  const selectable = chosen || product.selectable === 1;
  return (
    <div className={cx(styles.row, chosen && styles.chosen)}>
      <button
        type="button"
        className={styles.tile}
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
        <span className={cx(styles.sku, "num")}>{sku}</span>
      </span>
      <span className={cx(styles.usrp, "num")}>
        <span className={styles.label}>USRP </span>
        {usd(product.usd_price)}
      </span>
      <span className={cx(styles.price, "num")}>
        <span className="visually-hidden">Wholesale </span>
        {usd(product.usd_supply)}
      </span>
      <span className={cx(styles.moq, "num")}>
        <span className={styles.label}>MOQ </span>
        {count(product.moq)}
      </span>
      <Button
        size="small"
        variant={chosen ? "outline" : "soft"}
        className={styles.action}
        disabled={!selectable}
        aria-label={`${action(chosen, selectable)}, ${eng_name}`}
        onClick={() => onToggle(product)}
      >
        {action(chosen, selectable)}
      </Button>
    </div>
  );
});

function action(chosen: boolean, selectable: boolean): string {
  if (chosen) return "Cancel";
  return selectable ? "Select" : "Soldout";
}

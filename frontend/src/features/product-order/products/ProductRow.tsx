import { memo } from "react";
import { count, usd } from "@/domain/figures";
import { cx } from "@/shared/cx";
import { ProductImage } from "@/shared/ui/ProductImage";
import { Tag } from "@/shared/ui/Tag";
import type { Product } from "../queries";
import { availabilityTone } from "../rules";
import { type ProductActions, ProductChoice } from "./ProductChoice";
import styles from "./ProductRow.module.css";
import { UsualPrice } from "./UsualPrice";

interface ProductRowProps extends ProductActions {
  product: Product;
  inBasket: number | undefined;
  /** Whether the row is the one stop of its list for the Tab key; undefined where every button is one. */
  stop?: boolean;
}

/** One product of the list: picture, tag, prices, MOQ, and Select, Cancel or Soldout, or a wish. */
export const ProductRow = memo(function ProductRow(props: ProductRowProps) {
  const { product, inBasket, stop, onToggle, onCount, onShow } = props;
  const { eng_name, sku, availability } = product;
  const selectable = inBasket !== undefined || product.selectable === 1;
  return (
    <div className={cx(styles.row, inBasket !== undefined && styles.chosen)}>
      <button
        type="button"
        className="p-0 border-0 rounded-2 [grid-area:tile] bg-transparent"
        data-cell="picture"
        tabIndex={stop === undefined || (stop && !selectable) ? undefined : -1}
        aria-label={`Show ${eng_name}`}
        onClick={() => onShow(product)}
      >
        <ProductImage image={product.image} side={76} dimmed={!selectable} />
      </button>
      <span
        className={cx(
          styles.name,
          "overflow-hidden font-medium self-end leading-[1.3] small:leading-[1.25]",
        )}
        title={eng_name}
      >
        {eng_name}
      </span>
      <span
        className="flex items-center gap-8 min-w-0 [grid-area:meta] self-start
          small:flex-wrap small:gap-y-0 small:gap-x-6 small:mt-4"
      >
        <Tag tone={availabilityTone(availability)}>{availability}</Tag>
        <span
          // Beside “Discontinued” too; a longer one goes below it.
          className="truncate text-ink-3 text-13 small:text-12 tabular-nums"
        >
          {sku}
        </span>
      </span>
      <span
        className="text-ink-3 text-right [grid-area:usrp] small:block small:text-13 small:text-left
          small:whitespace-nowrap tablet:hidden below-360:text-12 tabular-nums"
      >
        {product.usd_price > 0 && (
          <>
            <FigureName>USRP</FigureName>
            {usd(product.usd_price)}
          </>
        )}
      </span>
      <span
        className="text-15 font-bold text-right [grid-area:price] tablet:self-end small:self-start
          small:text-16 small:leading-[1.25] small:text-left tabular-nums"
      >
        <span className="sr-only">Wholesale </span>
        {usd(product.usd_supply)} <UsualPrice product={product} className={styles.usual} />
      </span>
      <span
        className={cx(
          styles.moq,
          "text-ink-3 text-right [grid-area:moq] tablet:self-start tablet:text-13",
          "tablet:leading-[22px] tablet:whitespace-nowrap small:-ml-8 small:leading-[inherit]",
          "small:text-left tabular-nums",
        )}
      >
        <FigureName>MOQ</FigureName>
        {count(product.moq)}
      </span>
      <ProductChoice
        {...{ product, inBasket, stop, onToggle, onCount }}
        className={styles.action}
      />
    </div>
  );
});

/** What a figure is, where the list has no heads of columns; else only read aloud. */
function FigureName({ children }: { children: string }) {
  return (
    <span
      className="absolute overflow-hidden whitespace-nowrap w-1 h-1 [clip-path:inset(50%)]
        tablet:static tablet:[clip-path:none]"
    >
      {children}{" "}
    </span>
  );
}

import { CircleAlert, X } from "lucide-react";
import { memo, useId } from "react";
import { cents, money, times, usd } from "@/domain/money";
import { count as pieces } from "@/domain/units";
import { cx } from "@/shared/cx";
import { texts } from "@/shared/texts";
import { Button } from "@/shared/ui/Button";
import { ProductImage } from "@/shared/ui/ProductImage";
import { QuantityStepper } from "@/shared/ui/QuantityStepper";
import { Tag } from "@/shared/ui/Tag";
import styles from "./BasketRow.module.css";
import type { Product } from "./queries";
import type { BasketItem } from "./use-basket";

interface BasketRowProps {
  item: BasketItem;
  /** Side of the picture in px. */
  imageSide: number;
  onCount: (product: Product, count: number) => void;
  onRemove: (product: Product) => void;
}

// Drawn again only if it changed: a basket may have 2,000 lines.
export const BasketRow = memo(Row, isSame);

/** One line of the basket; what is wrong with it stands under its quantity. */
function Row({ item, imageSide, onCount, onRemove }: BasketRowProps) {
  const { product, count, short, problem, formerPrice } = item;
  const { eng_name, usd_supply, moq, step, qty } = product;
  const id = useId();
  const problemText = problem && (problem === "below_moq" ? texts.belowMoq : multiplesOnly(step));
  return (
    <li className={cx(styles.row, short && styles.short)}>
      <ProductImage image={product.image} side={imageSide} className={styles.tile} />
      <span className={styles.name}>{eng_name}</span>
      <Button
        variant="ghost"
        className={styles.remove}
        aria-label={`Remove ${eng_name}`}
        data-remove
        icon={<X size={16} strokeWidth={1.8} aria-hidden />}
        onClick={(event) => {
          focusNeighbour(event.currentTarget);
          onRemove(product);
        }}
      />
      <div className={styles.figures}>
        <QuantityStepper
          product={eng_name}
          value={count}
          min={moq}
          step={step}
          invalid={problem !== undefined}
          describedBy={`${id}-notes ${short ? `${id}-stock` : ""}`.trim()}
          onStore={(quantity) => onCount(product, quantity)}
        />
        <span className={cx(styles.price, "num")}>× {usd(usd_supply)}</span>
        <span id={`${id}-stock`} className={cx(styles.total, "num")}>
          {short ? <StockTag left={qty} /> : money(times(cents(usd_supply), count))}
        </span>
      </div>
      <div id={`${id}-notes`} className={styles.notes}>
        {problemText && (
          <p className={styles.problem}>
            <CircleAlert size={14} strokeWidth={1.8} aria-hidden />
            {problemText}
          </p>
        )}
        {formerPrice !== undefined && (
          <p>
            Price changed from {usd(formerPrice)} to {usd(usd_supply)}
          </p>
        )}
      </div>
    </li>
  );
}

/** Why a line cannot be had as it is: nothing is left, or less than it asks for (pieces). */
function StockTag({ left }: { left: number }) {
  if (left <= 0) return <Tag tone="bad">Sold out</Tag>;
  return <Tag tone="warn">Only {pieces(left)} in stock</Tag>;
}

function isSame(before: BasketRowProps, after: BasketRowProps): boolean {
  const { item, ...rest } = after;
  const keys = Object.keys(item) as (keyof BasketItem)[];
  return (
    keys.every((key) => before.item[key] === item[key]) &&
    rest.imageSide === before.imageSide &&
    rest.onCount === before.onCount &&
    rest.onRemove === before.onRemove
  );
}

function multiplesOnly(step: number): string {
  return `Multiples of ${pieces(step)} only (MOQ)`;
}

/** Before its line goes: the focus moves to the next line's X, the line before, or the page's h1. */
function focusNeighbour(button: HTMLElement) {
  const row = button.closest("li");
  const other = row?.nextElementSibling ?? row?.previousElementSibling;
  const next = other?.querySelector<HTMLElement>("[data-remove]");
  (next ?? document.querySelector<HTMLElement>("main h1"))?.focus();
}

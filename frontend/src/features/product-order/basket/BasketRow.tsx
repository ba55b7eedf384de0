import { CircleAlert, X } from "lucide-react";
import { lazy, Suspense, useId } from "react";
import { money, count as pieces, usd } from "@/domain/figures";
import { cx } from "@/shared/cx";
import * as texts from "@/shared/texts";
import { Button } from "@/shared/ui/Button";
import { ProductImage } from "@/shared/ui/ProductImage";
import { QuantityStepper } from "@/shared/ui/QuantityStepper";
import { type Place, virtualRow } from "@/shared/ui/rows";
import { StockTag } from "@/shared/ui/Tag";
import { UsualPrice } from "../products/UsualPrice";
import { amountOf, availableOf } from "../rules";
import styles from "./BasketRow.module.css";
import type { Basket, BasketItem } from "./use-basket";

const TellMe = lazy(() => import("../products/TellMe"));

export const isProblem = ({ short, problem }: BasketItem) => short || problem !== undefined;

interface BasketRowProps {
  item: BasketItem;
  index: number;
  /** Whether it is the one stop of the list for the Tab key. */
  stop: boolean;
  /** In a list that is drawn as far as visible. */
  place?: Place;
  basket: Pick<Basket, "setCount" | "remove">;
}

/** One line of the basket; what is wrong with it stands under its quantity. */
export function BasketRow(props: BasketRowProps) {
  const { item, index, stop, place, basket } = props;
  const { product, count, short, problem, formerPrice } = item;
  const { eng_name, usd_supply, moq, step } = product;
  const id = useId();
  const multiples = `Multiples of ${pieces(step)} only (MOQ)`;
  const problemText = problem && (problem === "below_moq" ? texts.belowMoq : multiples);
  return (
    <li
      className={cx(
        styles.row,
        "grid border-b border-line gap-y-2 gap-x-12 pt-9 pb-11 px-card",
        "phone:gap-y-6 phone:pt-12 phone:pb-14",
        short && styles.short,
      )}
      data-index={index}
      data-problem={isProblem(item) ? "" : undefined}
      {...(place && virtualRow(place))}
    >
      <ProductImage image={product.image} side={56} className={styles.tile} />
      <span
        className="font-medium wrap-anywhere [grid-area:name] self-center text-13.5 leading-[1.35]
          phone:text-14"
      >
        {eng_name}
      </span>
      <div
        className={cx(
          styles.figures,
          "flex flex-wrap items-center [grid-area:figures] gap-y-4 gap-x-10",
        )}
      >
        <QuantityStepper
          product={eng_name}
          value={count}
          min={moq}
          step={step}
          stop={stop}
          invalid={problem !== undefined}
          describedBy={`${id}-notes`}
          onStore={(quantity) => basket.setCount(product, quantity)}
        />
        <span
          // The narrow column has no room for it; the line's total says enough.
          className="text-ink-3 text-13 whitespace-nowrap laptop:hidden phone:inline
            below-360:hidden tabular-nums"
        >
          × {usd(usd_supply)}
        </span>
        <span className="ml-auto font-bold tabular-nums">{money(amountOf(item))}</span>
      </div>
      <Button
        variant="ghost"
        className={styles.remove}
        aria-label={`Remove ${eng_name}`}
        data-cell="remove"
        tabIndex={-1}
        icon={<X />}
        onClick={(event) => {
          focusNeighbour(event.currentTarget);
          basket.remove(product);
        }}
      />
      <div
        id={`${id}-notes`}
        className="[grid-area:notes] text-ink-2 text-12.5
          empty:hidden [&>p]:flex [&>p]:gap-5 [&>*]:mt-5 [&_svg]:flex-none [&_svg]:mt-2"
      >
        {short && (
          <p>
            <StockTag left={availableOf(product)} />
          </p>
        )}
        <UsualPrice product={product} />
        {problemText && (
          <p className="text-bad">
            <CircleAlert size={14} />
            {problemText}
          </p>
        )}
        {short && availableOf(product) < moq && (
          <Suspense>
            <TellMe
              {...{ product, count }}
              onKept={() => basket.remove(product, `${eng_name} is on your waiting list.`)}
            />
          </Suspense>
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

/** Before its line goes: the focus moves to the next line's X, the line before, or the page's h1. */
function focusNeighbour(button: HTMLElement) {
  const row = button.closest("li");
  const other = row?.nextElementSibling ?? row?.previousElementSibling;
  const next = other?.querySelector<HTMLElement>("[data-cell=remove]");
  (next ?? document.querySelector<HTMLElement>("main h1"))?.focus();
}

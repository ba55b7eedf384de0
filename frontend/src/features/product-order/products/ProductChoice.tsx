import { lazy, Suspense } from "react";
import { cx } from "@/shared/cx";
import { Button } from "@/shared/ui/Button";
import { usePiecesField } from "@/shared/ui/pieces";
import type { Product } from "../queries";
import { actionOf, mayBeWished, usualPieces } from "../rules";
import styles from "./ProductChoice.module.css";

const TellMe = lazy(() => import("./TellMe"));

/** What is done with a product of the list. */
export interface ProductActions {
  /** Puts it into the basket with so many pieces, or its MOQ; or takes it out. */
  onToggle: (product: Product, pieces?: number) => void;
  onCount: (product: Product, pieces: number) => void;
  onShow: (product: Product) => void;
}

interface ProductChoiceProps extends Omit<ProductActions, "onShow"> {
  product: Product;
  /** Pieces in the basket; undefined while it is not chosen. */
  inBasket: number | undefined;
  stop: boolean | undefined;
  className?: string | undefined;
}

/** The pieces of a product with its button, or the way to a wish. Enter selects and goes to the next pieces. */
export function ProductChoice(props: ProductChoiceProps) {
  const { product, inBasket, stop, onToggle, onCount, className } = props;
  const { draft, take, enter, field } = usePiecesField(inBasket, "pieces");
  const { eng_name, step } = product;
  const usual = usualPieces(product);
  const selectable = inBasket !== undefined || product.selectable === 1;
  const action = actionOf(product, inBasket !== undefined);

  const store = () => {
    const pieces = take();
    if (pieces === undefined || pieces === inBasket) return;
    if (inBasket === undefined) onToggle(product, pieces);
    else onCount(product, pieces);
  };

  return (
    <span
      // Rows are higher here: the button goes below what is long.
      className={cx(
        "flex gap-6 tablet:flex-wrap tablet:gap-4 mid:flex-nowrap small:flex-col small:flex-nowrap",
        "small:gap-6",
        className,
      )}
    >
      {selectable && (
        <input
          // Beside its button always: more than six digits are set smaller.
          {...field}
          className={cx(
            styles.pieces,
            "rounded-1 bg-surface text-ink text-center min-w-48 h-(--h-small) py-0 px-2",
            "placeholder:text-ink-3 tabular-nums",
          )}
          aria-label={`Pieces of ${eng_name}`}
          placeholder={String(usual)}
          tabIndex={stop === undefined ? undefined : -1}
          min={usual}
          step={step}
          // What is not chosen waits for Select.
          onBlur={() => inBasket !== undefined && draft !== null && store()}
          // With Ctrl it orders.
          onKeyDown={(event) => event.key === "Enter" && !event.ctrlKey && enter(event, store)}
        />
      )}
      {!selectable && mayBeWished(product) && (
        <Suspense fallback={null}>
          <TellMe
            product={product}
            count={product.moq}
            className={styles.tell}
            tabIndex={stop === undefined ? undefined : -1}
          />
        </Suspense>
      )}
      <Button
        size="small"
        variant={inBasket === undefined ? "soft" : "outline"}
        className={styles.action}
        data-cell="action"
        tabIndex={stop === false ? -1 : undefined}
        disabled={!selectable}
        aria-label={`${action}, ${eng_name}`}
        onClick={() => onToggle(product, take())}
      >
        {action}
      </Button>
    </span>
  );
}

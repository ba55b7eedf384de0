import { Minus, Plus } from "lucide-react";
import { type CSSProperties, type KeyboardEvent, useState } from "react";
import { cx } from "@/shared/cx";
import { quantityBeside, readPieces, sayLimits, withinLine } from "./pieces";
import styles from "./QuantityStepper.module.css";

interface QuantityStepperProps {
  /** Name of the product, for the accessible names. */
  product: string;
  value: number;
  min: number;
  step: number;
  /** In a list of rows: whether it is the one stop of the Tab key; undefined where each is one. */
  stop?: boolean;
  /** The quantity is not acceptable; the reason stands under the line. */
  invalid?: boolean;
  describedBy?: string | undefined;
  /** Stores a quantity (pieces): at each step, on Enter and on leaving the field. */
  onStore: (quantity: number) => void;
}

/**
 * Minus, number, plus. Typing is free and nothing snaps to the step, so that the MOQ messages can be
 * reached. Enter goes to the next quantity of the same `[data-quantities]` region, Shift+Enter back.
 */
export function QuantityStepper(props: QuantityStepperProps) {
  const { product, value, min, step, stop, invalid = false, describedBy, onStore } = props;
  const [draft, setDraft] = useState<string | null>(null);

  const pieces = () => readPieces(draft) ?? value;
  const store = (quantity: number) => {
    if (draft) sayLimits(draft);
    setDraft(null);
    if (quantity !== value) onStore(quantity);
  };
  const stepBy = (difference: number) => store(withinLine(pieces() + difference, min));

  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (!["ArrowUp", "ArrowDown", "Enter"].includes(event.key)) return;
    event.preventDefault();
    if (event.key !== "Enter") return stepBy(event.key === "ArrowUp" ? step : -step);
    store(pieces());
    quantityBeside(event.currentTarget, event.shiftKey ? -1 : 1)?.focus();
  };

  return (
    <span
      className={cx(
        styles.stepper,
        "inline-flex flex-none overflow-hidden rounded-1 bg-surface",
        "h-(--h-stepper) border border-control",
        invalid && styles.invalid,
      )}
    >
      <button
        type="button"
        tabIndex={-1}
        aria-label={`Less of ${product}`}
        disabled={pieces() <= min}
        onClick={() => stepBy(-step)}
      >
        <Minus size={15} />
      </button>
      <input
        type="number"
        inputMode="numeric"
        className="tabular-nums"
        aria-label={`Quantity, ${product}`}
        aria-invalid={invalid || undefined}
        aria-describedby={describedBy}
        // As wide as what it holds: seven digits are seen too.
        style={{ "--digits": String(draft ?? value).length } as CSSProperties}
        data-quantity
        // Not while something is typed, where the keys move the cursor.
        data-cell={draft === null ? "quantity" : undefined}
        tabIndex={stop === false ? -1 : undefined}
        min={min}
        step={step}
        value={draft ?? value}
        onChange={(event) => setDraft(event.target.value)}
        onFocus={(event) => event.target.select()}
        onBlur={() => draft !== null && store(pieces())}
        onKeyDown={onKeyDown}
      />
      <button
        type="button"
        tabIndex={-1}
        aria-label={`More of ${product}`}
        onClick={() => stepBy(step)}
      >
        <Plus size={15} />
      </button>
    </span>
  );
}

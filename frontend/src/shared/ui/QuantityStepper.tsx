import { Minus, Plus } from "lucide-react";
import type { KeyboardEvent } from "react";
import { cx } from "@/shared/cx";
import { readPieces, usePiecesField, withinLine } from "./pieces";
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
 * reached.
 */
export function QuantityStepper(props: QuantityStepperProps) {
  const { product, value, min, step, stop, invalid = false, describedBy, onStore } = props;
  const { draft, take, enter, field } = usePiecesField(value, "quantity");

  const pieces = () => readPieces(draft) ?? value;
  const store = (quantity: number) => {
    take();
    if (quantity !== value) onStore(quantity);
  };
  const stepBy = (difference: number) => store(withinLine(pieces() + difference, min));

  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === "Enter") enter(event, () => store(pieces()));
    if (event.key !== "ArrowUp" && event.key !== "ArrowDown") return;
    event.preventDefault();
    stepBy(event.key === "ArrowUp" ? step : -step);
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
        {...field}
        className="tabular-nums"
        aria-label={`Quantity, ${product}`}
        aria-invalid={invalid || undefined}
        aria-describedby={describedBy}
        tabIndex={stop === false ? -1 : undefined}
        min={min}
        step={step}
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

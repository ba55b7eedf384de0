import { Minus, Plus } from "lucide-react";
import { type KeyboardEvent, useState } from "react";
import { cx } from "@/shared/cx";
import styles from "./QuantityStepper.module.css";

const MOST = 1_000_000;

interface QuantityStepperProps {
  /** Name of the product, for the accessible names. */
  product: string;
  value: number;
  min: number;
  step: number;
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
export function QuantityStepper({
  product,
  value,
  min,
  step,
  invalid = false,
  describedBy,
  onStore,
}: QuantityStepperProps) {
  const [typed, setTyped] = useState<string | null>(null);

  const read = () => {
    const number = Math.trunc(Number(typed));
    if (!typed?.trim() || Number.isNaN(number)) return value;
    return Math.min(MOST, Math.max(1, number));
  };
  const store = (quantity: number) => {
    setTyped(null);
    if (quantity !== value) onStore(quantity);
  };
  const stepBy = (difference: number) => store(Math.min(MOST, Math.max(min, read() + difference)));

  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (!["ArrowUp", "ArrowDown", "Enter"].includes(event.key)) return;
    event.preventDefault();
    if (event.key !== "Enter") return stepBy(event.key === "ArrowUp" ? step : -step);
    store(read());
    neighbour(event.currentTarget, event.shiftKey ? -1 : 1)?.focus();
  };

  return (
    <span className={cx(styles.stepper, invalid && styles.invalid)}>
      <button
        type="button"
        tabIndex={-1}
        aria-label={`Less of ${product}`}
        disabled={read() <= min}
        onClick={() => stepBy(-step)}
      >
        <Minus size={15} strokeWidth={1.8} aria-hidden />
      </button>
      <input
        type="number"
        inputMode="numeric"
        className="num"
        aria-label={`Quantity, ${product}`}
        aria-invalid={invalid || undefined}
        aria-describedby={describedBy}
        data-quantity
        min={min}
        step={step}
        value={typed ?? value}
        onChange={(event) => setTyped(event.target.value)}
        onFocus={(event) => event.target.select()}
        onBlur={() => typed !== null && store(read())}
        onKeyDown={onKeyDown}
      />
      <button
        type="button"
        tabIndex={-1}
        aria-label={`More of ${product}`}
        onClick={() => stepBy(step)}
      >
        <Plus size={15} strokeWidth={1.8} aria-hidden />
      </button>
    </span>
  );
}

function neighbour(input: HTMLInputElement, offset: number): HTMLInputElement | undefined {
  const region = input.closest("[data-quantities]");
  const all = [...(region?.querySelectorAll<HTMLInputElement>("input[data-quantity]") ?? [])];
  return all[all.indexOf(input) + offset];
}

import { type ReactNode, useId } from "react";
import { cx } from "@/shared/cx";
import styles from "./Choice.module.css";
import type { Tone } from "./Tag";

interface Option<Value extends string> {
  value: Value;
  label: ReactNode;
  /** Its colours while it is chosen. */
  tone?: Tone;
}

interface ChoiceProps<Value extends string> {
  /** Name of the group for assistive technology. */
  legend: string;
  value: Value | undefined;
  onChange: (value: Value) => void;
  className?: string | undefined;
}

/** Radio inputs drawn as one bar of segments. `wide` spreads it over the width. */
export function Segmented<Value extends string>({
  legend,
  options,
  value,
  onChange,
  wide = false,
  className,
}: ChoiceProps<Value> & { options: readonly Option<Value>[]; wide?: boolean }) {
  const name = useId();
  return (
    <fieldset
      className={cx(
        styles.segmented,
        "rounded-2 bg-mute inline-flex p-3",
        wide && styles.wide,
        className,
      )}
    >
      <legend className="sr-only">{legend}</legend>
      {options.map((option) => (
        <label
          // Each is as wide as its words at least, and what is left is shared.
          key={option.value}
          className={cx(
            styles.segment,
            "relative grid flex-1 cursor-pointer basis-auto",
            "[&_svg]:flex-none",
          )}
        >
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          <span data-tone={option.tone}>{option.label}</span>
        </label>
      ))}
    </fieldset>
  );
}

interface CardOption<Value extends string> extends Option<Value> {
  note?: ReactNode;
  icon?: ReactNode;
}

/** Radio inputs drawn as cards with a note and an icon, such as the payment methods. */
export function RadioCards<Value extends string>({
  legend,
  options,
  value,
  onChange,
  className,
}: ChoiceProps<Value> & { options: readonly CardOption<Value>[] }) {
  const name = useId();
  return (
    <fieldset
      className={cx(
        "grid gap-12 grid-cols-[repeat(auto-fit,minmax(min(100%,240px),1fr))]",
        className,
      )}
    >
      <legend className="sr-only">{legend}</legend>
      {options.map((option) => (
        <label
          key={option.value}
          className={cx(
            styles.card,
            "flex items-center gap-12 rounded-3 bg-surface cursor-pointer min-h-66",
            "py-10 px-16 border border-control [&_svg]:flex-none [&_svg]:text-ink-2",
          )}
        >
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          <span className="grid flex-1">
            <span className="font-medium">{option.label}</span>
            {option.note && <span className="text-ink-3 text-13">{option.note}</span>}
          </span>
          {option.icon}
        </label>
      ))}
    </fieldset>
  );
}

import { type ReactNode, useId } from "react";
import { cx } from "@/shared/cx";
import styles from "./Choice.module.css";
import type { Tone } from "./Tag";

interface Option<Value extends string> {
  value: Value;
  label: ReactNode;
  /** Its colours while it is chosen. */
  tone?: Tone;
  /** Of a card. */
  note?: ReactNode;
  icon?: ReactNode;
}

interface ChoiceProps<Value extends string> {
  /** Name of the group for assistive technology. */
  legend: string;
  options: readonly Option<Value>[];
  value: Value | undefined;
  onChange: (value: Value) => void;
  className?: string | undefined;
}

interface RadiosProps<Value extends string> extends ChoiceProps<Value> {
  labelClass: string;
  /** Draws an option beside its input. */
  children: (option: Option<Value>) => ReactNode;
}

function Radios<Value extends string>(props: RadiosProps<Value>) {
  const { legend, options, value, onChange, className, labelClass, children } = props;
  const name = useId();
  return (
    <fieldset className={className}>
      <legend className="sr-only">{legend}</legend>
      {options.map((option) => (
        <label key={option.value} className={labelClass}>
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          {children(option)}
        </label>
      ))}
    </fieldset>
  );
}

/** Radio inputs drawn as one bar of segments. `wide` spreads it over the width. */
export function Segmented<Value extends string>(props: ChoiceProps<Value> & { wide?: boolean }) {
  const { wide = false, className, ...choice } = props;
  return (
    <Radios
      {...choice}
      className={cx(styles.segmented, wide && styles.wide, className)}
      // Each is as wide as its words at least, and what is left is shared.
      labelClass={cx(
        styles.segment,
        "relative grid flex-1 cursor-pointer basis-auto [&_svg]:flex-none",
      )}
    >
      {({ tone, label }) => <span data-tone={tone}>{label}</span>}
    </Radios>
  );
}

/** Radio inputs drawn as cards with a note and an icon, such as the payment methods. */
export function RadioCards<Value extends string>(props: ChoiceProps<Value>) {
  const { className, ...choice } = props;
  return (
    <Radios
      {...choice}
      className={cx(
        "grid gap-12 grid-cols-[repeat(auto-fit,minmax(min(100%,240px),1fr))]",
        className,
      )}
      labelClass={cx(
        styles.card,
        "flex items-center gap-12 rounded-3 bg-surface cursor-pointer min-h-66",
        "py-10 px-16 border border-control [&_svg]:flex-none [&_svg]:text-ink-2",
      )}
    >
      {({ label, note, icon }) => (
        <>
          <span className="grid flex-1">
            <span className="font-medium">{label}</span>
            {note && <span className="text-ink-3 text-13">{note}</span>}
          </span>
          {icon}
        </>
      )}
    </Radios>
  );
}

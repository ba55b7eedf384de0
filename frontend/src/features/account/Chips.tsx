import styles from "./Chips.module.css";

interface ChipsProps<T> {
  /** What is chosen, for who does not see the row. */
  label: string;
  options: readonly (readonly [T, string])[];
  isChosen: (value: T) => boolean;
  onChoose: (value: T) => void;
}

/** A row of small buttons of which at most one is pressed. */
export function Chips<T>({ label, options, isChosen, onChoose }: ChipsProps<T>) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: buttons of one choice are no fields of a form.
    <div className={styles.chips} role="group" aria-label={label}>
      {options.map(([value, name]) => (
        <button
          key={name}
          type="button"
          aria-pressed={isChosen(value)}
          onClick={() => onChoose(value)}
        >
          {name}
        </button>
      ))}
    </div>
  );
}

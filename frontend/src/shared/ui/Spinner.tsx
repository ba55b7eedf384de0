import { cx } from "@/shared/cx";

/** Decorative; the element that is busy says so itself with `aria-busy`. */
export function Spinner() {
  return (
    <span
      className={cx(
        "animate-turn flex-none rounded-pill w-[1em] h-[1em] border-2 border-current",
        "border-r-transparent",
      )}
      aria-hidden
    />
  );
}

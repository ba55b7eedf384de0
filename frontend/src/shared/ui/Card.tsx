import type { ComponentProps, ReactNode } from "react";
import { cx } from "@/shared/cx";

/** A white panel; a landmark when it carries `aria-label` or `aria-labelledby`. */
export function Card({ className, ...rest }: ComponentProps<"section">) {
  return (
    <section
      className={cx(
        "flex flex-col min-w-0 min-h-0 overflow-hidden border border-line rounded-3 bg-surface",
        className,
      )}
      {...rest}
    />
  );
}

/** Head of a card: its h2 left, figures or actions right. */
export function CardHead({
  title,
  id,
  children,
}: {
  title: ReactNode;
  id?: string;
  children?: ReactNode;
}) {
  return (
    <header
      className="flex flex-none items-center justify-between gap-12 border-b border-line min-h-58
        py-8 px-card across:min-h-46 across:py-0"
    >
      <h2 className="flex items-center gap-8 text-15" id={id}>
        {title}
      </h2>
      {children}
    </header>
  );
}

/** How many, beside a title. */
export function CountPill({ children }: { children: ReactNode }) {
  return (
    <span
      className={cx(
        "flex-none place-items-center rounded-pill text-12 font-bold inline-grid min-w-22",
        "h-22 px-6 bg-brand text-on-brand",
        "tabular-nums",
      )}
    >
      {children}
    </span>
  );
}

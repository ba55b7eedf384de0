import type { ReactNode } from "react";
import { count } from "@/domain/figures";

export type Tone = "ok" | "warn" | "bad" | "info" | "accent" | "mute";

interface TagProps {
  tone: Tone;
  icon?: ReactNode;
  children: ReactNode;
}

/** A pill with a dot (or an icon in its place) and a text; the text alone carries the meaning. */
export function Tag({ tone, icon, children }: TagProps) {
  return (
    <span
      className="inline-flex items-center gap-6 rounded-pill text-12 font-medium whitespace-nowrap
        h-21 px-8 bg-tone-bg text-[var(--tone,_var(--text-2))] forced-colors:border"
      data-tone={tone}
    >
      {icon ?? <span className="w-6 h-6 rounded-pill bg-current" aria-hidden />}
      {children}
    </span>
  );
}

/** Why a line cannot be had as it is: nothing is left, or less than it asks for (pieces). */
export function StockTag({ left }: { left: number }) {
  if (left <= 0) return <Tag tone="bad">Sold out</Tag>;
  return <Tag tone="warn">Only {count(left)} in stock</Tag>;
}

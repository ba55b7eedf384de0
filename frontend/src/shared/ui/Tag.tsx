import type { ReactNode } from "react";
import styles from "./Tag.module.css";

export type Tone = "ok" | "warn" | "bad" | "info" | "accent" | "mute";

/** A pill with a dot (or an icon in its place) and a text; the text alone carries the meaning. */
export function Tag({
  tone,
  icon,
  children,
}: {
  tone: Tone;
  icon?: ReactNode;
  children: ReactNode;
}) {
  return (
    <span className={styles.tag} data-tone={tone}>
      {icon ?? <span className={styles.dot} aria-hidden />}
      {children}
    </span>
  );
}

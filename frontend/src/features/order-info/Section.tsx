import type { ReactNode } from "react";
import styles from "./OrderDetailsCard.module.css";

/** A part of the card between hairlines. */
export function Section({ children, label }: { children: ReactNode; label?: string }) {
  return (
    <section className={styles.section} aria-label={label}>
      {children}
    </section>
  );
}

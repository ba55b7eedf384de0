import type { ComponentProps, ReactNode } from "react";
import styles from "./Checkbox.module.css";

/** A native checkbox with its text as label. */
export function Checkbox({
  children,
  ...input
}: Omit<ComponentProps<"input">, "type" | "className"> & { children: ReactNode }) {
  return (
    <label className={styles.label}>
      <input type="checkbox" className={styles.box} {...input} />
      <span>{children}</span>
    </label>
  );
}

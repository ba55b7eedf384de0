import { Search } from "lucide-react";
import type { ComponentProps } from "react";
import { cx } from "@/shared/cx";
import styles from "./SearchField.module.css";

/** A search box with a glass before the text. `label` is its accessible name and its placeholder. */
export function SearchField({
  label,
  className,
  ...input
}: Omit<ComponentProps<"input">, "type" | "placeholder"> & { label: string }) {
  return (
    <span className={cx(styles.search, className)}>
      <Search />
      <input type="search" aria-label={label} placeholder={label} autoComplete="off" {...input} />
    </span>
  );
}

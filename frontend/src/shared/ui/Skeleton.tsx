import type { ReactNode } from "react";
import { cx } from "@/shared/cx";
import styles from "./Skeleton.module.css";

/** A grey block with the geometry of what is loading; sizes in px or any CSS length. */
export function Skeleton({
  width = "100%",
  height = 14,
  radius = 6,
}: {
  width?: number | string;
  height?: number | string;
  radius?: number;
}) {
  return (
    <span
      className={cx(styles.block, "block bg-mute max-w-full")}
      style={{ width, height, borderRadius: radius }}
    />
  );
}

/** Container of skeletons: busy for assistive technology, visible after 150 ms. */
export function Loading({
  label = "Loading",
  className,
  children,
}: {
  label?: string;
  className?: string | undefined;
  children?: ReactNode;
}) {
  return (
    <div className={cx(styles.loading, className)} aria-busy="true">
      <span className="sr-only">{label}</span>
      {children}
    </div>
  );
}

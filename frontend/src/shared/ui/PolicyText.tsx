import { cx } from "@/shared/cx";
import styles from "./PolicyText.module.css";

/** The privacy policy and the terms of use; each heading has the anchor that the server gave it. */
export function PolicyText({ html, compact = false }: { html: string; compact?: boolean }) {
  return (
    <div
      className={cx(styles.text, compact && styles.compact)}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: HTML of staff, sanitised by the server when it was published.
      dangerouslySetInnerHTML={{ __html: html }}
    />
  );
}

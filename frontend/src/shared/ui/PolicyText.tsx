import { cx } from "@/shared/cx";
import styles from "./PolicyText.module.css";

/** The privacy policy and the terms of use; each heading has the anchor that the server gave it. */
export function PolicyText({ html, compact = false }: { html: string; compact?: boolean }) {
  return (
    <div
      className={cx(
        styles.text,
        "[&_h3]:mt-24 [&_h3]:mb-0 [&_h3]:mx-0 [&_h3]:[font-size:inherit]",
        "[&_h3]:font-bold [&_h2]:serif-22 [&_h2]:font-[520]",
        "[&_h2]:tracking-serif",
        compact && styles.compact,
      )}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: HTML of staff, sanitised by the server when it was published.
      dangerouslySetInnerHTML={{ __html: html }}
    />
  );
}

import { config } from "@/shared/config";
import { cx } from "@/shared/cx";
import styles from "./Wordmark.module.css";

/** The seller's logo, else its name. */
export function Wordmark() {
  const { title, logo } = config();
  return logo ? (
    <img
      // Logos are drawn for paper: white below them in the dark too.
      className={cx(styles.logo, "block max-w-180 h-28 py-2 px-4 rounded-[4px] object-contain")}
      src={logo}
      alt={title}
    />
  ) : (
    title
  );
}

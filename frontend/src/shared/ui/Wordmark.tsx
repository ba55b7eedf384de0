import { config } from "@/shared/config";
import styles from "./Wordmark.module.css";

/** The seller's logo, else its name. */
export function Wordmark() {
  const { title, logo } = config();
  return logo ? <img className={styles.logo} src={logo} alt={title} /> : title;
}

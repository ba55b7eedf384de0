import styles from "./SkipLink.module.css";

/** Leads from the keyboard's first stop past the menu to the page's `main`. */
export function SkipLink() {
  return (
    <a className={styles.skip} href="#main">
      Skip to content
    </a>
  );
}

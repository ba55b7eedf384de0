import styles from "./SkipLink.module.css";

/** Leads from the keyboard's first stop past the menu to the page's `main`, or past more to another place. */
export function SkipLink({ to = "main", text = "Skip to content" }) {
  return (
    <a className={styles.skip} href={`#${to}`}>
      {text}
    </a>
  );
}

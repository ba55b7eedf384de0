import { cx } from "@/shared/cx";
import { Link } from "./Link";
import { centreInList } from "./scroll";
import styles from "./TabLinks.module.css";

export interface TabLink {
  to: string;
  label: string;
  current: boolean;
}

interface TabLinksProps {
  label: string;
  tabs: readonly TabLink[];
  /** All of them are seen, in as many rows as they need. */
  wrap?: boolean;
}

/** Tabs as links: each has an address of its own. On a phone the current one is scrolled into view. */
export function TabLinks({ label, tabs, wrap }: TabLinksProps) {
  return (
    <nav aria-label={label}>
      <ul className={cx(styles.tabs, wrap && styles.wrap)}>
        {tabs.map((tab) => (
          <li key={tab.to}>
            <Link
              ref={tab.current ? centreInList : null}
              to={tab.to}
              className={styles.tab}
              aria-current={tab.current ? "page" : undefined}
            >
              {tab.label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

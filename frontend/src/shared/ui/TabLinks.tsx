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
}

/** Tabs as links: each has an address of its own. On a phone the current one is scrolled into view. */
export function TabLinks({ label, tabs }: TabLinksProps) {
  return (
    <nav aria-label={label}>
      <ul className={styles.tabs}>
        {tabs.map((tab) => (
          <li key={tab.to}>
            <Link
              // Tabs that come later make the list longer: the current one is centred anew.
              key={tab.current ? tabs.length : ""}
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

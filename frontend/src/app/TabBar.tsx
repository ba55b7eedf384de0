import { useLocation } from "react-router";
import { Link } from "@/shared/ui/Link";
import { isCurrent, MENU } from "./menu";
import styles from "./TabBar.module.css";

/** The menu at the bottom of a phone. */
export function TabBar() {
  const { pathname } = useLocation();
  return (
    <nav className={styles.bar} aria-label="Menu">
      {MENU.map((entry) => (
        <Link
          key={entry.to}
          to={entry.to}
          className={styles.tab}
          aria-current={isCurrent(entry, pathname) ? "page" : undefined}
        >
          <span className={styles.icon}>
            <entry.icon size={18} strokeWidth={1.8} aria-hidden />
          </span>
          {entry.label}
        </Link>
      ))}
    </nav>
  );
}

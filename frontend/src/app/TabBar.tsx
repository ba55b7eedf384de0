import { useLocation } from "react-router";
import { cx } from "@/shared/cx";
import { Link } from "@/shared/ui/Link";
import { isCurrent, MENU } from "./menu";
import styles from "./TabBar.module.css";

/** The menu at the bottom of a phone. */
export function TabBar() {
  const { pathname } = useLocation();
  return (
    <nav
      className={cx(
        styles.bar,
        "fixed border-t border-line bg-surface bottom-0 inset-x-0 z-(--z-bars)",
        "hidden h-(--h-tabs) pb-[env(safe-area-inset-bottom)]",
      )}
      aria-label="Menu"
    >
      {MENU.map((entry) => (
        <Link
          key={entry.to}
          to={entry.to}
          className={cx(
            styles.tab,
            "grid flex-1 justify-items-center content-center text-ink-3 text-12",
            "font-medium no-underline gap-3",
            "focus-visible:-outline-offset-3 focus-visible:rounded-2 current:text-accent",
          )}
          aria-current={isCurrent(entry, pathname) ? "page" : undefined}
        >
          <span className={cx(styles.icon, "grid place-items-center rounded-pill w-52 h-27")}>
            <entry.icon size={18} />
          </span>
          {entry.label}
        </Link>
      ))}
    </nav>
  );
}

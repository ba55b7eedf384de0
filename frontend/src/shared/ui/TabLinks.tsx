import { useEffect, useRef } from "react";
import { Link } from "react-router";
import styles from "./TabLinks.module.css";

export interface TabLink {
  to: string;
  label: string;
  current: boolean;
}

/** Tabs as links: each has an address of its own. On a phone the current one is scrolled into view. */
export function TabLinks({ label, tabs }: { label: string; tabs: readonly TabLink[] }) {
  const list = useRef<HTMLUListElement>(null);
  const current = tabs.find((tab) => tab.current)?.to;
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls when the current tab changes.
  useEffect(() => {
    const box = list.current;
    const link = box?.querySelector<HTMLElement>("[aria-current]");
    if (!box || !link) return;
    box.scrollLeft = link.offsetLeft - (box.clientWidth - link.offsetWidth) / 2;
  }, [current]);
  return (
    <nav aria-label={label}>
      <ul ref={list} className={styles.tabs}>
        {tabs.map((tab) => (
          <li key={tab.to}>
            <Link
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

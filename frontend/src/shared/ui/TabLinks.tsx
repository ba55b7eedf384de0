import { Link } from "./Link";
import { centreInList } from "./rows";

export interface TabLink {
  to: string;
  label: string;
  current: boolean;
}

/** Tabs as links: each has an address of its own. On a phone the current one is scrolled into view. */
export function TabLinks({ label, tabs }: { label: string; tabs: readonly TabLink[] }) {
  return (
    <nav aria-label={label}>
      <ul className="relative flex gap-4 overflow-x-auto border-b border-line-2 [scrollbar-width:none]">
        {tabs.map((tab) => (
          <li key={tab.to}>
            <Link
              // Tabs that come later make the list longer: the current one is centred anew.
              key={tab.current ? tabs.length : ""}
              ref={tab.current ? centreInList : null}
              to={tab.to}
              className="relative flex items-center min-h-40 py-0 px-11 text-ink-2 font-medium
                no-underline whitespace-nowrap focus-visible:-outline-offset-3
                focus-visible:rounded-1 hover:text-ink current:text-accent current:after:absolute
                current:after:inset-x-9 current:after:bottom-0 current:after:h-2
                current:after:bg-graphic"
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

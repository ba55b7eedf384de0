import { LogOut, Search } from "lucide-react";
import { useRef, useState } from "react";
import { useLocation } from "react-router";
import { type User, useSession } from "@/api/session";
import { config } from "@/shared/config";
import { cx } from "@/shared/cx";
import { Button } from "@/shared/ui/Button";
import { Link } from "@/shared/ui/Link";
import { Wordmark } from "@/shared/ui/Wordmark";
import { AccountButton } from "./AccountButton";
import styles from "./Header.module.css";
import { isCurrent, MENU } from "./menu";
import { QuickSearch } from "./QuickSearch";

/** Title, menu, Quick Search, company and Logout, for signed-in buyers. */
export function Header({ user }: { user: User }) {
  const { logOut } = useSession();
  const { pathname } = useLocation();
  const { subtitle } = config();
  const [searching, setSearching] = useState(false);
  const search = useRef<HTMLInputElement>(null);

  return (
    <header
      className={cx(
        styles.header,
        "flex items-center border-b border-line bg-surface sticky top-0",
        "z-(--z-header) h-(--h-header) across:flex-wrap across:*:h-45",
      )}
    >
      <p className="flex items-center min-w-0 phone:self-end">
        <span className="truncate tracking-serif serif-19 font-[560] leading-[1.2] phone:text-18">
          <Wordmark />
        </span>
        {subtitle && (
          <span
            className={cx(
              styles.subtitle,
              "text-ink-3 text-12 whitespace-nowrap ml-10 pl-10 border-l",
              "border-line-2",
            )}
          >
            {subtitle}
          </span>
        )}
      </p>
      <span
        className="hidden
          phone:block phone:row-2 phone:col-1 phone:overflow-hidden phone:text-ink-3
          phone:text-12 phone:text-ellipsis phone:whitespace-nowrap across:hidden"
      >
        {user.company}
      </span>
      <nav
        className={cx(
          styles.menu,
          "flex flex-none self-stretch gap-26 mr-18 ml-43 across:flex",
          "phone:hidden",
        )}
        aria-label="Menu"
      >
        {MENU.map((entry) => (
          <Link
            key={entry.to}
            to={entry.to}
            className={cx(
              "current:after:absolute current:after:inset-x-0 current:after:-bottom-1",
              "current:after:h-2 current:after:bg-graphic",
              "relative flex items-center text-ink-2 font-medium no-underline",
              "whitespace-nowrap gap-7 hover:text-ink current:text-accent across:text-13",
              "tablet:[&_svg]:hidden",
            )}
            aria-current={isCurrent(entry, pathname) ? "page" : undefined}
          >
            <entry.icon />
            {entry.label}
          </Link>
        ))}
      </nav>
      <div
        // The first to give way.
        className={cx(styles.search, "flex-[0_99_200px] min-w-150 ml-auto")}
        data-open={searching || undefined}
      >
        <QuickSearch
          uuid={user.uuid}
          input={search}
          onReveal={() => setSearching(true)}
          onDone={() => setSearching(false)}
        />
      </div>
      <AccountButton user={user} className={styles.account} />
      <Button
        variant="ghost"
        square
        className={styles.searchToggle}
        aria-label="Quick Search"
        aria-expanded={searching}
        icon={<Search size={19} />}
        onClick={() => {
          setSearching(!searching);
          if (!searching) requestAnimationFrame(() => search.current?.focus());
        }}
      />
      <Button variant="ghost" className={styles.logout} icon={<LogOut />} onClick={logOut}>
        Logout
      </Button>
    </header>
  );
}

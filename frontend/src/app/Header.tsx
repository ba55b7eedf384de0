import { LogOut, Search } from "lucide-react";
import { useRef, useState } from "react";
import { useLocation } from "react-router";
import { type User, useSession } from "@/api/session";
import { config } from "@/shared/config";
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
    <header className={styles.header}>
      <p className={styles.brand}>
        <span className={styles.wordmark}>
          <Wordmark />
        </span>
        {subtitle && <span className={styles.subtitle}>{subtitle}</span>}
      </p>
      <span className={styles.phoneCompany}>{user.company}</span>
      <nav className={styles.menu} aria-label="Menu">
        {MENU.map((entry) => (
          <Link
            key={entry.to}
            to={entry.to}
            className={styles.entry}
            aria-current={isCurrent(entry, pathname) ? "page" : undefined}
          >
            <entry.icon size={16} strokeWidth={1.8} aria-hidden />
            {entry.label}
          </Link>
        ))}
      </nav>
      <div className={styles.search} data-open={searching || undefined}>
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
        icon={<Search size={19} strokeWidth={1.8} aria-hidden />}
        onClick={() => {
          setSearching(!searching);
          if (!searching) requestAnimationFrame(() => search.current?.focus());
        }}
      />
      <Button
        variant="ghost"
        className={styles.logout}
        icon={<LogOut size={16} strokeWidth={1.8} aria-hidden />}
        onClick={logOut}
      >
        Logout
      </Button>
    </header>
  );
}

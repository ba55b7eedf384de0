import {
  ChevronDown,
  LayoutDashboard,
  LogOut,
  PackageSearch,
  ReceiptText,
  Search,
  Settings2,
} from "lucide-react";
import { useRef, useState } from "react";
import { useLocation } from "react-router";
import { type User, useSession } from "@/api/session";
import { cx } from "@/shared/cx";
import { Button } from "@/shared/ui/Button";
import { Link } from "@/shared/ui/Link";
import { PopupButton } from "@/shared/ui/MenuButton";
import { lazyPopup } from "@/shared/ui/popup";
import { Subtitle, Wordmark } from "@/shared/ui/Wordmark";
import styles from "./Header.module.css";
import { QuickSearch } from "./QuickSearch";

/** Title, menu, Quick Search, company and Logout, for signed-in buyers. */
export function Header({ user }: { user: User }) {
  const { logOut } = useSession();
  const { pathname } = useLocation();
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
        <Subtitle className={cx(styles.subtitle, "whitespace-nowrap")} />
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
          "flex flex-none self-stretch gap-26 mr-18 ml-43 across:flex phone:hidden",
        )}
        aria-label="Menu"
      >
        {MENU.map((entry) => (
          <Link
            key={entry.to}
            to={entry.to}
            className="current:after:absolute current:after:inset-x-0 current:after:-bottom-1
              current:after:h-2 current:after:bg-graphic relative flex items-center text-ink-2
              font-medium no-underline whitespace-nowrap gap-7 hover:text-ink current:text-accent
              across:text-13 tablet:[&_svg]:hidden"
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
      <AccountButton user={user} />
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

const { Popup: AccountMenu, ahead } = lazyPopup(() => import("./AccountMenu"));

/** The company with its menu; its monogram alone on a tablet or a phone. */
export function AccountButton({ user }: { user: User }) {
  return (
    <PopupButton
      variant="ghost"
      className={styles.account}
      title={user.company}
      icon={
        <span
          className="grid flex-none place-items-center rounded-1 bg-accent-soft text-accent text-12
            font-bold w-28 h-28"
          aria-hidden
        >
          {monogram(user.company)}
        </span>
      }
      menu={(popup) => <AccountMenu {...popup} email={user.email} />}
      {...ahead}
    >
      <span
        // The name stays for assistive technology and as tooltip.
        className="overflow-hidden text-13 font-medium text-ellipsis max-w-220
          tablet:absolute tablet:w-1 tablet:h-1 tablet:[clip-path:inset(50%)]"
      >
        {user.company}
      </span>
      <ChevronDown className="flex-none text-ink-3 phone:hidden" size={15} />
    </PopupButton>
  );
}

/** First letters of the first two words; a sign such as & is none. */
function monogram(company: string): string {
  const words = company.split(/[^\p{L}\p{M}\p{N}]+/u).filter(Boolean);
  return words
    .slice(0, 2)
    .map((word) => [...word][0]?.toUpperCase())
    .join("");
}

export const MENU = [
  { label: "Dash board", to: "/dashboard", icon: LayoutDashboard },
  { label: "Product order", to: "/order", icon: PackageSearch },
  { label: "Order info", to: "/invoice/0", icon: ReceiptText },
  { label: "System", to: "/Setting", icon: Settings2 },
];

/** The first segment of a path, without regard to case: all paths that share it belong together. */
const section = (path: string) => path.split("/")[1]?.toLowerCase();

export const isCurrent = ({ to }: { to: string }, pathname: string): boolean =>
  section(pathname) === section(to);

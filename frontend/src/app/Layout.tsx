import { lazy, Suspense } from "react";
import { Outlet, useLocation, useNavigate } from "react-router";
import { useSession } from "@/api/session";
import { cx } from "@/shared/cx";
import { useIsOnline } from "@/shared/online";
import * as texts from "@/shared/texts";
import { Link } from "@/shared/ui/Link";
import { SkipLink } from "@/shared/ui/Page";
import { Header, isCurrent, MENU } from "./Header";
import styles from "./Layout.module.css";

// Only listens: no page waits for it.
const Shortcuts = lazy(() => import("./Shortcuts"));

/** Frame of every page but the sign-in: the header and the menu show to signed-in buyers only. */
export function Layout() {
  const { session } = useSession();
  const navigate = useNavigate();
  const user = session.phase === "in" ? session.user : undefined;
  return (
    <>
      <SkipLink />
      {user && <Header user={user} />}
      {user && <OfflineBar />}
      <main
        id="main"
        className={cx(
          styles.main,
          "max-w-1600 min-h-dvh mx-auto py-18 px-page",
          "data-signed-in:min-h-[calc(100dvh_-_var(--h-header))]",
          "data-signed-in:pb-[calc(18px_+_var(--h-tabs))] focus:outline-none",
        )}
        tabIndex={-1}
        data-signed-in={user ? "" : undefined}
      >
        <Outlet />
      </main>
      {user && <TabBar />}
      {user && (
        <Suspense fallback={null}>
          <Shortcuts onGo={navigate} />
        </Suspense>
      )}
    </>
  );
}

/** Under the header while the portal cannot be reached. */
function OfflineBar() {
  const isOnline = useIsOnline();
  return (
    <div
      role="status"
      // Below what the header opens.
      className={cx(
        styles.offline,
        "not-empty:sticky not-empty:top-(--h-header) not-empty:z-[calc(var(--z-header)-1)]",
        "not-empty:border-b not-empty:border-line not-empty:bg-sunken",
      )}
    >
      {!isOnline && (
        <p
          className="flex items-center justify-center gap-8 h-35 text-ink text-13
            before:w-9 before:h-9 before:border-2 before:border-ink-3 before:rounded-[50%]"
        >
          {texts.offline} Edits are kept and sent later.
        </p>
      )}
    </div>
  );
}

/** The menu at the bottom of a phone. */
function TabBar() {
  const { pathname } = useLocation();
  return (
    <nav
      className="fixed border-t border-line bg-surface bottom-0 inset-x-0 z-(--z-bars) h-(--h-tabs)
        pb-[env(safe-area-inset-bottom)] hidden phone:flex across:hidden paper:hidden"
      aria-label="Menu"
    >
      {MENU.map((entry) => (
        <Link
          key={entry.to}
          to={entry.to}
          className="grid flex-1 justify-items-center content-center text-ink-3 text-12 font-medium
            no-underline gap-3 focus-visible:-outline-offset-3 focus-visible:rounded-2
            current:text-accent"
          aria-current={isCurrent(entry, pathname) ? "page" : undefined}
        >
          <span
            className="grid place-items-center rounded-pill w-52 h-27
              [[aria-current]>&]:bg-accent-soft"
          >
            <entry.icon size={18} />
          </span>
          {entry.label}
        </Link>
      ))}
    </nav>
  );
}

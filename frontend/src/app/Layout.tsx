import { lazy, Suspense } from "react";
import { Outlet, useNavigate } from "react-router";
import { useSession } from "@/api/session";
import { cx } from "@/shared/cx";
import { SkipLink } from "@/shared/ui/SkipLink";
import { Header } from "./Header";
import styles from "./Layout.module.css";
import { OfflineBar } from "./OfflineBar";
import { TabBar } from "./TabBar";

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

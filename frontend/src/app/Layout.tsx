import { lazy, Suspense } from "react";
import { Outlet, useNavigate } from "react-router";
import { useSession } from "@/api/session";
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
      <main id="main" className={styles.main} tabIndex={-1} data-signed-in={user ? "" : undefined}>
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

import { Outlet } from "react-router";
import { useSession } from "@/api/session";
import { SkipLink } from "@/shared/ui/SkipLink";
import { Header } from "./Header";
import styles from "./Layout.module.css";
import { TabBar } from "./TabBar";

/** Frame of every page but the sign-in: the header and the menu show to signed-in buyers only. */
export function Layout() {
  const { session } = useSession();
  const user = session.phase === "in" ? session.user : undefined;
  return (
    <>
      <SkipLink />
      {user && <Header user={user} />}
      <main id="main" className={styles.main} tabIndex={-1} data-signed-in={user ? "" : undefined}>
        <Outlet />
      </main>
      {user && <TabBar />}
    </>
  );
}

import { Navigate, Outlet, useLocation } from "react-router";
import { useSession } from "@/api/session";
import { rememberPage } from "@/shared/remembered-page";

/** Lets signed-in buyers through; sends everybody else to the sign-in and remembers the page. */
export function RequireSession() {
  const { session } = useSession();
  const location = useLocation();
  if (session.phase === "in") return <Outlet />;
  const forget = session.phase === "out" && session.forgetPage;
  return <Navigate to="/login" replace state={forget ? null : rememberPage(location)} />;
}

import { lazy, Suspense } from "react";
import { Navigate, useLocation } from "react-router";
import { useSession } from "@/api/session";
import { LoginScreen } from "@/features/session/LoginScreen";
import { useResetToken } from "@/features/session/reset-token";
import { rememberedPage } from "@/shared/navigation";
import { Loading } from "@/shared/ui/Panels";

const ResetPasswordScreen = lazy(() => import("@/features/session/ResetPasswordScreen"));

/**
 * /login. A signed-in visitor goes to the page asked for before, or to the dashboard. A mailed
 * `#reset=…` link asks for a new password first, whoever is signed in.
 */
export default function LoginRoute() {
  const { session, logOut } = useSession();
  const { state } = useLocation();
  const [token, forget] = useResetToken();
  if (token !== undefined) {
    const done = (changed: boolean) => {
      // The change has ended every sign-in, this browser's among them.
      if (changed && session.phase === "in") logOut();
      forget();
    };
    return (
      <Suspense fallback={<Loading />}>
        <ResetPasswordScreen token={token} onDone={done} />
      </Suspense>
    );
  }
  if (session.phase === "in") return <Navigate to={rememberedPage(state)} replace />;
  return <LoginScreen />;
}

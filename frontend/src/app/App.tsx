import { useSession } from "@/api/session";
import { RetryPanel } from "@/shared/ui/Panels";
import { Loading } from "@/shared/ui/Skeleton";
import { AppRoutes } from "./router";

/** Nothing but a neutral splash until it is known who the visitor is. */
export function App() {
  const { session, retry } = useSession();
  if (session.phase === "checking") return <Loading />;
  if (session.phase === "unreachable") return <RetryPanel onRetry={retry} />;
  return <AppRoutes />;
}

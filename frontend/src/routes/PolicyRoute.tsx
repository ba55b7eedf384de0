import { useSession } from "@/api/session";
import { PolicyScreen } from "@/features/policy/PolicyScreen";
import { PublicPage } from "@/shared/ui/PublicPage";

/** /policy. A signed-in buyer keeps the header and the menu around it. */
export default function PolicyRoute() {
  const { session } = useSession();
  if (session.phase === "in") return <PolicyScreen />;
  return (
    <PublicPage width={1012}>
      <PolicyScreen />
    </PublicPage>
  );
}

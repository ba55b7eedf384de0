import { Navigate, useParams } from "react-router";
import { useSession } from "@/api/session";
import { RegistrationScreen } from "@/features/registration/RegistrationScreen";
import { PublicPage } from "@/shared/ui/PublicPage";

/** /register/{token}: reached from the mailed link. A signed-in visitor goes to the dashboard. */
export default function RegistrationRoute() {
  const { session } = useSession();
  const { token = "" } = useParams();
  if (session.phase === "in") return <Navigate to="/dashboard" replace />;
  return (
    <PublicPage width={872}>
      <RegistrationScreen key={token} token={token} />
    </PublicPage>
  );
}

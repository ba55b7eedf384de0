import { Navigate } from "react-router";
import { useSession } from "@/api/session";
import { RegisterEmailScreen } from "@/features/registration/RegisterEmailScreen";

/** /register. A signed-in visitor goes to the dashboard. */
export default function RegisterRoute() {
  const { session } = useSession();
  if (session.phase === "in") return <Navigate to="/dashboard" replace />;
  return <RegisterEmailScreen />;
}

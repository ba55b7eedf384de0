import { useParams } from "react-router";
import { InvitationScreen } from "@/features/registration/InvitationScreen";

/** /invitation/{token}: reached from the mailed link, whoever is signed in. */
export default function InvitationRoute() {
  const { token = "" } = useParams();
  return <InvitationScreen key={token} token={token} />;
}

import { DashboardScreen } from "@/features/dashboard/DashboardScreen";

/** /dashboard */
export default function DashboardRoute() {
  return <DashboardScreen />;
}

export { DashboardScreen as default } from "@/features/dashboard/DashboardScreen";

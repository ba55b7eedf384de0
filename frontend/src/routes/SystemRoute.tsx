export { SystemScreen as default } from "@/features/password/SystemScreen";

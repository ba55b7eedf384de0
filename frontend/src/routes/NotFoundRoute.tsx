export { NotFound as default } from "@/shared/ui/NotFound";

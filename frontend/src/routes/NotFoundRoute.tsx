import { NotFound } from "@/shared/ui/NotFound";

/** Any other path. */
export default function NotFoundRoute() {
  return <NotFound />;
}

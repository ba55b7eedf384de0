import { History, Lock, Share2, Users } from "lucide-react";
import type { SavedBasket } from "./keep-basket";

/** Whose basket it is: a former one, a colleague's, shared, or the buyer's alone. */
export function SavedIcon({ saved }: { saved: SavedBasket }) {
  if (saved.kind !== "named") return <History />;
  if (saved.is_own !== 1) return <Users />;
  return saved.is_shared === 1 ? <Share2 /> : <Lock />;
}

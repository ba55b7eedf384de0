import { useSyncExternalStore } from "react";
import { theme } from "./theme";

/** The theme that the visitor chose. */
export function useTheme() {
  return useSyncExternalStore(theme.subscribe, theme.chosen);
}

import { onlineManager } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";

/** Whether the portal can be reached, as far as the browser and the last calls tell. */
export const connection = {
  isOnline: () => onlineManager.isOnline(),
  subscribe: (changed: () => void) => onlineManager.subscribe(changed),
  set: (isOnline: boolean) => onlineManager.setOnline(isOnline),
};

export function useIsOnline(): boolean {
  return useSyncExternalStore(connection.subscribe, connection.isOnline);
}

const KEY = "token";

/** The session token, in local storage under the key that the specification names. */
export const token = {
  get: (): string | null => localStorage.getItem(KEY),
  set: (value: string): void => localStorage.setItem(KEY, value),
};

/** Sign-out and expiry empty the whole local storage, the basket included (section 4, Session). */
export function clearStorage(): void {
  localStorage.clear();
}

/** Calls `changed` when another tab stores another token or clears the storage. */
export function onTokenChangedElsewhere(changed: () => void): () => void {
  const listener = (event: StorageEvent) => {
    if (event.key === KEY || event.key === null) changed();
  };
  window.addEventListener("storage", listener);
  return () => window.removeEventListener("storage", listener);
}

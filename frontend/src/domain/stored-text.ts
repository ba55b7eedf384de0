export type Storage = Pick<globalThis.Storage, "getItem" | "setItem" | "removeItem" | "clear">;

/** A storage of texts that never throws when it is full: what has no room is kept as long as the page lives. */
export function textsIn(storage: () => Storage) {
  const overflow = new Map<string, string>();
  return {
    get: (key: string): string | null => overflow.get(key) ?? storage().getItem(key),
    /** Stores a text; false where there was no room, so that it will not outlive the page. */
    set(key: string, text: string): boolean {
      try {
        storage().setItem(key, text);
        overflow.delete(key);
        return true;
      } catch {
        overflow.set(key, text);
        return false;
      }
    },
    remove(key: string): void {
      overflow.delete(key);
      storage().removeItem(key);
    },
    /** Whether something is in this page alone. */
    isFull: (): boolean => overflow.size > 0,
    clear(): void {
      overflow.clear();
      storage().clear();
    },
  };
}

export type Texts = ReturnType<typeof textsIn>;

export const storedText = textsIn(() => localStorage);

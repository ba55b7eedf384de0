/** Those who are told of changes of something; `subscribe` returns what ends it. */
export function listenersOf<Args extends readonly unknown[] = []>() {
  const listeners = new Set<(...told: Args) => void>();
  return {
    subscribe(listener: (...told: Args) => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    tell(...told: Args): void {
      for (const listener of listeners) listener(...told);
    },
    count: () => listeners.size,
  };
}

/** Those who are told of changes of something; `subscribe` returns what ends it. */
export function listenersOf<Told extends readonly unknown[] = []>() {
  const listeners = new Set<(...told: Told) => void>();
  return {
    subscribe(listener: (...told: Told) => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    tell(...told: Told): void {
      for (const listener of listeners) listener(...told);
    },
    count: () => listeners.size,
  };
}

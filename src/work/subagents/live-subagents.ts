/** Notifies the waiters of this process when a sub-agent's document has changed. */
export type LiveSubagents = ReturnType<typeof createLiveSubagents>;

export function createLiveSubagents() {
  const waiting = new Map<string, Set<() => void>>();
  return {
    changed(id: string): void {
      for (const tell of waiting.get(id) ?? []) tell();
      waiting.delete(id);
    },
    /**
     * To be called before the document is read.
     * @returns A promise that resolves at the next change, and a function that ends the wait.
     */
    listen(id: string): { readonly changed: Promise<void>; leave(): void } {
      const all = waiting.get(id) ?? new Set();
      waiting.set(id, all);
      let tell = () => {};
      const changed = new Promise<void>((resolve) => {
        tell = resolve;
        all.add(tell);
      });
      return {
        changed,
        leave() {
          all.delete(tell);
          if (all.size === 0 && waiting.get(id) === all) waiting.delete(id);
        },
      };
    },
  };
}

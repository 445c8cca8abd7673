/** Tells whoever waits in this process for a sub-agent that its document was changed. */
export type LiveSubagents = ReturnType<typeof createLiveSubagents>;

export function createLiveSubagents() {
  const waiting = new Map<string, Set<() => void>>();
  return {
    changed(id: string): void {
      for (const tell of waiting.get(id) ?? []) tell();
      waiting.delete(id);
    },
    /** To be called before its document is read. @returns What resolves at its next change, and what ends the wait. */
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

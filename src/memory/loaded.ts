/** An LRU cache of per-user state, loaded on first use. */
export interface Loaded<T> {
  /**
   * Loads the user's state if needed and runs `work` with it. Contract: state in use is not evicted; concurrent first
   * uses share one load.
   */
  use<R>(userId: string, work: (value: T) => Promise<R>): Promise<R>;
  /** The loaded state, without waiting for a load. */
  peek(userId: string): T | undefined;
  drop(userId: string): void;
  dropAll(): void;
}

export interface LoadedParts<T> {
  readonly maxBytes: number;
  readonly maxUsers: number;
  load(userId: string): Promise<T>;
  bytesOf(value: T): number;
  onDrop(value: T): void;
}

interface Slot<T> {
  readonly loading: Promise<T>;
  value: T | undefined;
  uses: number;
  /** Size after the last use: measuring each value after every use would cost more than most uses. */
  bytes: number;
}

export function createLoaded<T>({ maxBytes, maxUsers, load, bytesOf, onDrop }: LoadedParts<T>): Loaded<T> {
  /** Least recently used first. */
  const slots = new Map<string, Slot<T>>();
  /** Total bytes of all slots. */
  let bytes = 0;

  function drop(userId: string): void {
    const slot = slots.get(userId);
    if (slot !== undefined) remove(userId, slot);
    if (slot?.value !== undefined) onDrop(slot.value);
  }

  function remove(userId: string, slot: Slot<T>): void {
    slots.delete(userId);
    bytes -= slot.bytes;
  }

  function slotOf(userId: string): Slot<T> {
    const known = slots.get(userId);
    slots.delete(userId);
    const slot: Slot<T> = known ?? { loading: load(userId), value: undefined, uses: 0, bytes: 0 };
    slots.set(userId, slot);
    return slot;
  }

  function weigh(slot: Slot<T>): void {
    const before = slot.bytes;
    slot.bytes = slot.value === undefined ? 0 : bytesOf(slot.value);
    bytes += slot.bytes - before;
  }

  function makeRoom(): void {
    if (slots.size <= 1) return;
    for (const [userId, { value, uses }] of slots) {
      if (bytes <= maxBytes && slots.size <= maxUsers) return;
      if (uses > 0 || value === undefined) continue;
      drop(userId);
    }
  }

  return {
    async use(userId, work) {
      const slot = slotOf(userId);
      slot.uses++;
      try {
        if (slot.value === undefined) {
          try {
            slot.value = await slot.loading;
          } catch (error) {
            if (slots.get(userId) === slot) remove(userId, slot);
            throw error;
          }
          // The user was dropped during the load.
          if (slots.get(userId) !== slot) onDrop(slot.value);
        }
        return await work(slot.value);
      } finally {
        slot.uses--;
        if (slots.get(userId) === slot) weigh(slot);
        if (slot.uses === 0) makeRoom();
      }
    },
    peek: (userId) => slots.get(userId)?.value,
    drop,
    dropAll() {
      for (const userId of [...slots.keys()]) drop(userId);
    },
  };
}

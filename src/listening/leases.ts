import * as v from "valibot";
import type { Clock } from "../clock.ts";
import { ConflictError, messageOf } from "../errors.ts";
import { newId } from "../ids.ts";
import { type Store, type Value, type Version, storeKey } from "../store/index.ts";
import type { Logger } from "../telemetry/index.ts";

/** How long a lease holds after it was renewed, in milliseconds. */
export const LEASE_MS = 15_000;
/** Interval of renewals by the holder, and of checks by waiters, in milliseconds. */
export const RENEW_MS = 5_000;
export const LOOK_MS = 2_000;

const LEASES = "leases/";

const LeaseDocument = v.object({
  v: v.literal(1),
  /** A ULID that the process created for itself. */
  holder: v.string(),
  /** Name for people. */
  name: v.string(),
  since: v.number(),
  until: v.number(),
});
type Lease = v.InferOutput<typeof LeaseDocument>;

/** The holder of a lease, and since when. */
export interface Holder {
  readonly name: string;
  readonly sinceMs: number;
}

/** Work that a process does while it holds a lease. */
export interface LeasedWork {
  /** Contract: ends soon after the signal aborts. Called again when the lease was lost and regained. */
  run(signal: AbortSignal): Promise<void>;
  /** Called when it begins to wait for another process, and when the holder changes. */
  onWaiting(holder: Holder): void;
}

export type Leases = ReturnType<typeof createLeases>;

export interface LeasesDeps {
  readonly store: Pick<Store, "caps" | "get" | "put" | "remove">;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Name of this process for people. Default: the id that it created for itself. */
  readonly processName?: (() => string) | undefined;
}

/**
 * Leases, so that one of the processes that share the store does a thing at a time. A lease is a document that its
 * holder renews, and that another process takes over when it was not renewed.
 * The work must also be harmless when two processes do it for a while: a process that was suspended does not know that
 * its lease is over.
 */
export function createLeases({ store, clock, logger, processName }: LeasesDeps) {
  let ownId: string | undefined;

  function ownLease(since: number): Lease {
    const nowMs = clock.now();
    ownId ??= newId(clock);
    return { v: 1, holder: ownId, name: processName?.() ?? ownId, since, until: nowMs + LEASE_MS };
  }

  /** Works while this process holds the lease, until the work ends or the signal aborts. */
  async function hold(name: readonly string[], signal: AbortSignal, work: LeasedWork): Promise<void> {
    // No other process can open an exclusive store, so none can hold the lease: a leftover document is from a process
    // that ended.
    if (store.caps.exclusive === true) return work.run(signal);
    const key = LEASES + storeKey(...name);
    for (;;) {
      const held = await take(key, signal, work.onWaiting);
      if (await workWhileHeld(key, held, signal, work)) return;
    }
  }

  /** Waits until the lease is free, and takes it. */
  async function take(key: string, signal: AbortSignal, onWaiting: LeasedWork["onWaiting"]): Promise<Held> {
    let seen: { readonly version: Version; readonly holder: string | undefined; readonly forMs: number } | undefined;
    for (;;) {
      signal.throwIfAborted();
      try {
        const found = await store.get(key);
        const lease = found === null ? undefined : parseLease(found.value);
        // Independent of the hosts' clocks: a lease that was not renewed while it was watched is over.
        const forMs = found !== null && found.version === seen?.version ? seen.forMs : 0;
        if (isFree(lease, { ownId, nowMs: clock.now(), unchangedMs: forMs })) {
          const since = clock.now();
          return { since, version: await store.put(key, ownLease(since), { expect: found?.version ?? null }) };
        }
        if (lease && lease.holder !== seen?.holder) onWaiting({ name: lease.name, sinceMs: lease.since });
        if (found) seen = { version: found.version, holder: lease?.holder, forMs: forMs + LOOK_MS };
      } catch (error) {
        // Another process was faster; the next check sees it.
        if (!ConflictError.is(error)) logger.warn("A lease could not be read", { key, error: messageOf(error) });
      }
      await clock.sleep(LOOK_MS, signal, { idle: true });
    }
  }

  /** @returns Whether the work ended while the lease was held. */
  async function workWhileHeld(key: string, held: Held, signal: AbortSignal, work: LeasedWork): Promise<boolean> {
    const lost = new AbortController();
    const done = new AbortController();
    const renewing = renew(key, held, done.signal).then(
      () => lost.abort(new Error("Another process has the lease")),
      () => {}, // the lease needs no more renewal
    );
    try {
      await work.run(AbortSignal.any([signal, lost.signal]));
    } catch (error) {
      if (!lost.signal.aborted) throw error;
    } finally {
      done.abort();
      await renewing;
      // Releases the lease, so that waiters need not wait for its end.
      if (!lost.signal.aborted) await store.remove(key, { expect: held.version }).catch(() => {});
    }
    return !lost.signal.aborted;
  }

  /** Resolves when the lease is lost. @throws The signal's reason when it aborts. */
  async function renew(key: string, held: Held, signal: AbortSignal): Promise<void> {
    for (let missedMs = 0; missedMs < LEASE_MS - RENEW_MS;) {
      await clock.sleep(RENEW_MS, signal, { idle: true });
      try {
        if (!(await renewOnce(key, held))) return;
        missedMs = 0;
      } catch (error) {
        missedMs += RENEW_MS;
        logger.warn("A lease could not be renewed", { key, error: messageOf(error) });
      }
    }
  }

  /** @returns False when another process has the lease. */
  async function renewOnce(key: string, held: Held): Promise<boolean> {
    try {
      held.version = await store.put(key, ownLease(held.since), { expect: held.version });
    } catch (error) {
      if (!ConflictError.is(error)) throw error;
      // The answer to a renewal may have been lost: the document tells who the holder is.
      const found = await store.get(key);
      if (found === null || parseLease(found.value)?.holder !== ownId) return false;
      held.version = await store.put(key, ownLease(held.since), { expect: found.version });
    }
    return true;
  }

  return { hold };
}

/** @returns The holder of a lease; `undefined`: none. */
export async function readHolder(
  store: Pick<Store, "get">,
  name: readonly string[],
  nowMs: number,
): Promise<Holder | undefined> {
  const found = await store.get(LEASES + storeKey(...name));
  const lease = found === null ? undefined : parseLease(found.value);
  return lease === undefined || lease.until <= nowMs ? undefined : { name: lease.name, sinceMs: lease.since };
}

/** A lease of this process, with the version of its newest renewal. */
interface Held {
  readonly since: number;
  version: Version;
}

/** Whether a lease is free: absent, this process's own, expired, or not renewed while it was watched; pure. */
export function isFree(
  lease: Pick<Lease, "holder" | "until"> | undefined,
  { ownId, nowMs, unchangedMs }: { ownId: string | undefined; nowMs: number; unchangedMs: number },
): boolean {
  return lease === undefined || lease.holder === ownId || lease.until <= nowMs || unchangedMs >= LEASE_MS;
}

/** Parses a lease. Any other document counts as none. */
function parseLease(value: Value): Lease | undefined {
  const parsed = v.safeParse(LeaseDocument, value);
  return parsed.success ? parsed.output : undefined;
}

import * as v from "valibot";
import type { Clock } from "../clock.ts";
import { ConflictError, messageOf } from "../errors.ts";
import { newId } from "../ids.ts";
import { type Store, type Value, type Version, storeKey } from "../store/index.ts";
import type { Logger } from "../telemetry/index.ts";

/** How long a lease holds after it was renewed, in milliseconds. */
export const LEASE_MS = 15_000;
/** How often it is renewed, and how often who waits for it looks, in milliseconds. */
export const RENEW_MS = 5_000;
export const LOOK_MS = 2_000;

const LEASES = "leases/";

const LeaseDocument = v.object({
  v: v.literal(1),
  /** A ULID that the process made for itself. */
  holder: v.string(),
  /** For people. */
  name: v.string(),
  since: v.number(),
  until: v.number(),
});
type Lease = v.InferOutput<typeof LeaseDocument>;

/** Who has a lease, and since when. */
export interface Holder {
  readonly name: string;
  readonly sinceMs: number;
}

/** What a process does while a lease is its own. */
export interface LeasedWork {
  /** Contract: ends soon after the signal aborts. It is called again when the lease was lost and came back. */
  run(signal: AbortSignal): Promise<void>;
  /** Called when it begins to wait for another process, and when that one is another. */
  onWaiting(holder: Holder): void;
}

export type Leases = ReturnType<typeof createLeases>;

export interface LeasesDeps {
  readonly store: Pick<Store, "caps" | "get" | "put" | "remove">;
  readonly clock: Clock;
  readonly logger: Logger;
  /** How people recognise this process. Default: by the id that it makes for itself. */
  readonly processName?: (() => string) | undefined;
}

/**
 * One process at a time does a thing, of all that share the store: a document that its holder renews, and that another takes over when it was not renewed.
 * What the holder does must also be harmless when two do it for a while: a process that stood still does not know that its lease is over.
 */
export function createLeases({ store, clock, logger, processName }: LeasesDeps) {
  let ownId: string | undefined;

  function ownLease(since: number): Lease {
    const nowMs = clock.now();
    ownId ??= newId(clock);
    return { v: 1, holder: ownId, name: processName?.() ?? ownId, since, until: nowMs + LEASE_MS };
  }

  /** Works whenever the lease is this process's, until the work ends by itself or the signal aborts. */
  async function hold(name: readonly string[], signal: AbortSignal, work: LeasedWork): Promise<void> {
    // Where nobody else can have the store open, nobody else can have the lease: what is left of one is of a process that is gone.
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
        // However far apart the clocks of two hosts are: what was not renewed while it was watched is over.
        const forMs = found !== null && found.version === seen?.version ? seen.forMs : 0;
        if (isFree(lease, { ownId, nowMs: clock.now(), unchangedMs: forMs })) {
          const since = clock.now();
          return { since, version: await store.put(key, ownLease(since), { expect: found?.version ?? null }) };
        }
        if (lease && lease.holder !== seen?.holder) onWaiting({ name: lease.name, sinceMs: lease.since });
        if (found) seen = { version: found.version, holder: lease?.holder, forMs: forMs + LOOK_MS };
      } catch (error) {
        // Another process was quicker: it is seen at the next look.
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
      () => {}, // nothing is to be renewed any more
    );
    try {
      await work.run(AbortSignal.any([signal, lost.signal]));
    } catch (error) {
      if (!lost.signal.aborted) throw error;
    } finally {
      done.abort();
      await renewing;
      // Given back, so that nobody has to wait for its end.
      if (!lost.signal.aborted) await store.remove(key, { expect: held.version }).catch(() => {});
    }
    return !lost.signal.aborted;
  }

  /** Resolves when the lease is lost. @throws The signal's reason, when it aborts. */
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

  /** @returns False: it is another's now. */
  async function renewOnce(key: string, held: Held): Promise<boolean> {
    try {
      held.version = await store.put(key, ownLease(held.since), { expect: held.version });
    } catch (error) {
      if (!ConflictError.is(error)) throw error;
      // The answer to a renewal may have been lost: the document says whose it is.
      const found = await store.get(key);
      if (found === null || parseLease(found.value)?.holder !== ownId) return false;
      held.version = await store.put(key, ownLease(held.since), { expect: found.version });
    }
    return true;
  }

  return { hold };
}

/** @returns Who has the lease of that name; `undefined` when nobody does. */
export async function readHolder(
  store: Pick<Store, "get">,
  name: readonly string[],
  nowMs: number,
): Promise<Holder | undefined> {
  const found = await store.get(LEASES + storeKey(...name));
  const lease = found === null ? undefined : parseLease(found.value);
  return lease === undefined || lease.until <= nowMs ? undefined : { name: lease.name, sinceMs: lease.since };
}

/** A lease of this process; the version is that of its newest renewal. */
interface Held {
  readonly since: number;
  version: Version;
}

/** Nobody's, this process's own, over by its own account, or not renewed while it was watched; pure. */
export function isFree(
  lease: Pick<Lease, "holder" | "until"> | undefined,
  { ownId, nowMs, unchangedMs }: { ownId: string | undefined; nowMs: number; unchangedMs: number },
): boolean {
  return lease === undefined || lease.holder === ownId || lease.until <= nowMs || unchangedMs >= LEASE_MS;
}

/** A document that is no lease of this version holds nothing. */
function parseLease(value: Value): Lease | undefined {
  const parsed = v.safeParse(LeaseDocument, value);
  return parsed.success ? parsed.output : undefined;
}

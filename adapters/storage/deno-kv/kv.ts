import { AssistantError } from "../../../mod.ts";
import { messageOf } from "../../../kit.ts";

export type KvKey = readonly (string | number)[];

export interface KvEntry {
  readonly key: KvKey;
  readonly value: unknown;
  readonly versionstamp: string | null;
}

interface KvAtomic {
  check(check: { key: KvKey; versionstamp: string | null }): KvAtomic;
  set(key: KvKey, value: unknown): KvAtomic;
  delete(key: KvKey): KvAtomic;
  commit(): Promise<{ readonly ok: true; readonly versionstamp: string } | { readonly ok: false }>;
}

/** The part of `Deno.Kv` that the store uses. */
export interface DenoKv {
  get(key: KvKey): Promise<KvEntry>;
  getMany(keys: readonly KvKey[]): Promise<KvEntry[]>;
  list(
    selector: { prefix: KvKey } | { start: KvKey; end: KvKey },
    options?: { limit?: number },
  ): AsyncIterable<KvEntry>;
  atomic(): KvAtomic;
  close(): void;
}

/** Opens Deno's database. The error says what is missing. */
export async function openDenoKv(path: string | undefined): Promise<DenoKv> {
  const { Deno } = globalThis as { Deno?: { openKv?(path?: string): Promise<DenoKv> } };
  if (Deno?.openKv === undefined) {
    throw new AssistantError(
      "STORE_UNAVAILABLE",
      Deno === undefined
        ? "Deno KV is available on Deno only: use fsStore or sqliteStore on this runtime"
        : "Deno KV is switched off: start Deno with --unstable-kv",
    );
  }
  const { openKv } = Deno;
  return attempt(`open ${path ?? "the default database"}`, () => openKv(path));
}

/** Most tries while another process holds the database's lock, 5 to 20 ms apart. */
const LOCK_TRIES = 200;

/**
 * Runs one call to the database, retries while another process holds its lock, and describes a failure in the error
 * that it throws.
 */
export async function attempt<T>(action: string, work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (cause) {
      const message = messageOf(cause);
      // Nothing was written, so the call can be repeated.
      if (/database is locked/.test(message) && tries < LOCK_TRIES) {
        await new Promise((resolve) => setTimeout(resolve, 5 + Math.random() * 15));
        continue;
      }
      if (/disk is full/i.test(message)) {
        throw new AssistantError("STORE_FULL", `Deno KV has no room left to ${action}: free some disk space`, {
          cause,
        });
      }
      throw new AssistantError("STORE_UNAVAILABLE", `Deno KV could not ${action}: ${message}`, { cause });
    }
  }
}

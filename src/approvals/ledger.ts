import { ConflictError } from "../errors.ts";
import type { JsonValue, Store, Version, ReadableRoom } from "../store/index.ts";
import { keySegments, storeKey } from "../store/index.ts";
import { type Logger, leftOut } from "../telemetry/index.ts";
import { newCode, readCode } from "./code.ts";
import { APPROVALS_FORMAT, type ApprovalRecord, parseApproval } from "./records.ts";

const REQUESTS = "approvals/requests/";
export const REQUEST_DOCUMENTS: ReadableRoom = [REQUESTS, parseApproval];
const CODES = "approvals/codes/";
/** A marker per request that still needs work, so that those are found without listing all. */
const UNSETTLED = "approvals/unsettled/";

/** A request with its version for compare-and-set. */
export interface Kept {
  readonly record: ApprovalRecord;
  readonly version: Version;
}

export type Ledger = ReturnType<typeof createLedger>;

/** The documents of requests. Each step is a compare-and-set that only goes forward, so an answer counts once. */
export function createLedger({ store, logger }: { readonly store: Store; readonly logger: Logger }) {
  async function load(id: string): Promise<Kept | null> {
    const key = keyOf(REQUESTS, id);
    const found = await store.get(key);
    return found && { record: parseApproval(found.value, key), version: found.version };
  }

  async function* withPrefix(prefix: string): AsyncIterable<Kept> {
    for await (const { key } of store.list(prefix)) {
      const kept = await load(keySegments(key).at(-1) ?? "").catch(leftOut(logger));
      if (kept) yield kept;
    }
  }

  /** Reserves a code that no other request has. */
  async function takeCode(id: string): Promise<string> {
    for (;;) {
      const code = newCode();
      try {
        await store.put(CODES + code, { v: APPROVALS_FORMAT, id }, { expect: null });
        return code;
      } catch (error) {
        if (!ConflictError.is(error)) throw error;
      }
    }
  }

  return {
    load,
    takeCode,
    /** @throws {ConflictError} If a request with this id exists. */
    async create(record: ApprovalRecord): Promise<Kept> {
      await store.put(keyOf(UNSETTLED, record.id), { v: APPROVALS_FORMAT });
      const version = await store.put(keyOf(REQUESTS, record.id), toDocument(record), { expect: null });
      return { record, version };
    },
    /** @throws {ConflictError} If another writer was first. */
    async replace(kept: Kept, change: Partial<ApprovalRecord>): Promise<Kept> {
      const record: ApprovalRecord = { ...kept.record, ...change };
      const version = await store.put(keyOf(REQUESTS, record.id), toDocument(record), { expect: kept.version });
      return { record, version };
    },
    /** Removes the marker: no work is left. */
    settled: (id: string) => store.remove(keyOf(UNSETTLED, id)),
    async remove({ id, code }: ApprovalRecord): Promise<void> {
      await store.remove(CODES + code);
      await store.remove(keyOf(REQUESTS, id));
      await store.remove(keyOf(UNSETTLED, id));
    },
    /** Finds a request by its id or typed code. */
    async find(idOrCode: string): Promise<Kept | null> {
      if (idOrCode === "") return null;
      const kept = await load(idOrCode);
      if (kept) return kept;
      const code = readCode(idOrCode);
      const entry = code === null ? null : await store.get(CODES + code);
      const id = (entry?.value as { readonly id?: unknown } | undefined)?.id;
      return typeof id === "string" ? load(id) : null;
    },
    all: () => withPrefix(REQUESTS),
    unsettled: () => withPrefix(UNSETTLED),
    /** Ids of all markers, including those whose request a crash kept from being written. */
    async *marks(): AsyncIterable<string> {
      for await (const { key } of store.list(UNSETTLED)) yield keySegments(key).at(-1) ?? "";
    },
  };
}

function keyOf(prefix: string, id: string): string {
  return prefix + storeKey(id);
}

function toDocument(record: ApprovalRecord): JsonValue {
  return record as unknown as JsonValue; // plain data
}

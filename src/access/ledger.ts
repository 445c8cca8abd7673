import { ConflictError } from "../errors.ts";
import { type JsonValue, type Store, type Version, createTurns, storeKey, type ReadableRoom } from "../store/index.ts";
import { ACCESS_FORMAT, type AccountRecord, type OwnerRecord, parseAccount, parseOwner } from "./records.ts";

const ACCOUNTS = "access/accounts/";
const OWNER = "access/owner";
export const ACCOUNT_DOCUMENTS: ReadableRoom = [ACCOUNTS, parseAccount];
export const OWNER_DOCUMENT: ReadableRoom = [OWNER, parseOwner];

/** An account of a channel. */
export interface Place {
  readonly channel: string;
  readonly account: string;
}

interface Kept<T> {
  readonly record: T;
  readonly version: Version | null;
}

export type Ledger = ReturnType<typeof createLedger>;

/**
 * The documents under `access/`, cached in memory. Changes use compare-and-set, one at a time per document in this
 * process. On conflict, the other writer's change is read and the own one is decided again.
 */
export function createLedger({ store }: { readonly store: Store }) {
  const accounts = new Map<string, Kept<AccountRecord>>();
  const inTurn = createTurns();
  let owner: Kept<OwnerRecord> = { record: noOwner(), version: null };

  /**
   * Reads all documents, including changes of other processes. Each one waits for pending changes, so that no
   * older state replaces a newer one.
   */
  async function load(): Promise<void> {
    await inTurn(OWNER, loadOwner);
    const keys = new Set(accounts.keys());
    for await (const { key } of store.list(ACCOUNTS)) keys.add(key);
    for (const key of keys) await inTurn(key, () => loadAccount(key));
  }

  async function loadOwner(): Promise<void> {
    const found = await store.get(OWNER);
    owner = found
      ? { record: parseOwner(found.value, OWNER), version: found.version }
      : { record: noOwner(), version: null };
  }

  async function loadAccount(key: string): Promise<void> {
    const found = await store.get(key);
    if (found) accounts.set(key, { record: parseAccount(found.value, key), version: found.version });
    else accounts.delete(key);
  }

  /** Decides on the newest document and writes the result. Without `record`, nothing is written. */
  function changeAccount<T>(
    place: Place,
    decide: (account: AccountRecord) => { readonly record?: AccountRecord; readonly result: T },
  ): Promise<T> {
    const key = keyOf(place);
    return inTurn(key, async () => {
      for (;;) {
        const { record: known, version } = accounts.get(key) ?? { record: emptyAccount(place), version: null };
        const { record, result } = decide(known);
        if (record === undefined) return result;
        try {
          accounts.set(key, { record, version: await store.put(key, toDocument(record), { expect: version }) });
          return result;
        } catch (error) {
          if (!ConflictError.is(error)) throw error;
          await loadAccount(key);
        }
      }
    });
  }

  /** Like `changeAccount`, for the owner document. */
  function changeOwner<T>(
    decide: (owner: OwnerRecord) => { readonly record?: OwnerRecord; readonly result: T },
  ): Promise<T> {
    return inTurn(OWNER, async () => {
      for (;;) {
        const { record, result } = decide(owner.record);
        if (record === undefined) return result;
        try {
          owner = { record, version: await store.put(OWNER, toDocument(record), { expect: owner.version }) };
          return result;
        } catch (error) {
          if (!ConflictError.is(error)) throw error;
          await loadOwner();
        }
      }
    });
  }

  return {
    load,
    changeAccount,
    changeOwner,
    accountOf: (place: Place): AccountRecord => accounts.get(keyOf(place))?.record ?? emptyAccount(place),
    accounts: (): readonly AccountRecord[] => [...accounts.values()].map(({ record }) => record),
    owner: (): OwnerRecord => owner.record,
  };
}

function keyOf({ channel, account }: Place): string {
  return ACCOUNTS + storeKey(channel, account);
}

function emptyAccount({ channel, account }: Place): AccountRecord {
  return { v: ACCESS_FORMAT, channel, account, asked: [], ended: [], people: [] };
}

function noOwner(): OwnerRecord {
  return { v: ACCESS_FORMAT, owners: [] };
}

function toDocument(record: AccountRecord | OwnerRecord): JsonValue {
  return record as unknown as JsonValue; // plain data
}

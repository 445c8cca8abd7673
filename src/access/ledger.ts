import { ConflictError } from "../errors.ts";
import { type JsonValue, type Store, type Version, createTurns, storeKey, type ReadableRoom } from "../store/index.ts";
import { ACCESS_FORMAT, type AccountRecord, type OwnerRecord, parseAccount, parseOwner } from "./records.ts";

const ACCOUNTS = "access/accounts/";
const OWNER = "access/owner";
export const ACCOUNT_DOCUMENTS: ReadableRoom = [ACCOUNTS, parseAccount];
export const OWNER_DOCUMENT: ReadableRoom = [OWNER, parseOwner];

/** Which account of which channel. */
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
 * The documents under `access/`, and what is known of them in memory. Read from memory, changed by compare-and-set, one change of a document at a time in this
 * process; a change that somebody else made first is taken in, and the own one decided again.
 */
export function createLedger({ store }: { readonly store: Store }) {
  const accounts = new Map<string, Kept<AccountRecord>>();
  const inTurn = createTurns();
  let owner: Kept<OwnerRecord> = { record: noOwner(), version: null };

  /** Takes in what is kept, also by other processes; each document in its turn, so that no older state comes over a newer one. */
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

  /** Decides on the newest document and writes what was decided; `record` left out: nothing is written. */
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

  /** As `changeAccount`, of who owns the assistant. */
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
  return record as unknown as JsonValue; // plain data all the way down
}

import { ConflictError } from "../errors.ts";
import { type JsonValue, type Renamable, type Store, listKeys } from "../store/index.ts";
import { bindingHash } from "./binding.ts";
import { parseApproval } from "./records.ts";

const REQUESTS = "approvals/requests/";

/**
 * Moves a session's requests to its new key, with a new hash. A request that was changed since it was asked stays as
 * it is, so it is still refused.
 */
async function moveRequests(store: Store, from: string, to: string): Promise<void> {
  for (const key of await listKeys(store, REQUESTS)) {
    const found = await store.get(key);
    const caller = (found?.value as { readonly caller?: { readonly sessionKey?: string } } | undefined)?.caller;
    if (!found || caller?.sessionKey !== from) continue;
    const record = parseApproval(found.value, key);
    if ((await bindingHash(record)) !== record.hash) continue;
    const moved = { ...record, caller: { ...record.caller, sessionKey: to } };
    const value = { ...moved, hash: await bindingHash(moved) } as unknown as JsonValue; // plain data
    try {
      await store.put(key, value, { expect: found.version });
    } catch (error) {
      if (!ConflictError.is(error)) throw error; // it ended in the meantime
    }
  }
}

/** Renames the session in its requests for approval. */
export function createApprovalRenaming({ store }: { readonly store: Store }): Renamable {
  return { renameSession: (from, to) => moveRequests(store, from, to) };
}

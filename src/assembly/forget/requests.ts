import { type JsonValue, type Store, storeKey } from "../../store/index.ts";
import type { Person } from "./person.ts";
import type { Words } from "./words.ts";

/** What is read of a request for approval. */
export interface SavedRequest {
  readonly id?: string;
  readonly code?: string;
  readonly approvers?: readonly string[];
  readonly caller?: { readonly user?: string; readonly speakers?: readonly string[]; readonly sessionKey?: string };
}

/** Requests for approval of theirs, or that name them, and the rules that were made for them alone. */
export async function forgetApprovals(store: Store, person: Person, words: Words): Promise<void> {
  const found: string[] = [];
  for await (const { key } of store.list("approvals/requests/")) found.push(key);
  for (const key of found) {
    const request = ((await store.get(key))?.value ?? {}) as SavedRequest;
    const { id = "", code } = request;
    // Who may answer is the owner's business, and an owner may be who is forgotten.
    const { approvers: _, ...said } = request;
    if (!person.requests.has(id) && !words.isNamed(JSON.stringify(said))) continue;
    if (code !== undefined) await store.remove(`approvals/codes/${code}`);
    if (id !== "") await store.remove(`approvals/unsettled/${storeKey(id)}`);
    await store.remove(key);
  }
  const saved = await store.get("approvals/rules");
  const { rules } = (saved?.value ?? {}) as { readonly rules?: readonly JsonValue[] };
  if (!saved || !rules) return;
  const kept = rules.filter((rule) => {
    const { for: whom = "" } = rule as { readonly for?: string };
    return !whom.split("+").some(person.isUser) && !words.isNamed(JSON.stringify(rule));
  });
  if (kept.length === rules.length) return;
  await store.put("approvals/rules", { ...(saved.value as object), rules: kept }, { expect: saved.version });
}

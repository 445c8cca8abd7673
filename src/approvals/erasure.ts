import type { Erasable, Exportable, Exported, ExportedPerson, ForgottenPerson, Named } from "../erasable/index.ts";
import { OWNER_ROLE } from "../policy/index.ts";
import { type JsonValue, type Store, storeKey } from "../store/index.ts";

const REQUESTS = "approvals/requests/";
const RULES = "approvals/rules";

type JsonObject = Readonly<Record<string, JsonValue>>;

/** What is read of a request for approval. */
interface SavedRequest {
  readonly id?: string;
  readonly code?: string;
  readonly approvers?: readonly string[];
  readonly caller?: { readonly user?: string; readonly speakers?: readonly string[]; readonly sessionKey?: string };
}

/** What is kept of people's requests for approval; their names are ids and codes. */
export type ApprovalErasure = Erasable & Exportable & Named;

export function createApprovalErasure({
  store,
}: {
  readonly store: Pick<Store, "get" | "list" | "put" | "remove">;
}): ApprovalErasure {
  async function* requests(): AsyncGenerator<{ readonly key: string; readonly request: SavedRequest }> {
    const keys: string[] = [];
    for await (const { key } of store.list(REQUESTS)) keys.push(key);
    for (const key of keys) yield { key, request: ((await store.get(key))?.value ?? {}) as SavedRequest };
  }

  async function forgetRequests({ requests: theirs, words }: ForgottenPerson): Promise<void> {
    for await (const { key, request } of requests()) {
      const { id = "", code } = request;
      // Who may answer is the owner's business, and an owner may be who is forgotten.
      const { approvers: _approvers, ...said } = request;
      if (!theirs.has(id) && !words.isNamed(JSON.stringify(said))) continue;
      if (code !== undefined) await store.remove(`approvals/codes/${code}`);
      if (id !== "") await store.remove(`approvals/unsettled/${storeKey(id)}`);
      await store.remove(key);
    }
  }

  /** The rules that were made for them alone. */
  async function forgetRules({ isUser, words }: ForgottenPerson): Promise<void> {
    const saved = await store.get(RULES);
    const { rules } = (saved?.value ?? {}) as { readonly rules?: readonly JsonValue[] };
    if (!saved || !rules) return;
    const kept = rules.filter((rule) => {
      const { for: whom = "" } = rule as { readonly for?: string };
      return !whom.split("+").some(isUser) && !words.isNamed(JSON.stringify(rule));
    });
    if (kept.length === rules.length) return;
    await store.put(RULES, { ...(saved.value as object), rules: kept }, { expect: saved.version });
  }

  return {
    async *exportPerson(person) {
      for await (const { key, request } of requests())
        if (isOfThemAlone(request, person)) yield { file: key, ...withoutOwner(request as JsonObject) };
      const { rules = [] } = ((await store.get(RULES))?.value ?? {}) as { readonly rules?: readonly JsonValue[] };
      for (const rule of rules) if (isRuleOf(rule, person)) yield { file: RULES, ...withoutOwner(rule as JsonObject) };
    },
    async namesOf(person) {
      const names: string[] = [];
      for await (const { request } of requests()) {
        const { id, code } = request;
        if (!isTheirs(request, person)) continue;
        for (const name of [id, code]) if (name !== undefined) names.push(name);
      }
      return names;
    },
    async forget(person) {
      await forgetRequests(person);
      await forgetRules(person);
    },
  };
}

/** Did they make it, or a session that is theirs alone? */
function isTheirs(
  { caller }: SavedRequest,
  { isUser, sessions }: Pick<ForgottenPerson, "isUser" | "sessions">,
): boolean {
  const { user = "", speakers = [], sessionKey = "" } = caller ?? {};
  return sessions.has(sessionKey) || [user, ...speakers].some(isUser);
}

/** Of a turn that answered several people it is none of one of them. */
function isOfThemAlone({ caller }: SavedRequest, { isUser }: Pick<ExportedPerson, "isUser">): boolean {
  const { user = "", speakers = [] } = caller ?? {};
  return [user, ...speakers].every(isUser);
}

/** What was asked and what came of it. Who may answer, and did, is another person; codes and hashes are of no use. */
function withoutOwner({
  approvers: _approvers,
  by: _by,
  hash: _hash,
  code: _code,
  answer,
  ...asked
}: JsonObject): Exported {
  const { by: _answerer, ...given } = (answer ?? {}) as JsonObject;
  return { ...asked, ...(answer !== undefined && { answer: given }) };
}

/** A rule of several people is none of one of them. */
function isRuleOf(rule: JsonValue, { isUser, isOwner }: Pick<ExportedPerson, "isUser" | "isOwner">): boolean {
  const { for: whom = "" } = rule as { readonly for?: string };
  return whom === OWNER_ROLE ? isOwner : isUser(whom);
}

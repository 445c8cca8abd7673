import type { Erasable, Exportable, Exported, ExportedPerson, ForgottenPerson, Named } from "../erasable/index.ts";
import { OWNER_ROLE } from "../policy/index.ts";
import { leftOut } from "../telemetry/index.ts";
import { type JsonValue, type Store, isObject, listKeys, storeKey, textsIn } from "../store/index.ts";

const REQUESTS = "approvals/requests/";
const RULES = "approvals/rules";

type JsonObject = Readonly<Record<string, JsonValue>>;

/** What is read of a request for approval, also of one that was damaged. */
interface SavedRequest {
  readonly id: string;
  readonly code: string;
  readonly sessionKey: string;
  /** Everybody whose messages the turn answers. */
  readonly people: readonly string[];
  readonly whole: JsonObject;
}

/** What is kept of people's requests for approval; their names are ids and codes. */
export type ApprovalErasure = Erasable & Exportable & Named;

export function createApprovalErasure({
  store,
}: {
  readonly store: Pick<Store, "get" | "list" | "put" | "remove">;
}): ApprovalErasure {
  /** @param onFailure Default: one that cannot be read is passed over. */
  async function* requests(
    onFailure: (error: unknown) => null | void = leftOut(),
  ): AsyncGenerator<{ readonly key: string; readonly request: SavedRequest }> {
    for (const key of await listKeys(store, REQUESTS)) {
      const found = await store.get(key).catch(onFailure);
      if (found) yield { key, request: savedRequest(found.value) };
    }
  }

  async function forgetRequests({ requests: theirs, words }: ForgottenPerson, failed: (error: unknown) => void) {
    for await (const { key, request } of requests(failed)) {
      const { id, code, whole } = request;
      // Who may answer is the owner's business, and an owner may be who is forgotten.
      const { approvers: _approvers, ...said } = whole;
      if (!theirs.has(id) && !words.isNamed(JSON.stringify(said))) continue;
      if (code !== "") await store.remove(`approvals/codes/${storeKey(code)}`);
      if (id !== "") await store.remove(`approvals/unsettled/${storeKey(id)}`);
      await store.remove(key);
    }
  }

  /** The rules that were made for them alone. */
  async function forgetRules({ isUser, words }: ForgottenPerson): Promise<void> {
    const saved = await store.get(RULES);
    if (!saved) return;
    const rules = rulesOf(saved.value);
    // One that is not as it was written is gone only when it names them.
    const kept = rules.filter((rule) => !whomOf(rule).split("+").some(isUser) && !words.isNamed(JSON.stringify(rule)));
    if (kept.length === rules.length) return;
    await store.put(RULES, { ...(saved.value as object), rules: kept }, { expect: saved.version });
  }

  return {
    async *exportPerson(person) {
      for await (const { key, request } of requests())
        if (isOfThemAlone(request, person)) yield { file: key, ...withoutOwner(request.whole) };
      for (const rule of rulesOf((await store.get(RULES).catch(leftOut()))?.value))
        if (isRuleOf(rule, person)) yield { file: RULES, ...withoutOwner(rule as JsonObject) };
    },
    async namesOf(person) {
      const names: string[] = [];
      for await (const { request } of requests()) {
        const { id, code } = request;
        if (!isTheirs(request, person)) continue;
        for (const name of [id, code]) if (name !== "") names.push(name);
      }
      return names;
    },
    async forget(person) {
      const failures: unknown[] = [];
      const failed = (error: unknown) => void failures.push(error);
      await forgetRequests(person, failed);
      await forgetRules(person).catch(failed);
      if (failures.length > 0) throw failures[0];
    },
  };
}

/** Did they make it, or a session that is theirs alone? */
function isTheirs(
  { people, sessionKey }: SavedRequest,
  { isUser, sessions }: Pick<ForgottenPerson, "isUser" | "sessions">,
): boolean {
  return sessions.has(sessionKey) || people.some(isUser);
}

function savedRequest(value: unknown): SavedRequest {
  const whole = isObject(value) ? (value as JsonObject) : {};
  const { id, code, caller } = whole;
  const { user, speakers, sessionKey } = (isObject(caller) ? caller : {}) as JsonObject;
  const text = (one: unknown) => (typeof one === "string" ? one : "");
  return {
    id: text(id),
    code: text(code),
    sessionKey: text(sessionKey),
    people: [text(user), ...textsIn(speakers)],
    whole,
  };
}

function rulesOf(value: unknown): readonly JsonValue[] {
  const { rules } = isObject(value) ? (value as JsonObject) : {};
  return Array.isArray(rules) ? rules : [];
}

/** Of a turn that answered several people it is none of one of them. */
function isOfThemAlone({ people }: SavedRequest, { isUser }: Pick<ExportedPerson, "isUser">): boolean {
  return people.every(isUser);
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
  const whom = whomOf(rule);
  return whom === OWNER_ROLE ? isOwner : isUser(whom);
}

function whomOf(rule: unknown): string {
  const whom = isObject(rule) ? rule["for"] : undefined;
  return typeof whom === "string" ? whom : "";
}

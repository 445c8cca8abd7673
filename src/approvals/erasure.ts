import type { Erasable, Exportable, Exported, ExportedPerson, ForgottenPerson, Named } from "../erasable/index.ts";
import { OWNER_ROLE } from "../policy/index.ts";
import { leftOut } from "../telemetry/index.ts";
import { type JsonValue, type Store, isObject, listKeys, storeKey, textsIn } from "../store/index.ts";

const REQUESTS = "approvals/requests/";
const RULES = "approvals/rules";

type JsonObject = Readonly<Record<string, JsonValue>>;

/** The fields read from a request, even from a damaged one. */
interface SavedRequest {
  readonly id: string;
  readonly code: string;
  readonly sessionKey: string;
  /** All people whose messages the turn answers. */
  readonly people: readonly string[];
  readonly whole: JsonObject;
}

/** Removes and exports people's requests for approval. Their names are ids and codes. */
export type ApprovalErasure = Erasable & Exportable & Named;

export function createApprovalErasure({
  store,
}: {
  readonly store: Pick<Store, "get" | "list" | "put" | "remove">;
}): ApprovalErasure {
  /** @param onFailure Default: skips an unreadable request. */
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
      // Ignores `approvers`: they are the owner's data, and the forgotten person can be an owner.
      const { approvers: _approvers, ...said } = whole;
      if (!theirs.has(id) && !words.isNamed(JSON.stringify(said))) continue;
      if (code !== "") await store.remove(`approvals/codes/${storeKey(code)}`);
      if (id !== "") await store.remove(`approvals/unsettled/${storeKey(id)}`);
      await store.remove(key);
    }
  }

  /** Removes the rules of this person alone. */
  async function forgetRules({ isUser, words }: ForgottenPerson): Promise<void> {
    const saved = await store.get(RULES);
    if (!saved) return;
    const rules = rulesOf(saved.value);
    // A damaged rule is removed only if it names the person.
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

/** Whether the person made the request, or it belongs to a session of theirs alone. */
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

/** Whether the request is the person's alone. One of a turn for several people is not exported. */
function isOfThemAlone({ people }: SavedRequest, { isUser }: Pick<ExportedPerson, "isUser">): boolean {
  return people.every(isUser);
}

/**
 * The request and its outcome for an export. The owner who may answer is another person,
 * and codes and hashes are useless.
 */
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

/** Whether a rule is the person's alone. A rule for several people is not exported. */
function isRuleOf(rule: JsonValue, { isUser, isOwner }: Pick<ExportedPerson, "isUser" | "isOwner">): boolean {
  const whom = whomOf(rule);
  return whom === OWNER_ROLE ? isOwner : isUser(whom);
}

function whomOf(rule: unknown): string {
  const whom = isObject(rule) ? rule["for"] : undefined;
  return typeof whom === "string" ? whom : "";
}

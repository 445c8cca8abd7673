import { ConflictError } from "../errors.ts";
import {
  type JsonValue,
  type LogRecord,
  type RewriteOptions,
  type Store,
  isLog,
  keySegments,
  listKeys,
  rewriteLog,
} from "../store/index.ts";
import type { ForgottenPerson } from "./port.ts";

type Change = (record: LogRecord) => LogRecord;

/** Exceptions of a room's keys. */
export interface EraseRules {
  /** Whether to remove a key. Default: a segment after the first is the person or one of their sessions. */
  isTheirs?(key: string): boolean;
  /** Whether to remove a document because of its content. Default: none. */
  isOver?(value: JsonValue): boolean;
  /** Default: redacts the person's names. */
  readonly change?: Change;
  /** The ids with which records of logs were appended. */
  readonly rewriting?: RewriteOptions;
  /** Default: rewrites the log in place. */
  rewrite?(log: string, change: Change): Promise<void>;
  /** Called after a document was written. */
  onWritten?(key: string): Promise<void>;
}

/**
 * Removes the person's keys under a prefix, and redacts their names in the others. Binary documents stay as they are.
 * @throws The first error of a key, once all others are done.
 */
export async function eraseUnder(
  store: Store,
  prefix: string,
  person: ForgottenPerson,
  rules: EraseRules = {},
): Promise<void> {
  const { isTheirs = (key) => isKeyOf(person, key), change = person.words.scrub } = rules;
  const keys = await listKeys(store, prefix);
  const failures: unknown[] = [];
  const erase = async (key: string): Promise<void> => {
    if (isTheirs(key)) await store.remove(key);
    else if (!(await isLog(store, key))) await scrubDocument(store, key, person, rules);
    else if (rules.rewrite) await rules.rewrite(key, change);
    else await rewriteLog(store, key, change, rules.rewriting);
  };
  for (const key of keys) await erase(key).catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}

async function scrubDocument(store: Store, key: string, { words }: ForgottenPerson, rules: EraseRules): Promise<void> {
  for (;;) {
    const found = await store.get(key);
    if (!found || found.value instanceof Uint8Array) return;
    if (rules.isOver?.(found.value)) return await store.remove(key);
    const value = words.scrub(found.value);
    if (value === found.value) return;
    try {
      await store.put(key, value, { expect: found.version });
      await rules.onWritten?.(key);
      return;
    } catch (error) {
      if (!ConflictError.is(error)) throw error;
    }
  }
}

/** Whether a segment of the key after the first is the person. An id within a longer id does not count. */
export function isKeyOf({ userId, sessions, isNamedBy }: ForgottenPerson, key: string): boolean {
  const [, ...segments] = keySegments(key);
  return segments.some(
    (segment, at) => segment === userId || sessions.has(segment) || isNamedBy(segment, segments.slice(0, at)),
  );
}

/** Whether a document waits in a session of the person alone. It is removed, no matter who it is for. */
export function waitsInSessionOf({ sessions }: ForgottenPerson): (value: JsonValue) => boolean {
  return (value) => {
    const { sessionKey } = (value ?? {}) as { readonly sessionKey?: unknown };
    return typeof sessionKey === "string" && sessions.has(sessionKey);
  };
}

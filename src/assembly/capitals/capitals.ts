import { moveRequests } from "../../approvals/index.ts";
import { AssistantError } from "../../errors.ts";
import type { Engine } from "../../engine/index.ts";
import { dayWakeKey } from "../../proactive/index.ts";
import { type MemoryUsers, type Sessions, namedSessionKey, parseSessionKey, parseUser, sessionWakeKey } from "../../session/index.ts";
import { type LogRecord, type Store, keySegments, storeKey } from "../../store/index.ts";
import type { Logger } from "../../telemetry/index.ts";
import { type KeyMove, type Respell, moveKeys } from "./move-keys.ts";
import { directKey, foldUser, spelledKey } from "./spellings.ts";

/** What was found, and how far the move has come: the last record holds. A log, as its first line is then as cheap as no line on a new store. */
const STATE = storeKey("migrations", "capitals.jsonl");
const FORMAT = 1;

/** A conversation, or what is kept of a person, and where it belongs. */
interface Move {
  readonly what: "session" | "person";
  readonly from: string;
  readonly to: string;
}

/** What an earlier version wrote under one small spelling for people or conversations that differ by capitals. */
export interface MixedSpelling {
  /** A conversation, or what is remembered of a person. */
  readonly what: "session" | "person";
  /** The session key, or the user id, in small letters. */
  readonly id: string;
  /** The session keys or user ids that capitals make of it. */
  readonly spellings: readonly string[];
}

interface State {
  readonly v: typeof FORMAT;
  readonly done: boolean;
  readonly moves: readonly Move[];
  readonly kept: readonly MixedSpelling[];
  /** Conversations whose names were not written down: whichever spelling the host uses means them. */
  readonly unspelled: readonly string[];
}

export interface CapitalsParts {
  readonly store: Store;
  readonly sessions: Pick<Sessions, "list" | "scan">;
  readonly engine: Pick<Engine, "wake">;
  readonly users: Pick<MemoryUsers, "memoryUserOf">;
  readonly logger: Pick<Logger, "info" | "warn">;
  /** Do ids of this channel differ by letter case? */
  keepsCapitals(channel: string): boolean;
}

export type Capitals = ReturnType<typeof createCapitals>;

/**
 * An earlier version kept the host's user ids and session names in small letters. What one spelling alone wrote moves to it, once, before anything is handled;
 * what several wrote stays, as nobody can tell any more what is whose.
 *
 * Source: docs/sessions.md, "Capitals".
 */
export function createCapitals(parts: CapitalsParts) {
  const { store, engine, logger } = parts;
  let unspelled: ReadonlySet<string> = new Set();

  /** Moves what is left to move. Contract: called before anything is handled; can be called again after a crash. */
  async function move(): Promise<void> {
    const saved = await readState(store);
    const state = saved ?? (await find());
    unspelled = new Set(state.unspelled);
    if (!saved) await store.append(STATE, state as unknown as LogRecord, { flush: state.moves.length > 0 });
    if (state.done) return;
    const refused: MixedSpelling[] = [];
    for (const one of state.moves) {
      try {
        await (one.what === "session" ? moveSession(one) : movePerson(one));
      } catch (error) {
        if (!AssistantError.is(error, "CONFLICT")) throw error;
        logger.warn("What was written with capitals stays under its small spelling", { ...one, error: error.message });
        refused.push({ what: one.what, id: one.from, spellings: [one.to] });
      }
    }
    for (const { what, to } of state.moves) await engine.wake(what === "session" ? sessionWakeKey(to) : dayWakeKey(to));
    const done: State = { ...state, done: true, moves: [], kept: [...state.kept, ...refused] };
    await store.append(STATE, done as unknown as LogRecord);
    if (state.moves.length > 0) logger.info("Ids have their capitals now", { moved: state.moves.length });
  }

  /** Everything that an earlier version wrote, whose it is by what was said. */
  async function find(): Promise<State> {
    const sessions = await parts.sessions.list({ limit: Infinity });
    const moves: Move[] = [];
    const kept: MixedSpelling[] = [];
    const withoutName: string[] = [];
    const people = new Map<string, Set<string>>();
    for (const { key } of sessions) {
      const spelled = new Set<string>();
      let isNamed = false;
      for await (const record of parts.sessions.scan(key)) {
        if (record.type !== "in" || record.peer.kind !== "direct") continue;
        if (!parts.keepsCapitals(parseUser(record.user).channel)) continue;
        const person = parts.users.memoryUserOf(record);
        const small = foldUser(person);
        if (!/^[@%]/.test(person)) people.set(small, (people.get(small) ?? new Set()).add(person));
        const to = spelledKey(key, record);
        if (to === undefined) isNamed = true;
        else spelled.add(to);
      }
      const [to = key] = spelled;
      if (spelled.size > 1) kept.push({ what: "session", id: key, spellings: [...spelled] });
      else if (to !== key) moves.push({ what: "session", from: key, to });
      if (isNamed && spelled.size === 0) withoutName.push(key);
    }
    for (const [from, spelled] of people) {
      const [to = from] = spelled;
      if (spelled.size > 1) kept.push({ what: "person", id: from, spellings: [...spelled] });
      else if (to !== from) moves.push({ what: "person", from, to });
    }
    return { v: FORMAT, done: moves.length === 0, moves, kept, unspelled: withoutName };
  }

  async function moveSession({ from, to }: Move): Promise<void> {
    const place = (key: string) => {
      const parsed = parseSessionKey(key);
      return storeKey("sessions", parsed?.agentId ?? "", parsed?.rest ?? "");
    };
    const moves = [
      ...(await under(`${place(from)}/`, `${place(to)}/`)),
      ...(await under(`${storeKey("artifacts", from)}/`, `${storeKey("artifacts", to)}/`)),
      { from: storeKey("plans", from), to: storeKey("plans", to) },
      { from: storeKey(".index", "capture", from), to: storeKey(".index", "capture", to) },
    ];
    await moveRequests(store, from, to);
    await moveLateResults(from, to);
    await moveKeys(store, moves, (value) => withKey(value, from, to));
  }

  async function movePerson({ from, to }: Move): Promise<void> {
    const notes: KeyMove[] = [];
    for await (const { key } of store.list("contexts/")) {
      const [room = "", identity = "", folder = "", id, ...rest] = keySegments(key);
      if (folder === "peers" && id === from)
        notes.push({ from: key, to: storeKey(room, identity, folder, to, ...rest) });
    }
    const files = await under(`${storeKey("memory", from)}/`, `${storeKey("memory", to)}/`);
    // The files say whose they are in their heads.
    const named = (text: string, id: string) => text.replace(/^user_id: .*$/m, `user_id: ${JSON.stringify(id)}`);
    const respell: Respell = (value) =>
      typeof value === "string" && value.startsWith("---\n") && value.includes(`user_id: ${JSON.stringify(from)}`)
        ? named(value, to)
        : value;
    await moveKeys(store, [...files, ...notes], respell);
    // Made again of the files.
    for (const { from: key } of await under(`${storeKey(".index", "memory", from)}/`, "")) await store.remove(key);
  }

  async function moveLateResults(from: string, to: string): Promise<void> {
    for (const { from: key } of await under("late-results/", "")) {
      const found = await store.get(key);
      const value = found?.value as { readonly sessionKey?: string } | undefined;
      if (found && value?.sessionKey === from)
        await store.put(key, { ...value, sessionKey: to }, { expect: found.version });
    }
  }

  /** Records and documents that name their conversation. */
  function withKey<T>(value: T, from: string, to: string): T {
    if (value instanceof Uint8Array || typeof value !== "object" || value === null)
      return value === from ? (to as T) : value;
    if (Array.isArray(value)) return value.map((one: unknown) => withKey(one, from, to)) as T;
    return Object.fromEntries(Object.entries(value).map(([name, held]) => [name, withKey(held, from, to)])) as T;
  }

  async function under(from: string, to: string): Promise<KeyMove[]> {
    const moves: KeyMove[] = [];
    for await (const { key } of store.list(from)) moves.push({ from: key, to: to + key.slice(from.length) });
    return moves;
  }

  /** The key of a conversation that the host names. One of an earlier version, whose name was not written down, is meant by every spelling of it. */
  function keyOf(agentId: string, channel: string, name: string): string {
    const key = namedSessionKey(agentId, channel, name);
    if (unspelled.size === 0 || !directKey(key)?.part.includes("%")) return key;
    const slash = name.lastIndexOf("/") + 1;
    const small = namedSessionKey(agentId, channel, name.slice(0, slash) + name.slice(slash).toLowerCase());
    return unspelled.has(small) ? small : key;
  }

  return { move, keyOf };
}

/**
 * What an earlier version, for which capitals made no difference, kept together of several spellings: it stays under the small one. `wakeful doctor` shows it.
 *
 * Source: docs/sessions.md, "Capitals".
 */
export async function mixedSpellings(store: Pick<Store, "read">): Promise<readonly MixedSpelling[]> {
  return (await readState(store))?.kept ?? [];
}

async function readState(store: Pick<Store, "read">): Promise<State | undefined> {
  for await (const { record } of store.read(STATE, { last: 1 })) return record as unknown as State; // written here alone
  return undefined;
}

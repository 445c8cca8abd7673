import { AssistantError } from "../../errors.ts";
import {
  type LogRecord,
  type Renamable,
  type Store,
  keysUnder,
  moveKeys,
  respelling,
  storeKey,
} from "../../store/index.ts";
import type { Logger } from "../../telemetry/index.ts";
import type { MemoryUsers } from "../memory-users.ts";
import { namedSessionKey } from "../route.ts";
import { parseSessionKey, parseUser } from "../session-key.ts";
import type { Sessions } from "../sessions.ts";
import { directKey, foldUser, spelledKey } from "./spellings.ts";

/**
 * Log of what was found and how far the move has come; the last record holds. A log and not a document, because
 * reading the first line of a log is cheap on a new store as well.
 */
const STATE = storeKey("migrations", "capitals.jsonl");
const FORMAT = 1;

/** A session, or what is kept of a person, with its old and new name. */
interface Move {
  readonly what: "session" | "person";
  readonly from: string;
  readonly to: string;
}

/** Data that an earlier version wrote under one lower-case spelling, although several spellings were used. */
export interface MixedSpelling {
  /** A session, or what is remembered of a person. */
  readonly what: "session" | "person";
  /** The session key or user id in lower case. */
  readonly id: string;
  /** The session keys or user ids, with capitals, that fold to it. */
  readonly spellings: readonly string[];
}

interface State {
  readonly v: typeof FORMAT;
  readonly done: boolean;
  readonly moves: readonly Move[];
  readonly kept: readonly MixedSpelling[];
  /** Sessions whose name was not recorded. Every spelling that the host uses means this session. */
  readonly unspelled: readonly string[];
}

export interface CapitalsDeps {
  readonly store: Store;
  readonly sessions: Pick<Sessions, "list" | "scan">;
  readonly users: Pick<MemoryUsers, "memoryUserOf">;
  readonly logger: Pick<Logger, "info" | "warn">;
  /** Other rooms that name their keys after sessions and users. */
  readonly rooms: readonly Renamable[];
  /** Wakes the handlers of what has moved. */
  wake(moved: { readonly what: "session" | "person"; readonly to: string }): Promise<void>;
  /** Whether ids of this channel are case-sensitive. */
  keepsCapitals(channel: string): boolean;
}

export type Capitals = ReturnType<typeof createCapitals>;

/**
 * Moves data of an earlier version, which kept the host's user ids and session names in lower case. Data that only
 * one spelling wrote moves to that spelling, once, before anything is handled. Data that several spellings wrote
 * stays, because its owner can no longer be told.
 *
 * Source: docs/sessions.md, "Capitals".
 */
export function createCapitals(deps: CapitalsDeps) {
  const { store, logger } = deps;
  const rooms = [createSessionRenaming({ store }), ...deps.rooms];
  let unspelled: ReadonlySet<string> = new Set();

  /**
   * Moves everything that still has to move. Contract: called before anything is handled; can
   * be called again after a crash.
   */
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
    for (const moved of state.moves) await deps.wake(moved);
    const done: State = { ...state, done: true, moves: [], kept: [...state.kept, ...refused] };
    await store.append(STATE, done as unknown as LogRecord);
    if (state.moves.length > 0) logger.info("Ids have their capitals now", { moved: state.moves.length });
  }

  /** Finds everything that an earlier version wrote. The messages in each log show which spellings were used. */
  async function find(): Promise<State> {
    const sessions = await deps.sessions.list({ limit: Infinity });
    const moves: Move[] = [];
    const kept: MixedSpelling[] = [];
    const withoutName: string[] = [];
    const people = new Map<string, Set<string>>();
    for (const { key } of sessions) {
      const spelled = new Set<string>();
      let isNamed = false;
      for await (const record of deps.sessions.scan(key)) {
        if (record.type !== "in" || record.peer.kind !== "direct") continue;
        if (!deps.keepsCapitals(parseUser(record.user).channel)) continue;
        const person = deps.users.memoryUserOf(record);
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
    const moves = [];
    for (const room of rooms) moves.push(...((await room.sessionMoves?.(from, to)) ?? []));
    for (const room of rooms) await room.renameSession?.(from, to);
    await moveKeys(store, moves);
  }

  async function movePerson({ from, to }: Move): Promise<void> {
    const moves = [];
    for (const room of rooms) moves.push(...((await room.userMoves?.(from, to)) ?? []));
    await moveKeys(store, moves);
    for (const room of rooms) await room.dropUser?.(from);
  }

  /**
   * The key of a session that the host names. A session of an earlier version without a recorded
   * name answers to every spelling.
   */
  function keyOf(agentId: string, channel: string, name: string): string {
    const key = namedSessionKey(agentId, channel, name);
    if (unspelled.size === 0 || !directKey(key)?.part.includes("%")) return key;
    const slash = name.lastIndexOf("/") + 1;
    const small = namedSessionKey(agentId, channel, name.slice(0, slash) + name.slice(slash).toLowerCase());
    return unspelled.has(small) ? small : key;
  }

  return { move, keyOf };
}

/** Moves the logs of sessions. */
function createSessionRenaming({ store }: { readonly store: Store }): Renamable {
  const folder = (key: string) => {
    const parsed = parseSessionKey(key);
    return `${storeKey("sessions", parsed?.agentId ?? "", parsed?.rest ?? "")}/`;
  };
  return { sessionMoves: (from, to) => keysUnder(store, folder(from), folder(to), respelling(from, to)) };
}

/**
 * Data of an earlier version in which several spellings share one lower-case name. It stays under that
 * name. `wakeful doctor` shows it.
 *
 * Source: docs/sessions.md, "Capitals".
 */
export async function mixedSpellings(store: Pick<Store, "read">): Promise<readonly MixedSpelling[]> {
  return (await readState(store))?.kept ?? [];
}

async function readState(store: Pick<Store, "read">): Promise<State | undefined> {
  for await (const { record } of store.read(STATE, { last: 1 })) return record as unknown as State; // only this file writes it
  return undefined;
}

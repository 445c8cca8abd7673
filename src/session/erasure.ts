import {
  type Erasable,
  type Exportable,
  type ForgottenPerson,
  NOBODY,
  type Words,
  eraseUnder,
  otherIds,
} from "../erasable/index.ts";
import { type JsonValue, type LogRecord, type Store, keySegments, rewriteLog } from "../store/index.ts";
import type { Sessions } from "./sessions.ts";
import { type IsTheirs, type Traces, findTraces } from "./traces.ts";

const ROOM = "sessions/";
/** Keeps the number of a record that cannot be read, and changes nothing. */
const FILLER: LogRecord = { v: 1, type: "setting", at: 0, settings: {}, by: "runtime" };
const REWRITING = { idOf, filler: FILLER };

/** How a session reads without a person. */
export interface SharedTraces {
  readonly isTheirs: IsTheirs;
  /** Whose a message is that was only overheard. */
  isUser(user: string): boolean;
  /** Ids and names under which something of theirs was said. */
  readonly requests: ReadonlySet<string>;
  /** What names them, by all that is known when the session is read. */
  words(): Words;
  /** Called before anything of the session goes: afterwards nothing tells which of it was theirs. */
  onFound(traces: Traces): Promise<void>;
}

/** What sessions keep of people. */
export interface SessionErasure extends Erasable, Exportable {
  /** As /stop does: what waits is not begun, and a turn at work ends. */
  stop(key: string): Promise<void>;
  /** Removes a session that is theirs alone, once no turn is at work in it. */
  remove(key: string): Promise<void>;
  /** Takes a person out of a session that others share. */
  rewrite(key: string, traces: SharedTraces): Promise<void>;
}

export function createSessionErasure({
  store,
  sessions,
}: {
  readonly store: Store;
  readonly sessions: Pick<Sessions, "alone" | "append" | "scan">;
}): SessionErasure {
  async function holds(log: string, change: (record: LogRecord) => LogRecord): Promise<boolean> {
    for await (const { record } of store.read(log)) if (change(record) !== record) return true;
    return false;
  }

  async function rewrite(log: string, change: (record: LogRecord) => LogRecord, words: Words): Promise<void> {
    const seqs = new Map<string, number>();
    for await (const { seq, record } of store.read(log)) {
      const id = idOf(record);
      if (id !== undefined && !seqs.has(id)) seqs.set(id, seq);
    }
    const { rename } = otherIds(seqs, words.scrub);
    await rewriteLog(store, log, (record) => change(rename(record)), REWRITING);
  }

  return {
    /** Conversations of the person alone. What is shared is everybody's who spoke there. */
    async *exportPerson({ sessions: theirs }) {
      for (const session of theirs)
        // Records are plain JSON.
        for await (const record of sessions.scan(session)) yield { session, record: record as unknown as JsonValue };
    },

    stop: async (key) => void (await sessions.append(key, { type: "stop", by: NOBODY })),

    remove: (key) =>
      sessions.alone(key, async (logs) => {
        for (const log of logs) await store.remove(log);
      }),

    rewrite: (key, { isTheirs, isUser, requests, words, onFound }) =>
      sessions.alone(key, async ([summaries = "", log = ""]) => {
        const traces = await findTraces(sessions.scan(key), isTheirs, isUser, words(), requests);
        await onFound(traces);
        if (!traces.found) return;
        await rewriteLog(store, log, traces.without, REWRITING);
        // Rebuilt from the log when they are listed.
        await store.remove(summaries);
      }),

    forget: (person: ForgottenPerson) =>
      eraseUnder(store, ROOM, person, {
        // A session is theirs by what was said in it, not by its key.
        isTheirs(key) {
          const [, agent, rest] = keySegments(key);
          return person.sessions.has(`agent:${agent}:${rest}`);
        },
        async rewrite(log, change) {
          const [, agent, rest, file] = keySegments(log);
          if (file === undefined) await rewrite(log, change, person.words);
          else if (await holds(log, change))
            await sessions.alone(`agent:${agent}:${rest}`, () => rewrite(log, change, person.words));
        },
      }),
  };
}

/** The ids with which records are appended. */
function idOf({ id }: LogRecord): string | undefined {
  return typeof id === "string" ? id : undefined;
}

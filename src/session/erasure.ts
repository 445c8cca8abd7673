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
/** Replaces an unreadable record, so that later records keep their numbers. Changes nothing when applied. */
const FILLER: LogRecord = { v: 1, type: "setting", at: 0, settings: {}, by: "runtime" };
const REWRITING = { idOf, filler: FILLER };

/** What to remove from a session that a person shares with others. */
export interface SharedTraces {
  readonly isTheirs: IsTheirs;
  /** Whether a user is the person. For messages that were only overheard. */
  isUser(user: string): boolean;
  /** Ids of notes that belong to the person, or prefixes of such ids up to a colon. */
  readonly requests: ReadonlySet<string>;
  /** Words that identify the person, read when the session is read. */
  words(): Words;
  /** Called before anything is removed. Afterwards nothing shows which records were the person's. */
  onFound(traces: Traces): Promise<void>;
}

/** Removes and exports what sessions keep of people. */
export interface SessionErasure extends Erasable, Exportable {
  /** Stops a session as `/stop` does: waiting messages are not begun, and the running turn ends. */
  stop(key: string): Promise<void>;
  /** Removes a session that is the person's alone, once no turn runs in it. */
  remove(key: string): Promise<void>;
  /** Removes a person from a session that others share. */
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
    /** Exports sessions of the person alone. A shared session belongs to everyone who spoke in it. */
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
        // Summaries are rebuilt from the log when they are listed.
        await store.remove(summaries);
      }),

    forget: (person: ForgottenPerson) =>
      eraseUnder(store, ROOM, person, {
        // What was said in a session decides whether it is the person's; its key does not.
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

/** The id that a record was appended with. */
function idOf({ id }: LogRecord): string | undefined {
  return typeof id === "string" ? id : undefined;
}

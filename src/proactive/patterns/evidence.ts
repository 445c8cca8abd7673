import QuickLRU from "quick-lru";
import type { Clock } from "../../clock.ts";
import {
  type Erasable,
  type Exportable,
  type Movable,
  eraseUnder,
  exportUnder,
  moveDocument,
} from "../../erasable/index.ts";
import { tokensOf } from "../../memory/index.ts";
import {
  type ChangeRecord,
  type InRecord,
  type MemoryUsers,
  type OutRecord,
  QUEUE_FULL,
  type Sequenced,
  type Sessions,
  messageRef,
  isWorkSession,
  refOf,
} from "../../session/index.ts";
import {
  type JsonValue,
  type KeyMove,
  type Renamable,
  type Store,
  allTexts,
  getIndex,
  respelling,
  storeKey,
} from "../../store/index.ts";
import type { ModelRedactor } from "../../telemetry/index.ts";
import { changeWaiting } from "../memory/changed-messages.ts";
import { MAX_ASKED_CHARS, asksQuestion } from "./asked.ts";
import { DAY_MS, brief } from "./entries.ts";
import type { PatternEntry } from "./pattern.ts";
import { personDocument } from "./person-document.ts";
import { topicOf } from "./topics.ts";

const FOLDER = storeKey(".index", "pattern-evidence");
/** Limits of the stored evidence of one person: the newest 500 messages, at most 90 days old. */
const MAX_SAID = 500;
export const EVIDENCE_DAYS = 90;
/** Conversations followed per person: those with the newest messages. */
const MAX_SESSIONS = 20;
const MAX_ANSWER_CHARS = 240;
const MAX_TOOLS = 20;
/** Least capacity of the cache of followed conversations. */
const MAX_FOLLOWED = 10_000;
/** Share of a message's words that must occur in a `memory_forget` call for the message to be dropped. */
const FORGOTTEN = 0.5;

/** One message of a person, and what the assistant did for it. */
interface Said {
  readonly id: string;
  readonly at: number;
  readonly turn: string;
  readonly session: string;
  /** The platform's reference of the message, if it has one. */
  readonly ref?: string;
  /** Empty if the message is too long and counts as a document. */
  readonly text: string;
  /** The reply, if the message is a question. */
  readonly answer?: string;
  /** Tools that succeeded in the turn. */
  readonly tools?: readonly string[];
  readonly failed?: readonly { readonly tool: string; readonly error: string }[];
}

/** How far a session's log has been read. */
interface Cursor {
  readonly session: string;
  /** Sequence number of the last reply that was read. */
  readonly seq: number;
  /** The next scan starts at this record. No earlier message still waits for its reply. */
  readonly from: number;
}

interface Kept {
  readonly v: 1;
  readonly said: readonly Said[];
  readonly cursors: readonly Cursor[];
  /** The chat in which the person last wrote. */
  readonly home?: EvidenceHome;
}

/** The direct chat in which a person last wrote. */
export interface EvidenceHome {
  /** `channel:id`. */
  readonly user: string;
  readonly channel: string;
  readonly account: string;
  readonly session: string;
  readonly chat: string;
  readonly thread?: string;
  /** The person's roles at that time. */
  readonly roles: readonly string[];
}

const NOTHING: Kept = { v: 1, said: [], cursors: [] };

export interface EvidenceDeps {
  readonly store: Store;
  /** Read only. */
  readonly sessions: Pick<Sessions, "load" | "scan" | "size">;
  readonly users: Pick<MemoryUsers, "memoryUserOf">;
  /** Replaces secrets. */
  readonly redact: ModelRedactor;
  readonly clock: Pick<Clock, "now">;
}

/** What people said in their direct chats and what was done for it: one bounded document per person. */
export type Evidence = ReturnType<typeof createEvidence>;

/**
 * Reads the logs of a person's direct chats: the messages that they wrote themselves, with the tools used and their
 * error codes. Leaves out runs of jobs, outcomes of approval requests, commands, and turns that called `memory_forget`.
 *
 * Source: docs/patterns.md, "Evidence".
 */
export function createEvidence({ store, sessions, users, redact, clock }: EvidenceDeps) {
  const document = personDocument(store, evidenceKeyOf, NOTHING, getIndex);
  const followed = new QuickLRU<string, true>({ maxSize: MAX_FOLLOWED });

  /** Starts to follow a conversation, from the oldest loaded turn on. Skips a job's own session. */
  async function follow(user: string, session: string): Promise<void> {
    if (followed.get(nameOf(user, session)) || isWorkSession(session)) return;
    const { history } = await sessions.load(session);
    const [first] = history[0]?.inputs ?? [];
    const left = await document.change(user, (known) => {
      if (known.cursors.some((cursor) => cursor.session === session)) return { next: null, result: [] };
      const cursors = [...known.cursors, { session, seq: 0, from: first?.seq ?? 1 }];
      const result = cursors.splice(0, cursors.length - MAX_SESSIONS);
      return { next: { ...known, cursors }, result };
    });
    for (const cursor of left) followed.delete(nameOf(user, cursor.session));
    followed.set(nameOf(user, session), true);
  }

  /** Reads new log records. @returns All stored evidence as entries, and the chat in which the person last wrote. */
  async function read(
    user: string,
  ): Promise<{ readonly entries: readonly PatternEntry[]; readonly home?: EvidenceHome }> {
    let known = await document.read(user);
    for (const cursor of known.cursors) {
      const news = await readSession(user, cursor);
      if (news === undefined) continue;
      known = await document.change(user, (newest) => {
        const next = withNews(newest, news);
        return { next, result: next };
      });
    }
    return { entries: known.said.flatMap(entriesOf), ...(known.home && { home: known.home }) };
  }

  interface News {
    readonly cursor: Cursor;
    readonly said: readonly Said[];
    readonly changes: readonly ChangeRecord[];
    /** Words of the `memory_forget` calls. */
    readonly forgotten: ReadonlySet<string>;
    readonly home?: EvidenceHome;
  }

  async function readSession(user: string, known: Cursor): Promise<News | undefined> {
    // The log was removed and started again under the same key.
    const isAnother = (await sessions.size(known.session)) < known.seq;
    const { session, seq, from } = isAnother ? { session: known.session, seq: 0, from: 1 } : known;
    const waiting = new Map<string, Sequenced<InRecord>>();
    const said: Said[] = [];
    const changes: ChangeRecord[] = [];
    const forgotten = new Set<string>();
    let home: EvidenceHome | undefined;
    let last = seq;
    for await (const record of sessions.scan(session, { after: from - 1 })) {
      if (record.type === "in") waiting.set(record.id, record);
      if (record.type === "change") {
        changeWaiting(waiting, record);
        changes.push(record);
      }
      if (record.type !== "out") continue;
      const messages = record.of.flatMap((id) => waiting.get(id) ?? []);
      for (const id of record.of) waiting.delete(id);
      if (record.seq <= seq || record.error?.code === QUEUE_FULL) continue;
      last = record.seq;
      if (record.toolCalls.some(({ name }) => name === "memory_forget"))
        for (const word of wordsToForget(record)) forgotten.add(word);
      else {
        const own = messages.filter((message) => isTheirs(message, user));
        said.push(...own.map((message) => saidIn(message, record, session, message === own.at(-1))));
        home = homeOf(own.at(-1), session) ?? home;
      }
    }
    if (last === known.seq && changes.length === 0) return undefined;
    const next = Math.min(last + 1, ...[...waiting.values()].map((message) => message.seq));
    return { cursor: { session, seq: last, from: next }, said, changes, forgotten, ...(home && { home }) };
  }

  /** Whether this person wrote the message themselves in a direct chat, and it is not a retry. */
  function isTheirs(message: Sequenced<InRecord>, user: string): boolean {
    const { source, command, retries, peer } = message;
    const isSaid = source === undefined && command === undefined && retries === undefined;
    return isSaid && peer.kind === "direct" && users.memoryUserOf(message) === user;
  }

  function saidIn(message: Sequenced<InRecord>, out: OutRecord, session: string, isNewest: boolean): Said {
    const text = shortText(message.text);
    const calls = isNewest ? out.toolCalls.slice(0, MAX_TOOLS) : [];
    const tools = [...new Set(calls.flatMap(({ name, error }) => (error ? [] : [name])))];
    const failed = calls.flatMap(({ name, error }) => (error ? [{ tool: name, error: brief(error.code, 80) }] : []));
    const ref = refOf(message);
    return {
      id: message.id,
      at: message.at,
      turn: out.turn,
      session,
      text,
      ...(ref !== undefined && { ref }),
      ...(asksQuestion(text) && !out.error && out.text !== "" && { answer: redact(brief(out.text, MAX_ANSWER_CHARS)) }),
      ...(tools.length > 0 && { tools }),
      ...(failed.length > 0 && { failed }),
    };
  }

  function shortText(text: string): string {
    return text.length > MAX_ASKED_CHARS ? "" : redact(brief(text, MAX_ASKED_CHARS));
  }

  function withNews(known: Kept, { cursor, said, changes, forgotten, home }: News): Kept {
    const byId = new Map([...known.said, ...said].map((one) => [one.id, one]));
    for (const change of changes)
      for (const [id, one] of byId) {
        if (one.ref !== messageRef(change)) continue;
        // The stored answer belongs to the question before the edit.
        const { answer: _answer, ...rest } = one;
        if (change.change === "deleted") byId.delete(id);
        else byId.set(id, { ...rest, text: shortText(change.text) });
      }
    const since = clock.now() - EVIDENCE_DAYS * DAY_MS;
    const kept = [...byId.values()].filter((one) => one.at >= since && !isForgotten(one, forgotten));
    return {
      ...known,
      said: newest(kept),
      cursors: [...known.cursors.filter(({ session }) => session !== cursor.session), cursor],
      ...(home && { home }),
    };
  }

  return {
    follow,
    read,
    /** Returns the chat in which the person last wrote. */
    home: async (user: string): Promise<EvidenceHome | undefined> => (await document.read(user)).home,
    /** Removes a person's evidence. */
    async forget(person) {
      try {
        await eraseUnder(store, `${FOLDER}/`, person);
      } finally {
        followed.clear();
      }
    },
    exportPerson: ({ userId }) => exportUnder(store, `${FOLDER}/`, (key) => key === evidenceKeyOf(userId)),
    async moveUser(from, to) {
      followed.clear();
      const isMoved = await moveDocument(store, evidenceKeyOf(from), evidenceKeyOf(to), (there, moved) => {
        const [known, more] = [there ?? NOTHING, moved] as unknown as readonly [Kept, Kept]; // written only here
        return joined(known, more) as unknown as JsonValue;
      });
      return isMoved ? 1 : 0;
    },
  } satisfies Erasable & Exportable & Movable & Record<string, unknown>;
}

/** Evidence documents have user ids in their keys and session keys in their content. */
export function createEvidenceRenaming({ store }: { readonly store: Store }): Renamable {
  return {
    async userMoves(from, to): Promise<KeyMove[]> {
      return [{ from: evidenceKeyOf(from), to: evidenceKeyOf(to), respell: respelling(from, to) }];
    },
    async renameSession(from, to) {
      const document = personDocument(store, (key) => key, NOTHING, getIndex);
      const named = (session: string) => (session === from ? to : session);
      for await (const { key } of store.list(`${FOLDER}/`))
        await document.change(key, (known) => {
          if (!known.cursors.some(({ session }) => session === from)) return { next: null, result: undefined };
          const { home } = known;
          const next = {
            ...known,
            said: known.said.map((one) => ({ ...one, session: named(one.session) })),
            cursors: known.cursors.map((one) => ({ ...one, session: named(one.session) })),
            ...(home && { home: { ...home, session: named(home.session) } }),
          };
          return { next, result: undefined };
        });
    },
  };
}

function evidenceKeyOf(user: string): string {
  return `${FOLDER}/${storeKey(user)}`;
}

function nameOf(user: string, session: string): string {
  return JSON.stringify([user, session]);
}

function newest(said: readonly Said[]): readonly Said[] {
  return said.toSorted((one, other) => one.at - other.at).slice(-MAX_SAID);
}

/** Merges the evidence of two user ids. If both followed a conversation, the cursor that has read less is kept. */
function joined(known: Kept, more: Kept): Kept {
  const said = new Map([...known.said, ...more.said].map((one) => [one.id, one]));
  const cursors = new Map<string, Cursor>();
  for (const cursor of [...known.cursors, ...more.cursors]) {
    const other = cursors.get(cursor.session);
    if (other === undefined || cursor.seq < other.seq) cursors.set(cursor.session, cursor);
  }
  const home = known.home ?? more.home;
  return {
    v: 1,
    said: newest([...said.values()]),
    cursors: [...cursors.values()].slice(-MAX_SESSIONS),
    ...(home && { home }),
  };
}

function homeOf(message: InRecord | undefined, session: string): EvidenceHome | undefined {
  if (!message) return undefined;
  const { user, channel, account, peer, target, roles } = message;
  const thread = target?.thread;
  return {
    user,
    channel,
    account,
    roles,
    session,
    chat: target?.chat ?? peer.id,
    ...(thread !== undefined && { thread }),
  };
}

/** Returns one entry for a message and one for each of its failed tools. */
function entriesOf({ id, at, turn, text, answer, tools, failed = [] }: Said): readonly PatternEntry[] {
  const slots = { type: "request", turn, ...(tools && { tools }), ...(answer !== undefined && { answer }) };
  return [
    { id, content: text, createdAt: at, slots },
    ...failed.map(({ tool, error }, index) => ({
      id: `${id}#${index}`,
      content: text === "" ? tool : text,
      createdAt: at,
      slots: { tool, error, outcome: "failure", turn },
    })),
  ];
}

/** The words in the input and output of `memory_forget` calls. */
function wordsToForget({ toolCalls }: OutRecord): readonly string[] {
  return toolCalls.flatMap(({ name, input, output }) =>
    name === "memory_forget" ? tokensOf([...allTexts(input), ...allTexts(output)].join(" ")) : [],
  );
}

function isForgotten({ text }: Said, forgotten: ReadonlySet<string>): boolean {
  if (forgotten.size === 0) return false;
  const { core, words } = topicOf(text);
  const wanted = [...(core.size > 0 ? core : words)];
  return wanted.length > 0 && wanted.filter((word) => forgotten.has(word)).length >= FORGOTTEN * wanted.length;
}

import {
  type Erasable,
  FORGOTTEN,
  type OtherIds,
  type Words,
  eraseUnder,
  isSaidOf,
  otherIds,
} from "../erasable/index.ts";
import { type LogRecord, type Store, keySegments, rewriteLog } from "../store/index.ts";
import { outboxLog } from "./outbox-key.ts";
import { type DeadLetter, isLetter, isLetterMark, letterName, markId } from "./records.ts";

const ROOM = "outbox/";

/** Erases messages and dead letters of people. */
export function createOutboxErasure({ store }: { readonly store: Store }): Erasable {
  /** Replacements for the ids of messages and letters. */
  async function idsIn(log: string, words: Words): Promise<OtherIds> {
    const seqs = new Map<string, number>();
    for await (const { seq, record } of store.read(log)) {
      const id = isLetterMark(record) ? letterOf(record.letter).id : record["id"];
      if (typeof id === "string" && !seqs.has(id)) seqs.set(id, seq);
    }
    return otherIds(seqs, words.scrub);
  }

  return {
    async forget(person) {
      const { words, sessions } = person;
      const isTheirs = (key: string): boolean => {
        if (person.chats.has(key)) return true;
        // A channel can have the same name as its only user: `sdk`.
        const [, ...before] = keySegments(key);
        const chat = before.pop() ?? "";
        return chat === person.userId || sessions.has(chat) || person.isNamedBy(chat, before);
      };
      /** Whether a letter was for them alone, or from a session of theirs. */
      const isFor = ({ target, session }: DeadLetter) =>
        (session !== undefined && sessions.has(session)) || isTheirs(outboxLog(target));
      /**
       * Redacts a record. A message that answers the person or shows one of their requests loses its text. A letter to
       * them is removed.
       */
      const change = (record: LogRecord, ids: OtherIds): LogRecord => {
        if (isLetter(record) && isFor(record)) return FILLER;
        const bare = words.scrub(renamed(record, ids));
        const { text } = bare;
        const { thread = "" } = (record["target"] ?? {}) as { readonly thread?: string };
        const shows =
          (typeof record["id"] === "string" && isSaidOf(person.requests, record["id"])) || sessions.has(thread);
        return shows && text !== undefined && text !== FORGOTTEN ? { ...bare, text: FORGOTTEN } : bare;
      };
      await eraseUnder(store, ROOM, person, {
        isTheirs,
        async rewrite(log) {
          const ids = await idsIn(log, words);
          await rewriteLog(store, log, (record) => change(record, ids), { idOf, filler: FILLER });
        },
      });
    },
  };
}

/** Replaces a record that was removed or is unreadable, to keep its number. No outbox record has this type. */
const FILLER: LogRecord = { v: 1, type: "setting", at: 0, settings: {}, by: "runtime" };

function renamed(record: LogRecord, { of, rename }: OtherIds): LogRecord {
  if (!isLetterMark(record)) return rename(record);
  const { id, part } = letterOf(record.letter);
  const other = of(id);
  return other === undefined ? record : { ...record, letter: other + part };
}

/** Reverses `letterName`. */
function letterOf(name: string): { readonly id: string; readonly part: string } {
  const dot = name.lastIndexOf(".");
  return { id: name.slice(0, dot), part: name.slice(dot) };
}

/** The ids with which records are appended. */
function idOf(record: LogRecord): string | undefined {
  if (isLetter(record)) return letterName(record);
  if (isLetterMark(record)) return markId(record);
  const { id } = record;
  return typeof id === "string" ? id : undefined;
}

import { FORGOTTEN, NOBODY, type Words, otherIds, quotesOf } from "../erasable/index.ts";
import type { InRecord, Sequenced, SessionRecord } from "./records.ts";
import { userOf } from "./session-key.ts";
import { type JsonValue, type LogRecord, allTexts } from "../store/index.ts";

/** Whether a message is the person's. */
export type IsTheirs = (message: Pick<InRecord, "user" | "channel" | "peer" | "roles" | "account">) => boolean;

/** What a person has in a session that others share. */
export interface Traces {
  /** The record without the person's data; the same object if it contains none. */
  without(record: LogRecord): LogRecord;
  readonly found: boolean;
  /** Ids of their messages and of the turns that answered them. */
  readonly ids: ReadonlySet<string>;
  /** Texts that they wrote. */
  readonly texts: readonly string[];
  /** Texts that tools received in the turns that answered them. */
  readonly given: readonly string[];
  readonly quotes: Words;
}

/**
 * Finds a person's data in a session with others: their messages, the turns that answered them, what was injected
 * into prompts or summarized since they first spoke, and their words where others' turns quote them. Records keep
 * their places and order, and what others said stays.
 *
 * Source: docs/privacy.md, "Forgetting a person".
 *
 * @param isHeard Whether an overheard message of this user is the person's.
 * @param requests Ids of the person's notes, or prefixes of such ids up to a colon.
 */
export async function findTraces(
  records: AsyncIterable<Sequenced>,
  isTheirs: IsTheirs,
  isHeard: (user: string) => boolean,
  words: Words,
  requests: ReadonlySet<string>,
): Promise<Traces> {
  const ids = new Set<string>();
  const turns = new Set<string>();
  const texts = new Set<string>();
  const names = new Set<string>();
  const given = new Set<string>();
  const seqs = new Map<string, number>();
  let isQuoted = false;
  const quotesThem = ({ channel, quoted }: Pick<InRecord, "channel" | "quoted">) =>
    quoted?.sender !== undefined && isHeard(userOf(channel, quoted.sender.id));
  for await (const record of records) {
    if ("id" in record && record.id !== undefined && !seqs.has(record.id)) seqs.set(record.id, record.seq);
    if (record.type === "in" && record.quoted && quotesThem(record)) {
      isQuoted = true;
      texts.add(record.quoted.text);
      names.add(record.quoted.sender?.name ?? "");
    }
    if (record.type === "in" || record.type === "heard" || record.type === "change") {
      const own = record.type === "heard" ? isHeard(record.user) : isTheirs(record);
      if (!own) continue;
      ids.add(record.id);
      texts.add(record.text);
      if (record.sender.name !== undefined) names.add(record.sender.name);
      if (record.type === "in") turns.add(record.turn);
    }
    const answered =
      record.type === "out"
        ? record.of
        : record.type === "step"
          ? [...(record.of ?? []), ...(record.joined ?? [])]
          : [];
    if (answered.some((id) => ids.has(id)) && "turn" in record) turns.add(record.turn);
    if (record.type === "step" && turns.has(record.turn))
      for (const { input } of record.calls) for (const text of allTexts(input)) given.add(text);
  }
  const quotes = quotesOf([...texts, ...names]);
  const scrub: Words["scrub"] = (value) => quotes.scrub(words.scrub(value));
  const { rename } = otherIds(seqs, scrub);

  /** Whether a note is about work for the person, or about a late result of one of their calls. */
  function isTheirNote(id = ""): boolean {
    const call = id.slice(id.indexOf(":") + 1);
    return (
      [id, id.slice(0, id.lastIndexOf(":") + 1)].some((name) => requests.has(name)) ||
      turns.has(call.split(".", 1)[0] ?? "")
    );
  }

  function without(whole: LogRecord): LogRecord {
    // Only the session room writes these records.
    const record = whole as unknown as SessionRecord;
    const rest = asRecord(blanked(record));
    return scrub(rename(rest === undefined ? whole : rest));
  }

  function blanked(record: SessionRecord): SessionRecord | undefined {
    if (ids.size === 0 && !isQuoted) return undefined;
    switch (record.type) {
      case "in": {
        const { quoted: _quoted, ...whole } = record;
        if (!ids.has(record.id)) return quotesThem(record) ? whole : undefined;
        const { attachments: _, ...kept } = whole;
        const source = kept.source !== undefined && { source: unnamed(kept.source) };
        return { ...kept, ...source, text: FORGOTTEN, user: NOBODY, sender: { id: NOBODY }, roles: [] };
      }
      case "heard":
        if (!ids.has(record.id)) return undefined;
        return { ...record, text: FORGOTTEN, user: NOBODY, sender: { id: NOBODY } };
      case "change": {
        if (!ids.has(record.id)) return undefined;
        return { ...record, text: FORGOTTEN, user: NOBODY, sender: { id: NOBODY }, roles: [] };
      }
      case "files":
        return ids.has(record.of) ? { ...record, attachments: [] } : undefined;
      case "step": {
        const isOwn = turns.has(record.turn);
        if (!isOwn && record.block === undefined && record.injected === undefined) return undefined;
        const { block: _block, injected: _injected, ...kept } = record;
        if (!isOwn) return kept;
        const calls = record.calls.map((call) => ({ ...call, input: {} }));
        return { ...kept, text: FORGOTTEN, calls, message: messageWith(record.calls) };
      }
      case "tool": {
        if (!turns.has(record.turn)) return undefined;
        const { output, error, injections: _, approvals: _approvals, reply, ...kept } = record;
        return {
          ...kept,
          ...(output !== undefined && { output: FORGOTTEN }),
          ...(error && { error: { ...error, message: FORGOTTEN } }),
          ...(reply !== undefined && { reply: FORGOTTEN }),
        };
      }
      case "out": {
        if (!turns.has(record.turn) && !record.of.some((id) => ids.has(id))) return undefined;
        const { approvals: _, error, ...kept } = record;
        return {
          ...kept,
          text: record.silent ? "" : FORGOTTEN,
          parts: record.parts.map(() => FORGOTTEN),
          toolCalls: [],
          ...(error && { error: { ...error, message: FORGOTTEN } }),
        };
      }
      case "compact":
        // The older turns have left the prompt anyway, and a summary does not show who said which of its words.
        return { ...record, summary: "", prose: "", facts: [] };
      case "note":
        // The note does not say whose message was edited.
        if (isTheirNote(record.id)) return { ...record, text: FORGOTTEN, source: unnamed(record.source) };
        return record.source.endsWith(" edit") ? { ...record, text: FORGOTTEN } : undefined;
      default:
        return undefined;
    }
  }

  return {
    without,
    found: ids.size > 0 || isQuoted,
    ids: new Set([...ids, ...turns]),
    texts: [...texts],
    given: [...given],
    quotes,
  };
}

/** A person's name for a job or a workflow is their data too. */
const unnamed = (source: string) => source.replace(/^(job|workflow) .*/s, "$1");

/** Replaces the content of an answer. Its calls have to stay, because their results follow. */
function messageWith(calls: readonly { readonly toolCallId: string; readonly name: string }[]): JsonValue {
  const parts = calls.map(({ toolCallId, name }) => ({ type: "tool-call", toolCallId, toolName: name, input: {} }));
  return { role: "assistant", content: [{ type: "text", text: FORGOTTEN }, ...parts] };
}

function asRecord(record: SessionRecord | undefined): LogRecord | undefined {
  return record as unknown as LogRecord | undefined; // plain JSON
}

import { estimateTokenCount } from "tokenx";
import { AssistantError } from "../errors.ts";
import type { Redactor } from "../telemetry/index.ts";
import { createDigests } from "./digests.ts";
import { type ExportFormat, exportJsonl, exportMarkdown } from "./export.ts";
import { type CompactRecord, QUEUE_MODES, type QueueMode, type Sequenced, type SessionSettings } from "./records.ts";
import { namedSessionKey } from "./route.ts";
import { parseSessionKey } from "./session-key.ts";
import type { Sessions } from "./sessions.ts";
import type { SessionSummaryText, Summaries } from "./summaries.ts";
import { type TranscriptEntry, transcriptOf } from "./transcript.ts";

/** One line of a list of sessions. Times are milliseconds since the epoch. */
export interface SessionSummary {
  /** As `agent:<agent>:…`; what the other functions take. */
  readonly key: string;
  /** The agent that the key names. */
  readonly agentId: string;
  /** Records in its log. */
  readonly records: number;
  /** Of its newest record. Absent when that is not known. */
  readonly lastAtMs?: number;
  /** The first words of what was said first; empty when nothing was said. */
  readonly title?: string;
}

/** A conversation of the page or of `POST /chat`. */
export interface Conversation {
  /** As its speaker named it: `web:<id>` is its session. */
  readonly id: string;
  /** The first words of what was said first, at most 60 characters; empty when nothing was said. */
  readonly title: string;
  /** Time of its newest record. */
  readonly lastAt: Date;
  /** Records in its log. */
  readonly entries: number;
}

/** What a session has of its own. What is left out is as the assistant is configured. */
export interface OwnSettings {
  /** What becomes of messages that arrive during a turn. */
  readonly queueMode?: QueueMode;
  /** `provider/model`. */
  readonly model?: string;
}

/** Conversations, for the host program. Source: docs/sessions.md. */
export interface SessionsApi {
  /** Sessions in ascending order of their key. `after`: keys after this one; `limit` default 100. */
  list(options?: { after?: string; limit?: number }): Promise<readonly SessionSummary[]>;
  /** The newest `limit` (default 200) entries of a session's transcript; `null` when there is no such session. */
  show(
    key: string,
    options?: { limit?: number },
  ): Promise<{ readonly key: string; readonly entries: readonly TranscriptEntry[] } | null>;
  /** The key of the session that a message of this speaker would go to. Absent where a server is asked over HTTP. */
  keyOf?(speaker: { readonly user?: string; readonly channel?: string; readonly session?: string }): string;
  /**
   * All of a session, oldest first, in pieces as they are read: Markdown for people (default), or its records as JSON lines. Secrets are taken out.
   * `null` when there is no such session.
   */
  export(key: string, options?: { readonly format?: ExportFormat }): Promise<AsyncIterable<string> | null>;
  /** Removes a session with everything in its log. @returns False when there was none. */
  remove(key: string): Promise<boolean>;
  /** What stood for older turns, and stands now, the newest last. @throws {AssistantError} `NOT_FOUND` for no such session. */
  summaries(key: string): Promise<readonly SessionSummaryText[]>;
  /**
   * Puts a person's text in place of the newest summary, which stays in the log. `by`: who wrote it, as `channel:id`; default `sdk`.
   * @throws {AssistantError} `NOT_FOUND` for no such session or no summary yet; `OPTION_INVALID` over 16,000 characters; `CONFLICT` when another one was written meanwhile.
   */
  editSummary(key: string, text: string, options?: { readonly by?: string }): Promise<SessionSummaryText>;
  /** What people set for this session alone. @throws {AssistantError} `NOT_FOUND` for no such session. */
  settings(key: string): Promise<OwnSettings>;
  /**
   * Sets what is given; `null` takes it back. @returns What the session has of its own then.
   * @throws {AssistantError} `NOT_FOUND` for no such session; `OPTION_INVALID` for an unknown mode or model.
   */
  configure(key: string, change: SessionSettings, options?: { readonly by?: string }): Promise<OwnSettings>;
  /**
   * Conversations of the page, the newest first, `limit` (default 50) a page. `prefix`: of the user whose ids begin so; left out, the owner's, whose ids hold
   * no slash. `before`: what `nextBefore` of the page before was, or a time.
   */
  conversations(options?: {
    readonly prefix?: string;
    readonly limit?: number;
    readonly before?: string;
  }): Promise<{ readonly conversations: readonly Conversation[]; readonly nextBefore?: string }>;
}

/** How many records of a session are read at first for each entry of its transcript that is asked for. */
const RECORDS_PER_ENTRY = 4;
/** Longest summary that a person may write. */
const MAX_SUMMARY_CHARS = 16_000;
const STANDARD_CONVERSATIONS = 50;

export interface SessionsApiDeps {
  readonly sessions: Sessions;
  readonly summaries: Summaries;
  /** Removes a session's log, and tells its end. */
  readonly life: { remove(key: string): Promise<boolean> };
  /** What the session keeps besides its log. */
  readonly artifacts: { removeSession(key: string): Promise<void> };
  /** Takes secrets out of what is exported. */
  readonly redact: Redactor;
  /** Whose conversations the page's are. */
  readonly defaultAgentId: string;
  /** `provider/model` of the models that a session of an agent may ask first. */
  modelNames(agentId: string): readonly string[];
  /** What the next summary folds in once a person has changed this one's text. */
  readEdited(before: CompactRecord, text: string): Pick<CompactRecord, "prose" | "facts">;
}

/** `assistant.sessions`. */
export function createSessionsApi(deps: SessionsApiDeps): SessionsApi {
  const { sessions, summaries, life, artifacts, redact, defaultAgentId } = deps;
  const digests = createDigests({ sessions });

  async function* redacted(key: string): AsyncGenerator<Sequenced> {
    for await (const record of sessions.scan(key)) yield redact(record);
  }

  async function refuseMissing(key: string): Promise<void> {
    if ((await sessions.size(key)) === 0)
      throw new AssistantError("NOT_FOUND", `There is no session ${JSON.stringify(key)}`);
  }

  /** As the log has it, what other processes appended included. */
  async function newestSummary(key: string) {
    const { summary, seq } = await sessions.load(key);
    let newest = summary;
    for await (const record of sessions.scan(key, { after: seq })) {
      if (record.type === "reset") newest = undefined;
      if (record.type !== "compact") continue;
      if (record.reason !== "edit" || record.range.to >= (newest?.range.to ?? 0)) newest = record;
    }
    return newest;
  }

  return {
    async list(options) {
      return digests.read(await sessions.list(options));
    },

    async show(key, { limit = 200 } = {}) {
      for (let count = limit * RECORDS_PER_ENTRY; ; count *= 2) {
        const records = await sessions.read(key, count);
        if (records.length === 0) return null;
        const entries = transcriptOf(records);
        if (entries.length >= limit || records.length < count) return { key, entries: entries.slice(-limit) };
      }
    },

    async export(key, { format = "markdown" } = {}) {
      if ((await sessions.size(key)) === 0) return null;
      return format === "jsonl" ? exportJsonl(redacted(key)) : exportMarkdown(key, redacted(key));
    },

    async remove(key) {
      const removed = await life.remove(key);
      if (removed) await artifacts.removeSession(key);
      return removed;
    },

    async summaries(key) {
      await refuseMissing(key);
      return summaries.list(key, { newest: await newestSummary(key) });
    },

    async editSummary(key, text, { by = "sdk" } = {}) {
      const summary = text.trim();
      if (summary === "" || summary.length > MAX_SUMMARY_CHARS) {
        throw new AssistantError(
          "OPTION_INVALID",
          `Invalid summary: expected 1 to ${MAX_SUMMARY_CHARS} characters, got ${summary.length}`,
        );
      }
      await refuseMissing(key);
      const newest = await newestSummary(key);
      if (!newest) {
        throw new AssistantError(
          "NOT_FOUND",
          `${key} has no summary yet: there is one after its first compaction, as by /compact`,
        );
      }
      const { range, turns, readFrom, tokensBefore } = newest;
      const tokensAfter = Math.max(
        0,
        newest.tokensAfter + estimateTokenCount(summary) - estimateTokenCount(newest.summary),
      );
      await summaries.add(key, newest);
      const edit = {
        summary,
        ...deps.readEdited(newest, summary),
        range,
        turns,
        readFrom,
        tokensBefore,
        tokensAfter,
        reason: "edit",
        by,
      } as const;
      const { seq } = await sessions.append(key, { type: "compact", ...edit });
      const now = await newestSummary(key);
      if (now?.seq !== seq) {
        throw new AssistantError(
          "CONFLICT",
          `The summary of ${key} was written anew meanwhile: read it, and edit that one`,
        );
      }
      await summaries.add(key, now);
      const { at: atMs } = now;
      const view = { seq, atMs, summary, range, turns, tokensBefore, tokensAfter };
      return { ...view, reason: "edit", by };
    },

    async settings(key) {
      await refuseMissing(key);
      return settingsOf(await sessions.load(key));
    },

    async configure(key, { queueMode, model }, { by = "sdk" } = {}) {
      await refuseMissing(key);
      if (queueMode !== undefined && queueMode !== null && !QUEUE_MODES.includes(queueMode))
        throw invalid("queueMode", queueMode, QUEUE_MODES);
      if (model !== undefined && model !== null) {
        const names = deps.modelNames(parseSessionKey(key)?.agentId ?? "");
        if (!names.includes(model)) throw invalid("model", model, names);
      }
      const settings: SessionSettings = {
        ...(queueMode !== undefined && { queueMode }),
        ...(model !== undefined && { model }),
      };
      if (Object.keys(settings).length > 0) await sessions.append(key, { type: "setting", settings, by });
      return settingsOf(await sessions.load(key));
    },

    async conversations({ prefix = "", limit = STANDARD_CONVERSATIONS, before } = {}) {
      // What every key of these conversations begins with.
      const begin = namedSessionKey(defaultAgentId, "web", `${prefix}x`).slice(0, -1);
      const keys = await sessions.list({ prefix: begin, limit: Infinity });
      const own = keys
        .map(({ key, records }) => ({ key, records, id: unescaped(key.slice(begin.length)) }))
        .filter(({ id }) => prefix !== "" || !id.includes("/"));
      const older = isAfter(before);
      const found = (await digests.agesOf(own)).filter(older).sort(newestFirst);
      const page = (await digests.read(found.slice(0, limit))).sort(newestFirst);
      const last = page.at(-1);
      return {
        conversations: page.map(({ id, title, lastAtMs, records }) => ({
          id,
          title,
          lastAt: new Date(lastAtMs),
          entries: records,
        })),
        ...(found.length > limit && last && { nextBefore: `${new Date(last.lastAtMs).toISOString()} ${last.id}` }),
      };
    },
  };
}

type Place = { readonly lastAtMs: number; readonly id: string };

/** Those of one moment in the order of their ids, so that a page can end between them. */
function newestFirst(a: Place, b: Place): number {
  return b.lastAtMs - a.lastAtMs || (a.id === b.id ? 0 : a.id < b.id ? -1 : 1);
}

/** What comes after the place that `before` names: a time, with or without the id of a conversation. */
function isAfter(before: string | undefined): (one: Place) => boolean {
  if (before === undefined) return () => true;
  const [, time = "", id] = /^(\S+)(?: (.*))?$/s.exec(before) ?? [];
  const lastAtMs = Date.parse(time);
  if (Number.isNaN(lastAtMs)) {
    throw new AssistantError(
      "OPTION_INVALID",
      `Invalid before ${JSON.stringify(before)}: expected what the page before it gave, or a time as 2026-01-31T12:00:00Z`,
    );
  }
  return (one) => (id === undefined ? one.lastAtMs < lastAtMs : newestFirst(one, { lastAtMs, id }) > 0);
}

/** The name that a part of a key was made of, with small letters. */
function unescaped(part: string): string {
  return decodeURIComponent(part);
}

function settingsOf({ settings }: { readonly settings: SessionSettings }): OwnSettings {
  const { queueMode, model } = settings;
  return { ...(queueMode && { queueMode }), ...(model && { model }) };
}

function invalid(option: string, value: string, known: readonly string[]): AssistantError {
  return new AssistantError(
    "OPTION_INVALID",
    `Invalid ${option} ${JSON.stringify(value)}: expected one of ${known.join(", ")}, or null for what is configured`,
  );
}

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

/** An entry in a list of sessions. Times are milliseconds since the epoch. */
export interface SessionSummary {
  /** `agent:<agent>:…`. The other functions take it. */
  readonly key: string;
  /** The agent in the key. */
  readonly agentId: string;
  /** Records in its log. */
  readonly records: number;
  /** Time of its newest record. Absent if unknown. */
  readonly lastAtMs?: number;
  /** First words of the first message; empty if there is none. */
  readonly title?: string;
}

/** A conversation of the page or of `POST /chat`. */
export interface Conversation {
  /** The id that its speaker chose: its session is `web:<id>`. */
  readonly id: string;
  /** First words of the first message, at most 60 characters; empty if there is none. */
  readonly title: string;
  /** Time of its newest record. */
  readonly lastAt: Date;
  /** Records in its log. */
  readonly entries: number;
}

/** A session's own settings. For missing ones the assistant's configuration applies. */
export interface OwnSettings {
  /** Queue mode for messages that arrive during a turn. */
  readonly queueMode?: QueueMode;
  /** `provider/model`. */
  readonly model?: string;
}

/** Conversations, for the host program. Source: docs/sessions.md. */
export interface SessionsApi {
  /** Lists sessions in ascending order of their keys. `after`: only keys after this one; `limit` default 100. */
  list(options?: { after?: string; limit?: number }): Promise<readonly SessionSummary[]>;
  /**
   * Returns the newest `limit` (default 200) entries of a session's transcript; `null` if the session does not exist.
   */
  show(
    key: string,
    options?: { limit?: number },
  ): Promise<{ readonly key: string; readonly entries: readonly TranscriptEntry[] } | null>;
  /**
   * Returns the key of the session that a message of this speaker would go to. Absent if a server is asked over HTTP.
   */
  keyOf?(speaker: { readonly user?: string; readonly channel?: string; readonly session?: string }): string;
  /**
   * Exports a complete session, oldest first, in pieces as they are read: as Markdown for people (default) or as one
   * JSON line per record. Secrets are redacted. `null` if the session does not exist.
   */
  export(key: string, options?: { readonly format?: ExportFormat }): Promise<AsyncIterable<string> | null>;
  /**
   * Removes a session and its log.
   * @returns False if the session does not exist.
   */
  remove(key: string): Promise<boolean>;
  /**
   * Returns the former summaries of older turns and the current one, which is last.
   * @throws {AssistantError} `NOT_FOUND` if the session does not exist.
   */
  summaries(key: string): Promise<readonly SessionSummaryText[]>;
  /**
   * Replaces the newest summary by a person's text; the old one stays in the log. `by`: the writer,
   * as `channel:id`; default `sdk`.
   * @throws {AssistantError} `NOT_FOUND` if the session does not exist or has no summary; `OPTION_INVALID` over
   * 16,000 characters; `CONFLICT` if another summary was written in the meantime.
   */
  editSummary(key: string, text: string, options?: { readonly by?: string }): Promise<SessionSummaryText>;
  /**
   * Returns the settings of this session alone.
   * @throws {AssistantError} `NOT_FOUND` if the session does not exist.
   */
  settings(key: string): Promise<OwnSettings>;
  /**
   * Changes the given settings; `null` removes one.
   * @returns The session's own settings after the change.
   * @throws {AssistantError} `NOT_FOUND` if the session does not exist;
   * `OPTION_INVALID` for an unknown mode or model.
   */
  configure(key: string, change: SessionSettings, options?: { readonly by?: string }): Promise<OwnSettings>;
  /**
   * Lists conversations of the page, newest first, `limit` (default 50) per page. `prefix`: of the
   * user whose ids begin with it; default the owner's, whose ids contain no slash. `before`:
   * `nextBefore` of the previous page, or a time.
   */
  conversations(options?: {
    readonly prefix?: string;
    readonly limit?: number;
    readonly before?: string;
  }): Promise<{ readonly conversations: readonly Conversation[]; readonly nextBefore?: string }>;
}

/** Records that are first read per transcript entry asked for. */
const RECORDS_PER_ENTRY = 4;
/** Longest summary that a person may write. */
const MAX_SUMMARY_CHARS = 16_000;
const STANDARD_CONVERSATIONS = 50;

export interface SessionsApiDeps {
  readonly sessions: Sessions;
  readonly summaries: Summaries;
  /** Removes a session, with all that other rooms keep for it, and publishes its end. */
  readonly life: { remove(key: string): Promise<boolean> };
  /** Redacts secrets in exports. */
  readonly redact: Redactor;
  /** The agent whose conversations the page shows. */
  readonly defaultAgentId: string;
  /** Models that a session of an agent may ask first, as `provider/model`. */
  modelNames(agentId: string): readonly string[];
  /** What the next summary folds in after a person has edited the text. */
  readEdited(before: CompactRecord, text: string): Pick<CompactRecord, "prose" | "facts">;
}

/** Creates `assistant.sessions`. */
export function createSessionsApi(deps: SessionsApiDeps): SessionsApi {
  const { sessions, summaries, life, redact, defaultAgentId } = deps;
  const digests = createDigests({ sessions });

  async function* redacted(key: string): AsyncGenerator<Sequenced> {
    for await (const record of sessions.scan(key)) yield redact(record);
  }

  async function refuseMissing(key: string): Promise<void> {
    if ((await sessions.size(key)) === 0)
      throw new AssistantError("NOT_FOUND", `There is no session ${JSON.stringify(key)}`);
  }

  /** The newest summary in the log, including records of other processes. */
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

    remove: (key) => life.remove(key),

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
          `${key} has no summary yet: the first compaction makes one, for example with /compact`,
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
          `The summary of ${key} was replaced in the meantime: read it again, then edit it`,
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
      // Prefix of all keys of these conversations.
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

/** Sorts newest first, then by id, so that a page can end between conversations of the same time. */
function newestFirst(a: Place, b: Place): number {
  return b.lastAtMs - a.lastAtMs || (a.id === b.id ? 0 : a.id < b.id ? -1 : 1);
}

/** A filter for what comes after the place `before`: a time, with or without a conversation's id. */
function isAfter(before: string | undefined): (one: Place) => boolean {
  if (before === undefined) return () => true;
  const [, time = "", id] = /^(\S+)(?: (.*))?$/s.exec(before) ?? [];
  const lastAtMs = Date.parse(time);
  if (Number.isNaN(lastAtMs)) {
    throw new AssistantError(
      "OPTION_INVALID",
      `Invalid before ${JSON.stringify(before)}: expected the value that the previous page gave, or a time such as 2026-01-31T12:00:00Z`,
    );
  }
  return (one) => (id === undefined ? one.lastAtMs < lastAtMs : newestFirst(one, { lastAtMs, id }) > 0);
}

/** The name that a key part was made from, in lower case. */
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
    `Invalid ${option} ${JSON.stringify(value)}: expected one of ${known.join(", ")}, or null for the configured value`,
  );
}

import * as v from "valibot";
import type { Clock } from "../../clock.ts";
import { createRateCounter } from "../../guard/index.ts";
import { hashDigits, newId } from "../../ids.ts";
import { ENTRY_TYPES, type MemoryApi, type RecalledMemory, bareText } from "../../memory/index.ts";
import type { Speaker } from "../../speaker.ts";
import type { ModelRedactor } from "../../telemetry/index.ts";
import { ToolError, defineTool } from "../tool.ts";
import type { AnyTool } from "../tool.ts";
import { told } from "./told.ts";
import { digestOf } from "../../hash.ts";

export interface MemoryToolsOptions {
  readonly memory: Pick<MemoryApi, "recall" | "save" | "get" | "list" | "remove">;
  /** Returns the memory user of a call. The runtime names the speaker, never the model. */
  memoryUserOf(speaker: Speaker): string;
  readonly clock: Pick<Clock, "now">;
  /** Replaces secrets in what is stored. */
  readonly redact: ModelRedactor;
  /**
   * Resolves when memory contains what the conversation said so far, or waiting longer is pointless. Default: at
   * once.
   */
  captured?(sessionKey: string, signal: AbortSignal): Promise<void>;
}

const DEFAULT_LIMIT = 5;
const MOST = 20;
const MAX_DAYS = 3660;
/** Results count as meant if their score is at least this share of the best score. */
const MEANT = 0.6;

/**
 * Notes that one memory takes per minute and per day, so that no person, and no text that a model obeys, fills the
 * disk. Counted in this process.
 */
const MAX_A_MINUTE = 20;
const MAX_A_DAY = 500;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

const query = v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(500));

/** A memory can contain what a page or another group member said, so it is untrusted data. */
const FOUND = { category: "memory", idempotent: true, untrusted: true } as const;

/**
 * `memory_write`, `memory_recall`, `memory_forget`: what a person asks to store, find and forget, in their own memory
 * or that of their group.
 *
 * Source: docs/memory.md, "Tools".
 */
export function memoryTools({
  memory,
  memoryUserOf,
  clock,
  redact,
  captured,
}: MemoryToolsOptions): Readonly<Record<string, AnyTool>> {
  const aMinute = createRateCounter({ clock, windowMs: MINUTE_MS, limit: MAX_A_MINUTE });
  const aDay = createRateCounter({ clock, windowMs: DAY_MS, limit: MAX_A_DAY });

  const memory_write = defineTool({
    description:
      "Keeps something for later conversations, when the person asks for it or it will matter again. One fact a call, in whole words that will be understood without this conversation.",
    inputSchema: v.strictObject({
      content: v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(8000), v.description("What to keep")),
      keywords: v.optional(
        v.pipe(
          v.array(v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(64))),
          v.maxLength(20),
          v.description("Other words by which it will be looked for"),
        ),
      ),
    }),
    async execute({ content, keywords }, context) {
      const userId = memoryUserOf(context.speaker);
      const isFull = aMinute.hit(userId).hits > MAX_A_MINUTE || aDay.hit(userId).hits > MAX_A_DAY;
      if (isFull) throw new ToolError("RATE_LIMITED", "Not kept: this memory took too many notes lately");
      const { id } = await memory.save({
        id: await idOf(context.callId, clock),
        userId,
        ...redact({ content, keywords }),
        slots: { type: ENTRY_TYPES.note, source: "memory_write", session_id: context.sessionKey, turn: context.taskId },
      });
      return { saved: true, id };
    },
    meta: { category: "memory", idempotent: true },
  });

  const memory_recall = defineTool({
    description:
      "Looks in what was remembered from earlier conversations. What fits a message is recalled by itself before you see it; call this when you need something else.",
    inputSchema: v.pipe(
      v.strictObject({
        query: v.optional(v.pipe(query, v.description("What to look for, in the words that it would be told in"))),
        days: v.optional(
          v.pipe(
            v.number(),
            v.integer(),
            v.minValue(1),
            v.maxValue(MAX_DAYS),
            v.description("Only of the last so many days; without query the newest"),
          ),
        ),
        limit: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(MOST), v.description("Default 5"))),
      }),
      v.check(({ query: text, days }) => text !== undefined || days !== undefined, "give query, days or both"),
    ),
    async execute({ query: text, days, limit = DEFAULT_LIMIT }, context) {
      const since = days === undefined ? undefined : clock.now() - days * DAY_MS;
      const found = await memory.recall({ userId: memoryUserOf(context.speaker), text, since, limit });
      return { memories: found.map(shown) };
    },
    meta: FOUND,
  });

  const memory_forget = defineTool({
    description:
      "Forgets something for good, when the person asks for it. Give query; when several memories fit, nothing is forgotten and they are listed: ask the person which, then call again with ids.",
    inputSchema: v.pipe(
      v.strictObject({
        query: v.optional(v.pipe(query, v.description("What to forget"))),
        ids: v.optional(
          v.pipe(
            v.array(v.pipe(v.string(), v.minLength(1), v.maxLength(200))),
            v.minLength(1),
            v.maxLength(MOST),
            v.description("Ids as a call before listed them"),
          ),
        ),
      }),
      v.check((input) => (input.query === undefined) !== (input.ids === undefined), "give query or ids, one of them"),
    ),
    async execute({ query: text, ids }, context) {
      const userId = memoryUserOf(context.speaker);
      if (ids) return { forgotten: await remove(userId, ids) };
      // Waits for pending capture, which would otherwise store the last messages after this removal.
      await captured?.(context.sessionKey, context.signal);
      const found = await memory.recall({ userId, text, limit: MOST });
      const best = found[0]?.score ?? 0;
      const meant = found.filter(({ score }) => score >= best * MEANT);
      if (meant.length === 0) return { forgotten: 0 };
      if (meant.length === 1) return { forgotten: await remove(userId, [meant[0]!.entry.id]), was: shown(meant[0]!) };
      return { forgotten: 0, ask: "Several memories fit: ask which to forget", memories: meant.map(shown) };
    },
    meta: FOUND,
  });

  function remove(userId: string, ids: readonly string[]): Promise<number> {
    return told(async () => {
      const twins = await twinsOf(userId, ids);
      const removed = await memory.remove(userId, ids);
      if (twins.length > 0) await memory.remove(userId, twins);
      return removed;
    });
  }

  /** Finds entries with the same text: recall shows one of them for all. */
  async function twinsOf(userId: string, ids: readonly string[]): Promise<readonly string[]> {
    const known = await Promise.all(ids.map((id) => memory.get(userId, id)));
    const texts = new Set(known.flatMap((entry) => (entry ? bareText(entry.content) : [])));
    const twins: string[] = [];
    if (texts.size === 0) return twins;
    for (const archived of [false, true])
      for await (const { id, content } of memory.list(userId, { archived }))
        if (texts.has(bareText(content)) && !ids.includes(id)) twins.push(id);
    return twins;
  }

  return { memory_write, memory_recall, memory_forget };
}

function shown({ entry, layer }: RecalledMemory) {
  return {
    id: entry.id,
    content: entry.content,
    date: entry.createdAt.toISOString().slice(0, 10),
    ...(layer === "entry" ? {} : { from: layer }),
  };
}

const ULID = /^[0-9A-HJKMNP-TV-Z]{26}/;
const TIME_DIGITS = 10;
const ALL_DIGITS = 26;

/**
 * The same id for a call that runs again after a crash, so that it is stored once: the turn's time, then a hash of
 * the call's id.
 */
async function idOf(callId: string, clock: Pick<Clock, "now">): Promise<string> {
  if (!ULID.test(callId)) return newId(clock);
  return callId.slice(0, TIME_DIGITS) + hashDigits(await digestOf(callId), ALL_DIGITS - TIME_DIGITS);
}

import QuickLRU from "quick-lru";
import { calendarOrUtc, dayAfter } from "../../calendar.ts";
import type { Clock } from "../../clock.ts";
import type { ContextScope, ContextSource } from "../../context/index.ts";
import type { MemoryApi } from "../../memory/index.ts";
import type { MemoryUsers } from "../../session/index.ts";
import type { ModelRedactor } from "../../telemetry/index.ts";

export interface MemorySourcesDeps {
  readonly memory: Pick<MemoryApi, "read">;
  readonly users: Pick<MemoryUsers, "memoryUserOf">;
  readonly clock: Pick<Clock, "now">;
  /** The time zone of the memory's person or group. */
  timezoneOf(userId: string): string;
  /** Replaces secrets, since people write these files by hand. */
  readonly redact: ModelRedactor;
}

/** Order of the parts in a prompt: what rarely changes comes first. Source: docs/context.md, "Parts". */
const SOURCE_ORDER = { contextTool: 10, longTerm: 20, contextFiles: 30, yesterday: 50 } as const;

const LONG_TERM_TOKENS = 1500;
const YESTERDAY_TOKENS = 600;
/** Least capacity of the cache of texts between a prompt's preparation and its use. */
const MAX_KEPT = 256;

/** Creates the prompt sources for MEMORY.md and yesterday's digest. */
export function memorySources({
  memory,
  users,
  clock,
  timezoneOf,
  redact,
}: MemorySourcesDeps): readonly ContextSource[] {
  let known = { today: "", yesterday: "" };

  function yesterdayOf(userId: string): string {
    const today = calendarOrUtc(timezoneOf(userId)).dayOf(clock.now());
    if (known.today !== today) known = { today, yesterday: dayAfter(today, -1) };
    return known.yesterday;
  }

  const userOf = ({ user, channel, kind, peerId, account, roles }: ContextScope) =>
    users.memoryUserOf({ user: user ?? channel, channel, peer: { kind, id: peerId }, account, roles });

  function source(
    name: string,
    order: number,
    budgetTokens: number,
    read: (userId: string) => Promise<Omit<Shown, "text"> | undefined>,
  ): ContextSource {
    const texts = new QuickLRU<string, Shown>({ maxSize: MAX_KEPT });
    return {
      name,
      order,
      budgetTokens,
      data: true,
      memory: true,
      async prepare(scope) {
        const userId = userOf(scope);
        const found = await read(userId);
        if (found === undefined) {
          texts.delete(userId);
          return;
        }
        const before = texts.get(userId);
        // The file seldom changes between turns, so reuse its redacted text.
        const text = before?.whole === found.whole ? before.text : redact(shown(found.whole));
        texts.set(userId, { ...found, text });
      },
      read: (scope) => texts.get(userOf(scope)),
    };
  }

  return [
    source("memory", SOURCE_ORDER.longTerm, LONG_TERM_TOKENS, async (userId) => {
      const whole = await memory.read(userId, "MEMORY.md");
      return whole === undefined ? undefined : { whole, source: "MEMORY.md" };
    }),
    source("yesterday", SOURCE_ORDER.yesterday, YESTERDAY_TOKENS, async (userId) => {
      const day = yesterdayOf(userId);
      const whole = await memory.read(userId, { day });
      return whole === undefined ? undefined : { whole, source: `digest of ${day}` };
    }),
  ];
}

/** A file's content as read, and its text for the prompt. */
interface Shown {
  readonly whole: string;
  readonly text: string;
  readonly source: string;
}

/** Removes front matter and comments, which only programs read. */
function shown(text: string): string {
  return text
    .replace(/^---\r?\n[\s\S]*?\r?\n---\r?\n/, "")
    .replace(/[ \t]*<!--[\s\S]*?-->/g, "")
    .trim();
}

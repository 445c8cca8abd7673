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
  /** Of the person or group whose memory it is. */
  timezoneOf(userId: string): string;
  /** Takes out what looks like a secret: people write these files by hand. */
  readonly redact: ModelRedactor;
}

/** Where they stand among the parts of a prompt: what seldom changes first. Source: docs/context.md, "Parts". */
const SOURCE_ORDER = { contextTool: 10, longTerm: 20, contextFiles: 30, yesterday: 50 } as const;

const LONG_TERM_TOKENS = 1500;
const YESTERDAY_TOKENS = 600;
/** People whose texts are kept between a prompt's preparation and its reading, at least. */
const MAX_KEPT = 256;

/** MEMORY.md and yesterday's digest of the user a prompt is for. */
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
        // Most turns find what the turn before has found.
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

/** A file as a prompt shows it, and as it was read. */
interface Shown {
  readonly whole: string;
  readonly text: string;
  readonly source: string;
}

/** Without what only programs read. */
function shown(text: string): string {
  return text
    .replace(/^---\r?\n[\s\S]*?\r?\n---\r?\n/, "")
    .replace(/[ \t]*<!--[\s\S]*?-->/g, "")
    .trim();
}

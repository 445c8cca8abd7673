import type { Clock } from "./clock.ts";
import type { ContextScope, ContextSource } from "./context/index.ts";
import { type Calendar, type MemoryApi, createCalendar, dayAfter } from "./memory/index.ts";
import type { MemoryPeople } from "./memory-people.ts";

export interface MemorySourcesParts {
  readonly memory: Pick<MemoryApi, "read">;
  readonly people: Pick<MemoryPeople, "memoryUserOf">;
  readonly clock: Pick<Clock, "now">;
  /** Of the person or group whose memory it is. */
  timezoneOf(userId: string): string;
}

/** Where they stand among the parts of a prompt: what seldom changes first. Source: docs/context.md, "Parts". */
export const SOURCE_ORDER = { contextTool: 10, longTerm: 20, contextFiles: 30, yesterday: 50 } as const;

const LONG_TERM_TOKENS = 1500;
const YESTERDAY_TOKENS = 600;
/** People whose texts are kept between a prompt's preparation and its reading. */
const MOST_KEPT = 256;

/** MEMORY.md and yesterday's digest of whoever a prompt is for. */
export function memorySources({ memory, people, clock, timezoneOf }: MemorySourcesParts): readonly ContextSource[] {
  const calendars = new Map<string, Calendar>();

  function yesterdayOf(userId: string): string {
    const timezone = timezoneOf(userId);
    const calendar = calendars.get(timezone) ?? createCalendar(timezone);
    calendars.set(timezone, calendar);
    return dayAfter(calendar.dayOf(clock.now()), -1);
  }

  const userOf = ({ user, channel, kind, peerId, account, roles }: ContextScope) =>
    people.memoryUserOf({ user: user ?? channel, channel, peer: { kind, id: peerId }, account, roles });

  function source(
    name: string,
    order: number,
    budgetTokens: number,
    read: (userId: string) => Promise<{ readonly text: string; readonly source: string } | undefined>,
  ): ContextSource {
    const texts = new Map<string, { readonly text: string; readonly source: string }>();
    return {
      name,
      order,
      budgetTokens,
      data: true,
      memory: true,
      async prepare(scope) {
        const userId = userOf(scope);
        const text = await read(userId);
        texts.delete(userId);
        if (text) texts.set(userId, text);
        const [oldest] = texts.keys();
        if (texts.size > MOST_KEPT && oldest !== undefined) texts.delete(oldest);
      },
      read: (scope) => texts.get(userOf(scope)),
    };
  }

  return [
    source("memory", SOURCE_ORDER.longTerm, LONG_TERM_TOKENS, async (userId) => {
      const text = await memory.read(userId, "MEMORY.md");
      return text === undefined ? undefined : { text: shown(text), source: "MEMORY.md" };
    }),
    source("yesterday", SOURCE_ORDER.yesterday, YESTERDAY_TOKENS, async (userId) => {
      const day = yesterdayOf(userId);
      const text = await memory.read(userId, { day });
      return text === undefined ? undefined : { text: shown(text), source: `digest of ${day}` };
    }),
  ];
}

/** Without what only programs read. */
function shown(text: string): string {
  return text
    .replace(/^---\r?\n[\s\S]*?\r?\n---\r?\n/, "")
    .replace(/[ \t]*<!--[\s\S]*?-->/g, "")
    .trim();
}

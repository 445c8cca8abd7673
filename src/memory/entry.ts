import type { JsonValue } from "../store/index.ts";

/** What an entry says of itself besides its text. Wakeful's own: `type`, `source`, `session_id`, `task_type`, `outcome`. Source: docs/memory.md, "Entries". */
export type Slots = Readonly<Record<string, JsonValue>>;

/** One thing remembered. */
export interface MemoryEntry {
  /** A ULID, which sorts by time; ids of other programs are kept as they are. */
  readonly id: string;
  /** Whose memory it is: `@name` of a linked person, `@owner`, `channel:id`, or `group:<channel>:<id>`. */
  readonly userId: string;
  /** What is remembered, as the model and people read it. */
  readonly content: string;
  /** Words by which it is found besides those of `content`. */
  readonly keywords: readonly string[];
  /** Fields for programs; `type` says what kind of entry it is (`ENTRY_TYPES`). */
  readonly slots: Slots;
  /** When it was first kept. An update does not change it. */
  readonly createdAt: Date;
  /** When it was last changed; as `createdAt` before the first change. */
  readonly updatedAt: Date;
  /** From then on it is not recalled, and goes to the archive. */
  readonly expiresAt?: Date;
}

/** Whether two entries say the same and have the same times; whose they are is not compared. */
export function isSameEntry(one: MemoryEntry, other: MemoryEntry): boolean {
  const told = ({ content, keywords, slots, createdAt, updatedAt, expiresAt }: MemoryEntry) => {
    const sorted = Object.entries(slots).sort(([name], [next]) => (name < next ? -1 : 1));
    return JSON.stringify([content, keywords, sorted, createdAt, updatedAt, expiresAt ?? null]);
  };
  return told(one) === told(other);
}

/** What a rule or a tool wants to be remembered; whose memory it is, is said by who saves it. */
export interface MemoryDraft {
  /** What is to be remembered. */
  readonly content: string;
  /** Default none. */
  readonly keywords?: readonly string[];
  /** Default none. */
  readonly slots?: Slots;
  /** Default: it does not expire. */
  readonly expiresAt?: Date;
}

/** An entry as it is given to `save`: what is left out is made. Times may be a `Date`, milliseconds since the epoch, or an ISO 8601 text. */
export interface NewMemory {
  /** Whose memory it is, in a form that `MemoryEntry.userId` names. */
  readonly userId: string;
  /** What is to be remembered. Required, not blank. */
  readonly content: string;
  /** Of an entry that is there: replaces it. Default: a new ULID. */
  readonly id?: string | undefined;
  /** Default none. */
  readonly keywords?: readonly string[] | undefined;
  /** Default none. */
  readonly slots?: Slots | undefined;
  /** Default: now. */
  readonly createdAt?: TimeInput | undefined;
  /** Default: as `createdAt`. */
  readonly updatedAt?: TimeInput | undefined;
  /** Default: it does not expire. */
  readonly expiresAt?: TimeInput | undefined;
}

/** A point in time: a `Date`, milliseconds since the epoch, or an ISO 8601 text. */
export type TimeInput = Date | number | string;

/** The `type` slots that Wakeful writes. A `workflow_trace` is kept for learning and never recalled. */
export const ENTRY_TYPES = {
  /** A turn that used tools: goal, tools, outcome. */
  autoCapture: "auto_capture",
  /** Something a person stated: a preference, a decision, a commitment, a fact. */
  statement: "statement",
  /** What a person asked to be kept. */
  note: "note",
  /** Kept before a conversation was compacted. */
  autoFlush: "auto_flush",
  /** The calls of a turn in their order. */
  workflowTrace: "workflow_trace",
  /** A line of MEMORY.md; such a hit has no file of its own. */
  longTerm: "long_term",
  /** A line of a day's digest; such a hit has no file of its own. */
  daily: "daily_digest",
} as const;

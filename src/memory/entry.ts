import type { JsonValue } from "../store/index.ts";

/**
 * Metadata of an entry. Wakeful writes `type`, `source`, `session_id`, `task_type`, `outcome`. Source: docs/memory.md,
 * "Entries".
 */
export type Slots = Readonly<Record<string, JsonValue>>;

/** One memory of one person. */
export interface MemoryEntry {
  /** A ULID, which sorts by time; ids that other programs made are kept as they are. */
  readonly id: string;
  /** Whose memory it is: `@name` of a linked person, `@owner`, `channel:id`, or `group:<channel>:<id>`. */
  readonly userId: string;
  /** The text that the model and people read. */
  readonly content: string;
  /** Words that find the entry, besides those of `content`. */
  readonly keywords: readonly string[];
  /** Fields for programs; `type` says what kind of entry it is (`ENTRY_TYPES`). */
  readonly slots: Slots;
  /** When it was first kept. An update does not change it. */
  readonly createdAt: Date;
  /** When it was last changed; equals `createdAt` before the first change. */
  readonly updatedAt: Date;
  /** When it expires. An expired entry is not recalled and goes to the archive. */
  readonly expiresAt?: Date;
}

/** Whether two entries have the same content, metadata and times. Ignores the id and the user. */
export function isSameEntry(one: MemoryEntry, other: MemoryEntry): boolean {
  const told = ({ content, keywords, slots, createdAt, updatedAt, expiresAt }: MemoryEntry) => {
    const sorted = Object.entries(slots).sort(([name], [next]) => (name < next ? -1 : 1));
    return JSON.stringify([content, keywords, sorted, createdAt, updatedAt, expiresAt ?? null]);
  };
  return told(one) === told(other);
}

/** A memory that a rule or a tool proposes. The caller that saves it chooses the user. */
export interface MemoryDraft {
  /** The text to remember. */
  readonly content: string;
  /** Default none. */
  readonly keywords?: readonly string[];
  /** Default none. */
  readonly slots?: Slots;
  /** Default: never. */
  readonly expiresAt?: Date;
}

/**
 * An entry as `save` takes it; missing members get defaults. Times may be a `Date`, milliseconds since the epoch, or an
 * ISO 8601 text.
 */
export interface NewMemory {
  /** Whose memory it is, in one of the forms that `MemoryEntry.userId` names. */
  readonly userId: string;
  /** The text to remember. Required, not blank. */
  readonly content: string;
  /** Id of an existing entry replaces that entry. Default: a new ULID. */
  readonly id?: string | undefined;
  /** Default none. */
  readonly keywords?: readonly string[] | undefined;
  /** Default none. */
  readonly slots?: Slots | undefined;
  /** Default: now. */
  readonly createdAt?: TimeInput | undefined;
  /** Default: `createdAt`. */
  readonly updatedAt?: TimeInput | undefined;
  /** Default: never. */
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
  /** A note that a person asked to keep. */
  note: "note",
  /** A message kept before its conversation was compacted. */
  autoFlush: "auto_flush",
  /** The tool calls of a turn, in order. */
  workflowTrace: "workflow_trace",
  /** A line of MEMORY.md; such a hit has no entry file of its own. */
  longTerm: "long_term",
  /** A line of a day's digest; such a hit has no entry file of its own. */
  daily: "daily_digest",
} as const;

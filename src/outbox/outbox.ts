import QuickLRU from "quick-lru";
import type { Target } from "../channel.ts";
import type { Clock } from "../clock.ts";
import { type Engine, createArrivals } from "../engine/index.ts";
import { ConflictError } from "../errors.ts";
import type { LogRecord, Store } from "../store/index.ts";
import { DEAD_LOG, readDeadLetters } from "./dead-letters.ts";
import { outboxKey, outboxLog } from "./outbox-key.ts";
import type { OutboxAddress } from "./outbox-key.ts";
import { OUTBOX_FORMAT, letterName, parseOutboxRecord } from "./records.ts";
import type {
  DeadLetter,
  OutboxMessage,
  OutboxRecord,
  PartMark,
  QueuedEntry,
  QueuedMessage,
  ReplyPointer,
} from "./records.ts";

/** Messages to send, one log per chat, and dead letters. */
export interface Outbox {
  /**
   * Queues a reply of a session, or a separate message, for the target's chat. Contract: the append and the wake are
   * issued in the tick of the call, so that a caller who appends the `out` in that tick pays for one durable point.
   * Resolved = durable.
   * Queueing a reply again is harmless: its marks tell what was sent.
   */
  enqueue(target: Target, entry: ReplyPointer | { readonly message: OutboxMessage }): Promise<void>;
  /** Entries that are not known to be settled, in the order in which they were queued. */
  pending(address: OutboxAddress): Promise<readonly QueuedEntry[]>;
  /**
   * Marks the delivery of a part of a message (a reply's marks are in its session). Survives a killed process at once,
   * a power loss a little later.
   */
  mark(address: OutboxAddress, of: number, mark: Omit<PartMark, "at">): Promise<void>;
  /**
   * Records that all entries up to this one are sent or dead: they are not returned any more. A long log with nothing
   * else is removed.
   */
  settle(address: OutboxAddress, entry: QueuedEntry): Promise<void>;
  /**
   * Finds a separate message (no reply) by its id, in any state, with its delivery. Contract: `undefined` also when the
   * chat's log was removed since.
   */
  find(address: OutboxAddress, id: string): Promise<QueuedMessage | undefined>;
  /** The newest entry of a chat, in any state. `undefined` when its log is empty or was removed. */
  newest(address: OutboxAddress): Promise<QueuedEntry | undefined>;
  /** Adds a dead letter. The same part is added once. */
  bury(letter: DeadLetter): Promise<void>;
  /** The newest dead letters, oldest first. `limit` defaults to 100. */
  listDead(options?: { limit?: number }): Promise<readonly DeadLetter[]>;
}

/** A chat's log is removed when it has more records than this and nothing to send. */
export const TRIM_RECORDS = 200;
/** Entries per write of the settled position. Until then it is in memory only, and found again after a restart. */
export const SETTLED_EVERY = 16;

/** Least number of chats with a position in memory; any other chat's log is read from its beginning. */
const MAX_POSITIONS = 10_000;

/** End of the settled part of a log. `identity` reveals a log that was removed and started again. */
interface Position {
  readonly seq: number;
  readonly identity: string;
  readonly unwritten: number;
}

export function createOutbox(parts: { store: Store; engine: Engine; clock: Clock }): Outbox {
  const { store, engine, clock } = parts;
  const positions = new QuickLRU<string, Position>({ maxSize: MAX_POSITIONS });
  const arrivals = createArrivals();

  async function enqueue(target: Target, entry: ReplyPointer | { readonly message: OutboxMessage }): Promise<void> {
    const at = clock.now();
    const record: OutboxRecord =
      "message" in entry
        ? { v: OUTBOX_FORMAT, type: "message", at, target, ...entry.message }
        : { v: OUTBOX_FORMAT, type: "reply", at, session: entry.session, turn: entry.turn };
    // No id for a reply: its pointer is queued again whenever its turn is resumed, as an earlier one may have been
    // skipped before the reply was in the log.
    const options = "message" in entry ? { id: entry.message.id } : {};
    const log = outboxLog(target);
    const appending = store.append(log, toLog(record), options);
    arrivals.add(log, appending);
    await Promise.all([appending, engine.wake(outboxKey(target))]);
  }

  async function pending(address: OutboxAddress): Promise<readonly QueuedEntry[]> {
    const log = outboxLog(address);
    await arrivals.landed(log);
    const position = positions.get(log);
    if (position === undefined) return read(log, 0);
    const entries = await read(log, position.seq - 1);
    const [last, ...rest] = entries;
    if (last !== undefined && identityOf(last) === position.identity) return rest;
    positions.delete(log);
    return read(log, 0);
  }

  async function find(address: OutboxAddress, id: string): Promise<QueuedMessage | undefined> {
    const entries = await all(address);
    return entries.find((entry): entry is QueuedMessage => entry.type === "message" && entry.id === id);
  }

  async function newest(address: OutboxAddress): Promise<QueuedEntry | undefined> {
    return (await all(address)).at(-1);
  }

  async function all(address: OutboxAddress): Promise<QueuedEntry[]> {
    const log = outboxLog(address);
    await arrivals.landed(log);
    return read(log, 0, { settled: true });
  }

  /** @param settled Whether to include entries that are sent or dead. */
  async function read(log: string, after: number, { settled = false } = {}): Promise<QueuedEntry[]> {
    const entries = new Map<number, QueuedEntry>();
    for await (const { seq, record } of store.read(log, { after })) {
      const parsed = parseOutboxRecord(record, log);
      switch (parsed.type) {
        case "reply":
          entries.set(seq, { type: "reply", seq, at: parsed.at, session: parsed.session, turn: parsed.turn });
          break;
        case "message":
          entries.set(seq, {
            type: "message",
            seq,
            at: parsed.at,
            id: parsed.id,
            text: parsed.text,
            ...(parsed.buttons && { buttons: parsed.buttons }),
            ...(parsed.writtenAt !== undefined && { writtenAt: parsed.writtenAt }),
            ...(parsed.unasked && { unasked: parsed.unasked }),
            target: parsed.target,
            marks: [],
          });
          break;
        case "mark": {
          const entry = entries.get(parsed.of);
          if (entry?.type === "message") entries.set(parsed.of, { ...entry, marks: [...entry.marks, parsed] });
          break;
        }
        case "settled":
          // The position in memory starts with its own entry, which must stay to be recognised.
          if (after === 0 && !settled)
            for (const known of entries.keys()) if (known <= parsed.upTo) entries.delete(known);
          break;
      }
    }
    return [...entries.values()];
  }

  async function mark(address: OutboxAddress, of: number, partMark: Omit<PartMark, "at">): Promise<void> {
    const record: OutboxRecord = { v: OUTBOX_FORMAT, type: "mark", of, ...partMark, at: clock.now() };
    await store.append(outboxLog(address), toLog(record), { flush: false });
  }

  async function settle(address: OutboxAddress, entry: QueuedEntry): Promise<void> {
    const log = outboxLog(address);
    const unwritten = (positions.get(log)?.unwritten ?? 0) + 1;
    positions.set(log, { seq: entry.seq, identity: identityOf(entry), unwritten: unwritten % SETTLED_EVERY });
    if (unwritten < SETTLED_EVERY) return;
    const record: OutboxRecord = { v: OUTBOX_FORMAT, type: "settled", at: clock.now(), upTo: entry.seq };
    const { seq } = await store.append(log, toLog(record), { flush: false });
    if (seq > TRIM_RECORDS) await trim(address, log, seq);
  }

  async function trim(address: OutboxAddress, log: string, lastSeq: number): Promise<void> {
    if ((await pending(address)).length > 0) return;
    try {
      await store.remove(log, { expect: lastSeq });
      positions.delete(log);
    } catch (error) {
      if (!ConflictError.is(error)) throw error; // an entry was queued in the meantime: the log stays
    }
  }

  async function bury(letter: DeadLetter): Promise<void> {
    await store.append(DEAD_LOG, toLog({ v: OUTBOX_FORMAT, ...letter }), { id: letterName(letter) });
  }

  return { enqueue, pending, mark, settle, find, newest, bury, listDead: (options) => readDeadLetters(store, options) };
}

function identityOf(entry: QueuedEntry): string {
  return `${entry.at} ${entry.type === "reply" ? entry.turn : entry.id}`;
}

/** These records contain only JSON, which interfaces cannot express. */
function toLog(record: OutboxRecord | (DeadLetter & { v: number })): LogRecord {
  return record as unknown as LogRecord;
}

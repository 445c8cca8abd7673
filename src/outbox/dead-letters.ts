import type { Clock } from "../clock.ts";
import { type Engine, createArrivals } from "../engine/index.ts";
import { AssistantError } from "../errors.ts";
import type { LogRecord, Store } from "../store/index.ts";
import { DEAD_LETTERS_KEY } from "./outbox-key.ts";
import type { Outbox } from "./outbox.ts";
import {
  type DeadLetter,
  type LetterMark,
  OUTBOX_FORMAT,
  isLetter,
  isLetterMark,
  letterName,
  markId,
} from "./records.ts";

/** The log of dead letters. */
export const DEAD_LOG = "outbox/dead.jsonl";
const DEFAULT_LIMIT = 100;

/** Resends dead letters. A letter's name is `<id>.<part>`. */
export interface DeadLetters {
  /** @throws {AssistantError} `NOT_FOUND`; `CONFLICT` when it is in the outbox again. */
  find(name: string): Promise<DeadLetter>;
  /**
   * Requests that a letter is sent again, as a message of its own. Contract: resolved = durable; a repeated request
   * sends it once.
   * The letter leaves the list when its message is in the outbox. If that fails too, it becomes a new letter.
   * @throws {AssistantError} As `find`.
   */
  sendAgain(name: string): Promise<DeadLetter>;
  /** The handler of `DEAD_LETTERS_KEY`: queues the requested letters. Contract: may run again at any time. */
  handle(): Promise<void>;
}

/** State of a letter, without its text. */
interface Known {
  readonly seq: number;
  state: "dead" | "again" | "queued";
}

/**
 * Reads dead letters, oldest first, without those that were sent again.
 *
 * Source: docs/http-manage.md, "What could not be delivered".
 *
 * @param options.limit Number of newest letters. Default 100.
 */
export async function readDeadLetters(
  store: Pick<Store, "read">,
  { limit = DEFAULT_LIMIT }: { readonly limit?: number } = {},
): Promise<readonly DeadLetter[]> {
  const known = [...(await readKnown(store)).values()].filter(({ state }) => state !== "queued");
  const wanted = new Set(known.slice(-limit).map(({ seq }) => seq));
  const [first] = wanted;
  const letters: DeadLetter[] = [];
  if (first === undefined) return letters;
  for await (const { seq, record } of store.read(DEAD_LOG, { after: first - 1 }))
    if (wanted.has(seq) && isLetter(record)) letters.push(withoutFormat(record));
  return letters;
}

export function createDeadLetters(parts: {
  readonly store: Store;
  readonly engine: Pick<Engine, "wake">;
  readonly clock: Clock;
  readonly outbox: Pick<Outbox, "enqueue">;
}): DeadLetters {
  const { store, engine, clock, outbox } = parts;
  const arrivals = createArrivals();

  async function find(name: string): Promise<DeadLetter> {
    const known = (await readKnown(store)).get(name);
    const quoted = JSON.stringify(name.slice(0, 200));
    if (known?.state === "queued")
      throw new AssistantError(
        "CONFLICT",
        `The message ${quoted} was sent again before: if that failed too, it is in the list under another id`,
      );
    const letter = known && (await read(known.seq));
    if (letter) return letter;
    throw new AssistantError(
      "NOT_FOUND",
      `There is no undelivered message ${quoted}: wakeful undelivered and GET /api/v1/dead-letters list them`,
    );
  }

  async function sendAgain(name: string): Promise<DeadLetter> {
    const letter = await find(name);
    const mark: LetterMark = { v: OUTBOX_FORMAT, type: "again", letter: name, at: clock.now() };
    const appending = store.append(DEAD_LOG, mark, { id: markId(mark) });
    arrivals.add(DEAD_LOG, appending);
    await Promise.all([appending, engine.wake(DEAD_LETTERS_KEY)]);
    return letter;
  }

  async function handle(): Promise<void> {
    await arrivals.landed(DEAD_LOG);
    for (const [name, { seq, state }] of await readKnown(store)) {
      if (state !== "again") continue;
      const letter = await read(seq);
      if (letter) await outbox.enqueue(letter.target, { message: messageOf(name, letter) });
      const mark: LetterMark = { v: OUTBOX_FORMAT, type: "queued", letter: name, at: clock.now() };
      await store.append(DEAD_LOG, mark, { id: markId(mark) });
    }
  }

  async function read(wanted: number): Promise<DeadLetter | undefined> {
    for await (const { seq, record } of store.read(DEAD_LOG, { after: wanted - 1, limit: 1 }))
      if (seq === wanted && isLetter(record)) return withoutFormat(record);
    return undefined;
  }

  return { find, sendAgain, handle };
}

/** All letters by name. A letter of an erased person is gone, and its marks are ignored. */
async function readKnown(store: Pick<Store, "read">): Promise<Map<string, Known>> {
  const letters = new Map<string, Known>();
  for await (const { seq, record } of store.read(DEAD_LOG)) {
    if (isLetter(record)) letters.set(letterName(record), { seq, state: "dead" });
    else if (isLetterMark(record)) {
      const known = letters.get(record.letter);
      if (known) known.state = record.type;
    }
  }
  return letters;
}

/**
 * The id is deterministic, so that the outbox queues the message once. It contains the letter's id, by which erasure
 * finds it. Buttons are left out: their question may be over.
 */
function messageOf(name: string, { text, writtenAt, at }: DeadLetter) {
  const [, times = "0", first = name] = /^again:(\d+):(.+)$/s.exec(name) ?? [];
  return { id: `again:${Number(times) + 1}:${first}`, text, writtenAt: writtenAt ?? at };
}

function withoutFormat({ v: _format, ...letter }: LogRecord & DeadLetter): DeadLetter {
  return letter;
}

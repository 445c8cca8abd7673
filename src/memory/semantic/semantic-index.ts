import { after, type Clock } from "../../clock.ts";
import { type Store, createTurns } from "../../store/index.ts";
import { type Embedder } from "../embedder.ts";
import type { MemoryEntry } from "../entry.ts";
import type { MemoryStore } from "../memory-store.ts";
import { startDeadline } from "../../time-limit.ts";
import { calibrate, isOutdated } from "./calibration.ts";
import { embedTexts, embeddable, nameOf, textsPerCall } from "./embed-texts.ts";
import { MIN_ENTRIES, MAX_ENTRIES, type SelfCheck, checkModel, halve } from "./self-check.ts";
import { type StoredVectors, createVectorFiles } from "./vector-files.ts";
import { hashText, quantise } from "./vector-segment.ts";

/** An entry that waits for its embedding. */
interface Waiting {
  readonly id: string;
  readonly text: string;
  readonly createdAtMs: number;
  readonly type: string;
  attempts: number;
}

/** One person's vectors, and the entries that wait for theirs. */
export interface PersonVectors extends StoredVectors {
  readonly userId: string;
  readonly waiting: Map<string, Waiting>;
  /** Failed attempts since the last success. */
  failures: number;
}

interface Person extends PersonVectors {
  loading: Promise<void> | undefined;
  working: Promise<void> | undefined;
  cancel: (() => void) | undefined;
  textsAtOnce: number;
  lookedOverMs: number;
  /** Number of vectors at the last attempt to check the model. */
  triedCheckAt: number | undefined;
  /** Texts that the model refused repeatedly: their hashes by entry, until the next start. */
  readonly refused: Map<string, number>;
  isForgotten: boolean;
}

/** Vectors of all people's entries, made in the background. */
export interface SemanticIndex {
  /** Loads the stored vectors; every 10 minutes it also looks for entries without one. */
  open(userId: string): Promise<PersonVectors>;
  /** Queues entries for embedding. */
  want(userId: string, entries: readonly MemoryEntry[]): void;
  drop(userId: string, ids: readonly string[]): Promise<void>;
  forget(userId: string): Promise<void>;
  /** Embeds all waiting entries now. Contract: when it resolves, each was tried. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

/** Entries saved within this time share a call. */
const GATHER_MS = 500;
const FIRST_RETRY_MS = 2000;
const MAX_RETRY_MS = 300_000;
const CALL_TIMEOUT_MS = 60_000;
/** Failures of a text on its own after which it is skipped until it changes. */
const MAX_ATTEMPTS = 3;
/** Most entries that wait; a look over all entries finds the rest. */
const MAX_WAITING = 2000;
const LOOK_OVER_MS = 600_000;

export function createSemanticIndex(parts: {
  readonly entries: MemoryStore;
  readonly store: Store;
  readonly embedder: Embedder;
  readonly clock: Clock;
  readonly skipTypes: readonly string[];
  /** How hits are fused, for the self-check; `undefined`: no check. */
  readonly checked: SelfCheck["fusion"] | undefined;
  /** Most bytes of vectors in memory; the least recently used are evicted. */
  readonly maxBytes: number;
  onFailure(error: unknown): void;
  onSuccess(): void;
  onChecked(userId: string, check: SelfCheck): void;
}): SemanticIndex {
  const { entries, store, embedder, clock, skipTypes, checked, maxBytes } = parts;
  const files = createVectorFiles({ store, clock, model: nameOf(embedder) });
  const inTurn = createTurns();
  /** Least recently used first. */
  const people = new Map<string, Person>();
  const stopping = new AbortController();

  function personOf(userId: string): Person {
    const known = people.get(userId);
    if (known !== undefined) people.delete(userId);
    const person = known ?? {
      userId,
      manifest: undefined,
      version: null,
      set: undefined,
      waiting: new Map(),
      failures: 0,
      loading: undefined,
      working: undefined,
      cancel: undefined,
      textsAtOnce: Infinity,
      lookedOverMs: -Infinity,
      triedCheckAt: undefined,
      refused: new Map(),
      isForgotten: false,
    };
    people.set(userId, person);
    return person;
  }

  async function load(person: Person): Promise<void> {
    person.loading ??= inTurn(person.userId, async () => {
      Object.assign(person, await files.load(person.userId));
      letGo(person);
    });
    try {
      await person.loading;
    } catch (error) {
      person.loading = undefined;
      throw error;
    }
  }

  function letGo(current: Person): void {
    let bytes = 0;
    for (const { set } of people.values()) bytes += set?.bytes ?? 0;
    for (const person of people.values()) {
      if (bytes <= maxBytes) return;
      const isBusy = person.working !== undefined || person.cancel !== undefined || person.waiting.size > 0;
      if (person === current || isBusy || person.set === undefined) continue;
      people.delete(person.userId);
      bytes -= person.set.bytes;
    }
  }

  function schedule(person: Person, afterMs: number): void {
    if (stopping.signal.aborted || person.cancel !== undefined || person.working !== undefined) return;
    // A fresh save may keep the process alive for half a second. A retry does not: the next start tries again too.
    person.cancel = after(clock, afterMs, () => void work(person), { idle: person.failures > 0 });
  }

  /** Never rejects: failed work is retried later. */
  function work(person: Person): Promise<void> {
    person.cancel?.();
    person.cancel = undefined;
    person.working ??= doWork(person)
      .catch((error: unknown) => {
        person.failures += 1;
        if (!stopping.signal.aborted) parts.onFailure(error);
      })
      .then(() => {
        person.working = undefined;
        const isDone = person.failures === 0 && person.waiting.size === 0;
        if (!isDone && !person.isForgotten)
          schedule(
            person,
            person.failures === 0 ? GATHER_MS : Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** (person.failures - 1)),
          );
      });
    return person.working;
  }

  async function doWork(person: Person): Promise<void> {
    await load(person);
    let hasMore = true;
    while (hasMore && !person.isForgotten) {
      hasMore = clock.now() - person.lookedOverMs >= LOOK_OVER_MS && (await lookOver(person));
      while (person.waiting.size > 0) await embedSome(person);
    }
    if (!person.isForgotten) await learn(person);
    person.failures = 0;
  }

  /**
   * Finds entries without a vector of their present text, and removes vectors without an entry.
   * @returns Whether more entries are left than may wait.
   */
  async function lookOver(person: Person): Promise<boolean> {
    const seen = new Set<string>();
    for await (const entry of entries.list(person.userId)) {
      seen.add(entry.id);
      if (isWanted(person, entry)) add(person, entry);
      if (person.waiting.size >= MAX_WAITING) return true;
    }
    const gone = [...(person.set?.ids() ?? [])].filter((id) => !seen.has(id));
    await inTurn(person.userId, () => files.remove(person.userId, person, gone));
    person.lookedOverMs = clock.now();
    return false;
  }

  function isWanted(person: Person, entry: MemoryEntry): boolean {
    if (skipTypes.includes(typeOf(entry))) return false;
    const text = embeddable(entry.content);
    if (text === "") return false;
    const hash = hashText(text);
    return person.set?.textHash(entry.id) !== hash && person.refused.get(entry.id) !== hash;
  }

  function add(person: Person, entry: MemoryEntry): void {
    const text = embeddable(entry.content);
    if (person.waiting.get(entry.id)?.text === text) return;
    person.waiting.set(entry.id, {
      id: entry.id,
      text,
      createdAtMs: entry.createdAt.getTime(),
      type: typeOf(entry),
      attempts: 0,
    });
  }

  async function embedSome(person: Person): Promise<void> {
    person.textsAtOnce = Math.min(person.textsAtOnce, await textsPerCall(embedder));
    const batch = [...person.waiting.values()].slice(0, person.textsAtOnce);
    let vectors: readonly Float32Array[];
    try {
      vectors = await embed(batch.map(({ text }) => text));
    } catch (error) {
      afterFailure(person, batch);
      throw error;
    }
    person.textsAtOnce *= 2;
    const stored = batch.flatMap((waiting, place) => {
      const vector = vectors[place];
      // The entry was removed or changed in the meantime, so this text no longer waits.
      if (vector === undefined || person.waiting.get(waiting.id) !== waiting) return [];
      return [{ ...waiting, textHash: hashText(waiting.text), ...quantise(vector) }];
    });
    await inTurn(person.userId, async () => {
      const wanted = stored.filter(({ id }) => person.waiting.has(id));
      if (!person.isForgotten) await files.add(person.userId, person, wanted);
    });
    for (const waiting of batch) if (person.waiting.get(waiting.id) === waiting) person.waiting.delete(waiting.id);
    person.failures = 0;
    parts.onSuccess();
  }

  /** Halves the next batch, so that a text that the model refuses is found and set aside. */
  function afterFailure(person: Person, batch: readonly Waiting[]): void {
    person.textsAtOnce = Math.max(1, Math.floor(batch.length / 2));
    const [only, another] = batch;
    if (only === undefined || another !== undefined || stopping.signal.aborted) return;
    person.waiting.delete(only.id);
    only.attempts += 1;
    if (only.attempts < MAX_ATTEMPTS) person.waiting.set(only.id, only);
    else person.refused.set(only.id, hashText(only.text));
  }

  async function embed(texts: readonly string[]): Promise<readonly Float32Array[]> {
    const late = () => new Error(`Embeddings took more than ${CALL_TIMEOUT_MS} ms`);
    const deadline = startDeadline(clock, CALL_TIMEOUT_MS, late, stopping.signal);
    try {
      return await deadline.within(embedTexts(embedder, texts, deadline.signal));
    } finally {
      deadline.end();
    }
  }

  /** Calibrates the model's scale and checks whether it helps, when the last results are outdated. */
  async function learn(person: Person): Promise<void> {
    const { set, manifest } = person;
    if (set === undefined || manifest === undefined) return;
    if (isOutdated(manifest.calibration?.vectors, set.size)) {
      const calibration = calibrate(set);
      if (calibration !== undefined)
        await inTurn(person.userId, () => files.note(person.userId, person, { calibration }));
    }
    const check = sameFusion(manifest.check, checked) ? manifest.check?.vectors : undefined;
    if (checked === undefined || set.size < MIN_ENTRIES || !isOutdated(check, set.size)) return;
    if (!isOutdated(person.triedCheckAt, set.size)) return;
    const found = await checkWith(person, checked);
    person.triedCheckAt = set.size;
    if (found === undefined) return;
    await inTurn(person.userId, () => files.note(person.userId, person, { check: found }));
    parts.onChecked(person.userId, found);
  }

  async function checkWith(person: Person, fusion: SelfCheck["fusion"]): Promise<SelfCheck | undefined> {
    const sample: { id: string; text: string }[] = [];
    for await (const { id, content } of entries.list(person.userId)) {
      if (person.set?.textHash(id) !== undefined) sample.push({ id, text: embeddable(content) });
      if (sample.length >= MAX_ENTRIES) break;
    }
    const halved = halve(sample);
    if (halved.length === 0 || person.set === undefined) return undefined;
    const { set } = person;
    const count = halved.length;
    const texts = (["question", "shared", "rest"] as const).flatMap((half) => halved.map((entry) => entry[half]));
    const found = await embed(texts);
    const [questions, shared, rest] = [0, 1, 2].map((half) => found.slice(half * count, (half + 1) * count));
    const vectors = { questions: questions ?? [], shared: shared ?? [], rest: rest ?? [] };
    return checkModel({ entries: sample, halved, vectors, set, fusion });
  }

  return {
    async open(userId) {
      const person = personOf(userId);
      await load(person);
      if (clock.now() - person.lookedOverMs >= LOOK_OVER_MS) schedule(person, GATHER_MS);
      return person;
    },

    want(userId, wanted) {
      const person = personOf(userId);
      for (const entry of wanted) if (isWanted(person, entry)) add(person, entry);
      if (person.waiting.size > 0) schedule(person, GATHER_MS);
    },

    async drop(userId, ids) {
      const person = personOf(userId);
      for (const id of ids) person.waiting.delete(id);
      await load(person);
      await inTurn(userId, () => files.remove(userId, person, ids));
    },

    async forget(userId) {
      const person = personOf(userId);
      person.isForgotten = true;
      person.waiting.clear();
      person.cancel?.();
      people.delete(userId);
      await inTurn(userId, () => files.forget(userId));
    },

    async settled() {
      await Promise.all(
        [...people.values()].map(async (person) => {
          await person.working;
          if (person.cancel !== undefined || person.waiting.size > 0) await work(person);
        }),
      );
      await inTurn.idle();
    },

    async close() {
      stopping.abort(new Error("The memory is stopping"));
      for (const person of people.values()) person.cancel?.();
      await Promise.all([...people.values()].map(async ({ working }) => working));
      await inTurn.idle();
    },
  };
}

const typeOf = ({ slots }: MemoryEntry): string => (typeof slots["type"] === "string" ? slots["type"] : "");

function sameFusion(check: SelfCheck | undefined, fusion: SelfCheck["fusion"] | undefined): boolean {
  return (
    check?.fusion.method === fusion?.method && check?.fusion.alpha === fusion?.alpha && check?.fusion.k === fusion?.k
  );
}

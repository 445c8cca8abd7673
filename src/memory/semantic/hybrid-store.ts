import type { Clock } from "../../clock.ts";
import { messageOf } from "../../errors.ts";
import type { Store } from "../../store/index.ts";
import { type Logger, type Metrics, silentLogger } from "../../telemetry/index.ts";
import type { Embedder } from "../embedder.ts";
import { ENTRY_TYPES, type MemoryEntry } from "../entry.ts";
import type { MemoryHit, MemoryQuery, MemoryStore } from "../memory-store.ts";
import { slotsMatch } from "../slot-filter.ts";
import { deviationsOf, minSimilarityOf, strongSimilarityOf } from "./calibration.ts";
import { dot, nameOf } from "./embed-texts.ts";
import { DEFAULT_EMBEDDING_TIMEOUT_MS, DEFAULT_FUSION, DEFAULT_RRF_K } from "./defaults.ts";
import { DEFAULT_ALPHA, type FusionMethod, fuse } from "./fuse.ts";
import { createQueryVectors } from "./query-vectors.ts";
import type { SelfCheck } from "./self-check.ts";
import { type PersonVectors, createSemanticIndex } from "./semantic-index.ts";
import type { VectorSet } from "./vector-set.ts";

/** Options of a memory store with search by meaning. */
export interface HybridMemoryOptions {
  /** Store of entries, with search by words. */
  readonly entries: MemoryStore;
  /** Store of vectors, under `.index/memory/<user>/vectors/`. They can be removed at any time and are made again. */
  readonly store: Store;
  /** Makes the vectors. A change of the model makes all of them again. */
  readonly embedder: Embedder;
  /** Measures `timeoutMs` and the pauses after failures. */
  readonly clock: Clock;
  /** Default `scores`. */
  readonly fusion?: FusionMethod | undefined;
  /** See `FusionOptions`. Default 0.3 for `scores`, 0.6 for `rrf`. */
  readonly alpha?: number | undefined;
  /** Default 60. */
  readonly k?: number | undefined;
  /** Cosine similarity below which the semantic side is ignored. Default: derived from the stored vectors. */
  readonly minSimilarity?: number | undefined;
  /** Most milliseconds that a recall waits for the embedding of its question. Default 200. */
  readonly timeoutMs?: number | undefined;
  /** Whether a model must prove on the stored entries that it helps before it counts in full. Default true. */
  readonly selfCheck?: boolean | undefined;
  /** Values of the slot `type` that get no vectors. Default `workflow_trace`. */
  readonly skipTypes?: readonly string[] | undefined;
  /**
   * Largest number of vectors that are all compared; above it, only those of the 200 best by words and of the 2,000
   * newest. Default 20_000.
   */
  readonly maxCompared?: number | undefined;
  /** Memory for the vectors of all people, in bytes. Default 64 MB. */
  readonly maxBytes?: number | undefined;
  /** Logs when embeddings fail, when they work again, and whether the model helps. Default: silent. */
  readonly logger?: Logger | undefined;
  /** Counts failures (`memory.semantic.failed_total`). Default: nothing is counted. */
  readonly metrics?: Pick<Metrics, "increment"> | undefined;
}

/** State of the semantic side for one person. */
export interface SemanticStatus {
  /** `provider/model`. */
  readonly model: string;
  /** Entries that have a vector. */
  readonly vectors: number;
  /** Size of a vector; 0 while there are none. */
  readonly dimensions: number;
  /** Entries that wait for their embedding. */
  readonly waiting: number;
  /** Failed attempts since the last success. */
  readonly failures: number;
  /**
   * `unchecked`: too few entries to tell, so only similarities beyond chance count. `off`: the model does not help, so
   * words alone decide.
   */
  readonly state: "unchecked" | "on" | "off";
  /** Weight of the semantic side: `alpha` when it is on, else 0. */
  readonly weight: number;
  /** The latest check of whether the model helps; absent before the first. */
  readonly check?: SelfCheck;
  /** Cosine similarity below which the semantic side is ignored. */
  readonly minSimilarity: number;
  /** Similarity that one in 10,000 pairs of unrelated entries exceeds; absent while too few are known. */
  readonly duplicateSimilarity?: number;
}

/** A memory store with search by words and by meaning. */
export interface HybridMemoryStore extends MemoryStore {
  /** State of the semantic side for one person; loads their vectors if needed. */
  status(userId: string): Promise<SemanticStatus>;
  /**
   * Similarity that one in 10,000 pairs of unrelated entries exceeds; `undefined` while too few are known. Contract:
   * never rejects.
   */
  duplicateSimilarity(userId: string): Promise<number | undefined>;
  /**
   * Similarity of a text to entries, for those with a vector; empty when the embedder does not answer in time.
   * Contract: never rejects.
   */
  similarities(
    userId: string,
    text: string,
    ids: readonly string[],
    signal?: AbortSignal,
  ): Promise<ReadonlyMap<string, number>>;
  /**
   * Finds texts that are closer to `text` in meaning than a person's unrelated entries are by chance: from above 0 at
   * that limit to 1 for the same meaning. Empty when the embedder does not answer in time, does not help, or has too
   * few entries to tell; in the last two cases it is not called. Contract: never rejects.
   */
  beyondChance(userId: string, text: string, others: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** Removes a person's vectors; their entries stay, or have moved. */
  forgetVectors(userId: string): Promise<void>;
  /** Embeds all waiting entries now. Contract: when it resolves, each was tried. */
  settled(): Promise<void>;
  /**
   * Stops the background work and waits for pending writes. `entries` and `store` stay open. The next start finds
   * entries that are not embedded yet.
   */
  close(): Promise<void>;
}

/** Hits of each side that are joined, at least. */
const DEPTH = 50;
const DEPTH_BY_WORDS_ALONE = 200;
const NEWEST_COMPARED = 2000;

/**
 * Adds search by meaning to a memory store that searches by words. Saving waits for no embedding, and a search waits at
 * most `timeoutMs` for that of its question. Neither ever fails because of the embedder.
 *
 * Source: docs/recall.md.
 */
export function hybridMemoryStore(options: HybridMemoryOptions): HybridMemoryStore {
  const { entries, store, embedder, clock, logger = silentLogger, metrics } = options;
  const {
    fusion: method = DEFAULT_FUSION,
    k = DEFAULT_RRF_K,
    timeoutMs = DEFAULT_EMBEDDING_TIMEOUT_MS,
    selfCheck = true,
  } = options;
  const { maxCompared = 20_000, maxBytes = 64_000_000, skipTypes = [ENTRY_TYPES.workflowTrace] } = options;
  const { alpha = DEFAULT_ALPHA[method] } = options;
  const fusion = { method, alpha, k };
  fuse([], [], fusion);
  let hasWarned = false;

  function onFailure(error: unknown): void {
    metrics?.increment("memory.semantic.failed_total");
    if (hasWarned) return;
    hasWarned = true;
    logger.warn("Embeddings fail or are slow: memories are recalled by words alone until they work again", {
      model: nameOf(embedder),
      error: messageOf(error),
    });
  }

  function onSuccess(): void {
    if (!hasWarned) return;
    hasWarned = false;
    logger.info("Embeddings work again", { model: nameOf(embedder) });
  }

  const index = createSemanticIndex({
    entries,
    store,
    embedder,
    clock,
    skipTypes,
    checked: selfCheck ? fusion : undefined,
    maxBytes,
    onFailure,
    onSuccess,
    onChecked(userId, { helps, keyword, semantic, fused, questions }) {
      const fields = { model: nameOf(embedder), user: userId, keyword, semantic, fused, questions };
      if (helps) logger.info("The embedding model helps to find memories", fields);
      else logger.warn("The embedding model does not help to find memories: words alone decide", fields);
    },
  });
  const questions = createQueryVectors({ embedder, clock, timeoutMs, onFailure, onSuccess });

  /** Loads a person's vectors and embeds a question; `undefined` when words alone decide. Never rejects. */
  async function ask(userId: string, text: string, signal: AbortSignal | undefined) {
    try {
      const person = await index.open(userId);
      if (stateOf(person) === "off" || person.set === undefined || person.set.size === 0) return undefined;
      const vector = await questions.find(text, signal);
      return vector?.length === person.set.dimensions ? { person, set: person.set, vector } : undefined;
    } catch (error) {
      onFailure(error);
      return undefined;
    }
  }

  function stateOf({ manifest }: PersonVectors): SemanticStatus["state"] {
    if (!selfCheck) return "on";
    if (manifest?.check === undefined) return "unchecked";
    return manifest.check.helps ? "on" : "off";
  }

  const leastOf = ({ manifest }: PersonVectors) => options.minSimilarity ?? minSimilarityOf(manifest?.calibration);

  /** Finds the vectors that are similar enough to the question. */
  function similar(query: MemoryQuery, asked: Asked, byWords: readonly MemoryHit[]): readonly MemoryVectorHit[] {
    const { set, vector, person } = asked;
    const ids =
      set.size <= maxCompared ? undefined : [...byWords.map(({ entry }) => entry.id), ...set.newest(NEWEST_COMPARED)];
    return set.nearest(vector, {
      limit: Math.max(DEPTH, query.limit),
      sinceMs: query.since?.getTime(),
      withoutTypes: query.withoutTypes,
      ids,
      atLeast: leastOf(person),
    });
  }

  function join(query: MemoryQuery, asked: Asked, byWords: readonly MemoryHit[]): readonly Joined[] {
    const words = byWords.map(({ entry, score, signals, archived }) => ({
      id: entry.id,
      score,
      signals,
      entry,
      archived,
    }));
    const found = similar(query, asked, byWords);
    if (stateOf(asked.person) === "on") return fuse<Joinable>(words, found, fusion);
    // The model has not proved that it helps: similarities beyond chance count, the others only fill places that words
    // left empty.
    const strong = strongSimilarityOf(asked.person.manifest?.calibration) ?? Infinity;
    const joined = fuse<Joinable>(
      words,
      found.filter(({ score }) => score >= strong),
      fusion,
    );
    const known = new Set(joined.map(({ id }) => id));
    const last = joined.at(-1)?.score ?? 1;
    const rest = found.filter(({ id }) => !known.has(id));
    return [
      ...joined,
      ...rest.map(({ id, score }, place) => ({ id, score: last / (place + 2), signals: { semantic: score } })),
    ];
  }

  async function search(query: MemoryQuery): Promise<readonly MemoryHit[]> {
    const text = [query.text ?? "", ...(query.keywords ?? [])].join(" ").trim();
    if (text === "") return entries.search(query);
    const [byWords, asked] = await Promise.all([
      entries.search({ ...query, limit: Math.max(DEPTH, query.limit) }),
      ask(query.userId, text, query.signal),
    ]);
    index.want(
      query.userId,
      byWords.flatMap(({ entry, archived }) => (archived === true || LINES.has(entry.slots["type"]) ? [] : [entry])),
    );
    if (asked === undefined) return byWords.slice(0, query.limit);
    try {
      const words =
        asked.set.size <= maxCompared
          ? byWords
          : await entries.search({ ...query, limit: Math.max(DEPTH_BY_WORDS_ALONE, query.limit) });
      const joined = join(query, asked, words);
      return await fill(query, query.about === true ? withDeviations(joined, asked.person) : joined);
    } catch (error) {
      onFailure(error);
      return byWords.slice(0, query.limit);
    }
  }

  /** Returns the best hits that pass the query's filters; fetches entries that the words did not find. */
  async function fill(query: MemoryQuery, joined: readonly Joined[]): Promise<readonly MemoryHit[]> {
    const hits: MemoryHit[] = [];
    let fetches = query.limit * 4 + DEPTH;
    for (const { id, score, signals, entry, archived } of joined) {
      if (hits.length >= query.limit) break;
      if (entry !== undefined) hits.push({ entry, score, signals, ...(archived === true && { archived }) });
      else if (fetches-- > 0) {
        const fetched = await entries.get(query.userId, id, { archived: false });
        if (fetched !== undefined && passes(fetched, query, clock.now())) hits.push({ entry: fetched, score, signals });
      }
    }
    return hits;
  }

  const count = entries.count?.bind(entries);
  const archivedAs = entries.archivedAs?.bind(entries);
  return {
    ...(count && { count }),
    ...(archivedAs && { archivedAs }),

    async save(saved, saveOptions) {
      await entries.save(saved, saveOptions);
      const byUser = new Map<string, MemoryEntry[]>();
      for (const entry of saved) byUser.set(entry.userId, [...(byUser.get(entry.userId) ?? []), entry]);
      for (const [userId, own] of byUser) index.want(userId, own);
    },

    get: (userId, id, getOptions) => entries.get(userId, id, getOptions),
    search,
    list: (userId, listOptions) => entries.list(userId, listOptions),
    users: () => entries.users(),

    async remove(userId, ids) {
      const removed = await entries.remove(userId, ids);
      await index.drop(userId, ids);
      return removed;
    },

    async archive(userId, ids, archiveOptions) {
      const archived = await entries.archive(userId, ids, archiveOptions);
      await index.drop(userId, ids);
      return archived;
    },

    async restore(userId, ids) {
      const restored = await entries.restore(userId, ids);
      const found = await Promise.all(ids.map((id) => entries.get(userId, id, { archived: false })));
      index.want(
        userId,
        found.filter((entry) => entry !== undefined),
      );
      return restored;
    },

    async forget(userId) {
      await entries.forget(userId);
      await index.forget(userId);
    },

    async status(userId) {
      const person = await index.open(userId);
      const { manifest, set, waiting, failures } = person;
      const state = stateOf(person);
      const duplicate = manifest?.calibration?.duplicate;
      return {
        model: nameOf(embedder),
        vectors: set?.size ?? 0,
        dimensions: set?.dimensions ?? 0,
        waiting: waiting.size,
        failures,
        state,
        weight: state === "on" ? alpha : 0,
        minSimilarity: leastOf(person),
        ...(manifest?.check === undefined ? {} : { check: manifest.check }),
        ...(duplicate === undefined ? {} : { duplicateSimilarity: duplicate }),
      };
    },

    async duplicateSimilarity(userId) {
      try {
        return (await index.open(userId)).manifest?.calibration?.duplicate;
      } catch (error) {
        onFailure(error);
        return undefined;
      }
    },

    async similarities(userId, text, ids, signal) {
      const similarities = new Map<string, number>();
      try {
        const { set } = await index.open(userId);
        const vector = ids.some((id) => set?.textHash(id) !== undefined)
          ? await questions.find(text, signal)
          : undefined;
        for (const id of vector === undefined ? [] : ids) {
          const similarity = vector && set?.similarity(vector, id);
          if (similarity !== undefined) similarities.set(id, similarity);
        }
      } catch (error) {
        onFailure(error);
      }
      return similarities;
    },

    async beyondChance(userId, text, others) {
      const beyond = new Map<string, number>();
      try {
        const person = await index.open(userId);
        const strong = strongSimilarityOf(person.manifest?.calibration) ?? 1;
        const least = Math.max(strong, leastOf(person));
        if (stateOf(person) === "off" || least >= 1) return beyond;
        const [vector, ...found] = (await questions.findAll([text, ...others])) ?? [];
        for (const [place, other] of found.entries()) {
          const similarity = vector === undefined ? 0 : dot(vector, other);
          if (similarity > least) beyond.set(others[place] ?? "", Math.min(1, (similarity - least) / (1 - least)));
        }
      } catch (error) {
        onFailure(error);
      }
      return beyond;
    },

    forgetVectors: (userId) => index.forget(userId),

    settled: () => index.settled(),

    async close() {
      questions.stop();
      await index.close();
    },
  };
}

interface Asked {
  readonly person: PersonVectors;
  readonly set: VectorSet;
  readonly vector: Float32Array;
}

type MemoryVectorHit = ReturnType<VectorSet["nearest"]>[number];

interface Joinable {
  readonly id: string;
  readonly score: number;
  readonly signals?: MemoryHit["signals"];
  readonly entry?: MemoryEntry;
  readonly archived?: boolean | undefined;
}

interface Joined extends Joinable {
  readonly signals: MemoryHit["signals"];
}

/** Types of hits that are lines of a file, not entries. */
const LINES: ReadonlySet<unknown> = new Set([ENTRY_TYPES.longTerm, ENTRY_TYPES.daily]);

function withDeviations(joined: readonly Joined[], { manifest }: PersonVectors): readonly Joined[] {
  return joined.map((hit) => {
    const { semantic } = hit.signals;
    const deviations = semantic === undefined ? undefined : deviationsOf(manifest?.calibration, semantic);
    return deviations === undefined ? hit : { ...hit, signals: { ...hit.signals, deviations } };
  });
}

function passes(entry: MemoryEntry, query: MemoryQuery, nowMs: number): boolean {
  const type = entry.slots["type"];
  return (
    (entry.expiresAt === undefined || entry.expiresAt.getTime() > nowMs) &&
    (query.since === undefined || entry.createdAt >= query.since) &&
    !(typeof type === "string" && query.withoutTypes?.includes(type) === true) &&
    slotsMatch(entry.slots, query.slots ?? {})
  );
}

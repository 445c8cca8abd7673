import type { Clock } from "../../clock.ts";
import { ConflictError } from "../../errors.ts";
import { newId } from "../../ids.ts";
import { type JsonValue, type Store, type Version, removeUnder, storeKey } from "../../store/index.ts";
import type { Calibration } from "./calibration.ts";
import type { SelfCheck } from "./self-check.ts";
import { type StoredVector, decodeSegment, encodeSegment } from "./vector-segment.ts";
import { type VectorSet, createVectorSet } from "./vector-set.ts";

/** The segments of a person's vectors of one model, and the findings about the model. JSON. */
export interface VectorManifest {
  readonly format: typeof FORMAT;
  readonly dimensions: number;
  /** Sequence of the next segment. If two segments have a vector of one entry, the later segment's counts. */
  readonly sequence: number;
  readonly segments: readonly SegmentLine[];
  /** By entry: its vectors in segments before this sequence are removed. */
  readonly removed: { readonly [id: string]: number };
  readonly calibration?: Calibration;
  readonly check?: SelfCheck;
}

interface SegmentLine {
  readonly name: string;
  readonly sequence: number;
  readonly count: number;
}

/** A person's stored vectors; `set` holds in memory what the manifest names. */
export interface StoredVectors {
  manifest: VectorManifest | undefined;
  version: Version | null;
  set: VectorSet | undefined;
}

/** Files of vectors of one model: immutable segments, each written before the manifest that names it. */
export interface VectorFiles {
  load(userId: string): Promise<StoredVectors>;
  /** Adds a segment and merges small ones once there are many. Vectors of another size replace all earlier ones. */
  add(userId: string, vectors: StoredVectors, added: readonly StoredVector[]): Promise<void>;
  remove(userId: string, vectors: StoredVectors, ids: readonly string[]): Promise<void>;
  /** Stores findings about the model. */
  note(userId: string, vectors: StoredVectors, found: Findings): Promise<void>;
  /** Removes the vectors of every model. */
  forget(userId: string): Promise<void>;
}

/** Format of the manifest and its segments. */
const FORMAT = 1;

export type Findings = Pick<VectorManifest, "calibration" | "check">;

const MAX_SMALL_SEGMENTS = 8;
/** A segment with this many vectors is not merged again. */
const LARGE_SEGMENT = 4096;
const FEW_REMOVED = 64;
const SEQUENCE_DIGITS = 10;
const MAX_ATTEMPTS = 5;

export function createVectorFiles(parts: {
  readonly store: Store;
  readonly clock: Pick<Clock, "now">;
  /** The model's name; each model has its own folder. */
  readonly model: string;
}): VectorFiles {
  const { store, clock, model } = parts;
  const all = (userId: string) => storeKey(".index", "memory", userId, "vectors");
  const keyOf = (userId: string, name: string) => `${all(userId)}/${storeKey(model, name)}`;

  async function load(userId: string): Promise<StoredVectors> {
    const found = await store.get(keyOf(userId, "manifest.json"));
    const manifest = found === null ? undefined : parseManifest(found.value);
    const version = found?.version ?? null;
    if (manifest === undefined) return { manifest, version, set: undefined };
    const set = createVectorSet(manifest.dimensions);
    // A missing or damaged segment loses its embeddings; they are requested again.
    for (const line of manifest.segments) for (const vector of await read(userId, manifest, line)) set.add(vector);
    return { manifest, version, set };
  }

  /** Reads the vectors of a segment that are not removed. */
  async function read(userId: string, manifest: VectorManifest, line: SegmentLine): Promise<readonly StoredVector[]> {
    const value = (await store.get(keyOf(userId, line.name)))?.value;
    const vectors = value instanceof Uint8Array ? decodeSegment(value, manifest.dimensions) : undefined;
    return (vectors ?? []).filter(({ id }) => (manifest.removed[id] ?? 0) <= line.sequence);
  }

  /** Changes the manifest; if another process changed it, reloads it and retries. */
  async function change(
    userId: string,
    vectors: StoredVectors,
    next: (manifest: VectorManifest | undefined) => Promise<VectorManifest | undefined>,
  ): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      const manifest = await next(vectors.manifest);
      if (manifest === undefined) return;
      try {
        const expect = store.caps.cas === "none" ? {} : { expect: vectors.version };
        vectors.version = await store.put(keyOf(userId, "manifest.json"), asJson(manifest), expect);
        vectors.manifest = manifest;
        return;
      } catch (error) {
        if (!ConflictError.is(error) || attempt === MAX_ATTEMPTS) throw error;
        Object.assign(vectors, await load(userId));
      }
    }
  }

  async function writeSegment(
    userId: string,
    { sequence, dimensions }: Pick<VectorManifest, "sequence" | "dimensions">,
    added: readonly StoredVector[],
  ): Promise<SegmentLine> {
    const name = `${String(sequence).padStart(SEQUENCE_DIGITS, "0")}-${newId(clock)}.bin`;
    await store.put(keyOf(userId, name), encodeSegment(added, dimensions));
    return { name, sequence, count: added.length };
  }

  async function merge(userId: string, vectors: StoredVectors): Promise<void> {
    let merged: readonly SegmentLine[] = [];
    await change(userId, vectors, async (manifest) => {
      if (manifest === undefined) return undefined;
      const { segments, removed } = manifest;
      const total = segments.reduce((sum, { count }) => sum + count, 0);
      const isThinned = Object.keys(removed).length > Math.max(FEW_REMOVED, total / 4);
      merged = isThinned ? segments : segments.filter(({ count }) => count < LARGE_SEGMENT);
      if (!isThinned && merged.length <= MAX_SMALL_SEGMENTS) {
        merged = [];
        return undefined;
      }
      const kept = new Map<string, StoredVector>();
      for (const line of merged) for (const vector of await read(userId, manifest, line)) kept.set(vector.id, vector);
      const line = await writeSegment(userId, manifest, [...kept.values()]);
      return {
        ...manifest,
        sequence: manifest.sequence + 1,
        segments: [...segments.filter((one) => !merged.includes(one)), line],
        removed: isThinned ? {} : removed,
      };
    });
    if (merged.length > 0) await clean(userId, vectors);
  }

  /**
   * Removes segments that the manifest does not name: merged ones, and those of a process that ended before it wrote
   * its manifest. A segment that another process is about to name has the manifest's next sequence. One with an earlier
   * sequence can no longer be named: its manifest would conflict with a newer one.
   */
  async function clean(userId: string, { manifest }: StoredVectors): Promise<void> {
    if (manifest === undefined) return;
    const named = new Set(manifest.segments.map(({ name }) => keyOf(userId, name)));
    const next = keyOf(userId, String(manifest.sequence).padStart(SEQUENCE_DIGITS, "0"));
    const unnamed: string[] = [];
    for await (const { key } of store.list(`${all(userId)}/${storeKey(model)}/`))
      if (key.endsWith(".bin") && !named.has(key) && key < next) unnamed.push(key);
    for (const key of unnamed) await store.remove(key);
  }

  return {
    load,

    async add(userId, vectors, added) {
      const dimensions = added[0]?.values.length;
      if (dimensions === undefined) return;
      await change(userId, vectors, async (manifest) => {
        const base = manifest?.dimensions === dimensions ? manifest : emptyManifest(dimensions, manifest?.sequence);
        const line = await writeSegment(userId, base, added);
        return { ...base, sequence: base.sequence + 1, segments: [...base.segments, line] };
      });
      if (vectors.set?.dimensions !== dimensions) vectors.set = createVectorSet(dimensions);
      for (const vector of added) vectors.set.add(vector);
      await merge(userId, vectors);
    },

    async remove(userId, vectors, ids) {
      const known = ids.filter((id) => vectors.set?.textHash(id) !== undefined);
      if (known.length === 0) return;
      await change(userId, vectors, async (manifest) => {
        if (manifest === undefined) return undefined;
        const gone = Object.fromEntries(known.map((id) => [id, manifest.sequence]));
        return { ...manifest, removed: { ...manifest.removed, ...gone } };
      });
      for (const id of known) vectors.set?.remove(id);
      await merge(userId, vectors);
    },

    note: (userId, vectors, found) =>
      change(userId, vectors, async (manifest) => (manifest === undefined ? undefined : { ...manifest, ...found })),

    async forget(userId) {
      await removeUnder(store, `${all(userId)}/`);
    },
  };
}

function emptyManifest(dimensions: number, sequence = 1): VectorManifest {
  return { format: FORMAT, dimensions, sequence, segments: [], removed: {} };
}

/** TypeScript does not accept interfaces as JSON, although these hold nothing else. */
const asJson = (manifest: VectorManifest): JsonValue => ({ ...manifest }) as unknown as JsonValue;

/** Ignores a manifest of another format: the vectors are requested again. */
function parseManifest(value: unknown): VectorManifest | undefined {
  const isOurs = typeof value === "object" && value !== null && "format" in value && value.format === FORMAT;
  return isOurs ? (value as VectorManifest) : undefined;
}

import { attempt, type DenoKv, type KvKey } from "./kv.ts";

/** A reference to bytes that are too large for one value. */
export interface Blob {
  readonly id: string;
  readonly parts: number;
}

/**
 * Deno KV takes 64 KiB a value and 800 KiB a commit, including some overhead:
 * https://docs.deno.com/deploy/kv/transactions/
 */
const PART_BYTES = 60_000;
const PARTS_A_COMMIT = 12;
const DELETES_A_COMMIT = 500;
/**
 * Age of a mark after which `sweep` removes its data: an hour after the write or the drop, no commit can refer to it
 * any more.
 */
const SWEEP_AFTER_MS = 3_600_000;

export type Blobs = ReturnType<typeof createBlobs>;

/**
 * Stores bytes in parts, written before the commit that refers to them. A mark under `garbage` names them until that
 * commit, and again from the commit that drops them, so the next `sweep` finds everything that a crash leaves.
 */
export function createBlobs(kv: DenoKv, root: string) {
  const partKey = (id: string, part: number): KvKey => [root, "blob", id, part];
  const markKey = (id: string): KvKey => [root, "garbage", id];

  async function write(bytes: Uint8Array): Promise<Blob> {
    const id = crypto.randomUUID();
    const parts = Math.ceil(bytes.length / PART_BYTES);
    await attempt("write a large value", () =>
      kv.atomic().set(markKey(id), { kind: "blob", atMs: Date.now() }).commit(),
    );
    for (let first = 0; first < parts; first += PARTS_A_COMMIT) {
      const commit = kv.atomic();
      for (let part = first; part < Math.min(parts, first + PARTS_A_COMMIT); part++) {
        commit.set(partKey(id, part), bytes.slice(part * PART_BYTES, (part + 1) * PART_BYTES));
      }
      await attempt("write a large value", () => commit.commit());
    }
    return { id, parts };
  }

  /** Reads the bytes; `undefined` when they were dropped in the meantime. */
  async function read({ id, parts }: Blob): Promise<Uint8Array | undefined> {
    const pieces: Uint8Array[] = [];
    for (let first = 0; first < parts; first += 10) {
      const keys = Array.from({ length: Math.min(10, parts - first) }, (_, index) => partKey(id, first + index));
      for (const { value } of await attempt("read a large value", () => kv.getMany(keys))) {
        if (!(value instanceof Uint8Array)) return undefined;
        pieces.push(value);
      }
    }
    const bytes = new Uint8Array(pieces.reduce((total, piece) => total + piece.length, 0));
    let position = 0;
    for (const piece of pieces) {
      bytes.set(piece, position);
      position += piece.length;
    }
    return bytes;
  }

  async function deleteAll(prefix: KvKey): Promise<void> {
    let commit = kv.atomic();
    let count = 0;
    for await (const { key } of kv.list({ prefix })) {
      commit.delete(key);
      if (++count % DELETES_A_COMMIT === 0) {
        await commit.commit();
        commit = kv.atomic();
      }
    }
    await commit.commit();
  }

  /** Removes the data that a mark names, then the mark. */
  async function drop(id: string): Promise<void> {
    await attempt("remove old data", async () => {
      // A log's entries may have blobs of their own.
      for await (const { value } of kv.list({ prefix: [root, "entry", id] })) {
        const { blob } = value as { blob?: Blob };
        if (blob !== undefined) await deleteAll([root, "blob", blob.id]);
      }
      for (const kind of ["blob", "entry", "id"]) await deleteAll([root, kind, id]);
      await kv.atomic().delete(markKey(id)).commit();
    });
  }

  return {
    write,
    read,
    drop,
    /**
     * Key of the mark by which `drop` and `sweep` find a blob or a log. The commit that drops the data sets the mark;
     * the commit that refers to it deletes the mark.
     */
    markKey,
    mark: () => ({ atMs: Date.now() }),
    /** Removes data that crashed writes and removals left. */
    async sweep(): Promise<void> {
      const old: string[] = [];
      for await (const { key, value } of kv.list({ prefix: [root, "garbage"] })) {
        if ((value as { atMs: number }).atMs < Date.now() - SWEEP_AFTER_MS) old.push(String(key.at(-1)));
      }
      for (const id of old) await drop(id);
    },
  };
}

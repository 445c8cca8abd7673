import type { Clock } from "../../clock.ts";
import { messageOf } from "../../errors.ts";
import type { Platform } from "../../platform.ts";
import { getIndex, type Store, type Version, keySegments, storeKey, textsIn } from "../../store/index.ts";
import type { Logger } from "../../telemetry/index.ts";
import { dayAfter } from "../../calendar.ts";
import type { Days } from "../days/days.ts";
import { fieldsOf } from "../days/state.ts";
import { readEntryFile, userIdIn } from "../entry-file.ts";
import { type MemoryEntry, isSameEntry } from "../entry.ts";
import type { MemoryStore } from "../memory-store.ts";
import { firstKeys } from "../users.ts";

export interface FlatMigrationParts {
  readonly store: Store;
  readonly memory: Pick<MemoryStore, "get" | "save">;
  readonly days: Pick<Days, "digest" | "extract" | "addFacts" | "today">;
  readonly clock: Pick<Clock, "now">;
  readonly yaml: Platform["yaml"];
  readonly logger: Logger;
  /** Maps a `user_id` of the old layout to its present user. Default: the same id. */
  canonicalUser?(userId: string): string;
  /** User of entries that name none. Default `@owner`. */
  readonly owner?: string;
}

export interface FlatMigrationResult {
  readonly moved: number;
  /** Entries that stay in place, and why. */
  readonly failed: readonly { readonly key: string; readonly reason: string }[];
  /** Users that received entries. */
  readonly users: readonly string[];
}

interface FlatFile {
  readonly key: string;
  readonly version: Version;
  readonly entry: MemoryEntry;
}

const AT_ONCE = 16;
/** Days whose digests are written after the move. */
const FIRST_DAYS = 7;
/** Document with the users whose files are being moved. Read again after a crash, so that their digests are written. */
const UNDER_WAY = storeKey(".index", "migration", "flat-memory.json");

/**
 * Moves entries of an older layout, `memory/<id>.md`, to the users whom they name. Each is copied, read back, compared,
 * and only then removed; a file that cannot be read stays. A repeated run does nothing.
 *
 * Source: docs/memory-days.md, "From an older layout".
 */
export async function migrateFlatLayout(parts: FlatMigrationParts): Promise<FlatMigrationResult> {
  const { store, memory, clock, logger, owner = "@owner", canonicalUser = (userId: string) => userId } = parts;
  const failed: { readonly key: string; readonly reason: string }[] = [];
  const files: FlatFile[] = [];
  for (const key of await flatKeys(store)) {
    try {
      files.push(await read(key));
    } catch (error) {
      failed.push({ key, reason: messageOf(error) });
    }
  }
  const before = textsIn(fieldsOf((await getIndex(store, UNDER_WAY))?.value)["users"]);
  const users = new Set(before);
  let moved = 0;
  if (files.length > 0)
    await store.put(UNDER_WAY, { v: 1, users: [...before, ...files.map(({ entry }) => entry.userId)] });
  for (let at = 0; at < files.length; at += AT_ONCE) await Promise.all(files.slice(at, at + AT_ONCE).map(tryMove));
  for (const userId of users) await begin(userId);
  if (files.length + before.length > 0) await store.remove(UNDER_WAY);
  if (moved > 0) logger.info("Memories of an older layout were moved", { moved, users: users.size });
  for (const { key, reason } of failed) logger.warn("A memory of an older layout stays where it is", { key, reason });
  return { moved, failed, users: [...users].sort() };

  async function read(key: string): Promise<FlatFile> {
    const found = await store.get(key);
    if (typeof found?.value !== "string") throw new TypeError("expected a text");
    const named = userIdIn(found.value, parts.yaml);
    const userId = named === undefined ? owner : canonicalUser(named);
    const id = (keySegments(key)[1] ?? "").replace(/\.md$/, "");
    const fileTimeMs = (await store.modifiedAt?.(key))?.getTime() ?? clock.now();
    const file = readEntryFile(found.value, { userId, id, fileTimeMs }, parts.yaml);
    if ("message" in file) throw new SyntaxError(`line ${file.line}: ${file.message}`);
    // Frontmatter of the old layout had other keys.
    return { key, version: found.version, entry: { ...file.entry, slots: { ...file.extra, ...file.entry.slots } } };
  }

  async function tryMove(file: FlatFile): Promise<void> {
    try {
      await move(file);
      moved += 1;
      users.add(file.entry.userId);
    } catch (error) {
      failed.push({ key: file.key, reason: messageOf(error) });
    }
  }

  async function move({ key, version, entry }: FlatFile): Promise<void> {
    const { userId, id } = entry;
    if (!(await memory.get(userId, id))) await memory.save([entry]);
    const copy = await memory.get(userId, id);
    if (!copy || !isSameEntry(copy, entry)) throw new TypeError(`${userId} has another memory ${JSON.stringify(id)}`);
    await store.remove(key, { expect: version });
  }

  /** Writes a first MEMORY.md, and digests of the days that a person may still ask about. */
  async function begin(userId: string): Promise<void> {
    if (await store.get(storeKey("memory", userId, "MEMORY.md"))) return;
    const today = parts.days.today(userId);
    for (let ago = 0; ago < FIRST_DAYS; ago += 1) await parts.days.digest({ userId, day: dayAfter(today, -ago) });
    await parts.days.extract({ userId, digestDays: FIRST_DAYS });
    await parts.days.addFacts(userId, [], { begin: true });
  }
}

async function flatKeys(store: Store): Promise<readonly string[]> {
  const keys: string[] = [];
  for await (const key of firstKeys(store)) {
    const [, name = "", ...rest] = keySegments(key);
    if (rest.length === 0 && name.endsWith(".md") && name !== "MEMORY.md") keys.push(key);
  }
  return keys;
}

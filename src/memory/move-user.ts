import { type Movable, cannotJoin, isSameValue, moveDocument } from "../erasable/index.ts";
import { AssistantError, ConflictError } from "../errors.ts";
import type { Platform } from "../platform.ts";
import { type JsonValue, type Store, type Value, keySegments, listKeys, storeKey, textsIn } from "../store/index.ts";
import type { Days } from "./days/days.ts";
import { readLine, withEntryId } from "./days/lines.ts";
import { DIGEST_SECTIONS } from "./days/compose-digest.ts";
import { fieldsOf, rewrite } from "./days/state.ts";
import { readEntryFile, writeEntryFile } from "./entry-file.ts";
import { isSameEntry } from "./entry.ts";
import { joinMarkdown } from "./join-markdown.ts";
import type { LayeredStore } from "./layered-store.ts";
import type { MemoryStore } from "./memory-store.ts";
import { idBeside, moveEntries } from "./move-entries.ts";

export interface MemoryMoveParts {
  readonly store: Store;
  readonly yaml: Platform["yaml"];
  readonly entries: MemoryStore;
  /** Given where entries are files. */
  readonly layered: Pick<LayeredStore, "moving"> | undefined;
  readonly days: Pick<Days, "digest">;
  /** Drops caches of both users, whose files have changed. */
  onMoved(from: string, to: string): Promise<void>;
}

/** The user before and after the move, the entry's old name, and its new id. */
interface Respelling {
  readonly from: string;
  readonly to: string;
  readonly name: string;
  readonly id: string;
}

const FOLDERS = ["entries", "archive"] as const;
const FILE_END = ".md";
const AT_ONCE = 16;
const MAX_TRIES = 4;
/** Fields of a digest that are rewritten when two are joined. */
const WRITTEN_ANEW = /^(?:date|entry_count|sources)[ \t]*:/;
const TOOL_LINE = / × \d+$/;

/**
 * Moves all memories of one name to another name of the same person: entries and archive unchanged, MEMORY.md and
 * digests joined with existing ones, and the internal state.
 *
 * Source: docs/memory-belonging.md.
 */
export function createMemoryMove({ store, yaml, entries, layered, days, onMoved }: MemoryMoveParts): Movable {
  /** Moves keys in batches. A conflict is added to `problems` and does not stop the others. @returns How many moved. */
  async function moveEach(
    keys: readonly string[],
    move: (key: string) => Promise<boolean>,
    problems: AssistantError[],
  ) {
    let moved = 0;
    for (let at = 0; at < keys.length; at += AT_ONCE) {
      const part = keys.slice(at, at + AT_ONCE).map(async (key) => {
        try {
          if (await move(key)) moved += 1;
        } catch (error) {
          if (!AssistantError.is(error, "CONFLICT")) throw error;
          problems.push(error);
        }
      });
      await Promise.all(part);
    }
    return moved;
  }

  async function moveEntryFiles(from: string, to: string, problems: AssistantError[]): Promise<number> {
    let moved = 0;
    for (const folder of FOLDERS) {
      const keys = (await listKeys(store, folderOf(from))).filter((key) => isEntry(key, folder));
      moved += await moveEach(keys, (key) => moveEntry(key, from, to, folder), problems);
    }
    return moved;
  }

  /** Runs after the entries have moved, since digests are written from entries. */
  async function moveOthers(from: string, to: string, problems: AssistantError[]): Promise<number> {
    const keys = await listKeys(store, folderOf(from));
    const isOfEntries = (key: string) => ["daily", ".state"].includes(keySegments(key)[2] ?? "");
    const others = keys.filter((key) => !FOLDERS.some((folder) => isEntry(key, folder)));
    const free = problems.length === 0 ? others : others.filter((key) => !isOfEntries(key));
    let moved = 0;
    // Sequential: state of lines moves before the digests that have them.
    for (const key of free) {
      const target = folderOf(to) + key.slice(folderOf(from).length);
      moved += await moveEach([key], () => moveOther(key, target, from, to), problems);
    }
    return moved;
  }

  async function moveEntry(key: string, from: string, to: string, folder: (typeof FOLDERS)[number]): Promise<boolean> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await tryEntry(key, from, to, folder);
      } catch (error) {
        // Another process wrote or moved it.
        if (!ConflictError.is(error) || tries === MAX_TRIES) throw error;
      }
    }
  }

  async function tryEntry(key: string, from: string, to: string, folder: (typeof FOLDERS)[number]): Promise<boolean> {
    const found = await store.get(key);
    if (found === null) return false;
    const name = (keySegments(key).at(-1) ?? "").slice(0, -FILE_END.length);
    const text = typeof found.value === "string" ? await dated(found.value, key, from, name) : undefined;
    for (const id of [name, await idBeside(from, name)]) {
      const value = text === undefined ? found.value : await respelled(text, { from, to, name, id });
      const copied = await copyEntry(value, to, folder, id);
      if (!copied) continue;
      await store.remove(key, { expect: found.version });
      return true;
    }
    throw cannotJoin(key, to, "other entries have its id");
  }

  /** Writes the time of the file into an entry that has none, since a copy would get a new time. */
  async function dated(text: string, key: string, userId: string, id: string): Promise<string> {
    const read = (fileTimeMs: number) => readEntryFile(text, { userId, id, fileTimeMs }, yaml);
    const file = read(0);
    if (!("entry" in file) || file.isDatedByFile !== true) return text;
    const modifiedAt = await store.modifiedAt?.(key);
    const timed = modifiedAt && read(modifiedAt.getTime());
    return timed && "entry" in timed ? writeEntryFile(timed) : text;
  }

  /** @returns False when another entry has this id. */
  async function copyEntry(value: Value, to: string, folder: string, id: string): Promise<boolean> {
    const key = entryKey(to, folder, id);
    const there = await store.get(key);
    if (there) return isSameValue(there.value, value);
    // An entry that a crash left in both folders counts as in recall.
    const other = await store.get(entryKey(to, folder === "entries" ? "archive" : "entries", id));
    if (other && !isSameFile(other.value, value, to, id)) return false;
    await store.put(key, value, { expect: null });
    const copy = await store.get(key);
    if (!copy || !isSameValue(copy.value, value)) throw cannotJoin(key, to, "the copy differs from the original");
    return true;
  }

  function isSameFile(one: Value, other: Value, userId: string, id: string): boolean {
    const [first, second] = [one, other].map((value) =>
      typeof value === "string" ? readEntryFile(value, { userId, id, fileTimeMs: 0 }, yaml) : undefined,
    );
    return first !== undefined && second !== undefined && "entry" in first && "entry" in second
      ? isSameEntry(first.entry, second.entry)
      : isSameValue(one, other);
  }

  /** Rewrites the frontmatter: the user, the id, and the entry that it was merged into. */
  async function respelled(text: string, { from, to, name, id }: Respelling): Promise<string> {
    const end = /^\uFEFF?---[ \t]*\r?\n/.test(text) ? text.search(/\n---[ \t]*(?:\r?\n|$)/) : -1;
    if (end === -1) return text;
    const head = text.slice(0, end);
    const [, into] = /^merged_into: "(.+)"$/m.exec(head) ?? [];
    // All entries in recall move before the first archived one, so a retry after a crash gives the same result.
    const joined = into === undefined ? undefined : await nameNow(from, to, into, ["entries"]);
    return (
      head
        .replace(/^user_id: (.*)$/m, (line, user: string) =>
          user === JSON.stringify(from) || user === from ? `user_id: ${JSON.stringify(to)}` : line,
        )
        .replace(/^id: .*$/m, (line) => (id === name ? line : `id: ${JSON.stringify(id)}`))
        .replace(/^merged_into: .*$/m, (line) =>
          joined === undefined ? line : `merged_into: ${JSON.stringify(joined)}`,
        ) + text.slice(end)
    );
  }

  /** The present id of an entry of `from`. */
  async function nameNow(from: string, to: string, id: string, folders: readonly string[]): Promise<string> {
    const beside = await idBeside(from, id);
    for (const folder of folders) if (await store.get(entryKey(to, folder, beside))) return beside;
    return id;
  }

  async function moveOther(key: string, target: string, from: string, to: string): Promise<boolean> {
    const [, , folder = "", name = "", ...rest] = keySegments(key);
    if (folder === "MEMORY.md" && name === "")
      return moveDocument(store, key, target, (there, moved) =>
        there === undefined ? moved : joinMarkdown(...texts(key, target, there, moved)),
      );
    const [, day] = /^(\d{4}-\d{2}-\d{2})\.md$/.exec(name) ?? [];
    if (folder === "daily" && day !== undefined && rest.length === 0) return moveDay(key, target, day, from, to);
    if (folder === ".state" && rest.length === 0) return moveState(key, target, name);
    return moveDocument(store, key, target);
  }

  /**
   * Joins the lines of both digests. Then rewrites the digest, so that tool counts cover both, unless a line's entry no
   * longer exists.
   */
  async function moveDay(key: string, target: string, day: string, from: string, to: string): Promise<boolean> {
    const found = await store.get(key);
    if (typeof found?.value === "string") {
      const marked = await remarked(found.value, from, to);
      if (marked !== found.value) await store.put(key, marked, { expect: found.version });
    }
    const given = (await store.get(key))?.value;
    const known = (await store.get(target))?.value;
    if (given !== undefined && known !== undefined) {
      const isWhole = await hasEntriesOf(texts(key, target, known, given).join("\n"), to);
      await rewrite(store, target, (there = "") => {
        const [into, of] = texts(key, target, there, given);
        const text = joinMarkdown(into, of, (line, title) => isWrittenAnew(line, title, isWhole));
        return text === into ? undefined : text;
      });
      if (isWhole) await days.digest({ userId: to, day });
    }
    return moveDocument(store, key, target, (there, moved) => there ?? moved);
  }

  async function hasEntriesOf(digest: string, userId: string): Promise<boolean> {
    for (const line of digest.split("\n")) {
      const { id } = readLine(line.trimEnd());
      if (id !== undefined && (await entries.get(userId, id)) === undefined) return false;
    }
    return true;
  }

  async function remarked(text: string, from: string, to: string): Promise<string> {
    const lines = await Promise.all(
      text.split("\n").map(async (line) => {
        const { id } = readLine(line.trimEnd());
        if (id === undefined) return line;
        const now = await nameNow(from, to, id, FOLDERS);
        return now === id ? line : line.replace(/[ \t]*<!-- \S+ -->/, () => withEntryId("", now));
      }),
    );
    return lines.join("\n");
  }

  /**
   * Moves a document of the internal state. Records of written and adopted lines are joined; otherwise the document of
   * the new name wins.
   */
  async function moveState(key: string, target: string, name: string): Promise<boolean> {
    if (name === "tidied.jsonl") {
      await copyTidied(key, target);
      await store.remove(key);
    } else {
      const isJoined = name === "facts.json" || name.startsWith("digest-");
      await moveDocument(store, key, target, (there, moved) =>
        there !== undefined && isJoined ? joinState(there, moved) : (there ?? moved),
      );
    }
    return false;
  }

  async function copyTidied(key: string, target: string): Promise<void> {
    const known = new Set<string>();
    for await (const { record } of store.read(target)) for (const id of textsIn(record["ids"])) known.add(id);
    const ids: string[] = [];
    for await (const { record } of store.read(key)) ids.push(...textsIn(record["ids"]).filter((id) => !known.has(id)));
    if (ids.length > 0) await store.append(target, { ids });
  }

  return {
    async moveUser(from, to) {
      const problems: AssistantError[] = [];
      let moved = layered ? 0 : await moveEntries(entries, from, to);
      if ((await listKeys(store, folderOf(from))).length === 0) return moved;
      try {
        const move = () => moveEntryFiles(from, to, problems);
        moved += await (layered ? layered.moving(from, to, move) : move());
        moved += await moveOthers(from, to, problems);
      } finally {
        await onMoved(from, to);
      }
      const [problem] = problems;
      if (problem) throw problem;
      return moved;
    },
  };
}

function folderOf(userId: string): string {
  return `${storeKey("memory", userId)}/`;
}

function entryKey(userId: string, folder: string, id: string): string {
  return storeKey("memory", userId, folder, `${id}${FILE_END}`);
}

function isEntry(key: string, folder: string): boolean {
  const [, , place, name = "", ...rest] = keySegments(key);
  return place === folder && name.endsWith(FILE_END) && rest.length === 0;
}

function isWrittenAnew(line: string, title: string | undefined, areToolsCounted: boolean): boolean {
  if (title === undefined) return WRITTEN_ANEW.test(line);
  return areToolsCounted && title === DIGEST_SECTIONS.tools && TOOL_LINE.test(line);
}

function texts(key: string, target: string, there: Value, moved: Value): [string, string] {
  if (typeof there === "string" && typeof moved === "string") return [there, moved];
  throw cannotJoin(key, target, "one of them is not UTF-8 text: save it as UTF-8");
}

/** Joins lists and maps; `there` wins for a line of both. */
function joinState(there: Value, moved: Value): JsonValue {
  const [known, more] = [fieldsOf(there), fieldsOf(moved)];
  const ids = [...new Set([...textsIn(more["known"]), ...textsIn(known["known"])])];
  const lines = { ...fieldsOf(more["lines"]), ...fieldsOf(known["lines"]) } as Record<string, JsonValue>;
  return { ...known, v: 1, ...(ids.length > 0 && { known: ids }), ...(Object.keys(lines).length > 0 && { lines }) };
}

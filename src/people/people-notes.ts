import QuickLRU from "quick-lru";
import type { Clock } from "../clock.ts";
import { type Erasable, type Exportable, eraseUnder, exportUnder } from "../erasable/index.ts";
import { ConflictError } from "../errors.ts";
import { type Store, keySegments, storeKey, unreadable } from "../store/index.ts";
import type { ModelRedactor } from "../telemetry/index.ts";
import { type Patched, entryText } from "./patch.ts";

/** A kind of file, and whom it is about. */
export type ContextFile =
  | { readonly identity: string; readonly file: "identity/MEMORY" }
  | {
      readonly identity: string;
      readonly file: "peers/PEER" | "peers/MEMORY" | "groups/GROUP" | "groups/MY_ROLE" | "groups/MEMORY";
      /** A memory's user, as `telegram:42`; for groups, the id without `group:`. */
      readonly id: string;
    };

/** The folder keeps the name that this room had earlier. */
export const ROOM = "contexts";
/** Largest file that is written, in characters. */
const MAX_FILE_CHARS = 65_536;
/** Attempts before an edit is given up because of concurrent writers. */
const MAX_TRIES = 8;
/** Milliseconds for which a cached text is fresh. An edit by hand is seen at the next turn after that. */
const FRESH_MS = 1500;
const MAX_KEPT = 400;

/** What an assistant writes down about people, groups and itself. Source: docs/context-tool.md, "Files". */
export interface PeopleNotes extends Erasable, Exportable {
  /** Reads the text from the store, secrets replaced; empty if there is none. */
  read(file: ContextFile): Promise<string>;
  /**
   * Changes the current text of a file, hand edits included. Contract: `patch` may be called again; an unchanged text
   * is not written. Resolved = durable.
   * @returns Whether something changed, or why nothing could.
   */
  edit(
    file: ContextFile,
    patch: (text: string) => Patched,
  ): Promise<{ readonly changed: boolean } | { readonly error: string }>;
  /** Loads the texts that `shown` returns, unless they are fresh. */
  refresh(files: readonly ContextFile[]): Promise<void>;
  /** The text as last read or written, secrets replaced; `undefined` if it was not read yet or is empty. */
  shown(file: ContextFile): string | undefined;
  /**
   * Removes lines from a group's files, of every assistant.
   * @param group Without `group:`.
   * @param isTheirs Called with the text of each line, without bullet and date.
   */
  forgetLines(group: string, isTheirs: (line: string) => boolean): Promise<void>;
  /** Drops the cached texts, because another part of the program changed or removed files. */
  drop(): void;
}

/** Creates the files of `acp_context` in a store. */
export function createPeopleNotes({
  store,
  clock,
  redact,
}: {
  readonly store: Store;
  readonly clock: Pick<Clock, "now">;
  /** Replaces secrets in what is shown; the file keeps what a person wrote into it. */
  readonly redact: ModelRedactor;
}): PeopleNotes {
  const kept = new QuickLRU<string, { readonly text: string; readonly atMs: number }>({ maxSize: MAX_KEPT });

  function keep(key: string, text: string): void {
    kept.set(key, { text: redact(text), atMs: clock.now() });
  }

  async function load(key: string) {
    const found = await store.get(key);
    if (found && typeof found.value !== "string") throw unreadable(key);
    return { text: found === null ? "" : (found.value as string), version: found?.version ?? null };
  }

  async function refreshOne(key: string): Promise<void> {
    const age = clock.now() - (kept.get(key)?.atMs ?? -Infinity);
    if (age < 0 || age >= FRESH_MS) keep(key, (await load(key)).text);
  }

  async function editKey(key: string, patch: (text: string) => Patched) {
    for (let tries = 1; ; tries += 1) {
      const { text, version } = await load(key);
      const patched = patch(text);
      if ("error" in patched) return patched;
      if (patched.text === text) return { changed: false };
      if (patched.text.length > Math.max(MAX_FILE_CHARS, text.length))
        return { error: "the file is full: shorten a section first" };
      try {
        await store.put(key, patched.text, { expect: version });
        keep(key, patched.text);
        return { changed: true };
      } catch (error) {
        if (!ConflictError.is(error) || tries === MAX_TRIES) throw error;
      }
    }
  }

  return {
    read: async (file) => redact((await load(keyOf(file))).text),
    edit: (file, patch) => editKey(keyOf(file), patch),
    async refresh(files) {
      await Promise.all(files.map((file) => refreshOne(keyOf(file))));
    },
    shown: (file) => kept.get(keyOf(file))?.text || undefined,
    drop: () => kept.clear(),
    async forgetLines(group, isTheirs) {
      const keys: string[] = [];
      for await (const { key } of store.list(`${ROOM}/`)) {
        const [, , folder, id] = keySegments(key);
        if (folder === "groups" && id === group) keys.push(key);
      }
      const without = (text: string) => text.split("\n").filter((line) => !isTheirs(entryText(line)));
      for (const key of keys)
        if (typeof (await store.get(key))?.value === "string")
          await editKey(key, (text) => ({ text: without(text).join("\n") }));
    },
    exportPerson({ userId, isUser }) {
      return exportUnder(store, `${ROOM}/`, (key) => {
        const [, , folder, id = ""] = keySegments(key);
        return folder === "groups" ? userId === `group:${id}` : folder === "peers" && isUser(id);
      });
    },
    async forget(person) {
      try {
        await eraseUnder(store, `${ROOM}/`, person);
      } finally {
        kept.clear();
      }
    },
  };
}

function keyOf(file: ContextFile): string {
  const [folder = "", name = ""] = file.file.split("/");
  return storeKey(ROOM, file.identity, ...("id" in file ? [folder, file.id] : [folder]), `${name}.md`);
}

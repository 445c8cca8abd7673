import type { Clock } from "../../clock.ts";
import { AssistantError, ConflictError } from "../../errors.ts";
import { type Store, type Version, keySegments, listKeys } from "../../store/index.ts";
import type { SkillFile, SkillSource } from "../source.ts";
import { bytesOfValue } from "./file-value.ts";
import { type RecoveredMoves, createSkillMoves, fileKey, skillPrefix } from "./moves.ts";
import { ORIGIN_FILE, type SkillOrigin, readOrigin } from "./origin.ts";
import { sha256 } from "../../hash.ts";

/** A skill that was installed. */
export interface InstalledSkill {
  readonly name: string;
  /** Content of its origin file. */
  readonly origin: SkillOrigin;
}

/** Differences between an installed skill and what was installed. Paths are within its folder. */
export interface SkillChanges {
  /** Files with another content. */
  readonly changed: readonly string[];
  /** Files that are gone. */
  readonly missing: readonly string[];
  /** Files that were not in the archive. */
  readonly added: readonly string[];
}

/** Result of `verify`. */
export interface VerifiedSkill extends SkillChanges {
  readonly name: string;
  /** Whether every file is as it was installed, and there is no other. */
  readonly ok: boolean;
}

/** The current content of a skill's folder. */
export interface SkillFolder {
  /** Null: there is no readable origin file, or no folder. */
  readonly origin: SkillOrigin | null;
  readonly isEmpty: boolean;
}

export type InstalledSkills = ReturnType<typeof createInstalledSkills>;

/**
 * The skills in the store that came from an archive: documents under `skills/<name>/`, with their origin in
 * `.skill-origin.json`.
 *
 * Source: docs/skills-install.md, "What lies where".
 */
export function createInstalledSkills({ store, clock }: { readonly store: Store; readonly clock: Pick<Clock, "now"> }) {
  const moves = createSkillMoves({ store, clock });

  async function originOf(name: string): Promise<{ readonly origin: SkillOrigin; readonly version: Version } | null> {
    // No key is made of it.
    if (name === "") return null;
    const found = await store.get(fileKey(name, ORIGIN_FILE));
    const origin = found && readOrigin(found.value);
    return found && origin ? { origin, version: found.version } : null;
  }

  async function folderOf(name: string): Promise<SkillFolder> {
    let isEmpty = true;
    for await (const _ of store.list(skillPrefix(name), { limit: 1 })) isEmpty = false;
    return { origin: (await originOf(name))?.origin ?? null, isEmpty };
  }

  async function find(name: string): Promise<InstalledSkill | null> {
    const found = await originOf(name);
    return found && { name, origin: found.origin };
  }

  async function mustFind(name: string): Promise<InstalledSkill> {
    const found = await find(name);
    if (!found) throw new AssistantError("NOT_FOUND", `No skill ${JSON.stringify(name)} was installed`);
    return found;
  }

  /** Lists the installed skills, by name. */
  async function list(): Promise<readonly InstalledSkill[]> {
    const names: string[] = [];
    for await (const { key } of store.list("skills/")) {
      const [, name = "", file, ...deeper] = keySegments(key);
      if (file === ORIGIN_FILE && deeper.length === 0 && !name.startsWith(".")) names.push(name);
    }
    const found = await Promise.all(names.map(find));
    return found.filter((one) => one !== null);
  }

  /** Compares every file with the hash that it had when it was installed. */
  async function verify(name: string): Promise<VerifiedSkill> {
    const { origin } = await mustFind(name);
    const left = new Map(Object.entries(origin.files));
    const changed: string[] = [];
    const added: string[] = [];
    for (const key of await listKeys(store, skillPrefix(name))) {
      const path = keySegments(key).slice(2).join("/");
      if (path === ORIGIN_FILE) continue;
      const wanted = left.get(path);
      left.delete(path);
      if (wanted === undefined) added.push(path);
      else if ((await hashAt(key)) !== wanted) changed.push(path);
    }
    const missing = [...left.keys()];
    return { name, ok: changed.length + missing.length + added.length === 0, changed, missing, added };
  }

  /** Hash of a document. `undefined` for a log, which no installation writes. */
  async function hashAt(key: string): Promise<string | undefined> {
    try {
      const found = await store.get(key);
      return found ? await sha256(bytesOfValue(found.value)) : undefined;
    } catch (error) {
      if (error instanceof TypeError) return undefined; // a log
      throw error;
    }
  }

  /** Changes the origin file of a skill whose other files stay. */
  async function mark(name: string, change: (origin: SkillOrigin) => SkillOrigin): Promise<void> {
    for (;;) {
      const found = await originOf(name);
      if (!found) throw new AssistantError("NOT_FOUND", `No skill ${JSON.stringify(name)} was installed`);
      try {
        await store.put(fileKey(name, ORIGIN_FILE), { ...change(found.origin) }, { expect: found.version });
        return;
      } catch (error) {
        if (!ConflictError.is(error)) throw error;
      }
    }
  }

  return {
    find,
    list,
    verify,
    mark,
    /** Returns the current content of a skill's folder. */
    folder: folderOf,

    /**
     * Replaces the whole folder of a skill.
     *
     * @param check Called while no one else changes the folder. If it throws, everything stays as it was.
     */
    replace(
      name: string,
      files: readonly SkillFile[],
      origin: SkillOrigin,
      check: (folder: SkillFolder) => Promise<void> | void,
    ): Promise<void> {
      return moves.replace(name, files, origin, async () => check(await folderOf(name)));
    },

    /** Removes an installed skill with its whole folder. Leaves a skill alone that was not installed. */
    remove: (name: string): Promise<void> => moves.remove(name, async () => void (await mustFind(name))),

    /** Enables a skill that was installed disabled. */
    async enable(name: string): Promise<void> {
      await mark(name, ({ disabled: _disabled, ...origin }) => origin);
    },

    /** Whether the skill must be skipped now, because its folder is being changed or it is disabled. */
    async isHidden(name: string): Promise<boolean> {
      return (await moves.isMoving(name)) || (await originOf(name))?.origin.disabled === true;
    },

    /** Names of all skills for which `isHidden` is true. */
    async hidden(): Promise<ReadonlySet<string>> {
      const names = new Set<string>();
      // Moves are read before origins: a skill whose move has just ended then has its origin.
      for (const name of await moves.named()) if (await moves.isMoving(name)) names.add(name);
      for (const { name, origin } of await list()) if (origin.disabled === true) names.add(name);
      return names;
    },

    isMoving: moves.isMoving,

    /**
     * Finishes the moves that an ended process had decided, and removes what it left behind. Call it once, before the
     * library reads the store.
     */
    recover: (): Promise<RecoveredMoves> => moves.recover(),
  };
}

/**
 * The source of the store without skills that must not be offered: those whose folder is being changed, so that none
 * is seen half-written, disabled ones, and the working folders of installations.
 */
export function withoutHidden(
  source: SkillSource,
  installed: Pick<InstalledSkills, "isHidden" | "hidden">,
): SkillSource {
  const { pathOf, readFile, files, watch } = source;
  const isHidden = async (name: string) => name.startsWith(".") || (await installed.isHidden(name));
  return {
    name: source.name,
    ...(pathOf && { pathOf: pathOf.bind(source) }),
    async list() {
      const listed = await source.list();
      // One list instead of two reads per skill, of which few were installed.
      const hidden = await installed.hidden();
      return listed.filter(({ name }) => !name.startsWith(".") && !hidden.has(name));
    },
    read: async (name) => ((await isHidden(name)) ? null : source.read(name)),
    ...(readFile && {
      readFile: async (name, path) => ((await isHidden(name)) ? null : readFile.call(source, name, path)),
    }),
    ...(files && { files: async (name) => ((await isHidden(name)) ? [] : files.call(source, name)) }),
    ...(watch && { watch: watch.bind(source) }),
  };
}

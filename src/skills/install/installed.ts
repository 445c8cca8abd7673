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
  /** What its origin file says. */
  readonly origin: SkillOrigin;
}

/** What of an installed skill is not as it was installed. Paths are within its folder. */
export interface SkillChanges {
  /** Another content. */
  readonly changed: readonly string[];
  /** Not there any more. */
  readonly missing: readonly string[];
  /** Not of the archive. */
  readonly added: readonly string[];
}

/** What `verify` found. */
export interface VerifiedSkill extends SkillChanges {
  readonly name: string;
  /** Every file is as it was installed, and there is no other. */
  readonly ok: boolean;
}

/** What lies in a skill's folder now. */
export interface SkillFolder {
  /** Null: it has no origin file that can be read, or is not there at all. */
  readonly origin: SkillOrigin | null;
  readonly isEmpty: boolean;
}

export type InstalledSkills = ReturnType<typeof createInstalledSkills>;

/**
 * The skills in the store that an archive brought: documents under `skills/<name>/`, of which `.skill-origin.json` says where they came from.
 *
 * Source: docs/skills-install.md, "What lies where".
 */
export function createInstalledSkills({ store, clock }: { readonly store: Store; readonly clock: Pick<Clock, "now"> }) {
  const moves = createSkillMoves({ store, clock });

  async function originOf(name: string): Promise<{ readonly origin: SkillOrigin; readonly version: Version } | null> {
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

  /** Every skill that was installed, by name. */
  async function list(): Promise<readonly InstalledSkill[]> {
    const names: string[] = [];
    for await (const { key } of store.list("skills/")) {
      const [, name = "", file, ...deeper] = keySegments(key);
      if (file === ORIGIN_FILE && deeper.length === 0 && !name.startsWith(".")) names.push(name);
    }
    const found = await Promise.all(names.map(find));
    return found.filter((one) => one !== null);
  }

  /** Every file against the hash that it had when it was installed. */
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

  /** Undefined for what is no document: it is not what was installed. */
  async function hashAt(key: string): Promise<string | undefined> {
    try {
      const found = await store.get(key);
      return found ? await sha256(bytesOfValue(found.value)) : undefined;
    } catch (error) {
      if (error instanceof TypeError) return undefined; // a log
      throw error;
    }
  }

  /** Changes what the origin file says of a skill that stays as it is. */
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
    /** What lies in a skill's folder now. */
    folder: folderOf,

    /**
     * Replaces the folder of a skill, as a whole.
     *
     * @param check Asked while nobody else changes the folder; what it throws leaves everything as it was.
     */
    replace(
      name: string,
      files: readonly SkillFile[],
      origin: SkillOrigin,
      check: (folder: SkillFolder) => Promise<void> | void,
    ): Promise<void> {
      return moves.replace(name, files, origin, async () => check(await folderOf(name)));
    },

    /** Removes an installed skill, with everything that lies in its folder. One that was not installed is left alone. */
    remove: (name: string): Promise<void> => moves.remove(name, async () => void (await mustFind(name))),

    /** The owner trusts a skill that was installed disabled. */
    async enable(name: string): Promise<void> {
      await mark(name, ({ disabled: _disabled, ...origin }) => origin);
    },

    /** Is it to be passed over now: its folder is being changed, or it is disabled? */
    async isHidden(name: string): Promise<boolean> {
      return (await moves.isMoving(name)) || (await originOf(name))?.origin.disabled === true;
    },

    /** Names of all that `isHidden` is true of. */
    async hidden(): Promise<ReadonlySet<string>> {
      const names = new Set<string>();
      // Before the origins: what is no longer moved has its origin there.
      for (const name of await moves.named()) if (await moves.isMoving(name)) names.add(name);
      for (const { name, origin } of await list()) if (origin.disabled === true) names.add(name);
      return names;
    },

    isMoving: moves.isMoving,

    /** Carries out what a process that ended had decided on, and removes what it left behind. Call it once, before the library reads the store. */
    recover: (): Promise<RecoveredMoves> => moves.recover(),
  };
}

/**
 * The source of the store without what must not be offered: skills whose folder is changed at this moment, so that none is seen in halves, disabled ones, and
 * what installing keeps beside them.
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
      // Asked for each alone, it would be two reads for each skill, of which few were installed.
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

import type { Exported, ExportedPerson, ForgottenPerson } from "../erasable/index.ts";
import { AssistantError, ConflictError } from "../errors.ts";
import type { Platform } from "../platform.ts";
import { ConfigError, pathText } from "../settings/index.ts";
import { type Store, type Value, removeUnder } from "../store/index.ts";
import { objectionsTo } from "./links.ts";
import { parseSkill, readSkill } from "./parse-skill.ts";
import type { SkillShelf } from "./shelf.ts";
import { peopleIn, withPeople } from "./skill-people.ts";
import { SKILL_FILE, isSkillFolder, skillKey } from "./skill-path.ts";
import { storeSkillSource } from "./store-source.ts";

export interface WorkspaceSkillsDeps {
  readonly store: Store;
  readonly shelf: Pick<SkillShelf, "load" | "invalidate">;
  readonly yaml: Platform["yaml"];
}

/** Skills that the assistant itself writes, in the store. */
export type WorkspaceSkills = ReturnType<typeof createWorkspaceSkills>;

export function createWorkspaceSkills({ store, shelf, yaml }: WorkspaceSkillsDeps) {
  const source = storeSkillSource(store);

  /** Whether there is a folder with a `SKILL.md`, loaded or not. */
  async function has(folder: string): Promise<boolean> {
    return isSkillFolder(folder) && (await store.get(skillKey(folder))) !== null;
  }

  /** Removes a folder; does nothing if it is gone. */
  async function remove(folder: string): Promise<void> {
    // Without its `SKILL.md` the folder is no skill, even if the rest stays after a crash.
    await store.remove(skillKey(folder));
    await removeUnder(store, skillKey(folder).slice(0, -SKILL_FILE.length));
    shelf.invalidate();
  }

  /**
   * Every `SKILL.md` that names a person, even if it is not loaded: because of mistakes, because another skill hides
   * it, or because it waits for the owner.
   */
  async function* naming(userId: string) {
    for (const { name: folder } of await source.list()) {
      const found = await store.get(skillKey(folder));
      const text = found === null ? undefined : textOf(found.value);
      if (found === null || text === undefined) continue;
      const people = peopleIn(text, yaml);
      if (people.includes(userId)) yield { folder, text, people, version: found.version };
    }
  }

  return {
    /**
     * Stores a new skill. The same text again changes nothing.
     * @throws {AssistantError} `CONFLICT` if a skill of any source has the name. @throws {ConfigError} If something
     * in the text is wrong.
     */
    async create(name: string, text: string): Promise<void> {
      parseSkill(text, { path: skillKey(name) }, yaml);
      const { skills } = await shelf.load();
      const before = await store.get(skillKey(name));
      if (before?.value === text) return;
      if (before !== null || skills.some(({ skill }) => skill.name === name)) throw taken(name);
      try {
        await store.put(skillKey(name), text, { expect: null });
      } catch (error) {
        if (!ConflictError.is(error)) throw error;
        // A second press of the same yes may have written it in the meantime.
        if ((await store.get(skillKey(name)))?.value !== text) throw taken(name);
      }
      shelf.invalidate();
    },
    /**
     * Stores a skill under the name in its text, and replaces an existing one. @returns The name. @throws
     * {ConfigError} If something in the text is wrong, by itself or together with the other skills.
     */
    async write(text: string): Promise<string> {
      const { skill, placeOf } = readSkill(text, { path: SKILL_FILE }, yaml);
      const { name } = skill;
      const others = (await shelf.load()).skills.filter((one) => one.skill.name !== name);
      const objections = objectionsTo([...others.map((one) => one.skill), skill]).filter((one) => one.skill === name);
      if (objections.length > 0)
        throw new ConfigError(
          objections.map(({ path = [], message }) => {
            const field = pathText(path);
            return { file: SKILL_FILE, ...placeOf(path), path: field, message: `${field}: ${message}` };
          }),
        );
      await store.put(skillKey(name), text);
      shelf.invalidate();
      return name;
    },
    /** Skills that are offered to a person alone, each as its `SKILL.md`. */
    async *exportPerson({ userId }: Pick<ExportedPerson, "userId">): AsyncGenerator<Exported> {
      for await (const { folder, text, people } of naming(userId))
        if (isOnly(people, userId)) yield { key: skillKey(folder), text };
    },
    /** Removes the skills that were offered to a person alone. */
    async forget({ userId }: Pick<ForgottenPerson, "userId">): Promise<void> {
      for await (const { folder, people } of naming(userId)) if (isOnly(people, userId)) await remove(folder);
    },
    /** Offers the skills of `from` to `to` instead. */
    async moveUser(from: string, to: string): Promise<number> {
      let moved = 0;
      for await (const { folder, text, people, version } of naming(from)) {
        const now = [...new Set(people.map((one) => (one === from ? to : one)))];
        const written = withPeople(text, now, yaml);
        if (written === text) continue;
        await store.put(skillKey(folder), written, { expect: version });
        moved += 1;
      }
      if (moved > 0) shelf.invalidate();
      return moved;
    },
    has,
    remove,
  };
}

function isOnly(people: readonly string[], userId: string): boolean {
  return people.every((one) => one === userId);
}

function textOf(value: Value): string | undefined {
  if (value instanceof Uint8Array) return new TextDecoder().decode(value);
  return typeof value === "string" ? value : undefined;
}

function taken(name: string): AssistantError {
  return new AssistantError("CONFLICT", `A skill ${name} already exists`);
}

import type { Exported, ExportedPerson, ForgottenPerson } from "../erasable/index.ts";
import { AssistantError, ConflictError } from "../errors.ts";
import type { Platform } from "../platform.ts";
import type { Store } from "../store/index.ts";
import { parseSkill } from "./parse-skill.ts";
import type { SkillShelf } from "./shelf.ts";
import type { Skill } from "./skill.ts";
import { SKILL_FILE, isSkillFolder, skillKey } from "./skill-path.ts";
import { writeSkill } from "./write-skill.ts";

export interface WorkspaceSkillsDeps {
  readonly store: Pick<Store, "get" | "put" | "remove" | "list">;
  readonly shelf: Pick<SkillShelf, "load" | "invalidate">;
  readonly yaml: Platform["yaml"];
}

/** Skills that the assistant itself writes, in the store. */
export type WorkspaceSkills = ReturnType<typeof createWorkspaceSkills>;

export function createWorkspaceSkills({ store, shelf, yaml }: WorkspaceSkillsDeps) {
  /** Removes a skill's folder. @throws {AssistantError} `NOT_FOUND`. */
  async function remove(name: string): Promise<void> {
    if (!isSkillFolder(name) || (await store.get(skillKey(name))) === null)
      throw new AssistantError("NOT_FOUND", `There is no skill ${JSON.stringify(name)} in the workspace`);
    // Without it the folder is no skill, whatever becomes of the rest.
    await store.remove(skillKey(name));
    const keys: string[] = [];
    for await (const { key } of store.list(skillKey(name).slice(0, -SKILL_FILE.length))) keys.push(key);
    for (const key of keys) await store.remove(key);
    shelf.invalidate();
  }

  return {
    /**
     * Keeps a new skill. The same text again changes nothing.
     * @throws {AssistantError} `CONFLICT` when another skill has the name, wherever it lies. @throws {ConfigError} For what is wrong with the text.
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
        if (ConflictError.is(error)) throw taken(name);
        throw error;
      }
      shelf.invalidate();
    },
    /** Keeps a skill under the name that its text says, and replaces the one that is there. @returns The name. @throws {ConfigError} For what is wrong with the text. */
    async write(text: string): Promise<string> {
      const { name } = parseSkill(text, { path: SKILL_FILE }, yaml);
      await store.put(skillKey(name), text);
      shelf.invalidate();
      return name;
    },
    /** Skills that a person alone is offered, each as its `SKILL.md`. */
    async *exportPerson({ userId }: Pick<ExportedPerson, "userId">): AsyncGenerator<Exported> {
      for (const { skill } of (await shelf.load()).skills) {
        const text = isOnly(skill, userId) ? (await store.get(skillKey(skill.name)))?.value : undefined;
        if (typeof text === "string") yield { key: skillKey(skill.name), text };
      }
    },
    /** Removes the skills that a person alone was offered. */
    async forget({ userId }: Pick<ForgottenPerson, "userId">): Promise<void> {
      shelf.invalidate();
      for (const { skill, kind } of (await shelf.load()).skills)
        if (kind === "workspace" && isOnly(skill, userId)) await remove(skill.name);
    },
    /** Offers to `to` what `from` was offered. */
    async moveUser(from: string, to: string): Promise<number> {
      shelf.invalidate();
      let moved = 0;
      for (const { skill, kind } of (await shelf.load()).skills) {
        if (kind !== "workspace" || !skill.people?.includes(from)) continue;
        const found = await store.get(skillKey(skill.name));
        if (typeof found?.value !== "string") continue;
        const before = parseSkill(found.value, { path: skillKey(skill.name) }, yaml);
        const people = [...new Set((before.people ?? []).map((one) => (one === from ? to : one)))];
        await store.put(skillKey(skill.name), writeSkill({ ...before, people }, found.value, yaml), {
          expect: found.version,
        });
        moved += 1;
      }
      if (moved > 0) shelf.invalidate();
      return moved;
    },
    remove,
  };
}

function isOnly({ people }: Pick<Skill, "people">, userId: string): boolean {
  return people?.length === 1 && people[0] === userId;
}

function taken(name: string): AssistantError {
  return new AssistantError("CONFLICT", `There is a skill ${name} already`);
}

import type { Erasable, Exportable, Movable } from "../erasable/index.ts";
import type { OpenedSkills } from "./open-skills.ts";

/**
 * Erases, exports and moves what skills store about people: skills that are offered to them alone, activations with
 * their verdicts, and suggestions.
 */
export function createSkillErasure({
  workspace,
  activations,
  suggestions,
}: Pick<OpenedSkills, "workspace" | "activations" | "suggestions">): Erasable & Exportable & Movable {
  return {
    async moveUser(from, to) {
      let moved = 0;
      for (const room of [workspace, activations, suggestions]) moved += await room.moveUser(from, to);
      return moved;
    },
    async forget(person) {
      await workspace.forget(person);
      await activations.forget(person);
      await suggestions.forget(person);
    },
    async *exportPerson(person) {
      yield* workspace.exportPerson(person);
      yield* activations.exportPerson(person);
      yield* suggestions.exportPerson(person);
    },
  };
}

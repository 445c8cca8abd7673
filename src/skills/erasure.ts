import type { Erasable, Exportable, Movable } from "../erasable/index.ts";
import type { OpenedSkills } from "./open-skills.ts";

/** What skills keep of people: those that they alone are offered, when skills came for them and what they said of it, and what was suggested to them. */
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

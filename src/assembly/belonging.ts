import { type Belonging, type BelongingDeps, createBelonging } from "../belonging/index.ts";
import type { Movable } from "../erasable/index.ts";
import { type OpenedMemory, joinMarkdown } from "../memory/index.ts";
import { type PeopleNotes, createPeopleMove } from "../people/index.ts";
import { createLearningMove } from "../proactive/index.ts";
import type { Store } from "../store/index.ts";

/** The rooms that store something under the name of a memory. */
export interface MovedRooms {
  readonly memory: Pick<OpenedMemory, "moves" | "lock" | "moving">;
  readonly notes: PeopleNotes;
  readonly goals: Movable;
  readonly attention: Movable;
  readonly skills: Movable;
  readonly patterns: readonly Movable[];
}

/**
 * Wires `belonging/` with each room that stores something under the name of a person's memory. What is stored by
 * `channel:id` (jobs, notifications, access) stays there.
 */
export function wireBelonging(
  ground: Pick<BelongingDeps, "engine" | "clock" | "logger"> & { readonly store: Store },
  who: Pick<BelongingDeps, "users" | "access">,
  { memory, notes, goals, attention, skills, patterns }: MovedRooms,
): Belonging {
  const { store } = ground;
  const { lock, moving } = memory;
  const rooms = [
    memory.moves,
    createPeopleMove({ store, notes, join: joinMarkdown }),
    goals,
    attention,
    skills,
    createLearningMove({ store }),
    ...patterns,
  ];
  return createBelonging({ ...ground, ...who, rooms, lock, moving });
}

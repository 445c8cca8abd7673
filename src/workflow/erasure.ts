import { type Erasable, type Exportable, type Named, eraseUnder, isWorkOf } from "../erasable/index.ts";
import { OWNER_ROLE } from "../policy/index.ts";
import type { JsonValue, Store } from "../store/index.ts";
import type { WorkflowRun } from "./run.ts";
import type { Runs } from "./runs.ts";

const ROOM = "workflows/";

/** Exports a person's runs. Erases them, and redacts the person's names in other runs and in definitions. */
export function createWorkflowErasure({
  store,
  runs,
}: {
  readonly store: Store;
  readonly runs: Pick<Runs, "all" | "remove">;
}): Erasable & Exportable & Named {
  return {
    async namesOf({ isUser }) {
      const names: string[] = [];
      for await (const { id, place } of runs.all())
        if (isUser(place.user)) names.push(`workflow:${id}`, `workflow:${id}:`);
      return names;
    },
    async *exportPerson(person) {
      for await (const run of runs.all())
        if (isWorkOf(person, begunBy(run))) yield run as unknown as Readonly<Record<string, JsonValue>>; // plain data all the way down
    },
    async forget(person) {
      for await (const run of runs.all()) if (isWorkOf(person, begunBy(run))) await runs.remove(run);
      await eraseUnder(store, ROOM, person, {
        // Also removes documents that cannot be read as runs.
        isOver: (value) => person.isUser((value as Partial<WorkflowRun> | null)?.place?.user ?? ""),
      });
    },
  };
}

function begunBy({ place: { user, roles, home } }: WorkflowRun) {
  return { user, isOwners: roles.includes(OWNER_ROLE), session: home.sessionKey };
}

import { type Erasable, type Exportable, type Named, eraseUnder } from "../erasable/index.ts";
import type { JsonValue, Store } from "../store/index.ts";
import type { Subagent } from "./subagent.ts";
import { SUBAGENTS, type Subagents } from "./subagents.ts";

/** Sub-agents of a person: given out whole; of a forgotten one they go, and their names are taken out of the others. */
export function createSubagentErasure({
  store,
  subagents,
}: {
  readonly store: Store;
  readonly subagents: Pick<Subagents, "all" | "remove" | "removeRoot">;
}): Erasable & Exportable & Named {
  return {
    async namesOf({ isUser }) {
      const names: string[] = [];
      for await (const { id, person } of subagents.all()) if (isUser(person.user)) names.push(`sub:${id}`);
      return names;
    },
    async *exportPerson({ isUser }) {
      for await (const one of subagents.all())
        if (isUser(one.person.user)) yield one as unknown as Readonly<Record<string, JsonValue>>; // plain data all the way down
    },
    async forget(person) {
      for await (const one of subagents.all())
        if (person.isUser(one.person.user) || person.sessions.has(one.home.sessionKey)) await subagents.remove(one);
      for (const root of person.sessions) await subagents.removeRoot(root);
      await eraseUnder(store, SUBAGENTS, person, {
        // One that cannot be read.
        isOver: (value) => person.isUser((value as Partial<Subagent> | null)?.person?.user ?? ""),
      });
    },
  };
}

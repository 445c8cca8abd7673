import { type Erasable, type Exportable, type Named, eraseUnder } from "../erasable/index.ts";
import type { JsonValue, Store } from "../store/index.ts";
import type { Subagent } from "./subagent.ts";
import { SUBAGENTS, type Subagents } from "./subagents.ts";

/** Exports a person's sub-agents. Erases them, and redacts the person's names in others. */
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
        // Also removes documents that cannot be read as sub-agents.
        isOver: (value) => person.isUser((value as Partial<Subagent> | null)?.person?.user ?? ""),
      });
    },
  };
}

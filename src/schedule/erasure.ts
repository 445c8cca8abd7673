import { type Erasable, eraseUnder } from "../erasable/index.ts";
import type { Store } from "../store/index.ts";
import type { Jobs } from "./jobs.ts";
import type { Runs } from "./runs.ts";

/** Jobs of a forgotten person go, with their runs; their names are taken out of the others. */
export function createJobErasure({
  store,
  jobs,
  runs,
}: {
  readonly store: Store;
  readonly jobs: Pick<Jobs, "load" | "list" | "remove">;
  readonly runs: Pick<Runs, "remove">;
}): Erasable {
  return {
    async forget(person) {
      await jobs.load();
      for await (const { id, user, session } of jobs.list()) {
        if (!person.isUser(user) && !(session !== undefined && person.sessions.has(session))) continue;
        await jobs.remove(id);
        await runs.remove(id);
      }
      await eraseUnder(store, "jobs/", person);
      await store.remove(".index/jobs");
    },
  };
}

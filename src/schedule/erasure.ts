import { type Erasable, type Exportable, eraseUnder } from "../erasable/index.ts";
import { type JsonValue, type Store, storeKey } from "../store/index.ts";
import type { JobRun } from "./job.ts";
import type { Jobs } from "./jobs.ts";
import type { Runs } from "./runs.ts";

/** The newest runs of each job that are given out. */
const RUNS_GIVEN = 100;

/** Jobs of a person: given out with their newest runs; of a forgotten one they go, with all runs, and their names are taken out of the others. */
export function createJobErasure({
  store,
  jobs,
  runs,
}: {
  readonly store: Store;
  readonly jobs: Pick<Jobs, "load" | "list" | "remove">;
  readonly runs: Pick<Runs, "list" | "remove">;
}): Erasable & Exportable {
  return {
    async *exportPerson({ isUser }) {
      await jobs.load();
      for await (const { id, user } of jobs.list()) {
        if (!isUser(user)) continue;
        const file = storeKey("jobs", `${id}.yaml`);
        const text = (await store.get(file))?.value;
        if (typeof text === "string") yield { file, text, runs: (await runs.list(id, RUNS_GIVEN)).map(plainRun) };
      }
    },
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

/** Names as in the lines of the log. */
function plainRun({ runId, planned, started, ended, status, error, reason, tokens, output }: JobRun): JsonValue {
  return {
    run_id: runId,
    planned: planned.toISOString(),
    status,
    ...(started && { started: started.toISOString() }),
    ...(ended && { ended: ended.toISOString() }),
    ...(error !== undefined && { error }),
    ...(reason !== undefined && { reason }),
    ...(tokens !== undefined && { tokens }),
    ...(output !== undefined && { output }),
  };
}

import {
  type Erasable,
  type Exportable,
  type ForgottenPerson,
  type Named,
  eraseUnder,
  isWorkOf,
} from "../erasable/index.ts";
import { OWNER_ROLE } from "../policy/index.ts";
import { type Store, listKeys, storeKey } from "../store/index.ts";
import type { Job } from "./job.ts";
import { BAD_END, type Jobs } from "./jobs.ts";
import { type Runs, idOfLine, plainRun } from "./runs.ts";

/** The user's line in a job's file. */
const USER_LINE = /^user_id:[ \t]*["']?([^"'\r\n]+?)["']?[ \t]*$/m;
const UTF_8 = new TextDecoder();
/** Newest runs of each job in an export. */
const RUNS_GIVEN = 100;

/**
 * Exports a person's jobs with their newest runs. Erases them with all runs, and redacts the person's names in other
 * jobs.
 */
export function createJobErasure({
  store,
  jobs,
  runs,
}: {
  readonly store: Store;
  readonly jobs: Pick<Jobs, "load" | "list" | "remove">;
  readonly runs: Pick<Runs, "list" | "remove">;
}): Erasable & Exportable & Named {
  /**
   * Removes files that were set aside. The user's line decides whose a file is; without one, a file that names the
   * person goes.
   */
  async function forgetSetAside({ isUser, words }: ForgottenPerson): Promise<void> {
    for (const key of await listKeys(store, "jobs/")) {
      if (!key.endsWith(BAD_END)) continue;
      const value = (await store.get(key))?.value;
      // Not UTF-8: without the zero bytes of UTF-16, the line can still be matched.
      const bytes = value instanceof Uint8Array ? UTF_8.decode(value).replaceAll("\0", "") : "";
      const text = typeof value === "string" ? value : bytes;
      const user = USER_LINE.exec(text)?.[1];
      if (user === undefined ? words.isNamed(text) : isUser(user)) await store.remove(key);
    }
  }

  return {
    async namesOf({ isUser }) {
      await jobs.load();
      const names: string[] = [];
      for await (const { id, user } of jobs.list()) if (isUser(user)) names.push(`job:${id}:`);
      return names;
    },
    async *exportPerson(person) {
      await jobs.load();
      for await (const job of jobs.list()) {
        if (!isWorkOf(person, begunBy(job))) continue;
        const { id } = job;
        const file = storeKey("jobs", `${id}.yaml`);
        const text = (await store.get(file))?.value;
        if (typeof text === "string") yield { file, text, runs: (await runs.list(id, RUNS_GIVEN)).map(plainRun) };
      }
    },
    async forget(person) {
      await jobs.load();
      for await (const job of jobs.list()) {
        if (!isWorkOf(person, begunBy(job))) continue;
        await jobs.remove(job.id);
        await runs.remove(job.id);
      }
      await forgetSetAside(person);
      await eraseUnder(store, "jobs/", person, { rewriting: { idOf: idOfLine } });
      await store.remove(".index/jobs");
    },
  };
}

function begunBy({ user, roles, session }: Job) {
  return { user, isOwners: roles.includes(OWNER_ROLE), session };
}

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

/** The user in the file of a job. */
const USER_LINE = /^user_id:[ \t]*["']?([^"'\r\n]+?)["']?[ \t]*$/m;
const UTF_8 = new TextDecoder();
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
}): Erasable & Exportable & Named {
  /** Files that could not be read: whose one is, its line says, and where that is broken too, that it names them. */
  async function forgetSetAside({ isUser, words }: ForgottenPerson): Promise<void> {
    for (const key of await listKeys(store, "jobs/")) {
      if (!key.endsWith(BAD_END)) continue;
      const value = (await store.get(key))?.value;
      // Bytes are no UTF-8: without what UTF-16 puts between letters, the line reads as it was written.
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
